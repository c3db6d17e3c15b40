import BlakJaks
// Goal: every gold chip is held, vaulted, redeemed or expired; the vault's bonus is the brief's.
// Method: closed forms for a year of bonus; random years beside a model of single chips.
import Quantities
import Testing

/// Rare branches that the random years have to take.
private struct Seen {
  var heldExpired = 0
  var vaultedExpired = 0
  var heldRedeemed = 0
  var bonusIssued = 0
  var quietBroken = 0
}

@Suite struct ChipVaultTests {
  private func rules(_ edit: (inout ChipRules) -> Void = { _ in }) -> ChipRules {
    var rules = ChipRules()
    edit(&rules)
    return rules
  }

  /// Earns chips that have room.
  private func earn(_ count: UInt32, lot: ChipLot, into vault: inout ChipVault) {
    let accepted = vault.earn(count, lot: lot)
    #expect(accepted)
  }

  private func lot(_ date: String) -> ChipLot { ChipLot(monthOf: CivilDate(date)!) }

  /// A vault that watches `count` earned chips from the first of 2026 on.
  private func vault(_ count: UInt32, _ rules: ChipRules) -> ChipVault {
    var vault = ChipVault()
    earn(count, lot: rules.lot(ofChipFrom: CivilDate("2025-12-31")!), into: &vault)
    #expect(vault.vaultHeld() == count)
    let first = lot("2025-12-01")
    let turn = vault.turnMonth(rules, ending: first, bonusLot: rules.bonusLot(ending: first))
    #expect(turn.bonus == 0, "the chips came at the month's end")
    #expect(vault.quiet == count)
    return vault
  }

  private func turn(_ vault: inout ChipVault, _ rules: ChipRules, month: Int) -> ChipTurn {
    let ending = ChipLot(
      monthOf: CivilDate(year: 2026 + (month - 1) / 12, month: (month - 1) % 12 + 1, day: 1))
    return vault.turnMonth(rules, ending: ending, bonusLot: rules.bonusLot(ending: ending))
  }

  @Test func aVaultIsOneCacheLine() {
    #expect(MemoryLayout<ChipVault>.size == 64)
    #expect(MemoryLayout<ChipVault>.stride == 64)
  }

