/// The code on a tin: 60 bits, written as 12 symbols `XXXX-XXXX-XXXX`.
///
/// The 32 symbols are A–Z without I and O, then 2–9; the first symbol holds the highest bits.
package struct TinCode: Hashable, Sendable, BitwiseCopyable {
  /// 0 ..< 2⁶⁰.
  package var bits: UInt64

  /// The number of distinct codes, 2⁶⁰.
  package static var space: UInt64 { 1 << 60 }

  /// Takes the low 60 bits.
  @inline(__always)
  package init(bits: UInt64) { self.bits = bits & (TinCode.space - 1) }

  private static let alphabet: [UInt8] = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)

  /// The value of an ASCII symbol, or 255. Lower case counts as upper case.
  private static func value(of symbol: UInt8) -> UInt8 {
    switch symbol {
    case 65...72: symbol - 65  // A–H
    case 74...78: symbol - 66  // J–N
    case 80...90: symbol - 67  // P–Z
    case 97...122: value(of: symbol - 32)
    case 50...57: symbol - 50 + 24  // 2–9
    default: 255
    }
  }

  /// Reads a code as people type it: any case, each of the two hyphens in its place or left out.
  ///
  /// - Returns: Nil for anything else: a wrong length, a symbol outside the alphabet, a hyphen
  ///   elsewhere.
  package init?(_ text: some StringProtocol) {
    var reader = Reader()
    for byte in text.utf8 {
      guard reader.take(byte) else { return nil }
    }
    guard let code = reader.code else { return nil }
    self = code
  }

  /// Reads a code of which the symbols are known.
  package init?(_ typed: TypedCode) {
    var reader = Reader()
    for place in 0..<typed.count {
      guard reader.take(typed[place]) else { return nil }
    }
    guard let code = reader.code else { return nil }
    self = code
  }

  /// Takes a code symbol by symbol.
  private struct Reader {
    private var bits: UInt64 = 0
    private var symbols = 0
    private var hyphenAt = 0

    /// - Returns: Whether a code may go on like this.
    mutating func take(_ byte: UInt8) -> Bool {
      if byte == UInt8(ascii: "-") {
        guard symbols == 4 || symbols == 8, hyphenAt < symbols else { return false }
        hyphenAt = symbols
        return true
      }
      let value = TinCode.value(of: byte)
      guard value < 32, symbols < 12 else { return false }
      bits = bits << 5 | UInt64(value)
      symbols += 1
      return true
    }

    /// Nil where symbols are missing.
    var code: TinCode? { symbols == 12 ? TinCode(bits: bits) : nil }
  }

  /// The code as it is printed: `XXXX-XXXX-XXXX`.
  package var text: String { TypedCode(self).text }

  fileprivate static func symbol(_ value: UInt64) -> UInt8 { alphabet[Int(value & 31)] }
}

/// What somebody types for a code, symbol by symbol, without memory of its own: at most 14 symbols.
package struct TypedCode: Sendable {
  private var symbols = InlineArray<14, UInt8>(repeating: UInt8(ascii: "-"))
  package private(set) var count = 14

  /// A code as it is printed.
  package init(_ code: TinCode) {
    for place in 0..<12 {
      symbols[place + place / 4] = TinCode.symbol(code.bits >> UInt64(55 - 5 * place))
    }
  }

  /// A symbol in ASCII.
  package subscript(place: Int) -> UInt8 {
    get { symbols[place] }
    set { symbols[place] = newValue }
  }

  /// Leaves the last symbol out.
  package mutating func removeLast() { count -= 1 }

  package var text: String {
    String(unsafeUninitializedCapacity: 14) { bytes in
      for place in 0..<count { bytes[place] = symbols[place] }
      return count
    }
  }
}

/// The secret bijection between serial numbers and codes, so that no unsold code is ever stored.
///
/// A balanced Feistel network of eight rounds over two 30-bit halves; each round multiplies the
/// keyed half by an odd key of 64 bits and keeps the upper 30. It is a permutation for every key (Luby and Rackoff 1988,
/// doi:10.1137/0217022). It hides the order of serial numbers from somebody who sees codes; it is
/// no standardised cipher, and a deployment that must withstand cryptanalysis would put a
/// standardised format-preserving one in its place.
package struct CodeBook: Sendable {
  static var half: UInt64 { (1 << 30) - 1 }
  let keys: (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64)

  /// - Parameter key: The secret; equal keys make equal codes.
  package init(key: UInt64) {
    var state = key
    func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
      return mixed ^ mixed >> 31
    }
    keys = (next(), next(), next(), next(), next(), next(), next(), next())
  }

  @inline(__always)
  static func round(_ half: UInt64, _ key: UInt64) -> UInt64 {
    ((half ^ key >> 32) &* (key | 1)) >> 34
  }

  /// The code of a serial number below 2⁶⁰.
  package func code(ofSerial serial: UInt64) -> TinCode {
    var left = serial >> 30 & CodeBook.half
    var right = serial & CodeBook.half
    left ^= CodeBook.round(right, keys.0)
    right ^= CodeBook.round(left, keys.1)
    left ^= CodeBook.round(right, keys.2)
    right ^= CodeBook.round(left, keys.3)
    left ^= CodeBook.round(right, keys.4)
    right ^= CodeBook.round(left, keys.5)
    left ^= CodeBook.round(right, keys.6)
    right ^= CodeBook.round(left, keys.7)
    return TinCode(bits: left << 30 | right)
  }

  /// The serial number that a code decodes to; every code decodes to one.
  package func serial(of code: TinCode) -> UInt64 {
    var left = code.bits >> 30 & CodeBook.half
    var right = code.bits & CodeBook.half
    right ^= CodeBook.round(left, keys.7)
    left ^= CodeBook.round(right, keys.6)
    right ^= CodeBook.round(left, keys.5)
    left ^= CodeBook.round(right, keys.4)
    right ^= CodeBook.round(left, keys.3)
    left ^= CodeBook.round(right, keys.2)
    right ^= CodeBook.round(left, keys.1)
    left ^= CodeBook.round(right, keys.0)
    return left << 30 | right
  }
}
