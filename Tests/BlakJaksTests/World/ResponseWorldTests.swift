// Goal: members respond as their settings say, each setting in its direction, and in no other run.
// Method: small worlds; fingerprints where nothing may differ, figures where something must. What is
// saved, windows, journals and every law are those of any world.
import BlakJaks
import EventKernel
import Foundation
import Population
import Quantities
import RewardModel
import RunStore
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct ResponseWorldTests {
  private static let small = [
    "population.members=400", "calendar.days=200", "rules.prizes[0].every=40",
    "population.response.reference_value=3.6",
    "rules.guarantee.after=30 d", "rules.guarantee.minimum_scans=2",
  ]
  /// Everything at once.
  private static let all = [
    "population.response.purchase=0.8", "population.response.scan=0.4",
    "population.response.adoption=0.5", "population.response.reference_value=2",
    "population.response.reference_guarantee=60", "population.response.win.uplift=1",
    "population.response.win.lasts=20 d", "population.response.lapse=0.5",
  ]

  private func input(_ name: String, _ more: [String] = []) throws -> WorldInput {
    try WorldInput(try story(name, Self.small + more))
  }

  private func record(_ name: String, _ more: [String] = []) throws -> BlakJaksRecord {
    var world = try World(try input(name, more), threads: 1)
    return try world.run()
  }

  @Test("Zeros written out, and what belongs to them, change nothing", arguments: stories)
  func off(_ name: String) throws {
    let plain = RunFingerprint.of(try record(name))
    let zeros = [
      "purchase=0", "scan=0", "adoption=0", "win.uplift=0", "lapse=0", "least=0.1", "most=5",
      "reference_value=9", "reference_guarantee=1", "win.lasts=9 d",
    ].map { "population.response.\($0)" }
    #expect(RunFingerprint.of(try record(name, zeros)) == plain)
    #expect(RunFingerprint.of(try record(name, Self.all)) != plain)
  }

  @Test func membersWhoRespondToTheReferenceAreTheUsualOnes() throws {
    let on = ["purchase=1", "scan=1", "adoption=1"].map { "population.response.\($0)" }
    let settings = try #require(
      try story("launch-year", Self.small).settings(of: BlakJaksProgramme.self))
    let value = MemberResponse(settings.population, settings.rules).value
    let record = try record(
      "launch-year", on + ["population.response.reference_value=\(String(format: "%.6f", value))"])
    let plain = try self.record("launch-year")
    #expect(record.members == plain.members)
    #expect(abs(Double(record.tinsSold) / Double(plain.tinsSold) - 1) < 1e-3)
  }

  @Test("Each setting moves what its description says, further the larger it is")
  func directions() throws {
    let plain = try record("launch-year")
    let less = ["rules.prizes=[]", "population.response.least=0.01"]
    let poor = try record("launch-year", less)
    #expect(poor.tinsSold == plain.tinsSold, "without a response every cut is free")
    func moved(
      _ setting: String, _ values: [String], _ more: [String] = [],
      _ figure: (BlakJaksRecord) -> Double
    ) throws -> [Double] {
      try values.map { try figure(record("launch-year", more + ["\(setting)=\($0)"])) }
    }
    let path = "population.response."
    let tins = try moved(path + "purchase", ["0", "0.5", "2"], less) { Double($0.tinsSold) }
    #expect(tins[0] > tins[1] && tins[1] > tins[2], "\(tins)")
    let shares = try moved(path + "scan", ["0", "0.5", "2"], less) {
      Double($0.acceptedScans) / Double($0.tinsSold)
    }
    #expect(shares[0] > shares[1] && shares[1] > shares[2], "\(shares)")
    let bounds = try moved(path + "least", ["0.3", "0.6", "0.9"], [less[0], path + "purchase=5"]) {
      Double($0.tinsSold)
    }
    #expect(bounds[0] < bounds[1] && bounds[1] < bounds[2], "\(bounds)")
    let rich = ["rules.scan_reward.base=20", path + "purchase=1"]
    let tops = try moved(path + "most", ["1", "1.5", "2"], rich) { Double($0.tinsSold) }
    #expect(tops[0] == Double(plain.tinsSold) && tops[0] < tops[1] && tops[1] < tops[2], "\(tops)")
    let values = try moved(path + "reference_value", ["2.5", "3.6", "6"], [path + "purchase=1"]) {
      Double($0.tinsSold)
    }
    #expect(values[0] > values[1] && values[1] > values[2], "\(values)")
    let members = try moved(path + "adoption", ["0", "0.5", "1"], ["rules.guarantee.amount=30"]) {
      Double($0.members)
    }
    #expect(members == [400, (400 * (0.6).squareRoot()).rounded(), 240], "\(members)")
    let guarantees = try moved(
      path + "reference_guarantee", ["40", "50", "80"], [path + "adoption=1"]
    ) { Double($0.members) }
    #expect(guarantees == [500, 400, 250], "\(guarantees)")
    let wins = try moved(path + "win.uplift", ["0", "0.5", "2"]) { Double($0.tinsSold) }
    #expect(wins[0] == Double(plain.tinsSold) && wins[0] < wins[1] && wins[1] < wins[2], "\(wins)")
    let spans = try moved(path + "win.lasts", ["1 d", "14 d", "60 d"], [path + "win.uplift=2"]) {
      Double($0.tinsSold)
    }
    #expect(spans[0] < spans[1] && spans[1] < spans[2], "\(spans)")
    let lapses = try moved(path + "lapse", ["0", "0.4", "1"], ["rules.tiers.carry=false"]) {
      ((try? $0.values("members.active"))?.last).map { Double($0) } ?? .nan
    }
    #expect(lapses[0] > lapses[1] && lapses[1] > lapses[2], "\(lapses)")
  }

  @Test(
    "A run with stops, in windows of any length, is the run without", arguments: ["1 h", "1 d"])
  func saved(_ window: String) throws {
    let off = ["population.wallet.enabled=false", "rules.chips.enabled=false"]
    let hour = RunFingerprint.of(try record("full-programme", Self.all + off))
    let input = try input("full-programme", Self.all + off + ["calendar.window=\(window)"])
    var saved: SavedRun?
    for day in [37, 91, 92, 150] {
      var world = try World(input, threads: day % 2 + 1)
      if let saved { try world.restore(saved) }
      let stop = input.calendar.dayStarts[day] + (window == "1 h" ? .hours(13) : .hours(0))
      #expect(try !world.advance(until: .distantFuture) { $0.simulated < stop })
      saved = try world.saved()
    }
    var world = try World(input, threads: 2)
    if let saved { try world.restore(saved) }
    #expect(RunFingerprint.of(try world.run(checking: true)) == hour)
  }

  @Test("A longer run repeats the shorter one and goes on: a gap past its end is not forgotten")
  func longer() throws {
    let on = ["population.response.win.uplift=2", "population.response.win.lasts=60 d"]
    let adoption = ["population.adoption.model=rate", "population.adoption.per_day=4"]
    for model in ["mbg_nbd", "pareto_nbd"] {
      let settings = on + adoption + ["population.purchase.model=\(model)"]
      let long = try record("launch-year", settings)
      let short = try record("launch-year", settings + ["calendar.days=120"])
      for (a, b) in zip(short.days, long.days) {
        #expect(a.purchases == b.purchases && a.acceptedScans == b.acceptedScans, "\(a.date)")
      }
    }
  }

  @Test func theJournalOfAWorldThatRespondsIsThatOfItsRules() throws {
    let input = try input("full-programme", Self.all)
    var entries: [JournalEntry] = []
    var world = try World(input, threads: 2) { entries.append($0) }
    let record = try world.run()
    var state = try ProgrammeState(
      rules: input.rules, firstDate: input.calendar.dates[0], codes: CodeBook(key: input.seed),
      draws: SeededDraws(seed: input.seed))
    for entry in entries { _ = try state.commit(entry.request, at: entry.time) }
    try state.close()
    #expect(state.programme.books.scans == record.acceptedScans && record.acceptedScans > 1_000)
    for (line, row) in zip(state.programme.books.payouts.lines, record.payouts) {
      #expect(line.total == row.total, "\(line.id)")
    }
  }

  @Test("A run says that it rests on how members respond, and one without does not")
  func words() throws {
    let plain = RunFigures(try record("launch-year"))
    #expect(plain.responseSentence == nil)
    let text = try #require(RunFigures(try record("launch-year", Self.all)).responseSentence)
    for part in [
      "by assumption (population.response)", "at the reference, so they buy", "of the usual share",
      "91.3 % of the usual number sign up", "after a win they buy 100.0 % more often",
      "50.0 % of those whose tier falls stop buying",
    ] { #expect(text.contains(part), "\(part)\n\(text)") }
    // Of 60 % nobody scans more than all, though the rewards are worth twice the share.
    let most = try record(
      "launch-year", ["population.response.scan=1", "population.response.reference_value=0.1"])
    let share = try #require(RunFigures(most).responseSentence)
    #expect(share.contains("so they scan 166.7 % of the usual share"), "\(share)")
  }

  @Test func controlsAreLeftOutWhereTheirExpectationWouldNotBeZero() throws {
    func controls(_ more: [String]) throws -> Int {
      let scenario = try story("launch-year", Self.small + more)
      var frame = try scenario.plan().frame
      frame.controls = true
      let settings = try #require(scenario.settings(of: BlakJaksProgramme.self))
      var world = try World(WorldInput(frame, settings), threads: 1)
      return BlakJaksProgramme.sample(try world.run()).controls.count
    }
    #expect(try controls([]) == 2)
    #expect(try controls(["population.response.purchase=1", "rules.scan_reward.base=1"]) == 2)
    #expect(try controls(["population.response.win.uplift=0.1"]) == 0)
    #expect(try controls(["population.response.lapse=0.1"]) == 0)
  }

  @Test("What a month cost and earned adds up to what the run did")
  func months() throws {
    for more in [[], ["rules.comp_pool.recognition=cash"]] {
      let record = try record("full-programme", more)
      let months = BlakJaksProgramme.sample(record).months
      let cost = months.reduce(0) { $0 + ($1.cost ?? .nan) }
      let profit = months.reduce(0) { $0 + ($1.profit ?? .nan) }
      #expect(abs(cost - (try #require(record.figure("cost.total")))) < 1e-3)
      #expect(abs(profit - record.days.reduce(0) { $0 + $1.grossProfit.usdt }) < 1e-3)
    }
  }

  @Test func withoutRewardsNothingIsPaidAndNobodyElseIsThere() throws {
    let settings = try #require(BlakJaksProgramme.withoutRewards).settings
    let plain = try record("full-programme", settings.map { "\($0.path)=\($0.value)" })
    #expect(ProgrammeCost(plain).total == .zero)
    #expect(plain.tinsSold == (try record("full-programme").tinsSold))
  }
}
