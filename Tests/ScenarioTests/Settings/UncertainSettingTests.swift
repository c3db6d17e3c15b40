// Goal: what is said to be uncertain is read as it is written, and refused where it cannot be drawn.
// Method: entries by hand, in files and as overrides.
import BlakJaks
import Foundation
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite struct UncertainSettingTests {
  private func law(_ text: String) throws -> UncertainSetting.Law {
    try UncertainSetting("a.b ~ \(text)").law
  }

  @Test("Each distribution is read with its numbers and their unit")
  func laws() throws {
    #expect(try law("normal(3, 0.5)") == .normal(mean: 3, deviation: 0.5))
    #expect(try law("lognormal(2 d, 0.3)") == .lognormal(median: 2, sigma: 0.3))
    #expect(try law("uniform( -1 , 1 )") == .uniform(low: -1, high: 1))
    #expect(try law("triangular(40 %, 60 %, 80 %)") == .triangular(low: 40, mode: 60, high: 80))
    #expect(try law("pert(1,1,4)") == .pert(low: 1, mode: 1, high: 4))
    #expect(try law("beta(2, 38)") == .beta(2, 38))
    #expect(try law("gamma(4, 0.5 d)") == .gamma(shape: 4, scale: 0.5))
    #expect(try law("rows(fits/fit.csv)") == .rows(file: "fits/fit.csv"))
    guard case .discrete(let choices) = try law("discrete(10 % = 1, 15 % = 3)") else {
      Issue.record("not discrete")
      return
    }
    #expect(choices.map(\.value) == ["10 %", "15 %"] && choices.map(\.weight) == [1, 3])
    let share = try UncertainSetting("a ~ triangular(40 %, 60 %, 80 %) within 45 % to 70 %")
    #expect(share.unit == "%" && share.within == 45...70 && !share.isFactor)
    let factor = try UncertainSetting("a[*].b ~ * lognormal(1, 0.2)")
    #expect(factor.isFactor && factor.paths == ["a[*].b"] && factor.unit.isEmpty)
    #expect(try UncertainSetting("a.r, a.alpha ~ rows(x.csv)").paths == ["a.r", "a.alpha"])
    let some = try UncertainSetting("a[*].b except a[0].b, a[2].b ~ uniform(1, 2)")
    #expect(some.paths == ["a[*].b"] && some.except == ["a[0].b", "a[2].b"])
    #expect(some.lawText == "uniform(1, 2)")
  }

  @Test(
    "What is not a distribution is refused in words that say what to write",
    arguments: [
      ("a", "has no ~"), ("~ beta(1, 2)", "names no setting"),
      ("a[*] except ~ beta(1, 2)", "names no setting"), ("a ~ beta", "not a distribution"),
      ("a ~ cauchy(1, 2)", "normal, lognormal"), ("a ~ normal(1)", "write 2"),
      ("a ~ normal(1, 0)", "not above 0"), ("a ~ normal(1 d, 2 h)", "in one unit"),
      ("a ~ uniform(2, 1)", "do not rise"), ("a ~ pert(1, 5, 4)", "do not rise"),
      ("a ~ beta(2 %, 3)", "not a plain number"), ("a ~ discrete(1)", "value with its weight"),
      ("a ~ discrete(1 = 0)", "value with its weight"),
      ("a ~ discrete(1 = 1000000000e300, 2 = 1)", "value with its weight"),
      ("a ~ rows()", "names no file"),
      ("a, b ~ beta(1, 2)", "give each its own entry"), ("a ~ * rows(x.csv)", "not factors"),
      ("a ~ * uniform(1 %, 2 %)", "factors have no unit"),
      ("a ~ uniform(1, 2) cut", "not understood"), ("a ~ uniform(1, 2) within 3", "not a range"),
      ("a ~ discrete(1 = 1) within 0 to 1", "cannot be cut"), ("a ~ normal(x, 1)", "not a number"),
    ])
  func refused(_ text: String, _ words: String) {
    #expect {
      _ = try UncertainSetting(text)
    } throws: { error in
      "\(error)".contains(words)
    }
  }

  private func findings(_ entries: String) -> String {
    do {
      _ = try Scenario.load(text: "name: u\n\(entries)\n", file: "u.yaml")
      return ""
    } catch { return error.description }
  }

  @Test("An entry that names no setting of the program is refused at its line")
  func paths() throws {
    let wrong = findings("uncertain:\n  - population.tins.scaned ~ beta(6, 4)")
    #expect(wrong.contains("u.yaml:3") && wrong.contains("did you mean 'population.tins.scanned'"))
    #expect(findings("uncertain: [seed ~ beta(6,4)]") != "")
    #expect(findings("uncertain: [\"seed ~ uniform(1, 4)\"]").contains("cannot be uncertain"))
    #expect(
      findings("uncertain: [\"calendar.zone ~ uniform(1, 4)\"]").contains("cannot be uncertain"))
    #expect(
      findings("uncertain: [\"rules.chips.enabled ~ uniform(0, 1)\"]").contains("discrete"))
    let twice = "population.tins.scanned ~ beta(6, 4)"
    #expect(findings("uncertain: [\"\(twice)\", \"\(twice)\"]").contains("uncertain twice"))
    #expect(
      findings(
        "uncertain: [\"\(twice)\"]\ncorrelated: [\"population.tins.scanned and x = 0.1\"]"
      ).contains("x is not uncertain"))
    #expect(findings("correlated: [\"a and b = 1.5\"]").contains("above -1 and below 1"))
    #expect(findings("correlated: [\"a, b\"]").contains("not a correlation"))
    #expect(findings("uncertain: [\"\(twice)\"]").isEmpty)
  }

  private static let every = "rules.prizes[*].every"
  private static let first = "rules.prizes[0].every"

  @Test("An entry of a list is uncertain once: [*] leaves out what another entry draws")
  func entriesOnce() {
    let (every, first) = (Self.every, Self.first)
    for pair in [(every, first), (first, every)] {
      let twice = findings(
        "uncertain: [\"\(pair.0) ~ uniform(9, 99)\", \"\(pair.1) ~ uniform(5, 7)\"]")
      #expect(twice.contains("\(first) is uncertain twice") && twice.contains("except \(first)"))
    }
    #expect(
      findings(
        "uncertain: [\"\(first) ~ uniform(9, 99)\", \"\(every) except \(first) ~ * uniform(1, 4)\"]"
      ).isEmpty)
    for (paths, wrong) in [
      (every, "rules.prizes[0].evry"), (first, first), (every, every),
      ("population.members", "population.members"),
    ] {
      #expect(
        findings("uncertain: [\"\(paths) except \(wrong) ~ uniform(9, 99)\"]")
          .contains("\(wrong) is not one of \(paths)"))
    }
  }

  @Test("A file with what was set by hand draws the rest, and no more")
  func drawnFiles() throws {
    let text = """
      name: u
      uncertain:
        - \(Self.every) ~ * uniform(1, 4)
        - population.members ~ uniform(10, 20)
        - population.tins.scanned ~ beta(6, 4)
      correlated: ["population.members and population.tins.scanned = 0.5"]

      """
    func scenario(_ set: String...) throws -> Scenario {
      try Scenario.load(
        text: text, file: "u.yaml", overrides: set.map { SettingOverride(argument: $0) })
    }
    let set = try scenario("\(Self.first)=77", "population.members=15")
    for yaml in [set.drawnYAML { $0 }, set.writtenYAML(head: [], isDrawn: true)] {
      let again = try Scenario.load(text: yaml, file: "again.yaml")
      #expect(again.correlated.isEmpty)
      #expect(again.uncertain.map(\.text).last == "population.tins.scanned ~ beta(6, 4)")
      #expect(again.uncertain.count == 2)
      let (before, after) = (set.open(set.uncertain[0]), again.open(again.uncertain[0]))
      #expect(after.map(\.name) == [Self.every])
      #expect(after[0].targets.map(\.path) == before[0].targets.map(\.path))
      #expect(!after[0].targets.map(\.path).contains(Self.first))
      // Read with more set by hand, it leaves that out, too.
      let more = try Scenario.load(
        text: yaml, file: "again.yaml",
        overrides: [SettingOverride(argument: "rules.prizes[2].every=5")])
      let third = try Scenario.load(text: more.drawnYAML { $0 }, file: "third.yaml")
      #expect(third.uncertain[0].except == [Self.first, "rules.prizes[2].every"])
    }
    let whole = try scenario()
    for yaml in [whole.drawnYAML { $0 }, whole.writtenYAML(head: [], isDrawn: true)] {
      #expect(try Scenario.load(text: yaml, file: "again.yaml").uncertain == whole.uncertain)
    }
    let none = try scenario("\(Self.every)=77", "population={members: 15, tins: {scanned: 50 %}}")
    #expect(
      try Scenario.load(text: none.drawnYAML { $0 }, file: "none.yaml").uncertain.isEmpty)
  }

  @Test("A correlation that rows of a file decide, or that is said twice, is refused")
  func correlations() {
    let entries = """
      uncertain:
        - population.tins.scanned, population.tins.per_week ~ rows(fit.csv)
        - economy.gross_profit ~ uniform(1.2, 2.8)
      correlated:

      """
    let (scanned, weekly) = ("population.tins.scanned", "population.tins.per_week")
    let profit = "economy.gross_profit"
    func findings(_ pairs: String...) -> String {
      self.findings(entries + pairs.map { "  - \($0)\n" }.joined())
    }
    #expect(findings("\(scanned) and \(profit) = 0.9").isEmpty)
    let together = findings("\(scanned) and \(weekly) = 0.9")
    #expect(together.contains("u.yaml:6") && together.contains("drawn together from one file"))
    // One file has one score, whichever of its columns a correlation names.
    for (first, second) in [(scanned, profit), (profit, scanned), (weekly, profit)] {
      let twice = findings("\(scanned) and \(profit) = 0.9", "\(first) and \(second) = -0.9")
      #expect(twice.contains("u.yaml:7") && twice.contains("correlated twice"), "\(first)")
    }
    #expect(findings("\(profit) and \(profit) = 0.9").contains("two uncertain settings"))
  }

  @Test("Entries of a list that is empty can be uncertain, and those of none cannot")
  func emptyLists() {
    let every = "uncertain: [\"rules.prizes[*].every ~ * uniform(1, 4)\"]\n"
    #expect(findings(every + "rules: {prizes: []}").isEmpty)
    #expect(findings(every.replacing("every", with: "evry")).contains("no setting is called"))
    #expect(
      findings(every.replacing("[*]", with: "[0]") + "rules: {prizes: []}")
        .contains("no setting is called"))
  }

  @Test("What is uncertain survives the resolved file, and leaves the run as it is")
  func rendering() throws {
    let text = "name: u\nuncertain:\n  - population.tins.scanned ~ triangular(40 %, 60 %, 80 %)\n"
    let scenario = try Scenario.load(text: text, file: "u.yaml")
    let again = try Scenario.load(text: scenario.yaml, file: "again.yaml")
    #expect(again.uncertain == scenario.uncertain && scenario.uncertain.count == 1)
    let written = try Scenario.load(text: scenario.writtenYAML(head: []), file: "written.yaml")
    #expect(written.uncertain == scenario.uncertain)
    let plain = try Scenario.load(text: "name: u\n", file: "u.yaml")
    #expect(
      scenario.settings(of: BlakJaksProgramme.self) == plain.settings(of: BlakJaksProgramme.self))
  }

  @Test("Rows of a file are taken by the names of their columns")
  func rows() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "rows-\(UInt64.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func rows(_ text: String) throws -> [[String]] {
      let file = folder.appending(path: "fit.csv")
      try Data(text.utf8).write(to: file)
      return try UncertainRows(path: file.path, columns: ["b", "a"]).rows
    }
    #expect(try rows("a,x,b\n1,2,3\n\n4,5,\"6 %\"\r\n") == [["3", "1"], ["6 %", "4"]])
    for (text, words) in [
      ("", "no heading"), ("a,c\n1,2\n", "no column 'b'"), ("a,b\n", "no rows"),
      ("a,b\n1\n", "1 fields"), ("a,b\n1,\"2\n", "never closed"),
    ] {
      #expect {
        _ = try rows(text)
      } throws: { error in
        "\(error)".contains(words)
      }
    }
  }
}
