import BlakJaks
import EventKernel
import Population
import Quantities
// Goal: codes that members photograph and pass on are submitted by others, later, and refused; and
// wholesale tins reach members and are scanned, without being sold twice.
// Method: counts within 4 standard errors of their settings; worlds that differ in one setting.
import RewardModel
import TestSupport
import Testing

@Suite(.tags(.slow)) struct SharedTinTests {
  private func model(_ edit: (inout MischiefSettings) -> Void) -> BehaviourModel {
    var population = PopulationSettings()
    edit(&population.mischief)
    return BehaviourModel(population, seed: 5)
  }

  @Test func aCodeIsPassedOnAsOftenAndAsLateAsTheSettingsSay() {
    let model = model { ($0.shared, $0.sharedWith, $0.sharedAfter) = (0.2, 4, .hours(6)) }
    let count = 20_000
    var passed = 0.0
    var others = Moments(around: 4)
    var hours = Moments(around: 6)
    for member in 1...UInt32(count) {
      let all = model.sharing(member: member, index: member % 9)
      guard !all.isEmpty else { continue }
      passed += 1
      others.add(Double(all.count))
      for other in all {
        #expect(other.member < member && other.delay > TimeSpan(microseconds: 0))
        hours.add(other.delay.inSeconds / 3_600)
      }
    }
    #expect(distance(passed, 0.2 * Double(count), 0.16 * Double(count)) < 4)
    #expect(others.errors(from: 4, variance: 3) < 4)
    #expect(hours.errors(from: 6, variance: 36) < 4)
    #expect(model.sharing(member: 0, index: 0).isEmpty, "nobody signed up before the first member")
  }

  @Test func byDefaultNobodyPassesCodesOn() {
    let model = model { _ in }
    #expect(!model.sharesTins)
    #expect((0..<2_000).allSatisfy { model.sharing(member: $0, index: 0).isEmpty })
  }

  private func run(_ edit: (inout WorldInput) -> Void = { _ in }) throws -> BlakJaksRecord {
    let input = try smallWorld(seed: 41, members: 400, days: 90) { input in
      input.population.adoption.model = .cohort
      edit(&input)
    }
    var world = try World(input, threads: 1)
    return try world.run(checking: true)
  }

  private func last(_ record: BlakJaksRecord, _ key: String) -> Int64 {
    record.series.first { $0.key == key }?.values.last.flatMap { $0 } ?? -1
  }

  private func refused(_ record: BlakJaksRecord) -> Int64 {
    record.outcomes.first { $0.name == "already_scanned" }?.count ?? -1
  }

  @Test func whoSubmitsACodePassedOnFindsItClaimed() throws {
    let usual = try run()
    let shared = try run { $0.population.mischief.shared = 0.1 }
    let more = try run {
      ($0.population.mischief.shared, $0.population.mischief.sharedWith) = (0.1, 9)
    }
    let late = try run {
      ($0.population.mischief.shared, $0.population.mischief.sharedAfter) = (0.1, .days(60))
    }
    let scans = Double(usual.acceptedScans)
    for record in [shared, more, late] {
      #expect(record.acceptedScans == usual.acceptedScans)
      #expect(record.days.map(\.acceptedScans) == usual.days.map(\.acceptedScans))
      #expect("\(record.months)" == "\(usual.months)", "no money moves")
      #expect(refused(record) - refused(usual) == last(record, "scans.shared"))
    }
    // 3 others each on average, whose number has variance 2.
    let seen = Double(last(shared, "scans.shared"))
    #expect(abs(seen - 0.3 * scans) < 4 * (scans * (0.1 * 11 - 0.09)).squareRoot() + 0.02 * scans)
    #expect(last(more, "scans.shared") > 2 * last(shared, "scans.shared"))
    #expect(last(late, "scans.shared") < last(shared, "scans.shared"))
    #expect(last(usual, "scans.shared") == -1, "there is nothing to count")
  }

  @Test func wholesaleTinsAreScannedOnceAndSoldOnce() throws {
    func wholesale(_ edit: @escaping (inout WholesaleSettings) -> Void) throws -> BlakJaksRecord {
      try run { input in
        input.rules.wholesale.accounts = 5
        input.population.wholesale.referenceMembers = 4_000
        input.population.wholesale.onboardingDays = 20
        edit(&input.population.wholesale)
      }
    }
    let none = try wholesale { $0.scanned = 0 }
    let usual = try wholesale { _ in }
    let all = try wholesale { $0.scanned = 1 }
    let slow = try wholesale { $0.shelf = .days(300) }
    let large = try wholesale { $0.referenceMembers = 400 }
    let sold = last(none, "wholesale.tins")
    #expect(sold > 1_000)
    for record in [none, usual, all, slow] {
      #expect(last(record, "wholesale.tins") == sold)
      #expect(record.tinsSold == none.tinsSold)
      #expect(last(record, "channel.retail.tins") == last(none, "channel.retail.tins"))
      #expect(
        record.days.map(\.grossProfit) == none.days.map(\.grossProfit),
        "a tin that was sold to an account brings its profit once")
      #expect(last(record, "wholesale.tins_home") <= sold)
    }
    #expect(last(none, "wholesale.tins_home") == 0)
    #expect(last(usual, "wholesale.tins_home") > 0)
    #expect(last(all, "wholesale.tins_home") > last(usual, "wholesale.tins_home"))
    #expect(last(slow, "wholesale.tins_home") < last(usual, "wholesale.tins_home"))
    #expect(usual.acceptedScans > none.acceptedScans)
    #expect(all.acceptedScans > usual.acceptedScans)
    #expect(all.acceptedScans <= none.acceptedScans + last(all, "wholesale.tins_home"))
    #expect(last(large, "wholesale.tins") > 4 * sold)
  }

  @Test func theProgressOfARunCountsTheScansOfWholesaleTins() throws {
    let input = try smallWorld(seed: 41, members: 400, days: 180, window: .days(1)) { input in
      input.population.adoption.model = .cohort
      input.rules.wholesale.accounts = 200
      input.population.wholesale.referenceMembers = 400
      input.population.wholesale.onboardingDays = 60
      input.population.wholesale.scanned = 0.02
    }
    var world = try World(input, threads: 1)
    var seen: [(done: Double, scans: Int64)] = []
    let record = try world.run { progress in
      seen.append((progress.done, progress.pace.count))
      return true
    }
    let home = Double(last(record, "wholesale.tins_home"))
    #expect(home > 0.6 * Double(record.acceptedScans), "they are most of the scans")
    for (done, scans) in seen {
      let share = Double(scans) / Double(record.acceptedScans)
      #expect(abs(done - share) < 0.09, "\(done), really \(share)")
    }
  }
}
