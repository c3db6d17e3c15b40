/// The bytes of rows as the fingerprint renders them, which wait to be hashed.
///
/// A whole number is eight bytes, two's complement, least significant first; a text its length in
/// UTF-8 and its bytes; an absent value one byte 0, a present one a byte 1 before it.
package struct DigestBytes: Sendable {
  /// What waits.
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Whether so much waits that it should be hashed.
  package var isFull: Bool { bytes.count >= 1 << 16 }

  /// Forgets what was hashed.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  package mutating func add(_ number: Int64) {
    withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func add(_ text: String) {
    add(Int64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  /// Says whether a value follows.
  package mutating func mark(_ isPresent: Bool) { bytes.append(isPresent ? 1 : 0) }

  /// Adds numbers, each with the byte before it where one may be absent.
  package mutating func add(_ numbers: [Int64?], mayBeAbsent: Bool) {
    // Written in place: one append for each would take several times as long.
    bytes += [UInt8](unsafeUninitializedCapacity: numbers.count * 9) { buffer, count in
      for number in numbers {
        if mayBeAbsent {
          buffer[count] = number == nil ? 0 : 1
          count += 1
        }
        guard let number else { continue }
        UnsafeMutableRawBufferPointer(buffer).storeBytes(
          of: number.littleEndian, toByteOffset: count, as: Int64.self)
        count += 8
      }
    }
  }
}
