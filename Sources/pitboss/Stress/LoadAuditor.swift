internal import Foundation
internal import LoadTest
internal import RewardModel
internal import RunStore
internal import Service

/// Audits the folder of a service after a load, while it goes on.
struct LoadAuditor {
  let folder: URL
  let frame: RunFrame

  /// Somebody asked twice to stop.
  private struct Stopped: Error, CustomStringConvertible {
    let description = "it was interrupted"
  }

  /// Why an audit could not be made.
  static func words(of error: any Error, _ folder: URL) -> String {
    if error is ScratchFolder.Failure { return "\(error)" }
    return "\(folder.path): \(DiskFailure.words(of: error) ?? SystemWords.of(error))"
  }

  /// Commits the journal again by the rules, and looks up each request that was acknowledged.
  ///
  /// - Parameters:
  ///   - loads: With what the service said was done.
  ///   - place: Where the service's folder is copied to.
  /// - Throws: Errors of the file system, GRDB and decoders; where somebody asked twice to stop.
  func audit<Served: ServedProgramme>(
    _ served: Served.Type, settings: Served.Settings, _ loads: [LoadMeasures],
    in place: borrowing ScratchFolder
  ) throws -> LoadAudit {
    let (copy, scratch) = (try place.folder("copy"), try place.folder("scratch"))
    func goOn() throws {
      if Interrupts.isUrgent { throw Stopped() }
    }
    try goOn()
    try ServiceCopy.make(of: folder, in: copy, asking: goOn)
    // By what the keys of a load begin with, and the request's number.
    var missing: [Substring: [UInt32: UInt64]] = [:]
    var problems: [AuditProblem] = []
    var count = 0
    for load in loads {
      for request in load.acknowledged {
        count += 1
        let earlier = missing[load.key[...], default: [:]]
          .updateValue(request.digest, forKey: request.serial)
        guard earlier != nil, problems.count < 20 else { continue }
        problems.append(
          AuditProblem(
            .acknowledged, "request \(load.key)-\(request.serial) was acknowledged twice"))
      }
    }
    let audit = try ServiceAudit(
      Served.self, folder: copy, frame: frame, settings: settings, scratch: scratch
    ) { entry in
      try goOn()
      // A service keeps keys by who sent them.
      guard let own = entry.key?.split(separator: ":").last, let dash = own.lastIndex(of: "-"),
        let serial = UInt32(own[own.index(after: dash)...]),
        let digest = missing[own[..<dash]]?.removeValue(forKey: serial)
      else { return }
      let found = entry.reply.body.withUnsafeBytes {
        Acknowledgement.digest(entry.reply.status, $0)
      }
      guard found != digest, problems.count < 20 else { return }
      problems.append(
        AuditProblem(.acknowledged, "request \(own) was answered with another reply than is kept"))
    }
    let lost = missing.values.reduce(0) { $0 + $1.count }
    if lost > 0 {
      problems.append(
        AuditProblem(.acknowledged, "\(lost) acknowledged requests are not in the journal"))
    }
    return LoadAudit(
      acknowledged: count, requests: audit.requests,
      problems: problems + audit.problems)
  }
}
