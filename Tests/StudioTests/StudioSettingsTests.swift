// Goal: the page shows every setting with what it takes, and finds it by the words of people.
// Method: the settings of both programs' defaults against their descriptions; every number that a
// slider can send is read by the setting's own reader.
import Foundation
import RewardModel
import Scenario
import Studio
import Testing

@Suite struct StudioSettingsTests {
  static let texts = ["name: a\n", "name: a\nprogramme: embera\n"]

  private func scenario(_ text: String) throws -> Scenario {
    try Scenario.load(text: text, file: "a.yaml")
  }

  @Test("Every setting of a scenario has a row with its mark, in a group", arguments: texts)
  func complete(text: String) throws {
    let scenario = try scenario(text)
    let settings = StudioSettings(scenario)
    let marks = Dictionary(uniqueKeysWithValues: settings.rows.map { ($0.path, $0.mark) })
    #expect(settings.rows.count == marks.count)
    for setting in scenario.settings {
      #expect(marks[setting.path] == setting.mark.rawValue, "\(setting.path)")
    }
    let groups = Set(settings.groups.map(\.path))
    #expect(settings.groups.count == groups.count)
    #expect(settings.rows.allSatisfy { groups.contains($0.group) && !$0.label.isEmpty })
    #expect(settings.rows.allSatisfy { !$0.doc.isEmpty && !$0.control.wanted.isEmpty })
    #expect(settings.first.count >= 5)
  }

  @Test("Whatever a slider can send, its setting takes", arguments: texts)
  func sliders(text: String) throws {
    let scenario = try scenario(text)
    var sliders = 0
    for row in StudioSettings(scenario).rows where row.control.kind == .slider {
      sliders += 1
      let control = row.control
      let shape = try #require(scenario.description(of: row.path)?.shape)
      let (low, high, step) = (
        try #require(control.low), try #require(control.high), try #require(control.step)
      )
      let (least, most) = (try #require(control.least), try #require(control.most))
      #expect(low < high && step > 0 && step <= high - low, "\(row.path)")
      let number = try #require(control.number)
      #expect(number >= low && number <= high, "\(row.path)")
      for place in [low, low + step, low + 7 * step, (high - low) / 2 + low, high] {
        // The page rounds to a step, as browsers do, and keeps to what the setting takes.
        let stepped = low + ((place - low) / step).rounded() * step
        let sent = min(max(stepped, least), most)
        let words = String(format: "%.12g", sent)
        guard !words.contains("e") || least < sent else { continue }
        #expect(throws: Never.self, "\(row.path)=\(words)\(control.suffix)") {
          _ = try shape.read(words + control.suffix, style: .bare)
        }
      }
    }
    #expect(sliders > 30)
  }

  @Test("The value that a row shows is the one that the setting has", arguments: texts)
  func values(text: String) throws {
    let scenario = try scenario(text)
    for row in StudioSettings(scenario).rows where row.control.kind != .group {
      let again = try Scenario.load(
        text: text, file: "a.yaml",
        overrides: [SettingOverride(path: row.path, value: row.control.value)])
      #expect(again.canonicalText == scenario.canonicalText, "\(row.path)")
    }
  }

  @Test("An uncertain setting says what is drawn, until somebody sets it")
  func uncertain() throws {
    let text = """
      name: a
      uncertain:
        - population.tins.scanned ~ pert(40 %, 60 %, 80 %)
        - rules.prizes[*].every ~ *uniform(0.9, 1.1)
      """
    let rows = StudioSettings(try scenario(text)).rows.filter { $0.uncertain != nil }
    #expect(rows.map(\.path).contains("population.tins.scanned") && rows.count == 6)
    let words = rows.first { $0.path == "population.tins.scanned" }?.uncertain
    #expect(words == "Uncertain: each replication draws pert(40 %, 60 %, 80 %).")
    let set = try Scenario.load(
      text: text, file: "a.yaml",
      overrides: [SettingOverride(path: "population.tins.scanned", value: "50 %")])
    let row = StudioSettings(set).rows.first { $0.path == "population.tins.scanned" }
    #expect(row?.uncertain == "Uncertain until you set it: now every replication has this value.")
    #expect(StudioSettings(try scenario("name: a\n")).rows.allSatisfy { $0.uncertain == nil })
  }

  @Test("A setting that does nothing as others are says so, until they change")
  func idle() throws {
    func words(_ path: String, _ set: [String] = []) throws -> String? {
      let scenario = try Scenario.load(
        text: "name: a\n", file: "a.yaml", overrides: set.map { SettingOverride(argument: $0) })
      return StudioSettings(scenario).rows.first { $0.path == path }?.idle
    }
    let path = "population.shop.abandoned"
    #expect(try words(path) == "Does nothing while rules.shop.enabled is false.")
    #expect(try words(path, ["rules.shop.enabled=true"]) == nil)
    #expect(try words("rules.shop.enabled") == nil)
    let ban = "rules.bans[0].date"
    let said = try words(ban, ["rules.bans=[{state: CA, date: 2190-01-01}]"])
    #expect(said?.hasPrefix("Does nothing while the run ends on ") == true, "\(said ?? "")")
  }

  @Test("A seed has a field: no hand hits one number of 2^64")
  func seed() throws {
    let rows = StudioSettings(try scenario("name: a\n")).rows
    #expect(rows.first { $0.path == "seed" }?.control.kind == .text)
    #expect(rows.first { $0.path == "calendar.start" }?.control.kind == .date)
    #expect(rows.first { $0.path == "rules.guarantee.enabled" }?.control.kind == .flag)
    let days = try #require(rows.first { $0.path == "rules.guarantee.after" }?.control)
    #expect(days.kind == .slider && days.suffix == " d" && days.number == 90)
    let share = try #require(rows.first { $0.path == "rules.comp_pool.share" }?.control)
    #expect(share.low == 0 && share.high == 100 && share.suffix == " %")
  }

  @Test(
    "Settings are found by their words, and what is misspelled is understood",
    arguments: [
      ("guarantee amount", "rules.guarantee.amount", nil), ("guarentee", nil, "guarantee"),
      ("rules.guarantee.amuont", nil, "rules.guarantee.amount"),
      ("guarentee amuont", nil, "guarantee amount"), ("xyzzyplugh", nil, nil), ("", nil, nil),
    ] as [(String, String?, String?)])
  func finder(text: String, path: String?, meant: String?) throws {
    let finder = SettingFinder(StudioSettings(try scenario("name: a\n")))
    let found = finder.find(text)
    #expect(found.meant == meant)
    if let path { #expect(found.paths.contains(path)) } else { #expect(found.paths == []) }
    if let meant { #expect(!finder.find(meant).paths.isEmpty) }
  }
}
