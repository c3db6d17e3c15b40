internal import RewardModel

/// How one kind of request is put to a service.
package struct ServiceCall: Sendable {
  /// A condition on the answer.
  package struct Check: Sendable {
    /// See `JSONScan.parts`.
    package var pointer: [String]
    package var text: String
  }

  /// Names that every call may use, before those of its step.
  package static let common = ["token", "member", "key", "load"]

  package let method: String
  private let path: TextTemplate
  private let headers: [(name: String, value: TextTemplate)]
  private let body: TextTemplate?
  /// The header that carries the idempotency key; nil for none.
  package let keyHeader: String?
  /// Whether the service does it once, however often it is asked: it has a key, or changes nothing.
  package let isRepeatable: Bool
  /// Statuses of an answer that is well.
  package let done: Set<Int>
  /// Statuses of an answer that the program should give at times.
  package let refused: Set<Int>
  package let checks: [Check]
  /// What an answer of a good status says that is a refusal all the same.
  package let refusals: [Check]
  /// Where in the answer stands what members want to know, in the order of the step's takes.
  package let takes: [[String]?]

  /// A call; see the properties. Templates were made with `common` and the step's variables.
  package init(
    method: String, path: TextTemplate, headers: [(name: String, value: TextTemplate)],
    body: TextTemplate?, keyHeader: String? = nil, isRepeatable: Bool = true,
    done: Set<Int> = [200], refused: Set<Int> = [],
    checks: [Check] = [], refusals: [Check] = [], takes: [[String]?] = []
  ) {
    self.method = method
    self.path = path
    self.headers = headers
    self.body = body
    self.keyHeader = keyHeader
    self.isRepeatable = isRepeatable
    self.done = done
    self.refused = refused
    self.checks = checks
    self.refusals = refusals
    self.takes = takes
  }

  /// The bytes of a request of HTTP/1.1.
  ///
  /// - Parameters:
  ///   - values: Token, member, key and the load's name, then those of the step.
  ///   - host: For the Host header.
  ///   - prefix: What stands before every path.
  ///   - scratch: For the body; its memory is kept.
  package func write(
    _ values: [String], host: String, prefix: String, _ scratch: inout [UInt8],
    to bytes: inout [UInt8]
  ) {
    bytes.append(contentsOf: method.utf8)
    bytes.append(0x20)
    bytes.append(contentsOf: prefix.utf8)
    path.write(values, to: &bytes)
    bytes.append(contentsOf: " HTTP/1.1\r\nHost: ".utf8)
    bytes.append(contentsOf: host.utf8)
    for (name, value) in headers {
      bytes.append(contentsOf: "\r\n".utf8)
      bytes.append(contentsOf: name.utf8)
      bytes.append(contentsOf: ": ".utf8)
      value.write(values, to: &bytes)
    }
    if let keyHeader {
      bytes.append(contentsOf: "\r\n".utf8)
      bytes.append(contentsOf: keyHeader.utf8)
      bytes.append(contentsOf: ": ".utf8)
      bytes.append(contentsOf: values[2].utf8)
    }
    guard let body else {
      // RFC 9110, 8.6: what usually has a body says that it has none.
      if hasUsuallyBody { bytes.append(contentsOf: "\r\nContent-Length: 0".utf8) }
      bytes.append(contentsOf: "\r\n\r\n".utf8)
      return
    }
    scratch.removeAll(keepingCapacity: true)
    body.write(values, to: &scratch)
    bytes.append(contentsOf: "\r\nContent-Length: ".utf8)
    bytes.append(contentsOf: String(scratch.count).utf8)
    bytes.append(contentsOf: "\r\n\r\n".utf8)
    bytes.append(contentsOf: scratch)
  }

  private var hasUsuallyBody: Bool { method == "POST" || method == "PUT" || method == "PATCH" }

  /// Whether a client tries again after an error. What could happen twice is only sent again where the
  /// service cannot have done it.
  package func isRetried(after kind: LoadErrorKind) -> Bool {
    kind.isRetried && (isRepeatable || kind == .connect || kind == .throttled)
  }

  /// What an answer is.
  package enum Verdict: Sendable, Equatable {
    case done
    case refused
    case error(LoadErrorKind)
  }

  /// Judges an answer.
  ///
  /// - Parameter body: Without chunks.
  package func judge(_ status: Int, _ body: UnsafeRawBufferPointer) -> Verdict {
    if done.contains(status) {
      for check in refusals where JSONScan.text(at: check.pointer, in: body) == check.text {
        return .refused
      }
      for check in checks where JSONScan.text(at: check.pointer, in: body) != check.text {
        return .error(.check)
      }
      return .done
    }
    if refused.contains(status) { return .refused }
    if status == 429 { return .error(.throttled) }
    return .error(status >= 500 ? .server : .status)
  }

  /// What members want to know of an answer.
  package func values(in body: UnsafeRawBufferPointer) -> [String?] {
    takes.map { pointer in pointer.flatMap { JSONScan.text(at: $0, in: body) } }
  }
}

/// Why an attempt brought no answer that can be used.
package enum LoadErrorKind: Int, Sendable, CaseIterable {
  /// No connection could be made.
  case connect
  /// The connection ended before the answer.
  case closed
  /// No answer in time.
  case timeout
  /// No HTTP.
  case invalid
  /// A status from 500 on.
  case server
  /// 429: too many requests, of one account or of all.
  case throttled
  /// A status that was not to be expected.
  case status
  /// An answer that failed a check.
  case check
  /// No answer when the load was over.
  case unanswered

  /// Whether a client tries again.
  package var isRetried: Bool {
    switch self {
    case .connect, .closed, .timeout, .server, .throttled: true
    case .invalid, .status, .check, .unanswered: false
    }
  }

  /// Whether the service answered, whatever it said.
  package var isAnswer: Bool {
    switch self {
    case .server, .throttled, .status, .check: true
    case .connect, .closed, .timeout, .invalid, .unanswered: false
    }
  }

  /// In snake case.
  package var word: String {
    switch self {
    case .connect: "no_connection"
    case .closed: "network_error"
    case .timeout: "timeout"
    case .invalid: "no_http"
    case .server: "server_error"
    case .throttled: "throttled"
    case .status: "unexpected_status"
    case .check: "failed_check"
    case .unanswered: "unanswered"
    }
  }
}
