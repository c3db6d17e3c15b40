// Goal: every setting of the roastery reads and writes its own typed value, and rules that bind
// several settings are judged.
// Method: the catalog against the fields of the typed values, with other values written and broken
// ones one by one.
import Embera
import Population
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite struct SettingTests {
  @Test func everyPathStandsOnce() {
    let paths = EmberaSettings.catalog.map(\.description.path)
    #expect(Set(paths).count == paths.count)
    #expect(paths.count == 66)
  }

  @Test func everySettingReadsAndWritesAPlaceOfItsOwn() {
    #expect(EmberaSettings.misplaced() == [])
  }

  @Test("Given is what the brief says, sourced what a public source says, all else assumed")
  func marks() {
    func paths(_ mark: SettingMark) -> Set<String> {
      Set(EmberaSettings.catalog.map(\.description).filter { $0.mark == mark }.map(\.path))
    }
    #expect(
      paths(.given) == [
        "rules.points_per_dollar", "rules.tiers.aura", "rules.tiers.halo", "rules.offers",
        "rules.status.processing", "rules.status.roasting",
      ])
    #expect(
      paths(.sourced) == [
        "rules.states", "population.adoption.p", "population.adoption.q",
        "population.season.hours", "population.referral.dropout_factor",
      ])
    #expect(paths(.set).isEmpty)
  }

  @Test func aRecordGivesBackTheSettingsThatARunHad() throws {
    let scenario = try Scenario.load(
      text: """
        name: a
        programme: embera
        rules:
          tiers: {multipliers: [1, 1.5, 2.25]}
          offers: [{id: cup, title: "A cup, hot", points: 70, cost: 0.4, price: 3}]
          orders: {intervals: [3, 5]}
          states: []
          expiry_months: 9
          budget: {limit: 4 %}
        population:
          season: none
          subscriptions: {intervals: [0.1, 0.9]}
          basket: {sizes: [1, 2, 3]}
        """, file: "t.yaml")
    let typed = try #require(scenario.settings(of: EmberaProgramme.self))
    #expect(typed.rules.offers.count == 1 && typed.rules.orders.intervals == [3, 5])
    #expect(EmberaSettings(recorded: try scenario.plan().frame.settings) == typed)
    // An offer without a highlight is written with an empty one, which reads back.
    let written = scenario.writtenYAML(head: [])
    #expect(written.contains(#"highlight: """#))
    let again = try Scenario.load(text: written, file: "again.yaml")
    #expect(again.settings(of: EmberaProgramme.self) == typed)
  }

  @Test func everyGroupOfSettingsIsExplained() {
    for setting in EmberaSettings.catalog {
      var parts = setting.description.path.split(separator: ".").dropLast()
      while !parts.isEmpty {
        #expect(EmberaSettings.groupDocs[parts.joined(separator: ".")] != nil, "\(parts)")
        parts = parts.dropLast()
      }
    }
  }

  private func broken(_ edit: (inout EmberaSettings) -> Void) -> Set<String> {
    var values = EmberaSettings()
    edit(&values)
    var rules = SettingRules(values, days: 365)
    EmberaSettings.check(&rules)
    return Set(rules.broken.flatMap { $0.blame.map(\.path) })
  }

  @Test func rulesThatBindSettingsAreJudged() {
    #expect(broken { _ in }.isEmpty)
    #expect(broken { $0.rules.tiers.halo = 500 }.contains("rules.tiers.halo"))
    #expect(broken { $0.rules.offers[1].id = "espresso" } == ["rules.offers[1].id"])
    #expect(broken { $0.rules.status.delivery = .minutes(59) }.contains("rules.status.delivery"))
    #expect(broken { $0.rules.states[3].code = "al" } == ["rules.states[3].code"])
    #expect(broken { $0.rules.states = [] }.isEmpty)
    #expect(broken { $0.population.basket.sizes = [0, 0, 0] } == ["population.basket.sizes"])
    #expect(broken { $0.rules.orders.intervals = [1] }.contains("rules.orders.intervals"))
    #expect(broken { $0.population.payment.cancelled = 1 }.count == 3)
    #expect(broken { $0.population.signIn.late = 1 }.count == 3)
    #expect(broken { $0.population.adoption.model = .plan }.count == 2)
  }

  @Test(
    "The rate that is judged is that of purchases and not of the steps of a gap",
    arguments: [1.75, nil] as [Double?])
  func pace(alpha: Double?) {
    // A member buys 800 times a week with gaps of two steps and 1,600 times with gaps of one: 42 and
    // 83 billion purchases of a million members in a year.
    func broken(erlang: Int) -> Set<String> {
      self.broken {
        $0.population.members = 1_000_000
        $0.population.purchase.r = 2_800
        $0.population.purchase.alpha = alpha
        $0.population.purchase.erlang = erlang
      }
    }
    #expect(broken(erlang: 2).isEmpty)
    #expect(broken(erlang: 1).contains("population.purchase.alpha"))
  }
}
