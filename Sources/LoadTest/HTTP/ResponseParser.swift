/// One response of HTTP/1.1, as far as a generator of load has to understand it (RFC 9112).
package struct ResponseHead: Sendable, Equatable {
  package var status: Int
  /// Where the body lies in what was parsed; without chunks.
  package var body: Range<Int>
  /// Bytes of the whole response.
  package var length: Int
  /// Whether the service closes the connection after it.
  package var closes: Bool
  /// Seconds that the service asks to wait; nil where it does not say.
  package var retryAfter: Int?
  /// Whether the body is chunked: then `body` holds the chunks with their sizes.
  package var isChunked: Bool
}

/// Reads responses out of bytes as they come.
package enum ResponseParser {
  /// What the bytes are.
  package enum Result: Equatable {
    /// The beginning of a response.
    case incomplete
    case complete(ResponseHead)
    /// No response of HTTP/1.1, or one that is too large.
    case invalid
  }

  /// The most bytes of a head.
  private static let headLimit = 65_536
  /// The most bytes of a body.
  private static let bodyLimit = 64 << 20

  /// Parses one response at the beginning of the bytes, after interim ones.
  ///
  /// - Parameter isClosed: Whether no more bytes will come.
  /// - Complexity: O(bytes).
  package static func parse(_ bytes: UnsafeRawBufferPointer, isClosed: Bool = false) -> Result {
    // Where the response begins: interim ones count as a part of its head.
    var start = 0
    while start <= headLimit {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
      let result = parseOne(rest, isClosed: isClosed)
      guard case .complete(var head) = result else { return result }
      guard head.status < 200 else {
        head.body = head.body.lowerBound + start..<head.body.upperBound + start
        head.length += start
        return .complete(head)
      }
      start += head.length
    }
    return .invalid
  }

  /// Parses one response, which may be an interim one: that ends with its head.
  private static func parseOne(_ bytes: UnsafeRawBufferPointer, isClosed: Bool) -> Result {
    guard let headEnd = end(of: bytes) else {
      return bytes.count > headLimit || isClosed ? .invalid : .incomplete
    }
    guard bytes.count >= 12, starts(bytes, 0, "HTTP/1."), bytes[8] == 0x20,
      let status = number(bytes, 9, 12), (100...599).contains(status)
    else { return .invalid }
    var head = ResponseHead(
      status: status, body: headEnd..<headEnd, length: headEnd,
      closes: bytes[7] == UInt8(ascii: "0"), retryAfter: nil, isChunked: false)
    var length: Int?
    var line = next(bytes, 0)
    while line < headEnd - 2 {
      let after = next(bytes, line)
      switch bytes[line] | 0x20 {
      case UInt8(ascii: "c"):
        if let value = value(bytes, line, after, "content-length:") {
          guard let number = number(bytes, value, after - 2) else { return .invalid }
          length = number
        } else if let value = value(bytes, line, after, "connection:") {
          if starts(bytes, value, "close") { head.closes = true }
        }
      case UInt8(ascii: "t"):
        if let value = value(bytes, line, after, "transfer-encoding:") {
          guard starts(bytes, value, "chunked") else { return .invalid }
          head.isChunked = true
        }
      case UInt8(ascii: "r"):
        if let value = value(bytes, line, after, "retry-after:") {
          head.retryAfter = number(bytes, value, after - 2)
        }
      default: break
      }
      line = after
    }
    if status < 200 || status == 204 || status == 304 { return .complete(head) }
    if head.isChunked {
      guard let end = chunks(bytes, headEnd) else {
        return bytes.count - headEnd > bodyLimit || isClosed ? .invalid : .incomplete
      }
      guard end > 0 else { return .invalid }
      head.body = headEnd..<end
      head.length = end
      return .complete(head)
    }
    guard let length else {
      // Its end is the connection's end.
      guard isClosed else { return bytes.count > bodyLimit ? .invalid : .incomplete }
      head.body = headEnd..<bytes.count
      head.length = bytes.count
      head.closes = true
      return .complete(head)
    }
    guard length <= bodyLimit else { return .invalid }
    guard bytes.count >= headEnd + length else { return isClosed ? .invalid : .incomplete }
    head.body = headEnd..<(headEnd + length)
    head.length = headEnd + length
    return .complete(head)
  }

  /// The body of a response without the sizes of its chunks.
  package static func body(of head: ResponseHead, in bytes: UnsafeRawBufferPointer) -> [UInt8] {
    guard head.isChunked else { return Array(bytes[head.body]) }
    var body: [UInt8] = []
    var place = head.body.lowerBound
    while place < head.body.upperBound {
      let after = next(bytes, place)
      guard let size = hexadecimal(bytes, place, after), size > 0 else { break }
      body.append(contentsOf: bytes[after..<(after + size)])
      place = after + size + 2
    }
    return body
  }

  // MARK: - Lines

  /// The place behind the empty line.
  private static func end(of bytes: UnsafeRawBufferPointer) -> Int? {
    var place = 3
    while place < bytes.count {
      if bytes[place] == 10, bytes[place - 1] == 13, bytes[place - 2] == 10, bytes[place - 3] == 13
      {
        return place + 1
      }
      place += 1
    }
    return nil
  }

  /// The start of the next line.
  private static func next(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Int {
    var place = place
    while place < bytes.count, bytes[place] != 10 { place += 1 }
    return min(place + 1, bytes.count)
  }

  private static func starts(
    _ bytes: UnsafeRawBufferPointer, _ place: Int, _ word: StaticString
  ) -> Bool {
    guard place + word.utf8CodeUnitCount <= bytes.count else { return false }
    for offset in 0..<word.utf8CodeUnitCount {
      let byte = bytes[place + offset]
      let lower = (65...90).contains(byte) ? byte | 0x20 : byte
      let wanted = word.utf8Start[offset]
      guard lower == ((65...90).contains(wanted) ? wanted | 0x20 : wanted) else { return false }
    }
    return true
  }

  /// Where a header's value begins; nil where the line is another header's.
  private static func value(
    _ bytes: UnsafeRawBufferPointer, _ line: Int, _ end: Int, _ name: StaticString
  ) -> Int? {
    guard starts(bytes, line, name) else { return nil }
    var place = line + name.utf8CodeUnitCount
    while place < end, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
    return place
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ from: Int, _ to: Int) -> Int? {
    guard from < to, to - from <= 12 else { return nil }
    var number = 0
    for place in from..<to {
      guard (48...57).contains(bytes[place]) else {
        return bytes[place] == 0x20 && place > from ? number : nil
      }
      number = number * 10 + Int(bytes[place] - 48)
    }
    return number
  }

  private static func hexadecimal(
    _ bytes: UnsafeRawBufferPointer, _ from: Int, _ to: Int
  ) -> Int? {
    var number = 0
    var digits = 0
    for place in from..<to {
      let byte = bytes[place] | 0x20
      switch byte {
      case 48...57: number = number * 16 + Int(byte - 48)
      case 97...102: number = number * 16 + Int(byte - 87)
      default: return digits > 0 ? number : nil
      }
      digits += 1
      guard digits <= 7 else { return nil }
    }
    return digits > 0 ? number : nil
  }

  /// The end of a chunked body; nil where it has not come, 0 where it is malformed.
  private static func chunks(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int? {
    var place = start
    while true {
      let after = next(bytes, place)
      guard after > place, bytes[after - 1] == 10 else { return nil }
      guard let size = hexadecimal(bytes, place, after) else { return 0 }
      if size > 0 {
        guard after + size + 2 <= bytes.count else { return nil }
        place = after + size + 2
        continue
      }
      // Trailers end with an empty line.
      var line = after
      while true {
        let end = next(bytes, line)
        guard end > line, bytes[end - 1] == 10 else { return nil }
        if end - line <= 2 { return end }
        line = end
      }
    }
  }
}
