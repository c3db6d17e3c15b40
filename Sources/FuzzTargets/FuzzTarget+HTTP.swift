internal import LoadTest
internal import NIOCore
internal import Quantities
internal import RewardModel
internal import Service

/// What comes over the network: to a service from its clients, and to a load from a service.
extension FuzzTarget {
  static let requestBody = FuzzTarget("request-body", "the body of a request") { bytes in
    do throws(ServedRefusal) {
      check(try CallParser.values(ByteBuffer(bytes: bytes), fields))
      return .read
    } catch {
      return .refusal(error.detail)
    }
  }

  static let requestQuery = FuzzTarget("request-query", "the query of a request") { bytes in
    let query = bytes.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map {
      let parts = $0.split(
        separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      return (
        String(decoding: parts[0], as: UTF8.self),
        parts.count == 2 ? String(decoding: parts[1], as: UTF8.self) : ""
      )
    }
    do throws(ServedRefusal) {
      check(try CallParser.values(query: query, fields))
      return .read
    } catch {
      return .refusal(error.detail)
    }
  }

  static let response = FuzzTarget("response", "what a service answers to a load") { bytes in
    let atEnd = ResponseParser.parse(bytes, isClosed: true)
    if case .complete(let head) = atEnd { check(head, bytes) }
    let soFar = ResponseParser.parse(bytes)
    var parser = ResponseParser()
    for end in 1..<max(bytes.count, 1) {
      let result = parser.parse(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
      guard result == .incomplete else {
        invariant(result == soFar, "an answer in pieces is another one")
        break
      }
    }
    guard case .complete(let head) = soFar else {
      return .refused
    }
    check(head, bytes)
    invariant(atEnd == soFar, "a whole answer is another one when the connection ends")
    let own = UnsafeRawBufferPointer(rebasing: bytes[..<head.length])
    invariant(ResponseParser.parse(own) == soFar, "what follows an answer changes it")
    return .read
  }

  static let answer = FuzzTarget("answer", "JSON that a load looks into") { bytes in
    var found = false
    for pointer in ["", "/token", "/data/0/name", "/a~1b/~0", "/0"] {
      guard let parts = JSONScan.parts(of: pointer) else { continue }
      if JSONScan.text(at: parts, in: bytes) != nil { found = true }
      if JSONScan.texts(at: parts, in: bytes) != nil { found = true }
    }
    return found ? .read : .refused
  }

  /// One field of every kind.
  private static let fields = [
    ServedField("text", .text(least: 2, most: 8), isOptional: true, "A text"),
    ServedField("email", .email, isOptional: true, "An address"),
    ServedField("whole", .whole(-5...1_000), isOptional: true, "A number"),
    ServedField("every", .whole(.min ... .max), isOptional: true, "Any number"),
    ServedField(
      "amount", .money(most: MicroUSDT(microunits: 9_000_000_000)), isOptional: true, "Money"),
    ServedField("date", .date, isOptional: true, "A day"),
  ]

  /// What was taken is of the fields' kinds.
  private static func check(_ values: [String: FieldValue]) {
    for (name, value) in values {
      switch (fields.first { $0.name == name }?.kind, value) {
      case (.text(let least, let most), .text(let text)):
        invariant((least...most).contains(text.unicodeScalars.count), "a text is too long")
      case (.email, .text(let text)): invariant(text.contains("@"), "no address")
      case (.date, .text(let text)): invariant(CivilDate(text) != nil, "no date")
      case (.whole(let range), .whole(let number)):
        invariant(range.contains(number), "a number is out of its range")
      case (.money(let most), .whole(let number)):
        invariant(number > 0 && number <= most.microunits, "an amount is out of its range")
      default: invariant(false, "a value of another kind was taken")
      }
    }
  }

  /// A response is a part of the bytes, and its body a part of it.
  private static func check(_ head: ResponseHead, _ bytes: UnsafeRawBufferPointer) {
    invariant(head.length <= bytes.count, "a response is longer than what came")
    invariant(head.body.upperBound <= head.length, "a body ends after its response")
    let body = ResponseParser.body(of: head, in: bytes)
    invariant(body.count <= head.body.count, "a body is longer than what came of it")
  }
}
