import BlakJaks
// Goal: every multiple falls due once, waits first in first out, and is awarded once, in order.
// Method: hand-made sequences, and random ones against a list of waiting numbers.
import Quantities
import Testing

@Suite struct MilestoneTests {
  @Test func milestonesPassedAreTheDifferenceOfFloors() {
    #expect(MilestoneBoard.passed(after: 499_999, count: 1, every: 500_000) == 1)
    #expect(MilestoneBoard.passed(after: 500_000, count: 1, every: 500_000) == 0)
    #expect(MilestoneBoard.passed(after: 3, count: 20, every: 5) == 4)
  }

  private func prize(_ name: String, every: Int64, tier: Tier) -> Prize {
    Prize(
      name: name, kind: .crypto, amount: .whole(10), every: every, requiredTier: tier)
  }

  @Test func aDuePrizeRollsForwardToTheFirstScanWithTheTier() {
    var board = MilestoneBoard(prizes: [prize("a", every: 3, tier: .vip)])
    var awards: [MilestoneAward] = []
    for scan in Int64(1)...10 {
      board.accept(scan: scan, tier: scan >= 8 ? .vip : .standard, awards: &awards)
    }
    // Due at 3, 6 and 9; VIPs scan from 8 on and take one of the prize a scan.
    #expect(
      awards == [
        MilestoneAward(prize: 0, dueScan: 3, wonScan: 8),
        MilestoneAward(prize: 0, dueScan: 6, wonScan: 9),
        MilestoneAward(prize: 0, dueScan: 9, wonScan: 10),
      ])
  }

  @Test func oneScanMayTakeOneOfEachPrize() {
    var board = MilestoneBoard(prizes: [
      prize("a", every: 2, tier: .standard), prize("b", every: 2, tier: .standard),
    ])
    var awards: [MilestoneAward] = []
    board.accept(scan: 1, tier: .standard, awards: &awards)
    board.accept(scan: 2, tier: .standard, awards: &awards)
    #expect(awards.map(\.prize) == [0, 1])
  }

  @Test func deferredPrizesWaitAndAreThenAwardedInOrder() {
    var board = MilestoneBoard(prizes: [prize("a", every: 1, tier: .standard)])
    var awards: [MilestoneAward] = []
    board.deferring = true
    for scan in Int64(1)...5 { board.accept(scan: scan, tier: .whale, awards: &awards) }
    #expect(awards.isEmpty)
    #expect(board.waiting(0) == 5)
    board.deferring = false
    for scan in Int64(6)...8 { board.accept(scan: scan, tier: .whale, awards: &awards) }
    #expect(awards.map(\.dueScan) == [1, 2, 3])
  }

  @Test("Skipping scans that cannot matter changes nothing", arguments: UInt64(0)..<50)
  func skipping(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ bound: Int64) -> Int64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64(state >> 33) % bound
    }
    let prizes = (0..<3).map { row in
      prize("p\(row)", every: 1 + random(40), tier: Tier(rawValue: UInt8(random(4)))!)
    }
    let tiers = (0..<400).map { _ in Tier(rawValue: UInt8(random(100) < 90 ? 0 : random(4)))! }
    // The list, the obvious way.
    var waiting: [[Int64]] = [[], [], []]
    var expected: [MilestoneAward] = []
    for (place, tier) in tiers.enumerated() {
      let scan = Int64(place) + 1
      for row in 0..<3 {
        if scan % prizes[row].every == 0 { waiting[row].append(scan) }
        if tier >= prizes[row].requiredTier, let due = waiting[row].first {
          waiting[row].removeFirst()
          expected.append(MilestoneAward(prize: row, dueScan: due, wonScan: scan))
        }
      }
    }
    var board = MilestoneBoard(prizes: prizes)
    var awards: [MilestoneAward] = []
    var skipped = 0
    for (place, tier) in tiers.enumerated() {
      let scan = Int64(place) + 1
      if scan < board.nextDue, board.lowestWaitingTier.map({ tier < $0 }) ?? true {
        board.skip(through: scan)
        skipped += 1
      } else {
        board.accept(scan: scan, tier: tier, awards: &awards)
      }
    }
    #expect(awards == expected, "replay: seed \(seed)")
    #expect((0..<3).map { board.waiting($0) } == waiting.map { Int64($0.count) })
  }
}
