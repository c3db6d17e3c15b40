// Goal: a window that is concluded beside the next one's cells gives the run that a window does which is
// concluded before them.
// Method: the same worlds with and without an audit after every window, which lets none wait, among them
// one whose members win comps shortly before their guarantees are looked at, and one with everything on,
// whose members wait for the house where they look at their wallets.
import EventKernel
import Population
import Quantities
import RewardModel
import RunStore
import TestSupport
import Testing

@testable import BlakJaks

@Suite(.tags(.slow)) struct LateWindowTests {
  /// Guarantees are looked at while most members still win comps.
  private func world(
    seed: UInt64, _ edit: (inout WorldInput) -> Void = { _ in }
  ) throws -> WorldInput {
    try smallWorld(seed: seed, members: 400, days: 30) { input in
      input.rules.guarantee.afterDays = 9
      input.rules.guarantee.minimumScans = 1
      input.rules.prizes[0].every = 2
      input.rules.prizes[0].amount = .whole(20)
      input.population.tins.perWeek = 12
      edit(&input)
    }
  }

  @Test("Late or at once, the run is the same", arguments: UInt64(1)...6)
  func sameRun(seed: UInt64) throws {
    let input = try world(seed: seed)
    // Of one cell there is one thread, which concludes window by window.
    var late = try World(
      input, threads: 2, cellMembers: seed % 2 == 0 ? 64 : nil, mergesWindows: seed % 3 == 0)
    let record = try late.run()
    var now = try World(input, threads: 1)
    let other = try now.run(checking: true)
    #expect(
      RunFingerprint.of(record) == RunFingerprint.of(other),
      "replay: LateWindowTests.world(seed: \(seed))")
    #expect(record.finalTiers == other.finalTiers)
  }

  @Test("Cells with scans alone meet at midnight and after 16 windows, not after each")
  func stretches() throws {
    for (threads, expected) in [(1, 24), (2, 2)] {
      var world = try World(
        try world(seed: 4), threads: threads, cellMembers: 64, mergesWindows: false)
      var asked = 0
      _ = try world.run { _ in
        asked += 1
        return true
      }
      #expect(asked == 30 * expected, "\(threads) threads")
      #expect(world.withCells { $1.concludedLate } == 30 * 23)
    }
  }

  @Test(
    "Cells meet on the morning that closes the doors to affiliates, of which members learn at once",
    arguments: [3, 12])
  func closedDoors(checks: Int) throws {
    func input(closes: Bool) throws -> WorldInput {
      try world(seed: 5) { input in
        input.population.adoption.model = .rate
        input.population.adoption.perDay = 12
        input.rules.sunset.enabled = closes
        input.rules.sunset.threshold = 1
        input.rules.sunset.checks = checks
      }
    }
    var late = try World(
      try input(closes: true), threads: 2, cellMembers: 64, mergesWindows: false)
    let record = try late.run()
    var now = try World(try input(closes: true), threads: 1)
    let other = try now.run(checking: true)
    #expect(RunFingerprint.of(record) == RunFingerprint.of(other))
    #expect(record.difference(from: other) == nil)
    let concludedLate = late.withCells { $1.concludedLate }
    #expect(concludedLate == 30 * 23 - 1)
    var open = try World(
      try input(closes: false), threads: 2, cellMembers: 64, mergesWindows: false)
    #expect(try open.run().affiliates.referred > record.affiliates.referred)
    let everyLate = open.withCells { $1.concludedLate }
    #expect(everyLate == 30 * 23)
  }

  /// Wallets, shop and chips besides, and members who visit their wallets several times a day.
  private func fullWorld(
    seed: UInt64, _ edit: (inout WorldInput) -> Void = { _ in }
  ) throws -> WorldInput {
    try world(seed: seed) { input in
      (input.rules.shop.enabled, input.rules.chips.enabled) = (true, true)
      input.population.wallet.enabled = true
      input.population.wallet.visitsPerWeek = 20
      input.population.wallet.spends = 0.5
      input.population.wallet.traced = 5
      edit(&input)
    }
  }

  @Test("With wallets, too, late or at once, the run is the same", arguments: UInt64(1)...6)
  func sameFullRun(seed: UInt64) throws {
    let input = try fullWorld(seed: seed)
    var late = try World(input, threads: 2, cellMembers: seed < 4 ? 64 : nil)
    let record = try late.run()
    var now = try World(input, threads: 1)
    let other = try now.run(checking: true)
    let replay: Comment = "replay: LateWindowTests.fullWorld(seed: \(seed))"
    #expect(RunFingerprint.of(record) == RunFingerprint.of(other), replay)
    #expect(record.finalTiers == other.finalTiers, replay)
    #expect(record.difference(from: other) == nil, replay)
    // All but the one of each day that ends at midnight.
    #expect(late.withCells { $1.concludedLate } == 30 * 23, replay)
    #expect(now.withCells { $1.concludedLate } == 0)
  }

  @Test("Members who visit their wallets wait for the house, and act in the same window")
  func held() throws {
    // Most leave soon, so that some who look no more are awarded something.
    let input = try fullWorld(seed: 2) { $0.population.purchase.a = 3 }
    var world = try World(input, threads: 2, cellMembers: 64)
    var (waited, added, behind) = (0, 0, 0)
    while world.now < input.calendar.end {
      // Two windows a call, as nothing is left for later after a call.
      let end = world.now + .hours(2)
      _ = try world.advance(until: end)
      world.withCells { cells, _ in
        for cell in cells.indices {
          waited += cells[cell].held.count
          added += cells[cell].held.added
          behind += cells[cell].rows.indices.count { cells[cell].nextEvent($0) < end }
        }
      }
    }
    #expect(waited > 1_000, "sometimes: a member waits")
    #expect(added > 0, "sometimes: what the house tells makes a member come in the same window")
    #expect(behind == 0, "somebody is behind the window")
  }

  @Test func guaranteesCountCompsThatWereWonInTheWindowBefore() throws {
    // Wins of the window before a look are what the cells of the look's window could not know.
    var (close, lacking) = (0, 0)
    for seed in UInt64(1)...6 {
      // Scans earn nothing, so that a member's comps are what was won and the guarantee.
      let input = try world(seed: seed) { input in
        input.rules.scanReward.base = .zero
        input.rules.guarantee.amount = .whole(500)
      }
      var members: [String: BlakJaksMember] = [:]
      var world = try World(
        input, threads: 2, members: { members[String($0.member)] = $0 }, mergesWindows: false)
      let record = try world.run()
      #expect(world.withCells { $1.concludedLate } == 30 * 23)
      for (name, own) in Dictionary(grouping: record.awards, by: \.member) {
        let member = try #require(members[name])
        let due = member.signUp + .days(9)
        // Whoever has won a comp has the scan that the guarantee asks for.
        let comps = own.filter { $0.kind != .trip && $0.time < due }
        guard due < record.end, !comps.isEmpty else { continue }
        let known = comps.reduce(0) { $0 + $1.amount.microunits }
        let guarantee = member.comps.microunits - own.reduce(0) { $0 + $1.amount.microunits }
        let amount = input.rules.guarantee.amount.microunits
        #expect(
          guarantee == max(0, amount - known),
          "member \(name); replay: LateWindowTests.world(seed: \(seed))")
        let late = comps.filter { due - $0.time < .hours(2) }
        close += late.count
        lacking += guarantee > 0 ? late.count : 0
      }
    }
    #expect(close > 10, "sometimes: a comp is won just before a guarantee is looked at")
    #expect(lacking > 10, "sometimes: and the guarantee pays the rest")
  }

  private struct Member: Equatable {
    var account: MemberAccount
    var wallet: MemberWallet?
    var next: Instant
  }

  @Test(
    "A run that is stopped after a window has told its members everything",
    arguments: ["scans", "chips", "everything"])
  func stopped(_ what: String) throws {
    let full = what != "scans"
    let input =
      switch what {
      case "chips": try world(seed: 3) { $0.rules.chips.enabled = true }
      case "everything": try fullWorld(seed: 3)
      default: try world(seed: 3)
      }
    for stop in [5, 100, 101, 102, 103, 300] {
      func members(checking: Bool) throws -> [Member] {
        var world = try World(input, threads: 2, cellMembers: 64, mergesWindows: false)
        _ = try world.advance(
          until: input.calendar.start + .hours(Int64(stop)), checking: checking)
        return world.withCells { cells, _ in
          cells.indices.flatMap { cell in
            cells[cell].rows.indices.map { index in
              Member(
                account: cells[cell].rows[index].account,
                wallet: full ? cells[cell].extras[index].purse.wallet : nil,
                next: cells[cell].nextEvent(index))
            }
          }
        }
      }
      #expect(try members(checking: false) == members(checking: true), "after \(stop) hours")
    }
  }

  @Test("Whatever happened in a window has been checked after it, windows without events not again")
  func checked() throws {
    let input = try smallWorld(seed: 8, members: 30, days: 6, window: .minutes(10)) { input in
      (input.rules.shop.enabled, input.rules.chips.enabled) = (true, true)
      input.population.wallet.enabled = true
      input.population.tins.perWeek = 12
    }
    var world = try World(input, threads: 1)
    var (eventful, windows) = (0, 0)
    var before: Int64 = -1
    while world.now < input.calendar.end {
      _ = try world.advance(until: world.now + .minutes(10), checking: true)
      world.withCells { _, house in
        windows += 1
        if house.allEvents != before { eventful += 1 }
        before = house.allEvents
        #expect(house.audit.checkedEvents == house.allEvents, "window \(windows)")
      }
    }
    #expect(windows == 6 * 144 && eventful > 100 && eventful < windows)
  }

  @Test("What cannot wait does not", arguments: ["draw", "bans", "journal"])
  func atOnce(_ what: String) throws {
    let input = try world(seed: 2) { input in
      switch what {
      case "draw": input.rules.prizes[1].allocation = .draw
      case "bans":
        input.rules.chips.enabled = true
        input.rules.bans = [StateBan(state: "CA", date: input.calendar.dates[3])]
      default: break
      }
    }
    var entries = 0
    var world = try World(
      input, threads: 2, journal: what == "journal" ? { _ in entries += 1 } : nil,
      cellMembers: 64)
    let record = try world.run()
    #expect(world.withCells { $1.concludedLate } == 0)
    var other = try World(input, threads: 1)
    #expect(RunFingerprint.of(record) == RunFingerprint.of(try other.run(checking: true)))
    #expect(entries > 0 || what != "journal")
  }

  @Test func moneyThatLeavesItsRangeEndsARunWhoseWindowsWait() throws {
    let input = try world(seed: 5) { $0.rules.prizes[0].amount = MicroUSDT(microunits: .max / 3) }
    for threads in [1, 2] {
      #expect(throws: MoneyError.self) {
        var world = try World(input, threads: threads, cellMembers: 64)
        _ = try world.run()
      }
    }
  }
}
