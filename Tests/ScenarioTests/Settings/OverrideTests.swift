import BlakJaks
import Population
import Quantities
// Goal: default < file < environment < flag, by any path into the settings.
// Method: the same setting at several levels; the one that wins is read back.
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite struct OverrideTests {
  private func load(
    _ text: String = "name: a\n", _ sets: [String] = [], _ environment: [String: String] = [:]
  ) throws -> Scenario {
    try Scenario.load(
      text: text, file: "t.yaml", overrides: sets.map { SettingOverride(argument: $0) },
      environment: environment)
  }

  @Test func eachLevelWinsOverTheOneBelow() throws {
    let file = "name: a\nseed: 2\n"
    #expect(try load().seed == 1)
    #expect(try load(file).seed == 2)
    #expect(try load(file, [], ["PITBOSS_SET": "seed=3"]).seed == 3)
    #expect(try load(file, [], ["PITBOSS_SET": "seed=3", "PITBOSS_SEED": "4"]).seed == 4)
    #expect(try load(file, ["seed=5"], ["PITBOSS_SEED": "4"]).seed == 5)
    #expect(try load(file, ["seed=5", "seed=6"]).seed == 6)
    #expect(try load(file, ["seed=5"]).settings.first { $0.path == "seed" }?.mark == .set)
  }

  @Test func whatAnEntryOfAListLeavesOutHasTheMarkOfItsDefault() throws {
    let prizes = "rules: {prizes: [{name: a, kind: crypto, amount: 5, every: 9}]}\n"
    func mark(_ key: String, _ file: String, _ sets: [String] = []) throws -> SettingMark? {
      try load(file, sets).settings.first { $0.path == "rules.prizes[0].\(key)" }?.mark
    }
    let own = "name: a\n\(prizes)"
    #expect(try mark("amount", own) == .set)
    #expect(try mark("allocation", own) == .assumed)
    #expect(try mark("allocation", own, ["rules.prizes[0].allocation=draw"]) == .set)
    #expect(try mark("allocation", "name: a\n", ["rules.prizes[0].every=9"]) == .assumed)
    // A source is of what is written.
    let sourced = own + "sources: [rules.prizes from plan.pdf]\n"
    #expect(try mark("amount", sourced) == .sourced)
    #expect(try mark("allocation", sourced) == .assumed)
  }

  @Test func aSeedIsCalledByItsFlagOrVariable() throws {
    for source in ["--seed", "PITBOSS_SEED"] {
      let error = #expect(throws: InputErrors.self) {
        try Scenario.load(
          text: "name: a\n", file: "t.yaml",
          overrides: [SettingOverride(path: "seed", value: "x", source: source)], environment: [:])
      }
      #expect(error?.description.hasPrefix("\(source): 'x' is not a number") == true)
      #expect(error?.exitCode == 64, "as any other mistake of the command line")
    }
  }

  @Test func theEnvironmentHoldsSeveralSettings() throws {
    let scenario = try load(
      "name: a\n", [],
      ["PITBOSS_SET": "calendar.days=30; population.members=50;", "PITBOSS_OTHER": "x"])
    #expect(scenario.calendar.days == 30)
    #expect(scenario.population.members == 50)
  }

  @Test("A setting that is written in another one's value is told apart")
  func runOn() throws {
    func refusal(_ value: String, _ source: String) -> String {
      let error = #expect(throws: InputErrors.self) {
        try Scenario.load(
          text: "name: a\n", file: "t.yaml",
          overrides: [SettingOverride(argument: "calendar.days=\(value)", source: source)])
      }
      return error?.description ?? ""
    }
    #expect(
      refusal("3,population.members=50", "PITBOSS_SET")
        == "PITBOSS_SET calendar.days: '3,population.members=50' goes on with another setting, "
        + "population.members; put a ';' between settings")
    #expect(refusal("3 seed=5", "--set").hasSuffix("seed; give each setting its own --set"))
    #expect(refusal("3; seed=5", "--with").hasSuffix("seed; --help shows how to give several"))
    #expect(refusal("3 seed=5", "studio").hasSuffix("seed; write one value"))
    #expect(!refusal("3,4", "--set").contains("another setting"))
    #expect(!refusal("3 days=4", "--set").contains("another setting"), "there is no setting 'days'")
    #expect(try load("name: a\n", ["name=b, seed=5"]).name == "b, seed=5")
    // What holds more than one word may hold such a text.
    let pair = "correlated[0]=economy.gross_profit and population.tins.per_week=0.3"
    let error = #expect(throws: InputErrors.self) { try load("name: a\n", [pair]) }
    #expect(error?.description.contains("another setting") == false)
    let prizes = "name: a\nrules: {prizes: [{name: a, kind: crypto, amount: 5, every: 9}]}\n"
    let named = try load(prizes, ["rules.prizes[0].name=A, seed=5"])
    #expect(named.settings.contains { $0.value.text == "A, seed=5" })
  }

  @Test func aShareThatMayBeLeftOpenIsReadAsAnyOther() throws {
    func scanned(_ text: String) throws -> Double? {
      try load("name: a\n", ["population.wholesale.scanned=\(text)"]).population.wholesale.scanned
    }
    #expect(try load("name: a\n", []).population.wholesale.scanned == nil)
    #expect(try scanned("2 %") == 0.02 && scanned("0.02") == 0.02)
    #expect(try scanned("null") == nil && scanned("none") == nil)
    #expect(throws: InputErrors.self) { try scanned("140 %") }
  }

  @Test func aGroupThatTheFileDoesNotWriteIsMade() throws {
    #expect(try load("name: a\n", ["rules.tiers.floors.vip=99"]).rules.tiers.floorVip == 99)
    #expect(try load("name: a\nrules:\n", ["rules.tiers.vip=3"]).rules.tiers.vip == 3)
  }

  @Test func entriesAreFoundByIndexOrName() throws {
    let sets = [
      "rules.prizes[0].every=600", "rules.prizes.Casino.every=700",
      "rules.prizes.Crypto $10K.amount=12.5", "population.season.hours[3]=0.5",
    ]
    let scenario = try load("name: a\n", sets)
    #expect(scenario.rules.prizes.map(\.every) == [600, 5_000, 50_000, 700, 500_000])
    #expect(scenario.rules.prizes[2].amount == MicroUSDT(microunits: 12_500_000))
    #expect(scenario.population.season.hours[3] == 0.5)
    let marks = scenario.settings.filter { $0.mark == .set }.map(\.path)
    #expect(
      marks == [
        "name", "rules.prizes[0].every", "rules.prizes[2].amount", "rules.prizes[3].every",
        "population.season.hours",
      ])
  }

  @Test func entriesOfTheFilesOwnListAreFoundToo() throws {
    let file = "name: a\nrules:\n  prizes:\n    - {name: A.B, kind: trip, amount: 1, every: 9}\n"
    let scenario = try load(file, ["rules.prizes.A.B.every=10", "rules.prizes[0].tier=vip"])
    #expect(scenario.rules.prizes.map(\.every) == [10])
    #expect(scenario.rules.prizes[0].requiredTier == .vip)
  }

  @Test func listsAndRecordsAreWrittenInBrackets() throws {
    let scenario = try load(
      "name: a\n",
      [
        "population.adoption.model=plan", "population.adoption.monthly=[100, 200]",
        "rules.prizes=[{name: X, kind: crypto, amount: 5, every: 2}]",
      ])
    #expect(scenario.population.adoption.monthly == [100, 200])
    #expect(scenario.rules.prizes.map(\.name) == ["X"])
  }

  @Test func aGroupInBracesSetsWhatItNamesAndNothingElse() throws {
    let file = """
      name: a
      rules:
        tiers: {vip: 9, whale: 70, floors: {vip: 300, whale: 30000}}
      population: {members: 40}
      """
    let scenario = try load(
      file,
      [
        "rules={tiers: {vip: 10, floors: {vip: 301}}}", "population={}",
        "population.season={weekdays: [1, 1, 1, 1, 1, 2, 2]}",
      ])
    let tiers = scenario.rules.tiers
    #expect(tiers.vip == 10 && tiers.whale == 70)
    #expect(tiers.floorVip == 301 && tiers.floorWhale == 30_000)
    #expect(scenario.population.members == 40)
    #expect(scenario.population.season.enabled)
    // Each setting by itself: what the value does not name is not overridden.
    #expect(scenario.isOverridden("rules.tiers.vip") && !scenario.isOverridden("rules.tiers.whale"))
    // What is wrong in braces is said as ever, and so is a group that is no group.
    for wrong in ["rules.tiers={vi: 3}", "rules.tiers={vip: x}", "rules.tiers=5"] {
      #expect(throws: InputErrors.self) { try load(file, [wrong]) }
    }
  }

  @Test func aSwitchedOffGroupComesBackWithItsFirstSetting() throws {
    let file = "name: a\npopulation:\n  season: none\n"
    #expect(try !load(file).population.season.enabled)
    let scenario = try load(file, ["population.season.weekdays=[1,1,1,1,1,2,2]"])
    #expect(scenario.population.season.enabled)
    #expect(try !load("name: a\n", ["population.season=none"]).population.season.enabled)
  }

  @Test func textIsTakenAsItStands() throws {
    #expect(try load("seed: 1\n", ["name=2026"]).name == "2026")
    #expect(try load("name: a\n", ["name=x=y: z"]).name == "x=y: z")
    #expect(try load("name: a\n", ["description=null"]).description == nil)
    #expect(try load("name: a\n", ["description=none"]).description == "none")
  }

  @Test func anOverrideMendsWhatTheFileHasWrong() throws {
    #expect(try load("name: a\nseed: x\n", ["seed=7"]).seed == 7)
  }

  @Test func aRuleAcrossSettingsNamesTheFlagThatBrokeIt() {
    #expect(
      refusal(of: "name: a\nrules:\n  tiers:\n    whale: 40\n", overrides: ["rules.tiers.vip=15"])?
        .description
        == "--set rules.tiers.vip: is 15; it must stay below rules.tiers.high_roller (15)")
  }
}
