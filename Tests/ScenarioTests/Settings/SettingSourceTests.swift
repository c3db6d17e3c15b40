// Goal: what a scenario's file writes is marked as sourced where 'sources' says where it comes from;
// what is left at its default or overridden is not.
// Method: small files; broken entries.
import RewardModel
import Scenario
import Testing

@Suite struct SettingSourceTests {
  private let file = """
    name: sourced
    economy:
      gross_profit: 1.80
    population:
      members: 900
      tins: { scanned: 50 % }
      season: { weekdays: [1, 1, 1, 1, 1, 2, 1] }
    sources:
      - "population.tins, population.season from shop.csv: 400 members"
      - "economy.gross_profit from the books of 2026"
    """

  private func setting(_ path: String, _ overrides: [String] = []) throws -> ResolvedSetting {
    let scenario = try Scenario.load(
      text: file, file: "s.yaml",
      overrides: overrides.map { SettingOverride(argument: $0) })
    return try #require(scenario.settings.first { $0.path == path })
  }

  @Test("A setting or a group that is written and named is sourced")
  func named() throws {
    let scanned = try setting("population.tins.scanned")
    #expect(scanned.mark == .sourced && scanned.source == "shop.csv: 400 members")
    #expect(scanned.isWritten)
    let profit = try setting("economy.gross_profit")
    #expect(profit.mark == .sourced && profit.source == "the books of 2026")
    #expect(try setting("population.season.weekdays").mark == .sourced)
  }

  @Test("A default of the group keeps its mark, and what is written elsewhere is set")
  func others() throws {
    let shape = try setting("population.tins.shape")
    #expect(shape.mark == .assumed && shape.source == nil && !shape.isWritten)
    let members = try setting("population.members")
    #expect(members.mark == .set && members.source == nil && members.isWritten)
  }

  @Test("An override is set, whatever the file says of its source")
  func overridden() throws {
    let scanned = try setting("population.tins.scanned", ["population.tins.scanned=0.7"])
    #expect(scanned.mark == .set && scanned.source == nil && scanned.isWritten)
  }

  @Test("Listings say the source, and the file that they make reads back to the same marks")
  func rendered() throws {
    let scenario = try Scenario.load(text: file, file: "s.yaml")
    #expect(scenario.table.contains("From shop.csv: 400 members."))
    for text in [scenario.yaml, scenario.writtenYAML(head: [])] {
      let again = try Scenario.load(text: text, file: "again.yaml")
      let path = "population.tins.scanned"
      #expect(again.settings.first { $0.path == path }?.mark == .sourced, "\(text)")
      #expect(again.sources == scenario.sources)
    }
  }

  @Test("A file that is written after an override does not call its value sourced")
  func saved() throws {
    let moved = try Scenario.load(
      text: file, file: "s.yaml",
      overrides: [SettingOverride(argument: "population.tins.scanned=0.7")])
    let again = try Scenario.load(text: moved.writtenYAML(head: []), file: "again.yaml")
    func mark(_ path: String) -> SettingMark? { again.settings.first { $0.path == path }?.mark }
    #expect(mark("population.tins.scanned") == .set)
    #expect(mark("population.season.weekdays") == .sourced)
    #expect(mark("economy.gross_profit") == .sourced)
  }

  @Test(
    "An entry that names nothing is refused with advice",
    arguments: [
      ("population.tins of shop.csv", "has no 'from'"),
      (" from shop.csv", "names no setting"), ("population.tins from  ", "names no source"),
      ("population.tinz from shop.csv", "no setting or group is called population.tinz"),
      ("population.tins.scaned from x", "did you mean 'population.tins.scanned'"),
    ])
  func refused(_ entry: String, _ words: String) throws {
    #expect {
      _ = try Scenario.load(text: "name: x\nsources:\n  - \"\(entry)\"\n", file: "s.yaml")
    } throws: {
      "\($0)".contains(words) && "\($0)".contains("s.yaml:3")
    }
  }
}
