internal import ArgumentParser
internal import Documents
internal import Experiments
internal import Foundation
internal import Quantities
internal import Reports
internal import RewardModel
internal import RunStore
internal import Scenario
internal import Workers

extension Part {
  /// Reads `k/n` of the flag `--part`.
  static func option(_ text: String) throws -> Part {
    guard let part = Part(text) else {
      throw ValidationError(
        "write k/n, two whole numbers with 1 ≤ k ≤ n ≤ \(most.grouped), "
          + "such as 1/4 for the first of four parts")
    }
    return part
  }
}

extension ExperimentOptions {
  /// Refuses `--part`, above all where it shows only while replications run which are needed.
  ///
  /// - Parameter why: Why no part can be computed by itself.
  func refusePart(_ why: String) throws {
    if part != nil {
      throw ValidationError(
        "--part: \(why); leave it out, and use --workers to compute on several machines")
    }
  }

  /// Computes the share of a part and writes it.
  ///
  /// - Parameters:
  ///   - requests: All of the experiment, in its order.
  ///   - ranking: What is computed after them, to rank the assumptions.
  ///   - kind: What the file is called by.
  ///   - out: The file; one in Results/ where it is nil.
  func write(
    _ part: Part, of requests: [ReplicationRequest], ranking: [ReplicationRequest] = [],
    kind: String, to out: String?
  ) throws {
    let path = out ?? "Results/\(kind)-part-\(part.number)-of-\(part.count).jsonl"
    let file = ReportFile(path: path, isOwn: PartFile.begins)
    try file.check()
    let all = requests + ranking
    let own = PartFile.share(part, of: all)
    // Requests come first, and what ranks is not one of them twice.
    let ranks = own.count - PartFile.share(part, of: requests).count
    let line = try progressLine()
    listen()
    let maker = workers.maker ?? OwnMaker { RunFingerprint.of($0) }
    let answers: [ReplicationAnswer]?
    do {
      answers = try ReplicationRequest.answers(own, by: maker, threads: threadCount) {
        line.update($0, of: own.count)
        return !Interrupts.requested
      }
    } catch {
      let request = own[error.number]
      throw exit(error, request.file, request.overrides.filter { !overrides.contains($0) })
    }
    ProgressLine.remove()
    guard let answers else {
      complain("pitboss: interrupted; nothing was written")
      throw ExitStatus.interrupted
    }
    let whole = PartFile(part, arguments: Self.arguments, all: all, answers: answers)
    try file.write(whole.bytes)
    let (done, total) = (own.count, whole.heading.requests)
    let json = JSONText.object([
      ("part", .string("\(part.number)/\(part.count)")), ("file", .string(path)),
      ("replications", .integer(Int64(done))), ("of", .integer(Int64(total))),
      ("ranking", .integer(Int64(ranks))),
    ])
    try show(json.rendered() + "\n") { _ in
      "Part       \(part.number)/\(part.count), \(done) of \(total) replications"
        + (ranks == 0 ? "" : ", \(ranks) of them to rank the assumptions") + "\n"
        + "File       \(path)\n"
        + "Together   pitboss merge and all \(part.count) parts\n"
    }
  }

  /// Flags that say where and by whom an experiment is computed, each with a value.
  private static let placing = [
    "--part", "--out", "--workers", "--jobs", "--worker-limit", "--threads", "--progress",
  ]

  /// Whether a word of a command line is a flag that says where or by whom it is computed.
  static func isPlacing(_ word: String) -> Bool {
    placing.contains { word == $0 || word.hasPrefix($0 + "=") }
  }

  /// The command line of this process without what says where and by whom it is computed.
  private static var arguments: [String] {
    var arguments: [String] = []
    var isValue = false
    for word in CommandLine.arguments.dropFirst() {
      if isValue {
        isValue = false
      } else if placing.contains(word) {
        isValue = true
      } else if !isPlacing(word) {
        arguments.append(word)
      }
    }
    return arguments
  }
}
