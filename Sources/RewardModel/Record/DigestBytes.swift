/// The bytes of rows as the fingerprint renders them, which wait to be hashed.
///
/// A whole number is eight bytes, two's complement, least significant first; a text its length in
/// UTF-8 and its bytes; an absent value one byte 0, a present one a byte 1 before it.
package struct DigestBytes: Sendable {
  /// Begins with what waits. Bytes are stored in place: appending them one value at a time would
  /// take several times as long. It is small enough to stay in a processor's cache, and for the C
  /// library not to ask the system for it anew each time.
  private var storage = [UInt8](repeating: 0, count: 1 << 15)
  private var count = 0

  /// No bytes.
  package init() {}

  /// What waits.
  package var bytes: ArraySlice<UInt8> { storage[..<count] }

  /// Whether so much waits that it should be hashed.
  package var isFull: Bool { count >= 1 << 14 }

  /// Forgets what was hashed.
  package mutating func removeAll() { count = 0 }

  /// Adds a number as 8 bytes, the lowest first.
  package mutating func add(_ number: Int64) {
    reserve(8)
    storage.withUnsafeMutableBytes {
      $0.storeBytes(of: number.littleEndian, toByteOffset: count, as: Int64.self)
    }
    count += 8
  }

  /// Adds numbers, each as `mark` and `add` do.
  ///
  /// - Parameter marked: Whether there is a mark for each; without marks, missing ones are left out.
  package mutating func add(_ numbers: [Int64?], marked: Bool) {
    reserve(9 * numbers.count)
    storage.withUnsafeMutableBytes { bytes in
      for number in numbers {
        if marked {
          bytes[count] = number == nil ? 0 : 1
          count += 1
        }
        guard let number else { continue }
        bytes.storeBytes(of: number.littleEndian, toByteOffset: count, as: Int64.self)
        count += 8
      }
    }
  }

  /// Adds values out of the memory of a row, each as `add` does, and with a mark where it is optional.
  ///
  /// - Parameters:
  ///   - words: Where they are in the row.
  ///   - memory: That of rows.
  ///   - start: Where the row begins in it, in bytes.
  mutating func add(_ words: [PlacedWord], of memory: UnsafeRawBufferPointer, at start: Int) {
    reserve(9 * words.count)
    storage.withUnsafeMutableBytes { bytes in
      for word in words {
        let number: Int64
        switch word.layout {
        case .word: number = memory.load(fromByteOffset: start + word.offset, as: Int64.self)
        case .optionalWord:
          let value = memory.load(fromByteOffset: start + word.offset, as: Int64?.self)
          bytes[count] = value == nil ? 0 : 1
          count += 1
          guard let value else { continue }
          number = value
        }
        bytes.storeBytes(of: number.littleEndian, toByteOffset: count, as: Int64.self)
        count += 8
      }
    }
  }

  /// Adds a text: the number of its UTF-8 bytes, then these.
  package mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      add(Int64(bytes.count))
      reserve(bytes.count)
      storage.withUnsafeMutableBytes {
        UnsafeMutableRawBufferPointer(rebasing: $0[count...])
          .copyMemory(from: UnsafeRawBufferPointer(bytes))
      }
      count += bytes.count
    }
  }

  /// Adds fields as a database stores them: one number for the type, and the value; a real number
  /// by its bits.
  package mutating func add(stored fields: [FieldValue]) {
    for field in fields { add(stored: field) }
  }

  /// Adds a field as a database stores it.
  package mutating func add(stored field: FieldValue) {
    switch field {
    case .absent: add(Int64(0))
    case .whole(let number): add(1, number)
    case .real(let number): add(2, Int64(bitPattern: number.bitPattern))
    case .text(let text):
      add(Int64(3))
      add(text)
    }
  }

  private mutating func add(_ first: Int64, _ second: Int64) {
    reserve(16)
    storage.withUnsafeMutableBytes {
      $0.storeBytes(of: first.littleEndian, toByteOffset: count, as: Int64.self)
      $0.storeBytes(of: second.littleEndian, toByteOffset: count + 8, as: Int64.self)
    }
    count += 16
  }

  /// Says whether a value follows.
  package mutating func mark(_ isPresent: Bool) {
    reserve(1)
    storage[count] = isPresent ? 1 : 0
    count += 1
  }

  private mutating func reserve(_ more: Int) {
    guard count + more > storage.count else { return }
    storage += [UInt8](repeating: 0, count: max(more, storage.count))
  }
}
