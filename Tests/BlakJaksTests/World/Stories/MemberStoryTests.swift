import BlakJaks
// Goal: bot-ring, stream-night and state-exit tell their stories: bots get nothing in, streams
// draw their audience, and a ban ends rewards where it holds and nothing else.
// Method: each scenario at reduced size, against closed forms and against the same members (common
// random numbers) without the rings, the wins or the ban.
import EventKernel
import Population
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite struct BotRingStoryTests {
  /// The scenario with fewer accounts, run once for all tests.
  private static let attacked = Result {
    try told(
      try story(
        "bot-ring", "population.members=500", "population.mischief.rings[0].accounts=10",
        "population.mischief.rings[1].accounts=80"))
  }

  @Test func nothingGetsInAndNobodyElseNotices() throws {
    let attacked = try Self.attacked.get()
    let calm = try told(
      try story("bot-ring", "population.members=500", "population.mischief.rings=[]"))
    #expect(try attacked.values("bots.accepted").allSatisfy { $0 == 0 })
    #expect(attacked.days.map(\.acceptedScans) == calm.days.map(\.acceptedScans))
    #expect(attacked.days.map(\.spendCash) == calm.days.map(\.spendCash))
    let bots = try #require(try attacked.values("bots.submitted").last)
    let submitted = attacked.outcomes.reduce(0) { $0 + $1.count }
    #expect(submitted - calm.outcomes.reduce(0) { $0 + $1.count } == bots)
    // 10 accounts of 30 an hour for a week, 80 of 2 an hour for three days.
    let expected: Double = 10 * 30 * 168 + 80 * 2 * 72
    #expect(abs(Double(bots) - expected) < 4 * expected.squareRoot(), "\(bots) submissions")
    // Copies are of codes already scanned, the rest is of no printed tin.
    let copies = attacked.count(of: .alreadyScanned) - calm.count(of: .alreadyScanned)
    let guesses = attacked.count(of: .unknownCode) - calm.count(of: .unknownCode)
    #expect(copies + guesses == bots)
    let copied = 0.5 * 50_400 + 0.1 * 11_520
    #expect(abs(Double(copies) - copied) < 4 * copied.squareRoot(), "\(copies) copies")
  }

  @Test func theErrorRateShowsTheRings() throws {
    let record = try Self.attacked.get()
    let submitted = try record.growth("scans.submitted")
    let refused = try record.growth("scans.refused")
    let loud = try span(record, from: "2026-02-02", days: 7)
    let slow = try span(record, from: "2026-03-16", days: 3)
    for day in record.days.indices {
      let rate = Double(refused[day]) / Double(submitted[day])
      if loud.contains(day) || slow.contains(day) {
        #expect(rate > 0.9, "\(record.days[day].date): \(rate)")
      } else {
        // Honest members: 0.032 refused for each accepted, a Poisson number.
        #expect(rate < 0.15, "\(record.days[day].date): \(rate)")
      }
    }
  }

  // The loud ring's accounts pass the limit within hours. One of the slow ring makes a Poisson
  // number of submissions a day, 48 on average, and is suspended on the first day of 50.
  @Test func loudAccountsAreSuspendedAtOnceAndSlowOnesByChance() throws {
    let record = try Self.attacked.get()
    let suspended = try record.values("bots.suspended")
    let loud = try record.day("2026-02-02")
    #expect(suspended[loud - 1] == 0)
    #expect(suspended[loud] == 10)
    let slow = try record.day("2026-03-16")
    #expect(suspended[slow - 1] == 10)
    var below = 0.0
    var term = exp48
    for k in 0..<50 {
      below += term
      term *= 48 / Double(k + 1)
    }
    let caught = 1 - below * below * below
    let expected = 80 * caught
    let deviation = (80 * caught * (1 - caught)).squareRoot()
    let seen = Double(suspended[suspended.count - 1] - 10)
    #expect(abs(seen - expected) < 4 * deviation, "\(seen) suspended, \(expected) expected")
  }

  /// e to the power of −48.
  private let exp48 = 1.425_164_082_740_935e-21
}

