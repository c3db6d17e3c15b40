import BlakJaks
// Goal: listings, canonical text and schema all follow from the one description of settings.
// Method: round trips through YAML, byte comparison across spellings, keys counted in the schema.
import Foundation
import Population
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite struct RenderingTests {
  private static let varied = """
    name: "odd: \\"name\\" # no comment"
    description: |
      Two lines,
      and a tab\tinside.
    seed: 18446744073709551615
    calendar: {start: 2024-02-29, days: 400, zone: UTC, window: 90 s}
    rules:
      tiers: {carry: false}
      prizes:
        - {name: "null", kind: trip, amount: 0.000001, every: 3, tier: whale, allocation: draw}
      guarantee: {after: 3 w, enabled: false}
      budget_health: {warning: 0.4501, weekday_weights: [0, 0, 0, 0.0001, 0, 0, 0]}
    population:
      adoption: {model: plan, monthly: [0, 7], market: 123456789, p: 1.0e-7}
      purchase: {r: 0.243, alpha: 4.414}
      tins: {shop: 33.333333333 %}
      season: {holidays: [{date: 2024-07-04, factor: 2.25}]}
    expect:
      - scans.accepted > 1e3
    """

  @Test(
    "A resolved file loads back to the same scenario",
    arguments: [varied, "name: a\n", "name: a\npopulation: {season: none}\nrules: {prizes: []}\n"])
  func roundTrip(text: String) throws {
    let first = try Scenario.load(text: text, file: "t.yaml")
    let second = try Scenario.load(text: first.yaml, file: "resolved.yaml")
    #expect(second.canonicalText == first.canonicalText)
    #expect(second.rules == first.rules)
    #expect(second.population == first.population)
    #expect(second.calendar == first.calendar)
    #expect(second.seed == first.seed)
    #expect(second.name == first.name)
    #expect(second.description == first.description)
    #expect(second.expect.map(\.text) == first.expect.map(\.text))
  }

  @Test(
    "A record gives back the settings that its run had, lists included",
    arguments: [
      varied, "name: a\n", "name: a\npopulation: {season: none}\nrules: {prizes: []}\n",
      """
      name: a
      rules:
        states: [{code: NV, weight: 3, tax: 6.85 %}, {code: UT, weight: 1, tax: 0}]
        bans: [{state: UT, date: 2026-03-01}]
        prizes: [{name: "[a, b]", kind: trip, amount: 1, every: 5, tier: vip, allocation: draw}]
      population:
        mischief: {rings: [{date: 2026-02-01, days: 3, accounts: 7}]}
        wholesale: {waves: [{date: 2026-02-01, factor: 0.1, days: 4}]}
        season: {hours: [0, 1, 0.3333333333333333, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, \
      1, 2, 3, 4, 5, 6]}
      faults: {payouts: {outages: [{date: 2026-02-02, hour: 5, lasts: 90 min}]}}
      """,
    ])
  func record(text: String) throws {
    let scenario = try Scenario.load(text: text, file: "t.yaml")
    let typed = try #require(scenario.settings(of: BlakJaksProgramme.self))
    #expect(BlakJaksSettings(recorded: try scenario.plan().frame.settings) == typed)
  }

  @Test func spellingDoesNotChangeTheCanonicalText() throws {
    let a = try Scenario.load(
      text: """
        name: a
        seed: 7
        economy: {price: 5.50}
        calendar: {window: 60 min}
        population: {tins: {shop: 0.4}, members: 1e3}
        """, file: "a.yaml")
    let b = try Scenario.load(
      text: """
        population:
          members: 1000
          tins:
            shop: 40%   # the same
        calendar:
          window: 1 h
        economy:
          price: "5.5 USDT"
        name: 'a'
        """, file: "b.yaml", overrides: [SettingOverride(path: "seed", value: "7")])
    #expect(a.canonicalText == b.canonicalText)
  }

  @Test func anyChangeOfAValueChangesTheCanonicalText() throws {
    let standard = try Scenario.load(text: "name: a\n", file: "t.yaml").canonicalText
    for set in ["seed=2", "rules.prizes[4].tier=vip", "population.season=none", "calendar.days=1"] {
      let changed = try Scenario.load(
        text: "name: a\n", file: "t.yaml", overrides: [SettingOverride(argument: set)])
      #expect(changed.canonicalText != standard, "\(set)")
    }
  }

  // Digests of stored runs rest on these lines: a change of the rendering has to be deliberate.
  @Test func canonicalTextIsStable() throws {
    let text = try Scenario.load(text: "name: a\n", file: "t.yaml").canonicalText
    #expect(
      text.hasPrefix(
        """
        pitboss-scenario 1
        name = "a"
        description = null
        programme = blakjaks
        seed = 1
        calendar.start = 2026-01-01
        calendar.days = 365
        calendar.zone = America/New_York
        calendar.window = 1 h
        rules.tiers.vip = 7

        """))
    #expect(text.contains("\nrules.prizes[4].name = \"Trip $200K\"\n"))
    #expect(text.contains("\nrules.comp_pool.share = 50 %\n"))
    #expect(
      text.hasSuffix(
        "\nexpect = []\nuncertain = []\ncorrelated = []\nsources = []\ncheck.as_written = false\ncheck.size = 1\ncheck.faults = []\ncheck.kept = null\n"
      ))
    #expect(text.contains("\npopulation.under_age = 2 %\n"))
    #expect(text.split(separator: "\n").count == 420)
  }

  @Test func theTableShowsEverySettingWithItsMark() throws {
    let scenario = try Scenario.load(
      text: "name: a\n", file: "t.yaml",
      overrides: [SettingOverride(path: "rules.tiers.vip", value: "8")])
    let lines = scenario.table.split(separator: "\n")
    #expect(lines.count == scenario.settings.count + 1)
    #expect(lines[0].hasPrefix("setting "))
    let vip = try #require(lines.first { $0.hasPrefix("rules.tiers.vip ") })
    #expect(vip.contains(" 8 scans a quarter "))
    #expect(vip.contains(" set "))
    let starts = lines.dropFirst().map { line in
      line.distance(
        from: line.startIndex, to: line.firstRange(of: "  ")?.lowerBound ?? line.endIndex)
    }
    #expect(starts.allSatisfy { $0 > 0 })
  }

  @Test func theSchemaHasEveryKeyAndRefusesOthers() throws {
    let data = Data(ScenarioSchema(BlakJaksProgramme.self).text.utf8)
    let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(schema["$schema"] as? String == "https://json-schema.org/draft/2020-12/schema")
    #expect(schema["required"] as? [String] == ["name"])
    let scenario = try Scenario.load(text: "name: a\n", file: "t.yaml")
    for setting in scenario.settings {
      var node: [String: Any] = schema
      for part in setting.path.split(separator: ".") {
        let key = part.prefix { $0 != "[" }
        if let choices = node["anyOf"] as? [[String: Any]] {
          node = choices.first { $0["properties"] != nil } ?? [:]
        }
        if let items = node["items"] as? [String: Any] { node = items }
        #expect(node["additionalProperties"] as? Bool == false, "\(setting.path)")
        let properties = node["properties"] as? [String: Any] ?? [:]
        node = try #require(properties[String(key)] as? [String: Any], "\(setting.path)")
      }
      let description = try #require(node["description"] as? String, "\(setting.path)")
      #expect(!description.contains(#/ In (a|after|of|on|o'clock)\b/#), "\(description)")
    }
  }

  @Test("The schema takes none and null where a setting may be left open")
  func theSchemaTakesNone() throws {
    let data = Data(ScenarioSchema(BlakJaksProgramme.self).text.utf8)
    var node = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    for key in ["population", "adoption", "market"] {
      let properties = try #require(node["properties"] as? [String: Any])
      node = try #require(properties[key] as? [String: Any])
    }
    let choices = try #require(node["anyOf"] as? [[String: Any]])
    #expect(choices.compactMap { $0["type"] as? String } == ["integer", "null"])
    #expect(choices.compactMap { $0["const"] as? String } == ["none"])
  }

  @Test func theSchemaTellsTheBoundsOfDurations() throws {
    let data = Data(ScenarioSchema(BlakJaksProgramme.self).text.utf8)
    var node = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    for key in ["rules", "guarantee", "after"] {
      let properties = try #require(node["properties"] as? [String: Any])
      node = try #require(properties[key] as? [String: Any])
    }
    let bounds = ["x-minimum", "x-maximum", "x-step"].map { node[$0] as? String }
    for bound in bounds {
      let text = "name: a\nrules: {guarantee: {after: \(try #require(bound))}}\n"
      #expect(throws: Never.self) { try Scenario.load(text: text, file: "t.yaml") }
    }
    #expect(bounds[2] == "1 d")
  }

  @Test func everyShippedScenarioLoadsAndSaysItsQuestion() throws {
    let folder = Checkout.scenarios
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".yaml") }.sorted()
    #expect(files.contains("launch-year.yaml"))
    #expect(files.count >= 5)
    for file in files {
      let path = folder.appendingPathComponent(file).path
      let scenario = try Scenario.load(path: path)
      #expect(scenario.name + ".yaml" == file)
      #expect(scenario.description?.hasSuffix("?") == true, "\(file)")
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.hasPrefix("# "), "\(file)")
    }
  }
}
