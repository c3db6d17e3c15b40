// Goal: every setting of the roastery reads and writes its own typed value, and rules that bind
// several settings are judged.
// Method: the catalog against the fields of the typed values; broken values one by one.
import Embera
import Population
import Quantities
import RewardModel
import Testing

@Suite struct SettingTests {
  @Test func everyPathStandsOnceAndKeepsItsDefault() {
    let paths = EmberaSettings.catalog.map(\.description.path)
    #expect(Set(paths).count == paths.count)
    #expect(paths.count == 66)
    for setting in EmberaSettings.catalog {
      var values = EmberaSettings()
      setting.write(&values, setting.read(values))
      #expect(values == EmberaSettings(), "\(setting.description.path)")
    }
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
}
