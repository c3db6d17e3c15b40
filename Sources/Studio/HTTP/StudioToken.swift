/// What a request must bring to be answered: made anew for each session, so that no other page and
/// no other user of the machine can steer it.
package struct StudioToken: Sendable {
  /// 256 random bits, as 64 digits.
  package let text: String

  /// A token that nobody can guess.
  package init() {
    text = (0..<32).map { _ in
      let byte = UInt8.random(in: .min ... .max)
      return String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
    }.joined()
  }

  /// Whether a text is the token; how long that takes does not tell where it differs.
  package func matches(_ other: String) -> Bool {
    let (own, other) = (Array(text.utf8), Array(other.utf8))
    var difference = UInt8(own.count == other.count ? 0 : 1)
    for place in own.indices {
      difference |= own[place] ^ (place < other.count ? other[place] : 0xFF)
    }
    return difference == 0
  }
}
