/// Counts the server-sent events in the body of an answer as it comes.
///
/// An event ends with an empty line after one with text, and a line with LF, CR or both (HTML Living
/// Standard, section 9.2.5), wherever the body's chunks (RFC 9112, section 7.1) and its pieces are
/// divided.
struct EventStream: Sendable {
  /// What the next byte belongs to.
  private enum Frame {
    /// A body without chunks.
    case whole
    case size(Int)
    /// The rest of the line with a chunk's size.
    case sizeEnd(Int)
    case data(left: Int)
    /// The end of line after a chunk.
    case dataEnd
    case over
  }

  /// The largest size of a chunk; what says more is taken for so much.
  private static let chunkLimit = 1 << 40

  private var frame: Frame
  private var isLineEmpty = true
  /// Whether there was a line with text since the last event.
  private var hasText = false
  private var wasReturn = false

  /// How many events have ended.
  private(set) var count = 0

  /// - Parameter head: The answer's, with the lines that say how its body is sent.
  init(head: some Sequence<UInt8>) {
    let lines = String(decoding: Array(head), as: UTF8.self).lowercased().split(
      whereSeparator: \.isNewline)
    let isChunked = lines.contains {
      $0.hasPrefix("transfer-encoding:") && $0.contains("chunked")
    }
    frame = isChunked ? .size(0) : .whole
  }

  /// Whether the service has said that no more comes.
  var isOver: Bool {
    if case .over = frame { return true }
    return false
  }

  /// Takes in what has come.
  mutating func take(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { take(byte) }
  }

  private mutating func take(_ byte: UInt8) {
    switch frame {
    case .whole: read(byte)
    case .size(let size):
      if let digit = Character(UnicodeScalar(byte)).hexDigitValue {
        frame = .size(min(size * 16 + digit, Self.chunkLimit))
      } else {
        frame = .sizeEnd(size)
        take(byte)
      }
    case .sizeEnd(let size): if byte == 10 { frame = size == 0 ? .over : .data(left: size) }
    case .data(let left):
      read(byte)
      frame = left == 1 ? .dataEnd : .data(left: left - 1)
    case .dataEnd: if byte == 10 { frame = .size(0) }
    case .over: break
    }
  }

  /// Reads a byte of the text.
  private mutating func read(_ byte: UInt8) {
    defer { wasReturn = byte == 13 }
    switch byte {
    case 10 where wasReturn: break
    case 10, 13: endLine()
    default: isLineEmpty = false
    }
  }

  private mutating func endLine() {
    if isLineEmpty, hasText { count += 1 }
    hasText = !isLineEmpty
    isLineEmpty = true
  }
}