@Suite(.tags(.slow)) struct StreamNightStoryTests {
  private static let told = Result { try night() }

  private static func night(_ overrides: String...) throws -> BlakJaksRecord {
    try BlakJaksTests.told(try story("stream-night", ["population.members=1200"] + overrides))
  }

  @Test func everyFridayAtEightAShareOfTheMembersGathers() throws {
    let record = try Self.told.get()
    let calendar = try story("stream-night").days()
    let fridays = calendar.dates.indices.filter { calendar.dates[$0].weekday == 4 }
    #expect(record.streams.count == fridays.count)
    let living = try record.values("members.active")
    var peaks = 0.0
    var audience = 0.0
    var messages = 0.0
    for (stream, day) in zip(record.streams, fridays) {
      #expect(stream.start == calendar.dayStarts[day] + .hours(20))
      #expect(stream.end == stream.start + .minutes(120))
      let mean = 0.15 * Double(living[day] + living[day - 1]) / 2
      #expect(abs(Double(stream.peakViewers) - mean) < 4 * mean.squareRoot())
      #expect(stream.uniqueViewers > stream.peakViewers)
      peaks += Double(stream.peakViewers)
      audience += mean
      messages += Double(stream.messages)
    }
    #expect(abs(peaks - audience) < 4 * audience.squareRoot(), "\(peaks) of \(audience)")
    #expect(
      try record.values("social.viewers_peak").last == record.streams.map(\.peakViewers).max())
    // Viewer-hours a viewer at the peak: a ramp of 15 minutes, then a half-life of 90 for the
    // other 105. Four messages an hour of viewing.
    let written = peaks * 4 * (0.125 + (1 - 0.445_449) * 1.5 / 0.693_147)
    #expect(abs(messages - written) < 4 * written.squareRoot(), "\(messages) of \(written)")
  }

  @Test("A stream that goes on at the run's end has had its most viewers by then")
  func openAtTheEnd() throws {
    // Friday's begins an hour before the run ends.
    let record = try Self.night(
      "calendar.start=2026-01-03", "calendar.days=7",
      "population.chat.streams.weekday=4", "population.chat.streams.hour=23")
    let last = try #require(record.streams.last)
    #expect(last.end > record.end && last.peakViewers > 50)
    #expect(
      try record.values("social.viewers_peak").last == record.streams.map(\.peakViewers).max())
  }

  @Test func streamNightsAreTheLoudestOfTheWeek() throws {
    let record = try Self.told.get()
    let messages = try record.growth("social.messages")
    let fridays = record.days.indices.filter { record.days[$0].date.weekday == 4 }
    for day in fridays.dropLast() {
      let rest = messages[day + 1...day + 6]
      #expect(messages[day] > rest.max()!, "\(record.days[day].date)")
    }
  }

  // A first request is a miss and all others are hits: 1 − (1 − exp(−m)) ÷ m for a Poisson number
  // of requests of mean m.
  @Test(
    "The cache saves what is asked for again",
    arguments: [("1.5", 0.482_087), ("0.3", 0.136_061)] as [(String, Double)])
  func hitRate(mean: String, expected: Double) throws {
    let own = "population.chat.translations_per_message=\(mean)"
    let record = mean == "1.5" ? try Self.told.get() : try Self.night(own)
    let asked = try #require(try record.values("social.translations").last)
    let hits = try #require(try record.values("social.translation_hits").last)
    let messages = try #require(try record.values("social.messages").last)
    #expect(abs(Double(hits) / Double(asked) - expected) < 0.01)
    // Two languages other than a message's own.
    let requests = 2 * Double(mean)! * Double(messages)
    #expect(abs(Double(asked) - requests) < 0.02 * requests, "\(asked) of \(requests)")
  }

  // A win draws 20 messages, and each message one answer in two: 40 in all. A Hawkes count has a
  // variance of four times its mean.
  @Test func winsExciteTheChat() throws {
    let prizes = "rules.prizes[0].every=100"
    let excited = try Self.night(prizes)
    let calm = try Self.night(prizes, "population.chat.messages_per_win=0")
    let seen = try #require(try excited.values("social.messages").last)
    let base = try #require(try calm.values("social.messages").last)
    let expected = 40 * Double(excited.awards.count)
    #expect(expected > 6_000)
    let deviation = (4 * Double(seen + base)).squareRoot()
    #expect(
      abs(Double(seen - base) - expected) < 4 * deviation, "\(seen - base), not \(expected)")
  }
}

