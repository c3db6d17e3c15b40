/// Finds one value in JSON text without reading the rest into memory.
///
/// It takes the text as it comes from a service under load: whatever is no JSON has no value.
/// Pointers are those of RFC 6901.
package enum JSONScan {
  /// The deepest nesting that is looked into.
  private static let depthLimit = 64

  /// The parts of a pointer; nil where the text is none.
  package static func parts(of pointer: String) -> [String]? {
    if pointer.isEmpty { return [] }
    guard pointer.first == "/" else { return nil }
    return pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
      String($0.replacing("~1", with: "/").replacing("~0", with: "~"))
    }
  }

  /// The value at a pointer as text: strings without their quotes, all else as it is written.
  ///
  /// - Returns: Nil where there is none.
  /// - Complexity: O(bytes).
  package static func text(at parts: [String], in bytes: UnsafeRawBufferPointer) -> String? {
    var cursor = Cursor(bytes: bytes)
    guard cursor.seek(parts[...], depth: 0) else { return nil }
    return cursor.text()
  }

  /// All strings and numbers of the list at a pointer.
  package static func texts(at parts: [String], in bytes: UnsafeRawBufferPointer) -> [String]? {
    var cursor = Cursor(bytes: bytes)
    guard cursor.seek(parts[...], depth: 0), cursor.take(UInt8(ascii: "[")) else { return nil }
    var texts: [String] = []
    if cursor.take(UInt8(ascii: "]")) { return texts }
    repeat {
      guard let text = cursor.text() else { return nil }
      texts.append(text)
    } while cursor.take(UInt8(ascii: ","))
    return texts
  }

  private struct Cursor {
    let bytes: UnsafeRawBufferPointer
    var place = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var next: UInt8? {
      mutating get {
        while place < bytes.count {
          switch bytes[place] {
          case 0x20, 0x09, 0x0A, 0x0D: place += 1
          case let byte: return byte
          }
        }
        return nil
      }
    }

    mutating func take(_ byte: UInt8) -> Bool {
      guard next == byte else { return false }
      place += 1
      return true
    }

    /// Moves to the value at a pointer.
    mutating func seek(_ parts: ArraySlice<String>, depth: Int) -> Bool {
      guard let part = parts.first else { return next != nil }
      guard depth < JSONScan.depthLimit else { return false }
      let rest = parts.dropFirst()
      if take(UInt8(ascii: "{")) {
        while next == UInt8(ascii: "\""), let name = string() {
          guard take(UInt8(ascii: ":")) else { return false }
          if name == part { return seek(rest, depth: depth + 1) }
          guard skip(), take(UInt8(ascii: ",")) else { return false }
        }
        return false
      }
      guard take(UInt8(ascii: "[")), var index = Int(part), index >= 0 else { return false }
      while index > 0 {
        guard skip(), take(UInt8(ascii: ",")) else { return false }
        index -= 1
      }
      return next != UInt8(ascii: "]") && seek(rest, depth: depth + 1)
    }

    /// Passes one value over, however deep.
    mutating func skip() -> Bool {
      var open = 0
      repeat {
        guard let byte = next else { return false }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          open += 1
          place += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          open -= 1
          place += 1
        case UInt8(ascii: ","), UInt8(ascii: ":"):
          guard open > 0 else { return false }
          place += 1
        case UInt8(ascii: "\""): guard passString() else { return false }
        default: passWord()
        }
      } while open > 0
      return open == 0
    }

    /// The value here as text.
    mutating func text() -> String? {
      guard let byte = next else { return nil }
      if byte == UInt8(ascii: "\"") { return string() }
      let start = place
      guard skip(), place > start else { return nil }
      return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func passWord() {
      while place < bytes.count {
        switch bytes[place] {
        case 0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x3A, 0x5B, 0x5D, 0x7B, 0x7D, 0x22: return
        default: place += 1
        }
      }
    }

    /// Passes a string over that begins here.
    private mutating func passString() -> Bool {
      place += 1
      while place < bytes.count {
        switch bytes[place] {
        case UInt8(ascii: "\\"): place += 2
        case UInt8(ascii: "\""):
          place += 1
          return true
        default: place += 1
        }
      }
      return false
    }

    private mutating func string() -> String? {
      let start = place + 1
      guard passString() else { return nil }
      let raw = bytes[start..<(place - 1)]
      guard raw.contains(UInt8(ascii: "\\")) else { return String(decoding: raw, as: UTF8.self) }
      return JSONScan.unescaped(raw)
    }
  }

  private static func unescaped(_ raw: Slice<UnsafeRawBufferPointer>) -> String? {
    var units: [UInt16] = []
    var text = ""
    func flush() {
      text += String(decoding: units, as: UTF16.self)
      units.removeAll()
    }
    var pending: [UInt8] = []
    func flushBytes() {
      text += String(decoding: pending, as: UTF8.self)
      pending.removeAll()
    }
    var place = raw.startIndex
    while place < raw.endIndex {
      let byte = raw[place]
      guard byte == UInt8(ascii: "\\"), place + 1 < raw.endIndex else {
        if !units.isEmpty { flush() }
        pending.append(byte)
        place += 1
        continue
      }
      if !pending.isEmpty { flushBytes() }
      let kind = raw[place + 1]
      place += 2
      guard kind == UInt8(ascii: "u") else {
        let plain: [UInt8: UInt16] = [0x62: 8, 0x66: 12, 0x6E: 10, 0x72: 13, 0x74: 9]
        units.append(plain[kind] ?? UInt16(kind))
        continue
      }
      guard place + 4 <= raw.endIndex,
        let unit = UInt16(String(decoding: raw[place..<(place + 4)], as: UTF8.self), radix: 16)
      else { return nil }
      units.append(unit)
      place += 4
    }
    flush()
    flushBytes()
    return text
  }
}
