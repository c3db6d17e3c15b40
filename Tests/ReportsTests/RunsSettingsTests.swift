// Goal: a report names every assumption by its mark, what was set first, and the settings in which
// runs differ with each run's value; texts of people stay texts.
// Method: sample records with settings changed by hand; tables read back from the page.

import BlakJaks
import Foundation
import Reports
import RewardModel
import TestSupport
import Testing

@Suite struct RunsSettingsTests {
  private func record(_ settings: [(String, String, String)]) throws -> BlakJaksRecord {
    var record = try SampleRun.year(days: 31)
    record.settings = settings.map { RunHeader.SettingRow(path: $0.0, value: $0.1, mark: $0.2) }
    return record
  }

  @Test func settingsThatDifferAreListedWithValueAndMark() throws {
    let first = try record([
      ("name", "one", "set"), ("rules.tiers.vip", "7", "assumed"),
      ("rules.guarantee.enabled", "true", "given"), ("rules.chips", "none", "assumed"),
      ("rules.prizes[0].every", "500", "assumed"), ("population.members", "10", "set"),
    ])
    let second = try record([
      ("name", "two", "set"), ("rules.tiers.vip", "7", "set"),
      ("rules.guarantee.enabled", "false", "set"), ("rules.chips.enabled", "true", "set"),
      ("rules.prizes[0].every", "600", "set"), ("population.members", "10", "set"),
    ])
    let page = runsPage([("a", first), ("b", second)])
    let table = try PageTable("Settings that differ", in: page)
    #expect(
      table.rows.map { Array($0.dropFirst()) } == [
        ["A a", "B b"], ["true|given", "false|set"], ["none|assumed", "–|not in use"],
        ["500|assumed", "600|set"], ["–|not in use", "true|set"],
      ])
    #expect(table.rows[1][0].hasPrefix("rules.guarantee.enabled|"))
    #expect(table.rows[3][0].hasPrefix("rules.prizes[0].every|Due at each multiple"))
    // One run set what the other left alone: the value is shared, and it was set.
    let set = try PageTable("Settings: set by this scenario or on the command line", in: page)
    #expect(set.rows.dropFirst().map { $0[0] } == ["rules.tiers.vip", "population.members"])
    #expect(set.rows[1][1] == "7 scans a quarter")
    #expect(page.count(of: "All runs share these; the settings that differ are listed above.") == 1)
  }

  @Test func runsOfTheSameSettingsSaySo() throws {
    let record = try SampleRun.year(days: 31)
    let page = runsPage([("a", record), ("b", record)])
    #expect(page.count(of: "All settings are the same.") == 1)
    #expect(page.count(of: "All runs share them.") == 1)
    #expect(page.count(of: "all have the seed 7") == 1)
    var other = record
    other.seed = 9
    #expect(
      runsPage([("a", record), ("b", other)]).count(of: "small differences may be chance.") == 1)
  }

  @Test("Assumptions stand by mark, the set ones first, and all of them are open on paper")
  func marks() throws {
    let rows = [
      ("programme", "blakjaks", "given"), ("population.purchase.r", "0.243", "sourced"),
      ("rules.tiers.vip", "7", "assumed"), ("seed", "5", "set"), ("future.key", "1", "guessed"),
    ]
    // Paths may break at their dots, which does not matter here.
    let page = runsPage([("a", try record(rows))]).replacing("<wbr>", with: "")
    let part = page[try #require(page.firstRange(of: "<section id=\"assumptions\"")).lowerBound...]
    let order = ["seed", "rules.tiers.vip", "population.purchase.r", "programme", "future.key"]
    let places = order.compactMap { part.firstRange(of: ">\($0)<")?.lowerBound }
    #expect(places.count == 5)
    #expect(places == places.sorted())
    #expect(String(part).count(of: "<details class=\"print\">") == 5)
    #expect(String(part).count(of: "<details>") == 0)
    #expect(part.contains("1 taken from a source"))
  }

  @Test func fieldsOfOneEntryOfAListShareALine() throws {
    let rows = [
      ("rules.prizes[0].name", "Gold", "set"), ("rules.prizes[0].amount", "100", "set"),
      ("rules.prizes[1].name", "Silver", "set"), ("seed", "5", "set"),
      ("rules.prizes[1].every", "9", "set"), ("list[3]", "x", "set"),
    ]
    let table = try PageTable(
      "Settings: set by this scenario or on the command line",
      in: runsPage([("a", try record(rows))]))
    #expect(
      table.rows.dropFirst().map { Array($0.prefix(2)) } == [
        ["rules.prizes[0]", "name Gold, amount 100 USDT"], ["rules.prizes[1]", "name Silver"],
        ["seed", "5"], ["rules.prizes[1]", "every 9 scans"], ["list[3]", "x"],
      ])
    #expect(table.rows[1][2].hasPrefix("Milestone prizes"))
  }

  @Test("Nothing that people wrote breaks out of the page", arguments: [1, 2, 6])
  func hostileTextStaysText(count: Int) throws {
    let record = try hostileRecord(days: 40)
    let attack = record.scenario + "</style></title>\\\n;}*{display:none}"
    var runs = (0..<count).map { ("\($0)" + attack, record) }
    // Settings that differ, and one that another run lacks.
    runs[0].1.settings = [
      RunHeader.SettingRow(path: attack, value: "other" + attack, mark: attack),
      RunHeader.SettingRow(path: "x" + attack, value: attack, mark: "set"),
    ]
    let page = runsPage(runs, title: attack)
    #expect(page.count(of: "<img") == 0)
    #expect(page.count(of: "<!--") == 0)
    #expect(page.count(of: "<a href=\"javascript") == 0)
    let unsafe = page.unicodeScalars.count { [0x2028, 0x202E, 0x1B].contains($0.value) }
    #expect(unsafe == 0)
    #expect(page.count(of: "<script") == 3)
    #expect(page.count(of: "</script") == 3)
    #expect(page.count(of: "</style") == 1)
    #expect(page.count(of: "</title") == 1)
    // The style sheet's strings end where they should.
    let style = page[
      try #require(page.firstRange(of: "<style>"))
        .upperBound..<page.firstRange(
          of: "</style>")!.lowerBound]
    let header = try #require(style.split(separator: "\n").first { $0.contains("@top-left") })
    #expect(header.filter { $0 == "{" || $0 == "}" }.count == 2)
    #expect(!style.contains("*{display"))
    #expect(header.contains("\\3c \\2f script\\3e "))
  }
}
