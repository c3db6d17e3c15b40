// Goal: the window is no rule: what the house decides is decided at its own instant, so that the
// length of a window, and that of the run, change nothing that happened before.
// Method: every scenario at reduced size, with guarantees due inside it, over windows of four
// lengths and over two lengths of the run.
import Population
import Quantities
import RewardModel
import RunStore
import Scenario
import TestSupport
import Testing

@testable import BlakJaks

@Suite(.tags(.slow)) struct WindowTests {
  private func record(
    _ name: String, days: Int = 75, window: String = "1 h", _ more: [String] = []
  ) throws -> BlakJaksRecord {
    let scenario = try story(
      name,
      [
        "population.members=150", "calendar.days=\(days)", "calendar.window=\(window)",
        "rules.guarantee.after=20 d", "rules.guarantee.minimum_scans=2",
      ] + more)
    // As they are: small worlds have several at once.
    var world = try World(WorldInput(scenario), threads: 1, mergesWindows: false)
    return try world.run()
  }

  /// A run, and how many windows it had.
  private func counted(
    _ input: WorldInput, threads: Int, merges: Bool
  ) throws -> (record: BlakJaksRecord, windows: Int) {
    var windows = 0
    var world = try World(input, threads: threads, mergesWindows: merges)
    let record = try world.run { _ in
      windows += 1
      return true
    }
    return (record, windows)
  }

  @Test("Windows in which little happens are merged where nobody can tell", arguments: stories)
  func merged(_ name: String) throws {
    let input = try WorldInput(
      try story(name, ["population.members=700", "calendar.days=75"]))
    let few = try counted(input, threads: 2, merges: true)
    let many = try counted(input, threads: 2, merges: false)
    #expect(
      RunFingerprint.of(few.record) == RunFingerprint.of(many.record),
      "replay: World(input of \(name), threads: 2, mergesWindows: true)")
    // Clock changes and all: a window an hour of the clock.
    #expect(many.windows == Int((input.calendar.end - input.calendar.start).inSeconds / 3_600))
    // With wallets, members see at each window's end what they were paid.
    let isPatient =
      !input.rules.hasExtras(wallets: input.population.wallet.enabled)
      && !input.rules.prizes.contains { $0.allocation == .draw }
    let days = Array(World.windows(input.calendar, length: .days(1))).count
    #expect(few.windows == (isPatient ? days : many.windows))
  }

  @Test func windowsOfALargerWorldAreThreeHoursLongButForTheOneBeforeMidnight() throws {
    let settings = [
      "population.members=50000", "calendar.days=2", "population.adoption.model=cohort",
    ]
    let input = try WorldInput(try story("launch-year", settings))
    let few = try counted(input, threads: 1, merges: true)
    let together = try counted(input, threads: 2, merges: true)
    let many = try counted(input, threads: 1, merges: false)
    #expect(few.record.acceptedScans > 10_000)
    for record in [few.record, together.record] {
      #expect(
        RunFingerprint.of(record) == RunFingerprint.of(many.record),
        "replay: launch-year, \(settings), threads: 1 or 2, mergesWindows: true")
    }
    // The morning is at five: 3, 5, 6, 9 ... 21, 23, 24.
    #expect(few.windows == 2 * 10 && many.windows == 2 * 24)
    // Threads meet at midnight alone.
    #expect(together.windows == 2)
  }

  @Test(
    "The shortest windows, merged or not, give the run that long ones give",
    arguments: UInt64(1)...3)
  func shortest(seed: UInt64) throws {
    // Clocks are set forward on the third day.
    let calendar = try ProgrammeCalendar(
      zone: "America/New_York", firstDate: CivilDate("2026-03-06")!, days: 4)
    func run(_ window: TimeSpan, merges: Bool) throws -> (record: BlakJaksRecord, windows: Int) {
      let input = try smallWorld(seed: seed, members: 40, window: window) { input in
        input.calendar = calendar
        input.population.tins.perWeek = 14
      }
      return try counted(input, threads: 1, merges: merges)
    }
    let hour = try run(.hours(1), merges: false)
    #expect(hour.record.acceptedScans > 50)
    for (merges, windows) in [(false, 95 * 3_600), (true, 4 * 3)] {
      let (record, count) = try run(.seconds(1), merges: merges)
      #expect(count == windows)
      #expect(
        RunFingerprint.of(record) == RunFingerprint.of(hour.record),
        "replay: smallWorld(seed: \(seed), members: 40, days: 4, window: .seconds(1)), \(merges)")
    }
  }

  @Test("Windows of any length give the same run where there are no wallets", arguments: stories)
  func windows(_ name: String) throws {
    let off = ["population.wallet.enabled=false"]
    let hour = try record(name, off)
    #expect(hour.acceptedScans > 50)
    for window in ["10 min", "6 h", "1 d"] {
      let other = try record(name, window: window, off)
      #expect(
        RunFingerprint.of(other) == RunFingerprint.of(hour),
        """
        replay: pitboss run \(name) --set population.members=150 --set calendar.days=75 \
        --set population.wallet.enabled=false --set rules.guarantee.after='20 d' \
        --set rules.guarantee.minimum_scans=2 --set calendar.window='\(window)'
        """)
    }
  }

  @Test("Cells of any size give the same run", arguments: stories)
  func cells(_ name: String) throws {
    var input = try WorldInput(
      try story(name, ["population.members=300", "calendar.days=75", "calendar.window=6 h"]))
    // Bots copy codes cell by cell.
    input.population.mischief.rings = []
    func run(_ cellMembers: Int?, journal: Bool = false) throws -> BlakJaksRecord {
      var world = try World(
        input, threads: 2, journal: journal ? { _ in } : nil, cellMembers: cellMembers)
      return try world.run()
    }
    let record = try run(nil)
    #expect(record.acceptedScans > 50)
    for size in [16, 64, 65_536] {
      #expect(
        RunFingerprint.of(try run(size)) == RunFingerprint.of(record),
        "replay: World(input of \(name), threads: 2, cellMembers: \(size))")
    }
    // A journal has every tin before its scan, so that members open theirs one by one.
    #expect(
      RunFingerprint.of(try run(64, journal: true)) == RunFingerprint.of(record),
      "replay: pitboss run \(name) --journal FILE")
  }

  @Test("Purchases of any regularity are the same many at once as one by one", arguments: 1...9)
  func regularity(_ erlang: Int) throws {
    let input = try WorldInput(
      story(
        "launch-year",
        [
          "population.members=300", "calendar.days=75", "calendar.window=6 h",
          "population.purchase.erlang=\(erlang)",
        ]))
    var many = try World(input, threads: 1)
    var one = try World(input, threads: 1, journal: { _ in })
    let record = try many.run()
    #expect(record.acceptedScans > 50)
    #expect(
      RunFingerprint.of(try one.run()) == RunFingerprint.of(record),
      "replay: pitboss run launch-year --set population.purchase.erlang=\(erlang) --journal FILE")
  }

  @Test("Windows of any length bring banks that run short into the same straits")
  func shortBanks() throws {
    let straits = [
      "population.wallet.enabled=false", "rules.shop.enabled=true",
      "population.shop.refunded=80 %", "population.tins.shop=90 %",
      "rules.treasury.opening.operating_bank=0", "rules.treasury.float=20",
      "rules.comp_pool.share=90 %",
    ]
    let hour = try record("launch-year", straits)
    #expect(try #require(hour.figure("bank.topped_up")) > 0)
    for window in ["10 min", "6 h", "1 d"] {
      let other = try record("launch-year", window: window, straits)
      #expect(RunFingerprint.of(other) == RunFingerprint.of(hour), "\(window)")
    }
  }

  @Test("With wallets, what the members were awarded is the same", arguments: stories)
  func wallets(_ name: String) throws {
    let on = ["population.wallet.enabled=true"]
    let hour = try record(name, on)
    let day = try record(name, window: "1 d", on)
    #expect(texts(day.awards) == texts(hour.awards))
    #expect(texts(day.payouts) == texts(hour.payouts))
    #expect(day.tiers == hour.tiers)
    #expect(texts(day.months) == texts(hour.months))
  }

  @Test("What rings copy hangs neither on windows nor on a journal where bans leave codes alone")
  func copies() throws {
    let settings = [
      "population.members=200", "calendar.days=45",
      "rules.bans=[{state: CA, date: 2026-01-10}, {state: TX, date: 2026-01-20}]",
      "population.mischief.rings=[{date: 2026-01-15, days: 20, accounts: 5, copied: 1}]",
    ]
    func run(_ window: String, journal: ((JournalEntry) -> Void)? = nil) throws -> BlakJaksRecord {
      let input = try WorldInput(story("bot-ring", settings + ["calendar.window=\(window)"]))
      var world = try World(input, threads: 1, journal: journal)
      return try world.run()
    }
    var bots = 0
    let hour = try run("1 h")
    let followed = try run("1 h") { entry in
      if case .scan(nil, _) = entry.request { bots += 1 }
    }
    #expect(bots > 1_000)
    let refused = try #require(hour.outcomes.first { $0.name == "member_ineligible" }).count
    #expect(refused > 20, "sometimes: a ban leaves codes unclaimed")
    #expect(RunFingerprint.of(followed) == RunFingerprint.of(hour), "replay: a journal")
    for window in ["10 min", "1 d"] {
      #expect(RunFingerprint.of(try run(window)) == RunFingerprint.of(hour), "replay: \(window)")
    }
  }

  /// Settings that let everything happen which no scenario has by default.
  private static let rare = [
    "population.shop.abandoned=0.9", "population.shop.come_back_after=5 h",
    "population.mischief.shared=0.2", "population.mischief.shared_after=2 h",
    "population.wholesale.reference_members=2000", "population.wholesale.shelf=2 d",
  ]

  @Test func windowsOfAnyLengthGiveTheSameRunWhereMuchGoesWrong() throws {
    let rare = Self.rare + ["population.wallet.enabled=false"]
    let hour = try record("full-programme", rare)
    for window in ["10 min", "6 h", "1 d"] {
      let other = try record("full-programme", window: window, rare)
      #expect(RunFingerprint.of(other) == RunFingerprint.of(hour), "\(window)")
    }
  }

  @Test("The first days of a longer run are those of a shorter one", arguments: stories)
  func lengths(_ name: String) throws {
    // Without a market, `members` says how many have signed up at the run's end.
    let isBass = try story(name).population.adoption.model == .bass
    let market = isBass ? ["population.adoption.market=1500"] : []
    let short = try record(name, days: 45, market)
    let long = try record(name, days: 90, market)
    #expect(Array(texts(long.days).prefix(45)) == texts(short.days))
    let end = short.end
    #expect(texts(long.awards.filter { $0.time < end }) == texts(short.awards))
    for series in short.series {
      let other = try #require(long.series.first { $0.key == series.key }, "\(series.key)")
      #expect(other.values.prefix(45).elementsEqual(series.values), "\(series.key)")
    }
  }

  private func texts(_ rows: [some Any]) -> [String] { rows.map { "\($0)" } }
}
