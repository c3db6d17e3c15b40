/// What became of a submitted code, in the order in which the reasons are checked.
package enum ScanOutcome: UInt8, CaseIterable, Sendable, Codable {
  case accepted, invalidCode, unknownCode, alreadyScanned, memberIneligible

  /// The name in exports and answers.
  package var key: String {
    switch self {
    case .accepted: "accepted"
    case .invalidCode: "invalid_code"
    case .unknownCode: "unknown_code"
    case .alreadyScanned: "already_scanned"
    case .memberIneligible: "member_ineligible"
    }
  }
}

/// Adjudicates codes against one print run: which serial numbers exist and which are claimed.
///
/// Serial numbers `first ..< first + printed` exist. One bit each says 'claimed', for ever.
package struct ScanDesk: Sendable {
  package let codes: CodeBook
  /// The first serial number of the print run.
  package let first: UInt64
  /// How many tins have been printed.
  package var printed: UInt64 { printedCount }
  var printedCount: UInt64 = 0
  /// How many tins have been claimed.
  package var claimed: Int64 { claimedCount }
  var claimedCount: Int64 = 0
  var bits: [UInt64] = []
  /// The tin printed last: who buys one in a simulation submits it next, so that its serial number
  /// need not be worked out again. No code has all bits set.
  private var latest: (code: UInt64, serial: UInt64) = (.max, 0)

  /// An empty print run.
  ///
  /// - Parameter first: Its first serial number, below 2⁶⁰.
  package init(codes: CodeBook, first: UInt64) {
    self.codes = codes
    self.first = first
  }

  /// Prints one more tin and returns its code.
  ///
  /// - Complexity: O(1) amortised; one bit of memory.
  package mutating func printTin() -> TinCode {
    if printedCount & 63 == 0 { bits.append(0) }
    let serial = first + printedCount
    printedCount += 1
    let code = codes.code(ofSerial: serial)
    latest = (code.bits, serial)
    return code
  }

  /// The first claimed tin from one on, the first of all following the last.
  ///
  /// - Parameter tin: Its place in the print run, below `printed`.
  /// - Returns: Its place; nil where none is claimed.
  /// - Complexity: O(unclaimed tins passed ÷ 64).
  package func claimedTin(from tin: UInt64) -> UInt64? {
    guard claimedCount > 0 else { return nil }
    let first = Int(tin >> 6)
    var word = bits[first] & (UInt64.max << (tin & 63))
    var place = first
    while word == 0 {
      place = place + 1 < bits.count ? place + 1 : 0
      word = bits[place]
    }
    return UInt64(place) << 6 + UInt64(word.trailingZeroBitCount)
  }

  /// Adjudicates one submission and, when it is accepted, claims the tin.
  ///
  /// - Parameters:
  ///   - code: Nil when the text submitted was no code.
  ///   - eligible: Whether the member is known, of age and not suspended.
  package mutating func submit(_ code: TinCode?, eligible: Bool) -> ScanOutcome {
    guard let code else { return .invalidCode }
    return submit(
      serial: code.bits == latest.code ? latest.serial : codes.serial(of: code),
      eligible: eligible)
  }

  /// Adjudicates the code of a serial number, which may be of another print run or of none.
  @inline(__always)
  mutating func submit(serial: UInt64, eligible: Bool) -> ScanOutcome {
    let index = serial &- first
    guard index < printed else { return .unknownCode }
    let word = Int(index >> 6)
    let bit: UInt64 = 1 << (index & 63)
    guard bits[word] & bit == 0 else { return .alreadyScanned }
    guard eligible else { return .memberIneligible }
    bits[word] |= bit
    claimedCount += 1
    return .accepted
  }
}

extension ScanDesk {
  /// What a desk knows, without the secret of its codes.
  package struct Claims: Sendable, Equatable, Codable {
    /// Tins printed.
    package var printed: UInt64
    /// One bit a printed tin, 64 a word, the first lowest; set when it is claimed. Words at the
    /// end that are left out have no claim.
    package var bits: [UInt64]
  }

  /// What to save.
  package var claims: Claims { Claims(printed: printed, bits: bits) }

  /// A desk that was saved.
  package init(codes: CodeBook, first: UInt64, claims: Claims) {
    self.init(codes: codes, first: first)
    printedCount = claims.printed
    bits = claims.bits
    let missing = Int((claims.printed + 63) / 64) - bits.count
    if missing > 0 { bits += Array(repeating: 0, count: missing) }
    claimedCount = claims.bits.reduce(0) { $0 + Int64($1.nonzeroBitCount) }
  }
}
