package import Foundation

/// What a comparison needs of an earlier load, read from its `load.json`.
package struct LoadBaseline: Sendable, Equatable {
  /// Why something is no baseline.
  package struct Refusal: Error, Equatable, CustomStringConvertible {
    package var description: String
    /// Whether it could not be read at all.
    package var isUnreadable: Bool
  }

  /// The folder or file, as it was given.
  package let source: String
  package let scenario: String
  package let programme: String
  package let seed: String
  package let build: String
  package let shape: LoadShape
  package let steps: [String]
  /// Whether somebody, or a missed threshold, stopped it.
  package let wasStopped: Bool
  /// Those in which sessions were to start all the time.
  package let seconds: [LoadSecond]

  /// - Parameter path: A folder that a load has left, or its `load.json`.
  /// - Throws: `Refusal` where there is none, or one whose figures do not count.
  package init(path: String) throws(Refusal) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Refusal(
        description:
          "\(path): does not exist; give the folder of an earlier load, or its load.json",
        isUnreadable: true)
    }
    let file = isFolder.boolValue ? "\(path)/\(LoadDocument.name)" : path
    guard let data = FileManager.default.contents(atPath: file) else {
      throw Refusal(
        description: isFolder.boolValue
          ? "\(path): holds no \(LoadDocument.name); give the folder of an earlier load of a service"
          : "\(path): cannot be read", isUnreadable: true)
    }
    try self.init(data, source: path)
  }

  /// - Parameters:
  ///   - data: What `load.json` holds.
  ///   - source: Where it is from, for messages.
  /// - Throws: As above.
  package init(_ data: Data, source: String) throws(Refusal) {
    func refused(_ why: String) -> Refusal {
      Refusal(description: "\(source): \(why)", isUnreadable: false)
    }
    let version: Version
    do { version = try JSONDecoder().decode(Version.self, from: data) } catch {
      throw refused("is not the \(LoadDocument.name) of a load; give one, or its folder")
    }
    guard version.target != "engine" else {
      throw refused(
        "is a stress of the rules in process; give the folder of an earlier load of a service")
    }
    guard version.schemaVersion <= LoadDocument.version else {
      throw refused("was written by a later version of Pitboss; update this one")
    }
    let stored: Stored
    do { stored = try JSONDecoder().decode(Stored.self, from: data) } catch {
      throw refused("is not the \(LoadDocument.name) of a load; give one, or its folder")
    }
    if let figure = stored.impossible {
      throw refused("is not the \(LoadDocument.name) of a load: \(figure)")
    }
    guard stored.offered else {
      throw refused(
        "was not offered, as its generator was the limit; its figures say nothing, so repeat it")
    }
    self.source = source
    scenario = stored.scenario
    programme = stored.program
    seed = stored.seed
    build = stored.build
    shape = stored.shape
    let names = stored.steps.map(\.step)
    steps = names
    wasStopped = stored.interrupted == true || stored.aborted == true
    seconds = LoadShape.offered(
      stored.seconds.map { $0.second(names) }, of: stored.shape.seconds,
      elapsed: stored.elapsedSeconds)
    guard !seconds.isEmpty else { throw refused("has not one whole second; repeat it for longer") }
  }

  /// What was another than in a later load, in words.
  package func differences(from later: LoadResult) -> [String] {
    var words: [String] = []
    if scenario != later.scenario {
      words.append("scenario \(scenario) before, \(later.scenario) now")
    }
    if programme != later.programme {
      words.append("program \(programme) before, \(later.programme) now")
    }
    if seed != String(later.seed) { words.append("seed \(seed) before, \(later.seed) now") }
    if build != EngineResult.build {
      words.append("generator of a \(build) build before, of a \(EngineResult.build) build now")
    }
    words += later.shape.differences(from: shape)
    if wasStopped { words.append(shape.stopped("the load before", after: seconds.count)) }
    if later.measures.endedEarly {
      words.append(later.shape.stopped("this load", after: later.offeredSeconds.count))
    }
    return words
  }

  private struct Version: Decodable {
    let schemaVersion: Int
    let target: String

    enum CodingKeys: String, CodingKey {
      case target
      case schemaVersion = "schema_version"
    }
  }

  private struct Stored: Decodable {
    let scenario, program, seed, build: String
    let shape: LoadShape
    let offered: Bool
    let interrupted, aborted: Bool?
    let elapsedSeconds: Double
    let steps: [Step]
    let seconds: [Second]

    enum CodingKeys: String, CodingKey {
      case scenario, program, seed, build, shape, offered, interrupted, aborted, steps, seconds
      case elapsedSeconds = "elapsed_seconds"
    }

    /// The first figure of a second that no load has, in words: sums of those in range do not overflow.
    var impossible: String? {
      for (place, second) in seconds.enumerated() {
        let name = "seconds[\(place)]"
        if let figure = LoadBaseline.impossible(
          second.done, second.refused, second.errors, second.p50, second.p99)
        {
          return "\(name).\(figure)"
        }
        for (row, part) in second.steps.enumerated() {
          if let figure = LoadBaseline.impossible(
            part.done, part.refused, part.errors, part.p50, part.p99)
          {
            return "\(name).steps[\(row)].\(figure)"
          }
        }
      }
      return nil
    }
  }

  private static func impossible(
    _ done: Int, _ refused: Int, _ errors: Int, _ p50: Int64?, _ p99: Int64?
  ) -> String? {
    for (name, count) in [("done", done), ("refused", refused), ("errors", errors)]
    where !(0...1_000_000_000_000).contains(count) {
      return "\(name) is \(count)"
    }
    for case (let name, let time?) in [("p50_ns", p50), ("p99_ns", p99)]
    where !(0...LatencyRecorder.longest).contains(time) {
      return "\(name) is \(time)"
    }
    return nil
  }

  private struct Step: Decodable { let step: String }

  private struct Second: Decodable {
    let second, sessions, sent, done, refused, errors: Int
    let p50, p99: Int64?
    let steps: [Part]

    enum CodingKeys: String, CodingKey {
      case second, sessions, sent, done, refused, errors, steps
      case p50 = "p50_ns"
      case p99 = "p99_ns"
    }

    func second(_ names: [String]) -> LoadSecond {
      var out = LoadSecond(second: second)
      out.sessions = sessions
      out.sent = sent
      out.done = done
      out.refused = refused
      out.errors = errors
      out.median = p50 ?? 0
      out.p99 = p99 ?? 0
      out.steps = steps.compactMap { part in
        guard let place = names.firstIndex(of: part.step) else { return nil }
        var step = StepSecond(step: place)
        step.done = part.done
        step.refused = part.refused
        step.errors = part.errors
        step.median = part.p50 ?? 0
        step.p99 = part.p99 ?? 0
        return step
      }
      return out
    }
  }

  private struct Part: Decodable {
    let step: String
    let done, refused, errors: Int
    let p50, p99: Int64?

    enum CodingKeys: String, CodingKey {
      case step, done, refused, errors
      case p50 = "p50_ns"
      case p99 = "p99_ns"
    }
  }
}