  @Test func aYearInTheVaultGivesThreePointFourChipsForOne() {
    // One bonus per five a month: 1 + 12 ÷ 5 = 3.4. The chips live a little longer than a year.
    let rules = rules { $0.expiryDays = 393 }
    var vault = vault(1_000, rules)
    for month in 1...12 { #expect(turn(&vault, rules, month: month).bonus == 200) }
    #expect(vault.vaulted == 3_400)
    #expect(vault.quiet == 1_000)
  }

  @Test func compoundingGivesEightPointNineChipsForOne() {
    // 1.2^12 = 8.916; 15,625 = 5^6 divides evenly for six months.
    let rules = rules {
      $0.expiryDays = 393
      $0.compounding = true
    }
    var vault = vault(15_625, rules)
    var expected: UInt32 = 15_625
    for month in 1...12 {
      #expect(turn(&vault, rules, month: month).bonus == expected / 5)
      expected += expected / 5
    }
    #expect(vault.vaulted == expected)
    #expect(abs(Double(expected) / 15_625 - 8.916_100_448_256) < 0.001)
  }

  @Test func onlyFullFivesThatWereVaultedAllMonthIssueABonus() {
    let rules = rules()
    var vault = vault(9, rules)
    #expect(turn(&vault, rules, month: 1).bonus == 1)
    // Vaulted in the month, not through it.
    earn(1, lot: rules.lot(ofChipFrom: CivilDate("2026-02-01")!), into: &vault)
    #expect(vault.vaultHeld() == 1)
    #expect(turn(&vault, rules, month: 2).bonus == 1)
    #expect(turn(&vault, rules, month: 3).bonus == 2)
    // Held, not vaulted.
    earn(5, lot: rules.lot(ofChipFrom: CivilDate("2026-04-01")!), into: &vault)
    #expect(turn(&vault, rules, month: 4).bonus == 2)
    #expect(turn(&vault, rules, month: 5).bonus == 2)
    // Redeemed in the month: of ten quiet chips six were the oldest.
    #expect(vault.redeem(6, oldest: lot("2026-06-01")) == ChipMove(held: 0, vaulted: 6))
    #expect(turn(&vault, rules, month: 6).bonus == 0)
  }

  @Test func aChipExpiresWithTheMonthInWhichItTurnsAYearOld() {
    let rules = rules()
    var vault = ChipVault()
    earn(7, lot: rules.lot(ofChipFrom: CivilDate("2026-01-31")!), into: &vault)
    earn(4, lot: rules.lot(ofChipFrom: CivilDate("2026-02-01")!), into: &vault)
    for month in 1...12 { #expect(turn(&vault, rules, month: month).expired.count == 0) }
    #expect(turn(&vault, rules, month: 13).expired == ChipMove(held: 7, vaulted: 0))
    #expect(vault.vaultHeld() == 4)
    #expect(turn(&vault, rules, month: 14).expired == ChipMove(held: 0, vaulted: 4))
    #expect(vault == ChipVault())
  }

  @Test func chipsThatExpireWithTheMonthStillEarnItsBonus() {
    let rules = rules()
    var vault = vault(5, rules)
    for month in 1...11 { #expect(turn(&vault, rules, month: month).bonus == 1) }
    let last = turn(&vault, rules, month: 12)
    #expect(last.bonus == 1)
    #expect(last.expired == ChipMove(held: 0, vaulted: 5))
    #expect(vault.vaulted == 12)
    // The first bonus chip is of 31 January.
    #expect(
      turn(&vault, rules, month: 13)
        == ChipTurn(
          bonus: 0, withheld: 0, expired: ChipMove(held: 0, vaulted: 1)))
  }

  @Test func redemptionTakesTheOldestOfBothKindsAndNoMoreThanThereIs() {
    let rules = rules()
    var vault = vault(10, rules)
    for month in 1...2 { #expect(turn(&vault, rules, month: month).bonus == 2) }
    earn(3, lot: rules.lot(ofChipFrom: CivilDate("2026-03-05")!), into: &vault)
    let march = lot("2026-03-01")
    #expect(vault.redeem(0, oldest: march).count == 0)
    // Ten of December, then two bonus chips of January.
    #expect(vault.redeem(11, oldest: march) == ChipMove(held: 0, vaulted: 11))
    #expect((vault.earned, vault.bonus, vault.held, vault.quiet) == (3, 3, 3, 0))
    #expect(vault.redeem(.max, oldest: march) == ChipMove(held: 3, vaulted: 3))
    #expect(vault == ChipVault())
  }

  @Test func aLotThatWouldWrapRefusesAndKeepsItsChips() {
    let rules = rules()
    var vault = ChipVault()
    let lot = rules.lot(ofChipFrom: CivilDate("2026-01-01")!)
    earn(65_535, lot: lot, into: &vault)
    let full = vault
    for count in [1, 2, 65_536, UInt32.max - 65_535, .max] as [UInt32] {
      let accepted = vault.earn(count, lot: lot)
      #expect(!accepted)
      #expect(vault == full)
    }
    earn(0, lot: lot, into: &vault)
    earn(10, lot: rules.lot(ofChipFrom: CivilDate("2026-02-01")!), into: &vault)
    #expect(vault.held == 65_545)
  }

  @Test func bonusChipsThatDoNotFitTheirLotAreNotIssued() {
    let rules = rules()
    var vault = ChipVault()
    for month in 1...6 {
      let date = CivilDate(year: 2026, month: month, day: 1)
      earn(65_535, lot: rules.lot(ofChipFrom: date), into: &vault)
    }
    #expect(vault.vaultHeld() == 393_210)
    #expect(turn(&vault, rules, month: 6).bonus == 0)
    let july = turn(&vault, rules, month: 7)
    #expect((july.bonus, july.withheld) == (65_535, 13_107))
    #expect(vault.vaulted == 393_210 + 65_535)
  }

  @Test func fourteenLotsTellAllChipsApartUpTo393DaysAndNoFurther() {
    func widest(_ days: Int) -> Int32 {
      let rules = rules { $0.expiryDays = days }
      return (0..<4_018).map { offset in
        let date = CivilDate("2024-01-01")!.adding(days: offset)
        return rules.lot(ofChipFrom: date).month - ChipLot(monthOf: date).month
      }.max() ?? 0
    }
    #expect(widest(365) == 12)
    #expect(widest(393) == 13)
    #expect(widest(394) == 14)
  }

  @Test func aBonusLotOutsideTheRingStopsTheProcess() async {
    await #expect(processExitsWith: .failure) {
      var vault = ChipVault()
      let ending = ChipLot(monthOf: CivilDate("2026-01-31")!)
      let beyond = ChipLot(monthOf: CivilDate("2027-03-01")!)
      _ = vault.turnMonth(ChipRules(), ending: ending, bonusLot: beyond)
    }
  }

  @Test("Issued = held + vaulted + redeemed + expired, chip by chip", arguments: UInt64(0)..<8)
  func randomYears(seed: UInt64) {
    var state = seed &* 2 &+ 1
    func random(_ bound: UInt32) -> UInt32 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt32(truncatingIfNeeded: state >> 33) % bound
    }
    let rules = rules {
      $0.expiryDays = [28, 61, 365, 393][Int(seed % 4)]
      $0.bonusEvery = [5, 3, 4][Int(seed % 3)]
      $0.compounding = seed % 4 == 1
    }
    var plain = [PlainVault](repeating: PlainVault(rules: rules), count: 3)
    var vaults = [ChipVault](repeating: ChipVault(), count: plain.count)
    var totals = ChipTotals()
    var seen = Seen()
    // A leap day lies within.
    for offset in 0..<1_200 {
      let date = CivilDate("2024-01-01")!.adding(days: offset)
      let current = ChipLot(monthOf: date)
      for member in plain.indices {
        let earned = random(3)
        plain[member].earn(Int(earned), on: date)
        earn(earned, lot: rules.lot(ofChipFrom: date), into: &vaults[member])
        totals.earn(Int64(earned))
        if member > 0, random(20 * UInt32(member)) == 0 {
          plain[member].vaultHeld()
          totals.vault(Int64(vaults[member].vaultHeld()))
        }
        if random(member == 2 ? 80 : 25) == 0 {
          let count = random(30)
          let quiet = vaults[member].quiet
          let before = plain[member].redeemed
          plain[member].redeem(Int(count))
          let move = vaults[member].redeem(count, oldest: current)
          totals.redeem(move)
          #expect(Int(move.count) == plain[member].redeemed - before)
          seen.heldRedeemed += Int(move.held)
          seen.quietBroken += vaults[member].quiet < quiet ? 1 : 0
        }
        if current.lastDate == date {
          let expected = plain[member].turnMonth(date)
          let turn = vaults[member].turnMonth(
            rules, ending: current, bonusLot: rules.bonusLot(ending: current))
          totals.turn(turn)
          #expect(Int(turn.bonus) == expected.bonus && Int(turn.expired.count) == expected.expired)
          seen.bonusIssued += expected.bonus
          seen.heldExpired += Int(turn.expired.held)
          seen.vaultedExpired += Int(turn.expired.vaulted)
        }
        compare(vaults[member], plain[member], "seed \(seed), member \(member), \(date)")
      }
      var stock = ChipStock()
      for vault in vaults { stock.count(vault) }
      #expect(totals.stock == stock, "seed \(seed), \(date)")
      #expect(totals.isConserved, "seed \(seed), \(date)")
    }
    #expect(totals.issued == Int64(plain.reduce(0) { $0 + $1.issued }))
    #expect(totals.redeemed == Int64(plain.reduce(0) { $0 + $1.redeemed }))
    #expect(totals.expired == Int64(plain.reduce(0) { $0 + $1.expired }))
    #expect(
      seen.heldRedeemed > 0 && seen.bonusIssued > 0 && seen.quietBroken > 0
        && seen.heldExpired > 0 && seen.vaultedExpired > 0, "never taken: \(seen)")
  }

