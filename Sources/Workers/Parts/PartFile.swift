package import Experiments
package import Foundation

/// What one part of an experiment computed: a heading, and an answer a line.
package struct PartFile: Sendable {
  /// The first line.
  package struct Heading: Codable, Sendable {
    /// The number of the file's form.
    static let form = 2

    package var pitbossPart = Heading.form
    package var part: Int
    package var parts: Int
    /// The experiment's arguments, but for what says where and by whom it is computed.
    package var arguments: [String]
    package var build: String
    /// Of everything in which parts of one experiment agree: build, arguments, parts and every
    /// request.
    package var digest: String
    /// Requests of all parts, and answers in this one.
    package var requests: Int
    package var answers: Int
    /// The digest of the file with nothing in this place.
    package var sum = ""
  }

  /// An answer, by the digest of its request.
  private struct Answer: Codable {
    var request: String
    var answer: String
  }

  /// A file that cannot be read as a part.
  package struct Refusal: Error, CustomStringConvertible {
    package let description: String
  }

  package let heading: Heading
  private let answers: [Answer]

  /// Whether a file begins like one: its first line says so, behind the arguments of the command.
  package static func begins(_ head: Data) -> Bool {
    let line = head.prefix { $0 != UInt8(ascii: "\n") }
    return line.range(of: Data("\"pitbossPart\":".utf8)) != nil
  }

  /// The requests of a part, each once.
  ///
  /// - Parameter all: Those of the experiment, in its order.
  package static func share(
    _ part: Part, of all: [ReplicationRequest]
  ) -> [ReplicationRequest] {
    part.share(of: once(all).map(\.request))
  }

  private static func once(
    _ all: [ReplicationRequest]
  ) -> [(key: String, request: ReplicationRequest)] {
    var seen: Set<String> = []
    return all.compactMap { request in
      let key = request.key
      return seen.insert(key).inserted ? (key, request) : nil
    }
  }

  /// A part that was computed.
  ///
  /// - Parameters:
  ///   - all: The experiment's requests, in its order.
  ///   - answers: Those of `share`, in its order.
  package init(
    _ part: Part, arguments: [String], all: [ReplicationRequest], answers: [ReplicationAnswer]
  ) {
    let once = Self.once(all)
    let agreed = [Digest.build, "\(part.count)"] + arguments + once.map(\.key)
    self.answers = zip(part.share(of: once), answers).map {
      Answer(request: $0.key, answer: Data($1.packed).base64EncodedString())
    }
    var heading = Heading(
      part: part.number, parts: part.count, arguments: arguments, build: Digest.build,
      digest: Digest.of(Data(agreed.joined(separator: "\n").utf8)), requests: once.count,
      answers: answers.count)
    heading.sum = Digest.of(Self.bytes(heading, self.answers))
    self.heading = heading
  }

  private static func bytes(_ heading: Heading, _ answers: [Answer]) -> Data {
    answers.reduce(into: WorkerLines.line(heading)) { $0 += WorkerLines.line($1) }
  }

  /// The file.
  package var bytes: Data { Self.bytes(heading, answers) }

  /// Reads a file.
  ///
  /// - Throws: `Refusal`.
  package init(_ bytes: Data) throws(Refusal) {
    let lines = bytes.split(separator: 0x0A)
    guard let head = lines.first,
      let heading = try? JSONDecoder().decode(Heading.self, from: Data(head)),
      heading.pitbossPart == Heading.form, let part = Part("\(heading.part)/\(heading.parts)")
    else {
      throw Refusal(description: "is not a part of an experiment; give the files that --part wrote")
    }
    self.heading = heading
    let answers = lines.dropFirst().compactMap {
      try? JSONDecoder().decode(Answer.self, from: Data($0))
    }
    guard answers.count == heading.answers, lines.count == answers.count + 1,
      bytes.last == 0x0A
    else {
      throw Refusal(
        description: "is not whole: it has \(answers.count) of \(heading.answers) answers; compute "
          + "part \(part.number)/\(part.count) again")
    }
    var open = heading
    open.sum = ""
    guard Digest.of(Self.bytes(open, answers)) == heading.sum else {
      throw Refusal(
        description: "is damaged: it is not what was written; compute part "
          + "\(part.number)/\(part.count) again")
    }
    self.answers = answers
  }

  /// The answers of parts, by the digests of their requests.
  package static func answers(_ parts: [PartFile]) -> [String: String] {
    var all: [String: String] = [:]
    for part in parts { for answer in part.answers { all[answer.request] = answer.answer } }
    return all
  }
}

extension ReplicationRequest {
  /// The digest of everything that it is made from.
  var key: String {
    let request = WorkerInput.Request(self, id: 0, scenario: WorkerInput.Text(self).digest)
    return Digest.of(WorkerLines.line(request))
  }
}

/// Answers requests out of parts that were computed before.
package struct PartMaker: ReplicationMaker {
  private let answers: [String: String]

  /// - Parameter parts: All parts of an experiment.
  package init(_ parts: [PartFile]) { answers = PartFile.answers(parts) }

  /// The answer of one of the parts.
  ///
  /// - Throws: `WorkersFailure` where none has it.
  package func answer(_ request: ReplicationRequest) throws -> ReplicationAnswer {
    guard let text = answers[request.key], let bytes = Data(base64Encoded: text) else {
      throw WorkersFailure(
        "no part has the replication of seed \(request.seed): the scenario, or what the environment "
          + "overrides, is not what it was; merge where the scenario is as the parts found it")
    }
    return try ReplicationAnswer(packed: Array(bytes))
  }
}
