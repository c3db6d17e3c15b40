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

/// Reads one response out of bytes as they come: what was read once is not looked at again, however
/// many pieces it comes in.
package struct ResponseParser: Sendable {
  /// What the bytes are.
  package enum Result: Equatable {
    /// The beginning of a response.
    case incomplete
    case complete(ResponseHead)
    /// No response of HTTP/1.1, or one that is too large.
    case invalid
  }

  /// The most bytes of a head, and of a line between chunks.
  private static let headLimit = 65_536
  /// The most bytes of a body.
  private static let bodyLimit = 64 << 20

  /// Where the response begins: interim ones count as a part of its head.
  private var start = 0
  /// Its head, with places from the beginning of the bytes, and the length that it says; nil before it
  /// has come.
  private var head: (said: ResponseHead, length: Int?)?
  /// Where the line begins that is read next: the size of a chunk or a trailer.
  private var line = 0
  /// Whether the last chunk has come.
  private var isInTrailers = false
  /// The bytes before it hold no end of what is looked for.
  private var searched = 0

  /// A parser of a response of which nothing has come.
  package init() {}

  /// Parses one response at the beginning of the bytes, after interim ones.
  ///
  /// - Parameter isClosed: Whether no more bytes will come.
  /// - Complexity: O(bytes).
  package static func parse(_ bytes: UnsafeRawBufferPointer, isClosed: Bool = false) -> Result {
    var parser = ResponseParser()
    return parser.parse(bytes, isClosed: isClosed)
  }

  /// Goes on with a response of which more has come.
  ///
  /// - Parameters:
  ///   - bytes: All of it so far: what was there before, and what has come since.
  ///   - isClosed: Whether no more bytes will come.
  /// - Complexity: O(bytes that have come since), but for the head of one that is complete.
  package mutating func parse(
    _ bytes: UnsafeRawBufferPointer, isClosed: Bool = false
  ) -> Result {
    while head == nil {
      guard start <= Self.headLimit else { return .invalid }
      guard let end = headEnd(bytes) else {
        return bytes.count - start > Self.headLimit || isClosed ? .invalid : .incomplete
      }
      guard end - start <= Self.headLimit, let read = Self.head(bytes, start, end) else {
        return .invalid
      }
      (searched, line) = (end, end)
      if read.said.status < 200 { start = end } else { head = read }
    }
    guard let head else { return .incomplete }
    return body(head.said, head.length, bytes, isClosed: isClosed)
  }

  /// The lines of a head that matter; nil where it is none.
  private static func head(
    _ bytes: UnsafeRawBufferPointer, _ start: Int, _ end: Int
  ) -> (said: ResponseHead, length: Int?)? {
    guard end - start >= 12, starts(bytes, start, "HTTP/1."), bytes[start + 8] == 0x20,
      let status = number(bytes, start + 9, start + 12), (100...599).contains(status)
    else { return nil }
    var head = ResponseHead(
      status: status, body: end..<end, length: end,
      closes: bytes[start + 7] == UInt8(ascii: "0"), retryAfter: nil, isChunked: false)
    var length: Int?
    var line = next(bytes, start)
    while line < end - 2 {
      let after = next(bytes, line)
      switch bytes[line] | 0x20 {
      case UInt8(ascii: "c"):
        if let value = value(bytes, line, after, "content-length:") {
          guard let number = number(bytes, value, after - 2) else { return nil }
          length = number
        } else if let value = value(bytes, line, after, "connection:") {
          if lists(bytes, value, after, "close") { head.closes = true }
        }
      case UInt8(ascii: "t"):
        if let value = value(bytes, line, after, "transfer-encoding:") {
          guard starts(bytes, value, "chunked") else { return nil }
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
    return (head, length)
  }

  /// What follows a head.
  private mutating func body(
    _ said: ResponseHead, _ length: Int?, _ bytes: UnsafeRawBufferPointer, isClosed: Bool
  ) -> Result {
    var head = said
    if head.status == 204 || head.status == 304 { return .complete(head) }
    let start = head.body.lowerBound
    if head.isChunked {
      guard let end = chunks(bytes) else {
        return bytes.count - start > Self.bodyLimit || isClosed ? .invalid : .incomplete
      }
      guard end > 0, end - start <= Self.bodyLimit else { return .invalid }
      head.body = start..<end
      head.length = end
      return .complete(head)
    }
    guard let length else {
      // Its end is the connection's end.
      guard bytes.count - start <= Self.bodyLimit else { return .invalid }
      guard isClosed else { return .incomplete }
      head.body = start..<bytes.count
      head.length = bytes.count
      head.closes = true
      return .complete(head)
    }
    guard length <= Self.bodyLimit else { return .invalid }
    guard bytes.count >= start + length else { return isClosed ? .invalid : .incomplete }
    head.body = start..<(start + length)
    head.length = start + length
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

  /// The place after the empty line that ends a head; nil where it has not come.
  private mutating func headEnd(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var place = max(start + 3, searched)
    while place < bytes.count {
      if bytes[place] == 10, bytes[place - 1] == 13, bytes[place - 2] == 10, bytes[place - 3] == 13
      {
        return place + 1
      }
      place += 1
    }
    searched = place
    return nil
  }

  /// The place after the line that is read next; nil where its end has not come.
  private mutating func lineEnd(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var place = max(line, searched)
    while place < bytes.count {
      if bytes[place] == 10 {
        searched = place
        return place + 1
      }
      place += 1
    }
    searched = place
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
    while place < end, isBlank(bytes[place]) { place += 1 }
    return place
  }

  /// Whether a byte is optional white space: RFC 9110, section 5.6.3.
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// Whether a header's list has a word: RFC 9110, section 5.6.1.
  private static func lists(
    _ bytes: UnsafeRawBufferPointer, _ from: Int, _ end: Int, _ word: StaticString
  ) -> Bool {
    var place = from
    while place < end {
      while place < end, isBlank(bytes[place]) || bytes[place] == UInt8(ascii: ",") { place += 1 }
      let after = place + word.utf8CodeUnitCount
      if starts(bytes, place, word),
        after >= end || isBlank(bytes[after]) || [10, 13, UInt8(ascii: ",")].contains(bytes[after])
      {
        return true
      }
      while place < end, bytes[place] != UInt8(ascii: ",") { place += 1 }
    }
    return false
  }

  private static func number(_ bytes: UnsafeRawBufferPointer, _ from: Int, _ to: Int) -> Int? {
    guard from < to, to - from <= 12 else { return nil }
    var number = 0
    for place in from..<to {
      guard (48...57).contains(bytes[place]) else {
        return isBlank(bytes[place]) && place > from ? number : nil
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
      // Zeros in front are as many as somebody likes.
      guard number < 1 << 28 else { return nil }
    }
    return digits > 0 ? number : nil
  }

  /// The end of a chunked body; nil where it has not come, 0 where it is malformed.
  private mutating func chunks(_ bytes: UnsafeRawBufferPointer) -> Int? {
    while let after = lineEnd(bytes) {
      guard after - line <= Self.headLimit else { return 0 }
      guard !isInTrailers else {
        // Trailers end with an empty line.
        if after - line <= 2 { return after }
        line = after
        continue
      }
      guard let size = Self.hexadecimal(bytes, line, after) else { return 0 }
      if size > 0 {
        guard after + size + 2 <= bytes.count else { return nil }
        line = after + size + 2
      } else {
        isInTrailers = true
        line = after
      }
    }
    // A line without an end is no line.
    return bytes.count - line > Self.headLimit ? 0 : nil
  }
}