  private func compare(
    _ vault: ChipVault, _ plain: PlainVault, _ replay: @autoclosure () -> Comment
  ) {
    var held = 0
    var bonus = 0
    var quiet = 0
    for chip in plain.chips {
      if !chip.isVaulted { held += 1 }
      if chip.isBonus { bonus += 1 } else if chip.isQuiet { quiet += 1 }
    }
    let count = plain.chips.count
    #expect(
      [vault.held, vault.vaulted, vault.earned, vault.bonus, vault.quiet, vault.count].map(Int.init)
        == [held, count - held, count - bonus, bonus, quiet, count], replay())
  }

  @Test func theLiabilityIsWhatHeldAndVaultedChipsAreWorth() throws {
    let rules = rules()
    var totals = ChipTotals()
    totals.earn(1_234)
    totals.vault(1_000)
    totals.redeem(ChipMove(held: 34, vaulted: 100))
    #expect(try totals.liability(rules) == .whole(110))
    var other = ChipTotals()
    other.earn(10)
    other.vault(10)
    other.turn(ChipTurn(bonus: 2, withheld: 0, expired: ChipMove(held: 0, vaulted: 12)))
    totals.add(other)
    #expect(try totals.liability(rules) == .whole(110))
    #expect((totals.issuedByScans, totals.issuedAsBonus, totals.expired) == (1_244, 2, 12))
    #expect(totals.isConserved)
    totals.earn(.max / 2)
    #expect(throws: MoneyError.self) { try totals.liability(rules) }
  }
}
