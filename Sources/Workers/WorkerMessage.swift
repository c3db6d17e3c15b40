internal import Experiments
internal import Foundation
internal import Quantities
internal import RewardModel
internal import Scenario

/// A line to a worker: one of these.
struct WorkerInput: Codable {
  /// A scenario's text, handed over once; requests name it by the digest of its text and file.
  struct Text: Codable {
    var digest: String
    /// As messages call it.
    var file: String
    var text: String
  }

  /// One replication.
  struct Request: Codable {
    /// Names the answer.
    var id: Int
    /// The digest of a scenario that was handed over.
    var scenario: String
    /// Path, value and source of each.
    var overrides: [[String]]
    var seed: UInt64
    var asked: [String]
    var controls: Bool
    var members: Bool
    /// True where a fitted world is compared with a history.
    var lived: Bool?
  }

  var scenario: Text?
  var request: Request?
  /// A request whose answer nobody wants unless it was begun.
  var drop: Int?
  /// A case of `pitboss check`, as it writes it.
  var check: String?
}

/// A line from a worker: one of these.
struct WorkerOutput: Codable {
  /// The first line.
  struct Hello: Codable {
    /// Of these messages.
    var version: Int
    var build: String

    private enum CodingKeys: String, CodingKey {
      case version = "protocol"
      case build
    }
  }

  var hello: Hello?
  /// Of the request that is answered.
  var id: Int?
  /// `ReplicationAnswer.packed` in base 64.
  var answer: String?
  var failure: RemoteFailure?
  var dropped: Bool?
  /// What became of a case.
  var checked: String?
  /// The worker still works, said once a second.
  var alive: Bool?
  /// What is wrong with a line that was read, and its number.
  var line: Int?
  var error: String?
}

/// The messages of workers as lines.
enum WorkerLines {
  /// Of the messages; a worker of another version is refused.
  static let version = 1

  /// A message with the end of its line.
  static func line(_ message: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Messages hold texts and whole numbers only, which always can be encoded.
    return ((try? encoder.encode(message)) ?? Data()) + [0x0A]
  }
}

/// Why a replication could not end, elsewhere.
package struct RemoteFailure: Error, Codable, CustomStringConvertible {
  /// A promise that was found broken.
  struct Broken: Codable {
    var invariant: String
    var facts: String
    var scenario: String
    var seed: UInt64
    var time: Int64
    var members: [UInt64]
    var events: [String]
  }

  package private(set) var description: String
  private var broken: Broken?

  /// What is said of an error.
  init(_ error: any Error) {
    description = "\(error)"
    broken = (error as? Violation).map {
      Broken(
        invariant: $0.invariant, facts: $0.facts, scenario: $0.scenario, seed: $0.seed,
        time: $0.time.microseconds, members: $0.members, events: $0.events)
    }
  }

  /// The error as it would be here.
  var error: any Error {
    guard let broken else { return self }
    var violation = Violation(
      invariant: broken.invariant, facts: broken.facts, scenario: broken.scenario,
      seed: broken.seed, time: Instant(microseconds: broken.time))
    violation.members = broken.members
    violation.events = broken.events
    return violation
  }
}

extension WorkerInput.Request {
  /// - Parameter scenario: The digest of its text.
  init(_ request: ReplicationRequest, id: Int, scenario: String) {
    self.id = id
    self.scenario = scenario
    overrides = request.overrides.map { [$0.path, $0.value, $0.source] }
    seed = request.seed
    asked = request.asked
    controls = request.controls
    members = request.keepsMembers
    lived = request.isLived ? true : nil
  }

  /// The request for the text of its scenario; nil where an override is not one.
  func request(_ text: WorkerInput.Text) -> ReplicationRequest? {
    guard overrides.allSatisfy({ $0.count == 3 }) else { return nil }
    var request = ReplicationRequest(
      text: Array(text.text.utf8), file: text.file,
      overrides: overrides.map { SettingOverride(path: $0[0], value: $0[1], source: $0[2]) },
      seed: seed, asked: asked)
    request.controls = controls
    request.keepsMembers = members
    request.isLived = lived ?? false
    return request
  }
}

extension WorkerInput.Text {
  /// The text of a request.
  init(_ request: ReplicationRequest) {
    file = request.file
    text = String(decoding: request.text, as: UTF8.self)
    digest = Digest.of(Data("\(file)\n\(text)".utf8))
  }
}

extension WorkerOutput.Hello {
  /// Why a worker that says so cannot be used; nil where it can.
  var refusal: String? {
    if version == WorkerLines.version, build == Digest.build { return nil }
    return "is of another build (\(build.prefix(12)), and this is \(Digest.build.prefix(12))); "
      + "install this program there, with the same C library"
  }
}

extension WorkerOutput {
  /// The answer to a request; nil where it is none, or cannot be read.
  var outcome: PoolState.Outcome? {
    if let failure { return .failure(failure) }
    guard let answer, let bytes = Data(base64Encoded: answer) else { return nil }
    return (try? ReplicationAnswer(packed: Array(bytes))).map { .success($0) }
  }

  /// What is said of a line that is no message.
  static func nonsense(_ line: some Collection<UInt8>) -> String {
    let text = String(decoding: line.prefix(60), as: UTF8.self).filter { !$0.isNewline }
    return "wrote '\(text)', which is not an answer; let the command print nothing else"
  }
}