@Suite(.tags(.slow)) struct StateExitStoryTests {
  private func exit(_ overrides: String...) throws -> BlakJaksRecord {
    try told(
      try story(
        "state-exit",
        ["population.adoption.per_day=3", "calendar.window=24 h", "calendar.days=300"] + overrides))
  }

  // With everybody in one state its ban must end every reward.
  @Test func whereRewardsAreBannedNoScanIsAcceptedAndOnlyEarnedGuaranteesArePaid() throws {
    let record = try exit("rules.states=[{code: CA, weight: 1, tax: 7.25 %}]")
    let ban = try record.day("2026-07-01")
    let accepted = record.days.map(\.acceptedScans)
    #expect(accepted[30..<ban].allSatisfy { $0 > 0 })
    #expect(accepted[ban...].allSatisfy { $0 == 0 })
    // A guarantee falls due 90 days after the sign-up; its scans were there before the ban.
    let guarantees = try record.values("ledger.guarantee.count")
    let settled = ban + 91
    #expect(guarantees[settled] > guarantees[ban - 1])
    #expect(guarantees[settled...].allSatisfy { $0 == guarantees[settled] })
    #expect(
      record.days[settled...].allSatisfy { $0.spendCash == .zero && $0.spendAccrual == .zero })
    for type in ["scan_reward", "Crypto $100", "match"] {
      let counts = try record.values("ledger.\(type).count")
      #expect(counts[ban - 1] > 0, "\(type)")
      #expect(counts[ban...].allSatisfy { $0 == counts[ban - 1] }, "\(type)")
    }
    // People sign up and buy all the same, and the state still taxes what they buy.
    #expect(record.days[ban...].allSatisfy { $0.tinsSold > 0 })
    #expect(record.days[ban...].reduce(0) { $0 + $1.signups } > 200)
    let tax = try record.growth("shop.tax")
    #expect(tax[ban...].reduce(0, +) > tax[..<ban].reduce(0, +) / 2)
    let revenue = try #require(try record.values("shop.revenue").last)
    let taxed = try #require(try record.values("shop.tax").last)
    let orders = try #require(try record.values("shop.orders").last)
    // Rounded once an order, to whole cents.
    #expect(abs(taxed - revenue * 725 / 10_000) <= orders * 10_000)
  }

  @Test func theBanTakesItsStatesScansAndNoOthers() throws {
    let banned = try exit()
    let free = try exit("rules.bans=[]")
    let day = try banned.day("2026-07-01")
    let seen = banned.days.map(\.acceptedScans)
    let whole = free.days.map(\.acceptedScans)
    #expect(seen[..<day] == whole[..<day])
    #expect(banned.months[..<6].map(\.spendCash) == free.months[..<6].map(\.spendCash))
    #expect(zip(seen[day...], whole[day...]).allSatisfy { $0 < $1 })
    #expect(free.count(of: .memberIneligible) == 0)
    // Each refused scan is one that would have been accepted, or a repetition of it.
    let lost = free.acceptedScans - banned.acceptedScans
    let repeated = free.count(of: .alreadyScanned) - banned.count(of: .alreadyScanned)
    #expect(banned.count(of: .memberIneligible) == lost + repeated)
    #expect(banned.count(of: .invalidCode) == free.count(of: .invalidCode))
    #expect(banned.count(of: .unknownCode) == free.count(of: .unknownCode))
    // One member in 8.38 lives in California; scans differ between members (Gamma of shape 1.2).
    let share = Double(lost) / Double(whole[day...].reduce(0, +))
    let deviation = (0.1193 * 0.8807 / Double(banned.members) * (1 + 1 / 1.2)).squareRoot()
    #expect(abs(share - 0.1193) < 4 * deviation, "\(share)")
    // Sales and their tax know of no ban; rewards and guarantees do.
    #expect(banned.days.map(\.tinsSold) == free.days.map(\.tinsSold))
    #expect(try banned.values("shop.tax") == free.values("shop.tax"))
    #expect(
      try banned.payout("scan_reward").total < free.payout("scan_reward").total)
    let guarantees = "ledger.guarantee.count"
    #expect(try banned.values(guarantees)[day - 1] == free.values(guarantees)[day - 1])
    #expect(try banned.values(guarantees).last! < free.values(guarantees).last!)
  }
}
