// Goal: codes are a keyed bijection on 60 bits, read as people type them, and each tin is claimed
// at most once.
// Method: round trips over many serials and keys, avalanche counts, every outcome in its order.
import BlakJaks
import EventKernel
import Testing

@Suite struct CodeTests {
  @Test("A code decodes to its serial number under its own key", arguments: UInt64(0)..<20)
  func bijection(key: UInt64) {
    let book = CodeBook(key: key)
    var serial: UInt64 = 0
    var seen = Set<UInt64>()
    for step in 0..<5_000 {
      let code = book.code(ofSerial: serial)
      #expect(code.bits < TinCode.space)
      #expect(book.serial(of: code) == serial, "replay: key \(key) serial \(serial)")
      seen.insert(code.bits)
      serial = step < 2_500 ? serial + 1 : (serial &* 6_364_136_223_846_793_005) % TinCode.space
      if serial < 10 { serial += 1_000_003 * UInt64(step) }
    }
    #expect(seen.count > 2_500)
  }

  @Test("Many codes at once are those of each serial number, and decode to it", arguments: [0, 9])
  func manyCodes(key: UInt64) {
    let book = CodeBook(key: key)
    for count in [0, 1, 2, 3, 5, 8, 13, 100] {
      let serials = (0..<UInt64(count)).map { $0 &* 6_364_136_223_846_793_005 % TinCode.space }
      var numbers = serials
      numbers.withUnsafeMutableBufferPointer { book.encode($0) }
      #expect(numbers == serials.map { book.code(ofSerial: $0).bits })
      numbers.withUnsafeMutableBufferPointer { book.decode($0) }
      #expect(numbers == serials, "replay: key \(key), \(count) codes")
    }
  }

