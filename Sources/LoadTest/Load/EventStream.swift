/// Counts the server-sent events in the body of an answer as it comes.
///
/// An event ends with an empty line after at least one with the field `data`; comments, as `: keep-alive`,
/// and other fields alone are none. A line ends with LF, CR or both (HTML Living Standard, sections 9.2.5
/// and 9.2.6), wherever the body's chunks (RFC 9112, section 7.1) and its pieces are divided.
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
  /// The field that makes an event.
  private static let field = Array("data".utf8)

  private var frame: Frame
  /// The beginning of the line, which tells its field.
  private var line: [UInt8] = []
  /// Whether there was a line with data since the last event.
  private var hasData = false
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
    default: if line.count <= Self.field.count { line.append(byte) }
    }
  }

  private mutating func endLine() {
    if line.isEmpty {
      if hasData { count += 1 }
      hasData = false
    } else if line.starts(with: Self.field) {
      // A field's name goes to the colon or, without one, to the line's end.
      hasData = hasData || line.count == Self.field.count || line.last == UInt8(ascii: ":")
    }
    line.removeAll(keepingCapacity: true)
  }
}
