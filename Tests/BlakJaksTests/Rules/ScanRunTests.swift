// Goal: tins that a member scans together are adjudicated as if they were scanned one by one.
// Method: two state machines of the same rules get the same tins, one of them in runs and the other scan by
// scan, and their saved states must not differ in a byte.
import BlakJaks
import Foundation
import Quantities
import RewardModel
import Testing

@Suite struct ScanRunTests {
  private let start = Instant(microseconds: 1_767_225_600_000_000)

  /// Kinds of rules under which runs end for different reasons.
  enum Rules: String, CaseIterable, Sendable {
    case plain, paidAtOnce, draws, chips, watched, bans, noReward

    func edit(_ rules: inout ProgrammeRules) {
      for (row, every) in [7, 40, 900].enumerated() where row < rules.prizes.count {
        rules.prizes[row].every = Int64(every)
      }
      switch self {
      case .plain, .watched: break
      case .paidAtOnce: rules.payouts.batch = .seconds(0)
      case .draws: for row in rules.prizes.indices { rules.prizes[row].allocation = .draw }
      case .chips: rules.chips.enabled = true
      case .bans:
        rules.bans = [
          StateBan(state: StateRecord.unitedStates[0].code, date: CivilDate("2026-01-04")!)
        ]
      case .noReward: rules.scanReward.base = .zero
      }
    }
  }

  private struct SeededPlace: DrawSource {
    func place(of prize: Prize, dueScan: Int64, below total: UInt64) -> UInt64 {
      UInt64(bitPattern: dueScan) &* 0x9E37_79B9_7F4A_7C15 % total
    }
  }

  private func state(_ kind: Rules) throws -> ProgrammeState {
    var rules = ProgrammeRules()
    kind.edit(&rules)
    var state = try ProgrammeState(
      rules: rules, firstDate: CivilDate("2026-01-01")!, codes: CodeBook(key: 1),
      draws: SeededPlace())
    if kind == .watched { state.watchSubmissions() }
    for member in UInt32(0)..<6 {
      _ = try state.commit(.signUp(member: member, state: UInt8(member)), at: start)
    }
    for member in UInt32(3)..<6 {
      _ = try state.commit(.refer(member: member, affiliate: member - 3), at: start)
    }
    return state
  }

  private func saved(_ state: ProgrammeState) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(state), as: UTF8.self)
  }

  @Test(
    "A run of scans leaves what as many single ones leave", arguments: Rules.allCases,
    UInt64(1)...6)
  func runs(kind: Rules, seed: UInt64) throws {
    var draw = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ bound: Int) -> Int {
      draw = draw &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((draw >> 33) % UInt64(bound))
    }
    var (runs, singles) = (try state(kind), try state(kind))
    var (long, cut, refused) = (0, 0, 0)
    for step in 0..<120 {
      let time = start + .days(Int64(step / 20)) + .minutes(Int64(step))
      if step > 0, step % 20 == 0 {
        let midnight = start + .days(Int64(step / 20))
        _ = try runs.commit(.turnDay, at: midnight)
        _ = try singles.commit(.turnDay, at: midnight)
      }
      let (member, tins) = (UInt32(random(6)), Int64(1 + random(12)))
      var (left, wins) = (tins, [Win]())
      while left > 0 {
        let scans = try #require(try runs.scanTins(member, left, at: time))
        #expect((1...left).contains(scans.count), "\(kind), seed \(seed), step \(step)")
        if scans.count > 1 { long += 1 }
        if scans.outcome == .memberIneligible { refused += 1 }
        if scans.count < left { cut += 1 }
        left -= scans.count
        wins += runs.wins
      }
      var others: [Win] = []
      for _ in 0..<tins {
        _ = try singles.commit(.scanTin(member: member), at: time)
        others += singles.wins
      }
      #expect(wins == others, "\(kind), seed \(seed), step \(step)")
      #expect(runs.outcomes == singles.outcomes)
    }
    #expect(try saved(runs) == saved(singles), "\(kind), seed \(seed)")
    #expect(long > 0 || kind == .watched, "no run was longer than one scan")
    #expect(cut > 0, "no run was cut")
    #expect((refused > 0) == (kind == .bans))
  }

  @Test func aRunEndsBeforeTheScanThatMovesTheTierOrIsDue() throws {
    var state = try state(.plain)
    let tiers = state.rules.tiers
    #expect(try state.scanTins(0, 100, at: start)?.count == 6, "the seventh is due")
    #expect(try state.scanTins(0, 100, at: start)?.count == 1)
    #expect(state.wins.count == 1)
    let first = Int64(tiers.vip) - 7
    var scanned: Int64 = 0
    while scanned < first {
      let scans = try #require(try state.scanTins(0, 100, at: start))
      scanned += scans.count
      if scanned < first { #expect(state.members.account(of: 0).standing.tier == .standard) }
    }
    #expect(scanned == first, "the scan that makes a VIP begins a run")
  }

  @Test func whoHasNotSignedUpScansNothing() throws {
    var state = try state(.plain)
    #expect(try state.scanTins(99, 3, at: start) == nil)
    #expect(state.outcomes.allSatisfy { $0 == 0 })
  }

  @Test func aRunWhoseMoneyDoesNotFitEndsTheProgramme() throws {
    var rules = ProgrammeRules()
    rules.scanReward.base = MicroUSDT(microunits: .max / 1_000)
    var state = try ProgrammeState(
      rules: rules, firstDate: CivilDate("2026-01-01")!, codes: CodeBook(key: 1),
      draws: SeededPlace())
    _ = try state.commit(.signUp(member: 0, state: nil), at: start)
    #expect(throws: CommitError.self) {
      for _ in 0..<1_000 { _ = try state.scanTins(0, 1_000, at: start) }
    }
  }
}
