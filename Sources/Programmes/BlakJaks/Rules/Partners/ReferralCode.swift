/// A member's referral code: `REF-` and six symbols of the tin codes' alphabet.
///
/// It is a bijection of the member's sequence number on 30 bits, so that no two members share one
/// and neighbours do not look alike. It is no secret.
package struct ReferralCode: Hashable, Sendable, CustomStringConvertible {
  /// Sequence number of the member, 1 ... 2³⁰ − 1.
  package let member: UInt32
  private static let mask: UInt32 = 1 << 30 - 1
  private static let alphabet = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
  // An odd factor and its inverse modulo 2³⁰.
  private static let factor: UInt32 = 0x2545_F491 & mask
  private static let inverse: UInt32 = {
    var answer = factor
    for _ in 0..<5 { answer = answer &* (2 &- factor &* answer) }
    return answer & mask
  }()

  /// The code of a member.
  ///
  /// - Parameter member: 1 ... 2³⁰ − 1; else there is none.
  package init?(member: UInt32) {
    guard (1...ReferralCode.mask).contains(member) else { return nil }
    self.member = member
  }

  /// Reads a code; lower case is understood, any other text is none.
  package init?(_ text: some StringProtocol) {
    let symbols = text.uppercased()
    guard symbols.hasPrefix("REF-"), symbols.utf8.count == 10 else { return nil }
    var word: UInt32 = 0
    for symbol in symbols.dropFirst(4) {
      guard let digit = ReferralCode.alphabet.firstIndex(of: symbol) else { return nil }
      word = word << 5 | UInt32(digit)
    }
    self.init(member: word &* ReferralCode.inverse & ReferralCode.mask)
  }

  package var description: String {
    let word = member &* ReferralCode.factor & ReferralCode.mask
    let characters = (0..<6).map { (place: UInt32) -> Character in
      ReferralCode.alphabet[Int(word >> (25 - 5 * place) & 31)]
    }
    return "REF-" + String(characters)
  }
}
