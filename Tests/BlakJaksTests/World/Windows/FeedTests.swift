import BlakJaks
import EventKernel
import Population
import Quantities
// Goal: the activity feed tells of new members, tiers, large scans, matches, floors and wholesale
// comps to a run's last day, in bounded memory, and counts all of them.
// Method: rows in a scrambled order against the same sorted; small worlds and a replay, whose rows
// are compared with awards and series.
import RewardModel
import TestSupport
import Testing

@Suite(.tags(.slow)) struct FeedTests {
  @Test func ofEachKindAndDayTheLatestAreKeptWhateverTheirOrder() {
    var feed = ActivityFeed()
    let most = ActivityFeed.mostOfADay
    // 7 and 1,009 are coprime: each second comes once.
    for place in 0..<1_009 {
      let second = Int64(place * 7 % 1_009)
      feed.tell(Instant(microseconds: second * 1_000_000), .match, "match \(second)")
    }
    feed.tell(Instant(microseconds: 5), "order", "an early order")
    feed.closeDay()
    let times = feed.all.filter { $0.kind == "match" }.map { $0.time.microseconds / 1_000_000 }
    #expect(times == Array(Int64(1_009 - most)..<1_009))
    #expect(feed.all.first?.kind == "order", "a busy kind displaces no other")
    #expect(feed.count(.match) == 1_009 && feed.count(.tier) == 0)
    feed.tell(Instant(microseconds: 2_000_000_000), .tier, "later")
    feed.closeDay()
    #expect(feed.all.count == most + 2 && feed.all.last?.text == "later")
  }

  private func run(_ edit: (inout WorldInput) -> Void = { _ in }) throws -> BlakJaksRecord {
    let input = try smallWorld(seed: 51, members: 700, days: 120) { input in
      input.rules.prizes[0].every = 300
      input.rules.prizes[1].every = 900
      input.rules.prizes[1].requiredTier = .standard
      input.rules.tiers.floorVip = 15
      input.rules.wholesale.accounts = 4
      input.rules.wholesale.compEvery = 100
      input.population.referral.referred = 0.5
      input.population.wholesale.onboardingDays = 60
      input.population.wholesale.referenceMembers = 7_000
      edit(&input)
    }
    var world = try World(input, threads: 1)
    return try world.run()
  }

  private func last(_ record: BlakJaksRecord, _ key: String) -> Int64 {
    record.series.first { $0.key == key }?.values.last.flatMap { $0 } ?? -1
  }

  @Test func everyKindIsToldAndCountedToTheLastDay() throws {
    let record = try run()
    let kinds = Set(record.feed.map(\.kind))
    for kind in FeedKind.allCases {
      #expect(kinds.contains(kind.rawValue), "\(kind)")
      #expect(
        last(record, "feed.\(kind.rawValue)")
          >= Int64(record.feed.count { $0.kind == kind.rawValue }))
    }
    #expect(last(record, "feed.signup") == record.members)
    #expect(last(record, "feed.wholesale") <= last(record, "wholesale.comps"))
    // A scan that wins several prizes is told once; none adds up to as much by small ones.
    let large = Set(record.awards.filter { $0.amount >= .whole(1_000) }.map(\.wonScan)).count
    #expect(last(record, "feed.large_scan") == Int64(large))
    #expect(record.feed.map(\.time) == record.feed.map(\.time).sorted())
    let lastDay = try #require(record.feed.last)
    #expect(lastDay.time >= record.end - .days(2))
    #expect(record.feed.contains { $0.text.hasSuffix("reached Whale") })
    #expect(record.feed.contains { $0.text.hasSuffix("is VIP for life") })
    let told = record.feed.count { $0.kind == "signup" }
    #expect(Int64(told) == record.days.reduce(0) { $0 + min($1.signups, 25) })
  }

  @Test("Steps of a followed member's order come in their order, several in one window or none")
  func ordersStepByStep() throws {
    let follows: [String: Set<String>] = [
      "processing": ["shipped", "cancelled"], "shipped": ["delivered"], "delivered": ["refunded"],
    ]
    func steps(_ window: TimeSpan) throws -> [String: [(time: Instant, status: String)]] {
      let input = try smallWorld(seed: 52, members: 60, days: 60, window: window) { input in
        input.rules.shop.enabled = true
        input.population.wallet.enabled = true
        input.population.wallet.traced = 8
        input.population.tins.shop = 1
        input.population.shop.processing = .hours(3)
        input.population.shop.shipping = .hours(4)
        input.population.shop.refundAfter = .hours(2)
        (input.population.shop.cancelled, input.population.shop.refunded) = (0.2, 0.3)
      }
      var world = try World(input, threads: 1)
      var orders: [String: [(time: Instant, status: String)]] = [:]
      for row in try world.run().feed where row.kind == "order" {
        let words = row.text.split { " ,".contains($0) }.map(String.init)
        orders[words[0], default: []].append((row.time, words[1]))
      }
      return orders
    }
    let (hour, day) = (try steps(.hours(1)), try steps(.days(1)))
    var seen: Set<String> = []
    for (number, steps) in hour.merging(day, uniquingKeysWith: { $0 + $1 }) {
      seen.formUnion(steps.map(\.status))
      #expect(steps.first?.status == "processing", "order \(number)")
    }
    #expect(seen.count == 5, "sometimes: each status, not only \(seen)")
    for (number, steps) in Array(hour) + Array(day) {
      for (step, next) in zip(steps, steps.dropFirst()) {
        #expect(step.time <= next.time)
        #expect(follows[step.status]?.contains(next.status) == true, "order \(number): \(steps)")
      }
    }
    #expect(day.values.contains { $0.count >= 3 && $0[2].time - $0[0].time < .hours(6) })
  }

  @Test func fromWhichEarningAScanIsLargeIsASetting() throws {
    let usual = try run()
    let lower = try run { $0.rules.feed.largeScan = .whole(50) }
    #expect(last(lower, "feed.large_scan") > last(usual, "feed.large_scan"))
    #expect(last(lower, "feed.tier") == last(usual, "feed.tier"))
    let drawn = try run { input in
      for row in input.rules.prizes.indices { input.rules.prizes[row].allocation = .draw }
    }
    #expect(last(drawn, "feed.large_scan") == 0, "a prize that is drawn is not the scan's")
  }

  @Test func partnersSeeMatchesFloorsAndWholesaleComps() throws {
    let record = try run()
    let asOf = try InsightsAsOf(record, at: record.days[119].date.description)
    let partners = "\(Insights.page(.partners, asOf))"
    #expect(
      ["matched to the affiliate", "for life", "won a comp"].contains { partners.contains($0) })
    #expect(!partners.contains("signed up"))
    #expect("\(Insights.page(.feed, asOf))".contains("signed up"))
  }
}
