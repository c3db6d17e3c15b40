/// Lists of whole numbers as JSON arrays.
enum JSONNumbers {
  /// An array such as `[12,null,-3]`; missing numbers are null.
  ///
  /// - Complexity: O(digits).
  static func text(_ numbers: [Int64?]) -> String {
    // No number of 64 bits has more than 20 characters; each is followed by a comma or the end.
    String(unsafeUninitializedCapacity: 2 + 21 * numbers.count) { bytes in
      var end = 0
      func add(_ byte: UInt8) {
        bytes[end] = byte
        end += 1
      }
      add(UInt8(ascii: "["))
      for (place, number) in numbers.enumerated() {
        if place > 0 { add(UInt8(ascii: ",")) }
        guard let number else {
          for byte in "null".utf8 { add(byte) }
          continue
        }
        if number < 0 { add(UInt8(ascii: "-")) }
        let first = end
        var rest = number.magnitude
        repeat {
          add(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
          rest /= 10
        } while rest > 0
        bytes[first..<end].reverse()
      }
      add(UInt8(ascii: "]"))
      return end
    }
  }
}
