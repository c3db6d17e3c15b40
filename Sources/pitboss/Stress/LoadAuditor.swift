internal import Foundation
internal import LoadTest
internal import RewardModel
internal import Service

/// Audits the folder of a service after a load, while it goes on.
struct LoadAuditor {
  let folder: URL
  let frame: RunFrame

  /// Commits the journal again by the rules, and looks up each request that was acknowledged.
  ///
  /// - Parameters:
  ///   - key: What the keys of the load begin with.
  ///   - acknowledged: What the service said was done.
  /// - Throws: Errors of the file system, GRDB and decoders.
  func audit<Served: ServedProgramme>(
    _ served: Served.Type, settings: Served.Settings, key: String,
    _ acknowledged: [Acknowledgement]
  ) throws -> LoadAudit {
    let place = FileManager.default.temporaryDirectory.appending(path: "pitboss-audit-\(getpid())")
    defer { try? FileManager.default.removeItem(at: place) }
    let (copy, scratch) = (place.appending(path: "copy"), place.appending(path: "scratch"))
    for folder in [copy, scratch] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try ServiceCopy.make(of: folder, in: copy)
    var missing = Dictionary(
      acknowledged.map { ($0.serial, $0.digest) }, uniquingKeysWith: { first, _ in first })
    var problems: [String] = []
    if missing.count != acknowledged.count {
      problems.append("\(acknowledged.count - missing.count) requests were acknowledged twice")
    }
    let audit = try ServiceAudit(
      Served.self, folder: copy, frame: frame, settings: settings, scratch: scratch
    ) { entry in
      // A service keeps keys by who sent them.
      guard let own = entry.key?.split(separator: ":").last, own.hasPrefix("\(key)-"),
        let serial = UInt32(own.dropFirst(key.count + 1)),
        let digest = missing.removeValue(forKey: serial)
      else { return }
      let found = entry.reply.body.withUnsafeBytes {
        Acknowledgement.digest(entry.reply.status, $0)
      }
      guard found != digest, problems.count < 20 else { return }
      problems.append("request \(key)-\(serial) was answered with another reply than is kept")
    }
    if !missing.isEmpty {
      problems.append("\(missing.count) acknowledged requests are not in the journal")
    }
    return LoadAudit(
      acknowledged: acknowledged.count, requests: audit.requests,
      problems: problems + audit.problems)
  }
}