  @Test("A desk that prints many tins and adjudicates them at once is one that does so one by one")
  func manyFreshTins() {
    var each = ScanDesk(codes: CodeBook(key: 3), first: 1 << 40)
    var many = each
    for count in [1, 70, 0, 64, 200] {
      let printed = (0..<count).map { _ in each.printTin() }
      for code in printed { #expect(each.submit(code, eligible: true) == .accepted) }
      // With room for more, as whole vectors have.
      let room = count + count % 3
      var codes = [UInt64](repeating: 0, count: room)
      var serials = codes
      codes.withUnsafeMutableBufferPointer { codes in
        serials.withUnsafeMutableBufferPointer { many.scanFresh(count, codes: codes, serials: $0) }
      }
      #expect(Array(codes[..<count]) == printed.map(\.bits))
      #expect(many.claims == each.claims && many.claimed == each.claimed)
      // What was not opened at once has a code that nobody has claimed, and the next ones follow it.
      #expect(each.printTin() == many.printTin())
      #expect(many.claims == each.claims)
    }
  }

  @Test func neighbouringSerialsHaveUnrelatedCodes() {
    let book = CodeBook(key: 42)
    var flips = 0
    for serial in UInt64(0)..<10_000 {
      let both = book.code(ofSerial: serial).bits ^ book.code(ofSerial: serial + 1).bits
      flips += both.nonzeroBitCount
    }
    // 60 fair bits flip 30 times on average; 10,000 pairs have a standard error of 0.039.
    #expect(abs(Double(flips) / 10_000 - 30) < 0.5)
  }

  @Test func everyBitOfTheCodeTakesBothValuesEquallyOften() {
    let book = CodeBook(key: 7)
    var ones = [Int](repeating: 0, count: 60)
    for serial in UInt64(0)..<10_000 {
      let bits = book.code(ofSerial: serial).bits
      for bit in 0..<60 where bits >> UInt64(bit) & 1 == 1 { ones[bit] += 1 }
    }
    // Binomial(10,000, ½) has standard deviation 50; five of them over 60 bits is a loose bound.
    #expect(ones.allSatisfy { abs($0 - 5_000) < 250 }, "\(ones)")
  }

  @Test func theAlphabetIsTheBriefs() {
    #expect(TinCode(bits: 0).text == "AAAA-AAAA-AAAA")
    #expect(TinCode(bits: TinCode.space - 1).text == "9999-9999-9999")
    let symbols = (0..<32).map { String(TinCode(bits: UInt64($0)).text.last!) }.joined()
    #expect(symbols == "ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
  }

  @Test(
    "A code is read in any case, with or without each hyphen",
    arguments: [
      "K7QP-2MNA-9XWZ", "k7qp-2mna-9xwz", "K7QP2MNA9XWZ", "k7Qp2mNa9xWz", "K7QP-2MNA9XWZ",
      "K7QP2MNA-9XWZ",
    ])
  func spellings(text: String) {
    #expect(TinCode(text)?.text == "K7QP-2MNA-9XWZ")
  }

  @Test(
    "Text that is no code is refused",
    arguments: [
      "", "K7QP-2MNA-9XW", "K7QP-2MNA-9XWZZ", "K7QP2-MNA-9XWZ", "O7QP-2MNA-9XWZ",
      "I7QP-2MNA-9XWZ", "07QP-2MNA-9XWZ", "17QP-2MNA-9XWZ", "K7QP 2MNA 9XWZ", "K7QP--2MNA-9XWZ",
      "-K7QP-2MNA-9XWZ", "K7QP-2MNA-9XWZ-", "Ｋ7QP-2MNA-9XWZ", "K7QP-2MNA-9XW\u{0}",
    ])
  func refusals(text: String) {
    #expect(TinCode(text) == nil)
  }

  @Test func reasonsAreCheckedInTheGivenOrder() {
    let book = CodeBook(key: 1)
    var desk = ScanDesk(codes: book, first: 1_000)
    let code = desk.printTin()
    let unprinted = book.code(ofSerial: 1_001)
    #expect(desk.submit(nil, eligible: false) == .invalidCode)
    #expect(desk.submit(unprinted, eligible: false) == .unknownCode)
    #expect(desk.submit(code, eligible: false) == .memberIneligible)
    #expect(desk.submit(code, eligible: true) == .accepted)
    #expect(desk.submit(code, eligible: false) == .alreadyScanned)
    #expect(desk.submit(book.code(ofSerial: 999), eligible: true) == .unknownCode)
    #expect(desk.claimed == 1)
  }

  @Test func eachTinIsClaimedAtMostOnce() {
    var desk = ScanDesk(codes: CodeBook(key: 3), first: 1 << 36)
    let codes = (0..<500).map { _ in desk.printTin() }
    var accepted = 0
    for round in 0..<3 {
      for code in round == 1 ? codes.reversed() : codes
      where desk.submit(code, eligible: true) == .accepted { accepted += 1 }
    }
    #expect(accepted == 500)
    #expect(desk.claimed == 500)
  }

  @Test("The next claimed tin is the first one on, and the first of all behind the last")
  func claimedTins() {
    for printed in [1, 63, 64, 65, 200] {
      var desk = ScanDesk(codes: CodeBook(key: 3), first: 1 << 36)
      let codes = (0..<printed).map { _ in desk.printTin() }
      #expect(desk.claimedTin(from: 0) == nil)
      var stream = RandomStream(seed: 11, purpose: 3, entity: UInt64(printed))
      var claimed: Set<Int> = []
      for _ in 0..<8 {
        let tin = Int(stream.uniformIndex(below: UInt64(printed)))
        _ = desk.submit(codes[tin], eligible: true)
        claimed.insert(tin)
        for from in 0..<printed {
          let plain = (from..<from + printed).first { claimed.contains($0 % printed) }
          #expect(desk.claimedTin(from: UInt64(from)) == plain.map { UInt64($0 % printed) })
        }
      }
    }
  }

  @Test func aMemberIdHoldsSequenceAndTier() {
    #expect(memberID(sequence: 1, tier: .highRoller) == "BJ-0001-HR")
    #expect(memberID(sequence: 12_345, tier: .standard) == "BJ-12345-ST")
  }
}

@Suite struct ReferralCodeTests {
  @Test func codesLeadBackToTheirMemberAndAreAllDifferent() throws {
    var seen = Set<String>()
    for member in [1, 2, 3, 1_000, 99_999, 1 << 30 - 1] as [UInt32] {
      let code = try #require(ReferralCode(member: member))
      #expect(code.description.count == 10)
      #expect(ReferralCode(code.description)?.member == member)
      #expect(ReferralCode(code.description.lowercased())?.member == member)
      #expect(seen.insert(code.description).inserted)
    }
    for member in 1...5_000 as ClosedRange<UInt32> {
      seen.insert(try #require(ReferralCode(member: member)).description)
    }
    #expect(seen.count == 5_002)
  }

  @Test(arguments: [
    "", "REF-", "REF-AAAAA", "REF-AAAAA1", "REF-AAAAAAA", "XYZ-ABCDEF", "REF-AAAAAA",
  ])
  func whatIsNoCodeIsRefused(_ text: String) { #expect(ReferralCode(text) == nil) }

  @Test func onlyThirtyBitsOfMembersHaveCodes() {
    #expect(ReferralCode(member: 0) == nil)
    #expect(ReferralCode(member: 1 << 30) == nil)
  }
}
