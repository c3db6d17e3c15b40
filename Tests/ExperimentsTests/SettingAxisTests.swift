import BlakJaks
// Goal: an axis is read as it is written, and its values arrive in the scenario.
// Method: the forms by hand; overrides are loaded and the typed settings read back; a factor of one
// leaves every number of every scenario setting as it is.
import Experiments
import Population
import Quantities
import Scenario
import TestSupport
import Testing

@Suite struct SettingAxisTests {
  private func loaded(_ axis: String, _ value: Double) throws -> Scenario {
    try reloaded(try SettingAxis(axis).overrides(value, try smallScenario()))
  }

  private func reloaded(_ overrides: [SettingOverride]) throws -> Scenario {
    try Scenario.load(
      text: "name: small\nseed: 7\npopulation: {members: 120}\ncalendar: {days: 70}\n",
      file: "small.yaml", overrides: overrides)
  }

  @Test("Lists, ranges, whole numbers, units and factors")
  func forms() throws {
    let list = try SettingAxis("rules.comp_pool.recognition = accrual, cash")
    #expect(list.path == "rules.comp_pool.recognition")
    #expect(list.values == .list(["accrual", "cash"]) && !list.isFactor)
    #expect(list.text(.choice(1)) == "cash")
    #expect(
      try SettingAxis("a=0.1..0.5").values == .range(low: 0.1, high: 0.5, levels: 5, isWhole: false)
    )
    #expect(
      try SettingAxis("a=1..12:4").values == .range(low: 1, high: 12, levels: 4, isWhole: false))
    #expect(
      try SettingAxis("a=1e-3..5", levels: 7).values
        == .range(low: 0.001, high: 5, levels: 7, isWhole: false))
    #expect(
      try SettingAxis("a=1..1e30").values == .range(low: 1, high: 1e30, levels: 5, isWhole: false))
    #expect(
      try SettingAxis("a=-5..1_000").values
        == .range(low: -5, high: 1_000, levels: 5, isWhole: false))
    let share = try SettingAxis("a=5..50 %")
    #expect(share.values == .range(low: 5, high: 50, levels: 5, isWhole: false))
    #expect(share.text(12.5) == "12.5 %")
    let factor = try SettingAxis("a=*1..*12:3")
    #expect(factor.isFactor && factor.text(2) == "× 2")
    #expect(factor.values == .range(low: 1, high: 12, levels: 3, isWhole: false))
  }

  @Test("Points of a grid hold both ends, whole numbers none twice")
  func grids() throws {
    func points(_ text: String) throws -> [String] {
      let axis = try SettingAxis(text)
      return try Design.grid([try axis.designAxis()]).points.map { axis.text($0[0]) }
    }
    #expect(try points("a=0.1..0.3:3") == ["0.1", "0.2", "0.3"])
    #expect(try points("a=1..3") == ["1", "1.5", "2", "2.5", "3"])
    let whole = try SettingAxis("a=1..3").grained(decimals: 0)
    #expect(
      try Design.grid([try whole.designAxis()]).points.map { whole.text($0[0]) } == ["1", "2", "3"])
    #expect(try points("a=x,y") == ["x", "y"])
    #expect(try points("a=*0.5..*2:2") == ["× 0.5", "× 2"])
    #expect(
      try points("a=0.0000001..1.0000001:2") == ["0.0000001", "1"], "no point without a digit")
  }

  @Test(
    "What is no axis is refused with the forms",
    arguments: [
      "a", "=1..2", "a=", "a=2..1", "a=1..1", "a=x..y", "a=1..", "a=..2", "a=1...5", "a=1..2:1",
      "a=1..2:1001", "a=1..2:x", "a=*1..2", "a=1..*2", "a=5%..10", "a=5%..10 d", "a=*1%..*2%",
      "a=nan..2", "a=1..inf", "a=0..5e-324", "a=0..1e-16", "a=1..1.0000000001",
      "a=*1..*1.0000000001",
    ])
  func refusals(text: String) {
    do throws(SettingAxis.Refusal) {
      let axis = try SettingAxis(text)
      Issue.record("read as \(axis)")
    } catch { #expect(error.description.contains("write path=lo..hi"), "\(error)") }
  }

  @Test("Who chooses values alone takes ranges without levels, and says no other form")
  func rangesAlone() throws {
    let axis = try SettingAxis("a=1..9", forms: [])
    #expect(axis.values == .range(low: 1, high: 9, levels: 5, isWhole: false))
    let refusals = [
      "a=1,2": "a takes a range here, not '1,2'", "a=none..5": "is not a rising range",
      "a=1..9:4": "leave ':4' out", "a=*1..*9:4": "leave ':4' out",
    ]
    for (text, words) in refusals {
      do throws(SettingAxis.Refusal) {
        _ = try SettingAxis(text, forms: [])
        Issue.record("\(text) was read")
      } catch {
        #expect(error.description.contains(words), "\(error)")
        #expect(!error.description.contains("a,b,c") && !error.description.contains("hi:n"))
      }
    }
    _ = try SettingAxis("a=1,2", forms: .lists)
    #expect(throws: SettingAxis.Refusal.self) { try SettingAxis("a=1..9:4", forms: .lists) }
  }

  @Test("Values that are lists keep their commas")
  func listsOfLists() throws {
    let cases: [(String, [String])] = [
      ("[0.1, 0.2],[0.3,0.4]", ["[0.1, 0.2]", "[0.3,0.4]"]), ("[],[1]", ["[]", "[1]"]),
      ("{a: 1, b: 2},x", ["{a: 1, b: 2}", "x"]), ("\"a,b\",'c, d'", ["\"a,b\"", "'c, d'"]),
      ("it's,so", ["it's", "so"]), ("a,,b", ["a", "b"]),
    ]
    for (text, values) in cases {
      #expect(try SettingAxis("x=\(text)").values == .list(values), "\(text)")
    }
    let monthly = try SettingAxis("population.adoption.monthly=[50, 20],[10]")
    let base = try smallScenario()
    #expect(
      try [0, 1].map {
        try reloaded(try monthly.overrides(.choice($0), base)).population.adoption.monthly
      } == [[50, 20], [10]])
  }

  @Test("A range may be as narrow as settings tell values apart")
  func narrowest() throws {
    for text in ["a=0..1e-15", "a=1..1.000001", "a=0.001..0.00100000001", "a=1e20..1.1e20"] {
      _ = try SettingAxis(text)
    }
  }

  @Test("A list without a value has no design")
  func emptyList() throws {
    let axis = try SettingAxis("a=,")
    #expect(throws: StatisticsError.self) { try axis.designAxis() }
  }

  @Test("Values land in the scenario")
  func values() throws {
    #expect(
      try loaded("rules.scan_reward.base=0.1..0.5", 0.123_456_7).rules.scanReward.base
        == MicroUSDT(microunits: 123_457))
    #expect(try loaded("population.members=50..150", 77).population.members == 77)
    #expect(try loaded("population.members=50.0..150", 77.4).population.members == 77)
    // A share cannot be finer than 0.01 %, in either spelling.
    #expect(
      try loaded("rules.comp_pool.share=10%..60%", 31.876_54).rules.compPool.share
        == BasisPoints(3_188))
    #expect(
      try loaded("rules.comp_pool.share=0.1..0.6", 0.318_765_4).rules.compPool.share
        == BasisPoints(3_188))
    let axis = try SettingAxis("rules.comp_pool.recognition=accrual,cash")
    let cash = try reloaded(try axis.overrides(.choice(1), try smallScenario()))
    #expect(cash.rules.compPool.recognition == .cash)
    #expect(try reloaded([]).rules.compPool.recognition != .cash)
  }

  @Test("A factor stretches every entry of a list from its own value")
  func factors() throws {
    let base = try smallScenario()
    let stretched = try loaded("rules.prizes[*].every=*1..*12", 2.5)
    #expect(base.rules.prizes.count == 5)
    for (old, new) in zip(base.rules.prizes, stretched.rules.prizes) {
      #expect(new.every == Int64((Double(old.every) * 2.5).rounded()))
    }
    // An amount without decimals is no whole number.
    let dear = try reloaded([SettingOverride(path: "rules.scan_reward.base", value: "1")])
    let half = try SettingAxis("rules.scan_reward.base=*0.1..*2").overrides(0.25, dear)
    #expect(half.map(\.value) == ["0.25"])
    let share = try SettingAxis("rules.comp_pool.share=*0.1..*2").overrides(0.5, base)
    #expect(share.map(\.value) == ["25%"])
    let same = try SettingAxis("rules.prizes[*].every=500,600").overrides(.choice(1), base)
    #expect(same.map(\.path) == (0..<5).map { "rules.prizes[\($0)].every" })
    #expect(same.allSatisfy { $0.value == "600" && $0.source == "--vary" })
  }

  @Test(
    "What an axis does to a scenario is the same when its settings are looked up once",
    arguments: [
      "rules.prizes[*].every=*0.5..*2", "rules.comp_pool.share=10..50 %",
      "rules.prizes[*].every=5,6", "calendar.days=50..60",
    ])
  func lookedUpOnce(text: String) throws {
    let base = try smallScenario()
    let axis = try SettingAxis(text)
    let moves = try axis.moves(in: base)
    let points: [DesignCoordinate] =
      text.contains("..") ? [.number(1.5), .number(20.25), .whole(50)] : [.choice(0), .choice(1)]
    for point in points {
      let overrides = try moves.overrides(point)
      #expect(!overrides.isEmpty)
      #expect(try overrides == axis.overrides(point, base))
      #expect(overrides.map(\.path) == base.rows(at: axis.path).map(\.path))
    }
  }

  @Test(
    "An override of a setting that an axis gives is lost, however the two are spelled",
    arguments: [
      ("population.members=2,3", "population.members=4", "population.members"),
      ("rules.prizes[*].every=5,9", "rules.prizes.Casino.every=7", "rules.prizes[3].every"),
      ("rules.prizes[3].every=5..9", "rules.prizes.Casino.every=7", "rules.prizes[3].every"),
      ("rules.shop.shipping=1,2", "rules.shop={shipping: 3}", "rules.shop.shipping"),
      ("rules.shop={shipping: 1},{shipping: 2}", "rules.shop.shipping=3", "rules.shop.shipping"),
      ("rules.prizes=[]", "rules.prizes[0].every=7", "rules.prizes[0].every"),
      ("population.season.hours[3]=1,2", "population.season=none", "population.season"),
    ])
  func lostOverrides(axis: String, set: String, path: String) throws {
    let axis = try SettingAxis(axis)
    let set = SettingOverride(argument: set)
    let lost = try #require(axis.lost(of: try reloaded([set])))
    #expect(lost.override == set && lost.path == path)
    let inherited = try Scenario.load(
      text: "name: small\n", file: "small.yaml",
      environment: ["PITBOSS_SET": "seed=3; \(set.path)=\(set.value)"])
    let other = try #require(axis.lost(of: inherited))
    #expect(other.override.source == "PITBOSS_SET" && other.path == path)
  }

  @Test(
    "An override that shows at some value of an axis is kept",
    arguments: [
      ("population.members=*1..*2", "population.members=4"),
      ("rules.prizes[0].every=5,9", "rules.prizes.Casino.every=7"),
      ("rules.prizes[0].every=5,9", "rules.prizes[0].amount=7"),
      ("rules.prizes.Casino.every=5..9", "rules.prizes[*].every=7"),
      ("rules.shop.shipping=1,2", "rules.shop={enabled: true, shipping: 3}"),
      ("rules.prizes[*].every=5,9", "rules.prizes=[{name: A, kind: crypto, amount: 5, every: 7}]"),
      ("rules.shop={shipping: 1},{enabled: true}", "rules.shop.shipping=3"),
      ("rules.shop.shipping=1,2", "rules.shop.enabled=true"),
      ("population.season=none,{holidays: []}", "population.season.hours[3]=2"),
      ("no.such=1,2", "population.members=4"),
    ])
  func keptOverrides(axis: String, set: String) throws {
    let base = try reloaded([SettingOverride(argument: set)])
    #expect(try SettingAxis(axis).lost(of: base) == nil)
  }

  @Test("A factor of one changes no setting that it can stretch")
  func identity() throws {
    let base = try smallScenario()
    var stretched: [SettingOverride] = []
    for setting in base.settings {
      let axis = try SettingAxis("\(setting.path)=*0.5..*2")
      if let overrides = try? axis.overrides(1, base) { stretched += overrides }
    }
    #expect(stretched.count > 100)
    let again = try reloaded(stretched)
    for (old, new) in zip(base.settings, again.settings) {
      #expect(old.path == new.path && old.value == new.value, "\(old.path)")
    }
  }

  @Test("What a factor cannot stretch, and what does not exist, is refused")
  func noFactor() throws {
    let base = try smallScenario()
    for (text, advice) in [
      ("name=*1..*2", "which cannot be multiplied by a factor"),
      ("calendar.start=*1..*2", "which cannot be multiplied by a factor"),
      ("no.such=*1..*2", "no setting is called no.such"),
      ("rules.nothing[*].every=1..2", "no setting is called"),
      ("rules.prizes[*]x=*1..*2", "no setting is called"),
    ] {
      do throws(SettingAxis.Refusal) {
        let overrides = try SettingAxis(text).overrides(1.5, base)
        Issue.record("\(text) gives \(overrides)")
      } catch { #expect(error.description.contains(advice), "\(error)") }
    }
    // Reading the scenario judges any other path, and knows what was meant.
    let wrong = try SettingAxis("population.member=1..2").overrides(1, base)
    #expect(throws: InputErrors.self) { try reloaded(wrong) }
  }

  @Test("A search takes ranges: whole, real, or by ratio for factors")
  func solutions() throws {
    let objective = try readObjective("P(critical) <= 0.05")
    func settings(_ text: String) throws -> RootSettings {
      try Solution.settings(try SettingAxis(text), objective, most: 130, tolerance: 0.1)
    }
    #expect(try settings("a=1..9").domain == .real(low: 1, high: 9))
    #expect(try settings("a=1.0..9").domain == .real(low: 1, high: 9))
    let counted = try Solution.settings(
      try SettingAxis("a=1..9").grained(decimals: 0), objective, most: 130, tolerance: 0.1)
    #expect(counted.domain == .whole(low: 1, high: 9, step: 1))
    #expect(try settings("a=*1..*9").domain == .logarithmic(low: 1, high: 9))
    #expect(try settings("a=*0..*9").domain == .real(low: 0, high: 9))
    let chosen = try settings("a=1..9")
    #expect(chosen.figure == .probability && chosen.requirement == .atMost(0.05))
    #expect(chosen.cap == 130 && chosen.first == 25 && chosen.tolerance == 0.1)
    #expect(throws: Never.self) { try chosen.check() }
    #expect(throws: SettingAxis.Refusal.self) { try settings("a=1,2") }
    let mean = try Solution.settings(
      try SettingAxis("a=1..9"), try readObjective("mean(tins.sold) >= 5"), most: 10, tolerance: 0.1
    )
    #expect(mean.figure == .mean && mean.requirement == .atLeast(5) && mean.first == 10)
  }
  @Test("A strict sign stays strict")
  func strictSigns() throws {
    func requirement(_ text: String) throws -> RootSettings.Requirement {
      try Solution.settings(
        try SettingAxis("a=1..9"), try readObjective(text), most: 200, tolerance: 0.1
      ).requirement
    }
    #expect(try requirement("mean(budget.months.critical) < 1") == .below(1))
    #expect(try requirement("mean(budget.months.critical) > 0") == .above(0))
    #expect(try requirement("mean(tins.sold) >= 1") == .atLeast(1))
    #expect(try requirement("P(critical) < 0.05") == .below(0.05))
  }

  @Test("Days, weeks and counts go in whole numbers where the scenario has them so")
  func grain() throws {
    let base = try smallScenario()
    func domain(_ text: String) throws -> RootSettings.Domain {
      let axis = try SettingAxis(text).grained(like: base)
      return try Solution.settings(
        axis, try readObjective("mean(tins.sold) >= 5"), most: 10, tolerance: 0.1
      ).domain
    }
    #expect(try domain("rules.guarantee.after=30d..120d") == .whole(low: 30, high: 120, step: 1))
    #expect(try domain("rules.guarantee.after=30..120 d") == .whole(low: 30, high: 120, step: 1))
    #expect(try domain("rules.guarantee.after=2w..9w") == .whole(low: 2, high: 9, step: 1))
    #expect(try domain("rules.guarantee.after=700h..900h") == .real(low: 700, high: 900))
    #expect(try domain("rules.guarantee.after=30.5d..120d") == .whole(low: 31, high: 120, step: 1))
    #expect(try domain("population.members=50.0..150") == .whole(low: 50, high: 150, step: 1))
    #expect(try domain("rules.comp_pool.share=10%..60%") == .real(low: 10, high: 60))
    #expect(try domain("rules.guarantee.after=*1..*3") == .logarithmic(low: 1, high: 3))
    // Levels between whole ends are whole as well, so that a sweep reads back.
    let axis = try SettingAxis("rules.guarantee.after=30d..120d")
    #expect(try axis.overrides(52.5, base).map(\.value) == ["53d"])
    #expect(try reloaded(try axis.overrides(52.5, base)).settings != base.settings)
    #expect(throws: SettingAxis.Refusal.self) {
      try SettingAxis("rules.none[*].every=1d..2d").grained(like: base)
    }
  }

  @Test("The grain is the setting's, however the ends are written")
  func grainOfTheSetting() throws {
    let base = try smallScenario()
    func points(_ text: String) throws -> [String] {
      let axis = try SettingAxis(text).grained(like: base)
      return try Design.grid([try axis.designAxis()]).points.map { axis.text($0[0]) }
    }
    // Money and multipliers between whole ends have their own grain.
    #expect(
      try points("rules.scan_reward.base=0..1") == ["0", "0.25", "0.5", "0.75", "1"])
    #expect(try points("rules.scan_reward.base=0..1") == points("rules.scan_reward.base=0.0..1.0"))
    #expect(try points("population.members=1.0..3.0") == ["1", "2", "3"])
    #expect(try points("population.members=50.5..52.2") == ["51", "52"])
    // What is printed is what is run: a share has basis points.
    #expect(
      try points("rules.comp_pool.share=0.1..0.1002:9") == ["0.1", "0.1001", "0.1002"])
    let share = try SettingAxis("rules.comp_pool.share=0.01..0.02").grained(like: base)
    #expect(share.text(0.018_164) == "0.0182")
    #expect(try share.overrides(0.018_164, base).map(\.value) == ["0.0182"])
    for text in ["population.members=1.2..1.8", "rules.comp_pool.share=0.10001..0.10002"] {
      #expect(throws: SettingAxis.Refusal.self) { try SettingAxis(text).grained(like: base) }
    }
  }

  @Test("A search runs, and prints, values that the setting takes")
  func searchedValues() throws {
    let base = try smallScenario()
    let axis = try SettingAxis("rules.comp_pool.share=0..1").grained(like: base)
    let objective = try readObjective("mean(tins.sold) >= 0.018164")
    let settings = try Solution.settings(axis, objective, most: 10, tolerance: 0.000_1)
    let search = try StochasticRoot.solve(settings) { x, numbers in numbers.map { _ in x } }
    for point in search.points {
      #expect(abs(point.x * 10_000 - (point.x * 10_000).rounded()) < 1e-9, "\(point.x)")
    }
    let answer = try #require(Solution(axis: axis, objective: objective, search: search).answer)
    #expect(axis.text(answer) == "0.0182")
    // Without a grain of its own a value has as many digits as the tolerance needs.
    let free = try SettingAxis("population.mischief.duplicates=0..1").grained(like: base)
    #expect(free.decimals == nil)
    let rough = try Solution.settings(free, objective, most: 10, tolerance: 0.1)
    let found = try StochasticRoot.solve(rough) { x, numbers in numbers.map { _ in x } }
    for point in found.points {
      #expect(free.text(point.x).count <= 7, "\(point.x)")
    }
  }

  @Test(
    "What no search could show is refused with what would do",
    arguments: [
      ("a=1..2", "P(critical) <= 0", 200, "write a bound such as 0.01"),
      ("a=1..2", "P(critical) > 0", 200, "on that side of 0 with any setting"),
      ("a=1..2", "P(critical) >= 1", 200, "shows a probability of 1"),
      ("a=1..2", "P(critical) >= 1", 200, "write a bound such as 0.99"),
      ("a=1..2", "P(critical) <= 0.05", 118, "--most must be at least 119"),
      // Five looks at 99 %: z² = 6.6349, times 0.98/0.02 makes 325.1.
      ("a=1..2", "P(critical) <= 0.02", 200, "--most must be at least 326"),
      ("a=1..2", "p98(tins.sold) <= 5", 200, "--most must be at least 326"),
      ("a=1..2", "P(critical) <= 0.000001", 200, "write a bound further from 0"),
      ("a=1..2", "mean(tins.sold) < 0", 200, "never below 0"),
      ("a=1..2", "mean(budget.months.critical) >= 0", 200, "never below 0"),
      ("a=1..2", "mean(scans.error_rate) <= 150 %", 200, "from 0 to 1 (100 %)"),
      ("seed=1..50", "P(critical) <= 0.05", 200, "--seed says which seeds"),
      ("name=1..2", "P(critical) <= 0.05", 200, "name is not a setting of the model"),
    ])
  func hopeless(axis: String, condition: String, most: Int, advice: String) throws {
    let parsed = try SettingAxis(axis)
    let objective = try readObjective(condition)
    do throws(SettingAxis.Refusal) {
      let settings = try Solution.settings(parsed, objective, most: most, tolerance: 0.1)
      Issue.record("read as \(settings)")
    } catch { #expect(error.description.contains(advice), "\(error)") }
  }
}
