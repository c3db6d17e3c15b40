internal import Foundation

/// Readies a service for a load: accounts for its members, codes for their scans.
package struct LoadSetup: ~Copyable {
  /// Why a service could not be readied.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
    /// Whether a file of the reader's is wrong, and not the service.
    package var isInput = false
  }

  private let target: TargetURL
  private var client: HTTPClient
  private let clock = WallClock()
  private var scratch: [UInt8] = []
  private let isStopped: @Sendable () -> Bool
  /// Whether anything was answered so far.
  private var hasHeard = false

  /// Shakes hands with an https service.
  ///
  /// - Parameters:
  ///   - timeout: Seconds after which a call without an answer has failed.
  ///   - isStopped: Asked once a second; true ends what is under way.
  /// - Throws: `Failure` where the host has no address, with what is wrong with its certificate, or
  ///   why it shows none.
  package init(
    _ target: TargetURL, timeout: Double = 60, isStopped: @escaping @Sendable () -> Bool = { false }
  ) throws {
    self.target = target
    self.isStopped = isStopped
    client = try Self.client(target, timeout: timeout)
  }

  private static func client(_ target: TargetURL, timeout: Double) throws -> HTTPClient {
    do {
      if let trouble = try TLSGreeting(target).trouble() { throw Failure(description: trouble) }
      return try HTTPClient(target, limit: 1, timeout: Int64(timeout * 1e9))
    } catch let failure as Poller.Failure {
      throw Failure(description: "--target: \(failure.call)")
    }
  }

  /// Gets texts that a service hands out; see `supplies`.
  package mutating func texts(
    _ supply: ServiceMap.Supply, count: Int, from first: Int = 0, _ what: String,
    proceed: (Int) -> Bool = { _ in true }
  ) throws -> [String] {
    try supplies(supply, count: count, from: first, what, proceed: proceed).texts
  }

  /// Gets texts that a service hands out, and the names of those whose tokens they are.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - first: How many were taken before, where the service only reads.
  ///   - proceed: Asked before each request with how many there are; false ends it.
  /// - Returns: As many names as texts, or none where the service does not say them.
  /// - Throws: `Failure` with what the service said.
  package mutating func supplies(
    _ supply: ServiceMap.Supply, count: Int, from first: Int = 0, _ what: String,
    proceed: (Int) -> Bool = { _ in true }
  ) throws -> (texts: [String], names: [String]) {
    if let file = supply.file {
      return (Array(try Self.lines(file, count: first + count, what).dropFirst(first)), [])
    }
    guard let read = supply.read else { return ([], []) }
    var texts: [String] = []
    var names: [String] = []
    while texts.count < count, proceed(texts.count) {
      let more = min(count - texts.count, supply.most)
      var from = first + texts.count
      if let prepare = supply.prepare {
        let body = try call(prepare, ["0", String(more)], what)
        guard let after = body.withUnsafeBytes({ prepare.values(in: $0) }).first ?? nil else {
          throw Failure(description: "\(what): the answer does not say how many there are")
        }
        guard let number = Int(after), number >= more else {
          throw Failure(
            description: "\(what): the answer says there are \(after.prefix(100)), but \(more) "
              + "were just made")
        }
        from = number - more
      }
      let found = try list(read, from, more, what)
      guard !found.isEmpty else {
        throw Failure(
          description: "\(what): the service hands out only \(first + texts.count), but the load "
            + "takes \(first + count)")
      }
      texts += found
      guard let call = supply.names else { continue }
      let named = try list(call, from, found.count, what)
      guard named.count == found.count else {
        throw Failure(
          description: "\(what): \(found.count) were handed out and \(named.count) named")
      }
      names += named
    }
    return (texts, names)
  }

  /// The texts of one answer; empty where the service has no more.
  private mutating func list(
    _ read: ServiceCall, _ from: Int, _ count: Int, _ what: String
  ) throws -> [String] {
    let body = try call(read, [String(from), String(count)], what)
    let pointer = read.takes.first ?? nil
    guard let found = body.withUnsafeBytes({ JSONScan.texts(at: pointer ?? [], in: $0) }) else {
      throw Failure(description: "\(what): the answer has no list of texts where 'take' points")
    }
    return Array(found.prefix(count))
  }

  private static func lines(_ file: String, count: Int, _ what: String) throws -> [String] {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
      throw Failure(
        description: "\(file): cannot be read from this folder; it should hold \(what), one a line",
        isInput: true)
    }
    let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
    guard lines.count >= count else {
      throw Failure(
        description: "\(file): holds \(lines.count) \(what), but the load takes \(count)",
        isInput: true)
    }
    return Array(lines.prefix(count))
  }

  /// The text that a call of no values answers.
  ///
  /// - Parameter isPatient: Whether a service that has too much to do is asked again.
  package mutating func text(_ call: ServiceCall, isPatient: Bool = true) throws -> String {
    String(
      decoding: try self.call(call, [], "what the service tells of itself", isPatient: isPatient),
      as: UTF8.self)
  }

  /// One call, whose answer has to be well; a service that has too much to do is asked again.
  private mutating func call(
    _ call: ServiceCall, _ values: [String], _ what: String, isPatient: Bool = true
  ) throws -> [UInt8] {
    // No two loads of a service have the same.
    let key = "prepare-" + String(UInt64.random(in: .min ... .max), radix: 36)
    for pause in isPatient ? [0.5, 1, 2, 4, 8] : [] {
      let (answer, kind) = try attempt(call, key, values, what)
      // Nobody there is said at once: the address may be wrong, or who is there never answers.
      guard let kind, kind != .connect, hasHeard || kind != .timeout, call.isRetried(after: kind)
      else { return try answer.get() }
      Thread.sleep(forTimeInterval: pause)
    }
    return try attempt(call, key, values, what).answer.get()
  }

  private mutating func attempt(
    _ call: ServiceCall, _ key: String, _ values: [String], _ what: String
  ) throws -> (answer: Result<[UInt8], Failure>, kind: LoadErrorKind?) {
    var answer: Result<[UInt8], Failure>?
    var error: LoadErrorKind?
    var scratch: [UInt8] = []
    var hasAnswer = false
    let target = target
    client.start(0, at: clock.now()) {
      call.write(
        ["", "", key, key] + values, host: target.authority, prefix: target.prefix, &scratch,
        to: &$0)
    }
    while answer == nil {
      if isStopped() { throw Failure(description: "\(what): interrupted") }
      client.step(1_000_000_000, now: clock.now) { _, end in
        switch end {
        case .failed, .untaken:
          let kind = if case .failed(let kind) = end { kind } else { LoadErrorKind.closed }
          error = kind
          let guess =
            target.tls == nil && (kind == .closed || kind == .invalid) ? "; is it https://?" : ""
          answer = .failure(
            Failure(
              description: "\(what): \(target.authority) gives no answer (\(kind.word))\(guess)"))
        case .answer(let status, _, let body):
          hasAnswer = true
          let verdict = call.judge(status, body)
          if verdict == .done {
            answer = .success(Array(body))
          } else {
            if case .error(let kind) = verdict { error = kind }
            answer = .failure(
              Failure(description: "\(what): the service says \(Self.said(status, Array(body)))"))
          }
        }
      }
    }
    hasHeard = hasHeard || hasAnswer
    return (answer ?? .success([]), error)
  }

  /// What a service says of a request that it refuses: what people are meant to read of an answer after
  /// RFC 9457, or its first bytes.
  static func said(_ status: Int, _ body: [UInt8]) -> String {
    struct Problem: Decodable { var title, detail: String? }
    let problem = try? JSONDecoder().decode(Problem.self, from: Data(body))
    let words =
      problem?.detail ?? problem?.title ?? String(decoding: body.prefix(200), as: UTF8.self)
    let hint =
      status == 401 || status == 403
      ? "; is its token (--data, or a --var) one of this service?" : ""
    return "\(status): \(words)\(hint)"
  }
}
