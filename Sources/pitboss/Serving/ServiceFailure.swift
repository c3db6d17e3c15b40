internal import ArgumentParser
internal import Foundation
internal import RunStore
internal import Service

/// Runs a piece of a command that works in a service's folder; why it cannot becomes a message and an
/// exit code, the same from every command.
func reportingServiceFailures<Answer>(
  _ folder: String, _ body: () throws -> Answer
) throws -> Answer {
  do {
    return try body()
  } catch let error as ServiceError {
    complain("pitboss: \(error)")
    throw error.isAboutInput ? ExitStatus.badInput : ExitStatus.ioFailed
  } catch let exit as ExitCode {
    throw exit
  } catch let failure as ScratchFolder.Failure {
    complain("pitboss: \(failure)")
    throw ExitStatus.ioFailed
  } catch let error as CocoaError {
    let (path, words) = (error.filePath ?? folder, SystemWords.of(error))
    complain("pitboss: \(path): \(words); \(advice(SystemWords.code(of: error)))")
    throw ExitStatus.ioFailed
  } catch {
    complain("pitboss: \(folder): \(error)")
    throw ExitStatus.ioFailed
  }
}

/// What would do where the system refuses a service's folder, by the system's number.
private func advice(_ code: Int32?) -> String {
  switch code {
  case ENOSPC, EDQUOT, EFBIG: "free some space, or use another folder"
  case EACCES, EPERM, EROFS: "use a folder that you may write to"
  case ENOTDIR: "a part of the path is a file; use another folder"
  case ENOENT: "use a folder in a place that exists"
  default: "check the disk, or use another folder"
  }
}

extension ServiceError {
  /// Whether another folder or scenario would do.
  var isAboutInput: Bool {
    switch self {
    case .missing, .otherFile, .otherSettings, .clockBehind: true
    default: false
    }
  }
}
