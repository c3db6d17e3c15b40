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
    complain("pitboss: \(error.filePath ?? folder): \(SystemWords.of(error))")
    throw ExitStatus.ioFailed
  } catch {
    complain("pitboss: \(folder): \(error)")
    throw ExitStatus.ioFailed
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
