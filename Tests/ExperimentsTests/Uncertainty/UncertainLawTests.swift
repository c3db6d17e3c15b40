// Goal: uncertain settings are drawn from the distributions that they name, together as they should
// be, and not otherwise.
// Method: moments against closed forms, ranks against the correlation that was asked for, and the
// promises of common random numbers by comparing draws.
import BlakJaks
import EventKernel
import Experiments
import Foundation
import RewardModel
import Scenario
import Testing

@Suite struct UncertainLawTests {
  /// Mean and variance by the midpoints of 20,000 equal shares, as the score's quantile gives them.
  private func moments(_ law: UncertainLaw) -> (mean: Double, variance: Double) {
    let count = 20_000
    let values = (0..<count).map { place in
      law.value(score: Self.score((Double(place) + 0.5) / Double(count)))
    }
    let mean = values.reduce(0, +) / Double(count)
    return (mean, values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(count))
  }

  /// The normal quantile by halving Foundation's error function.
  private static func score(_ share: Double) -> Double {
    var (low, high) = (-9.0, 9.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if erfc(-middle / 2.0.squareRoot()) / 2 < share { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  private static let anywhere = -1e12...1e12

  @Test("Means and variances are those of the closed forms")
  func closedForms() throws {
    let cases: [(UncertainSetting.Law, Double, Double)] = [
      (.normal(mean: 3, deviation: 0.5), 3, 0.25),
      (.lognormal(median: 2, sigma: 0.4), 2 * exp(0.08), 4 * exp(0.16) * (exp(0.16) - 1)),
      (.uniform(low: 2, high: 5), 3.5, 0.75),
      (.triangular(low: 1, mode: 2, high: 6), 3, (1 + 4 + 36 - 2 - 12 - 6) / 18.0),
      (.triangular(low: 1, mode: 1, high: 4), 2, 0.5),
      (.pert(low: 0, mode: 1, high: 6), 10 / 6.0, (10 / 6.0) * (26 / 6.0) / 7),
      (.beta(2, 38), 0.05, 2 * 38 / (1_600 * 41.0)),
      (.beta(0.5, 0.5), 0.5, 0.125),
      (.gamma(shape: 4, scale: 0.5), 2, 1), (.gamma(shape: 0.3, scale: 2), 0.6, 1.2),
    ]
    for (law, mean, variance) in cases {
      let seen = moments(try UncertainLaw(law, within: Self.anywhere))
      #expect(abs(seen.mean / mean - 1) < 2e-3, "\(law): \(seen.mean), \(mean)")
      #expect(abs(seen.variance / variance - 1) < 6e-3, "\(law): \(seen.variance), \(variance)")
    }
  }

  @Test("A cut distribution stays within its range, and has the moments of the cut one")
  func cut() throws {
    let law = try UncertainLaw(.normal(mean: 0, deviation: 1), within: -0.5...2)
    let seen = moments(law)
    func density(_ x: Double) -> Double { exp(-x * x / 2) / (2 * Double.pi).squareRoot() }
    func below(_ x: Double) -> Double { erfc(-x / 2.0.squareRoot()) / 2 }
    let share = below(2) - below(-0.5)
    let mean = (density(-0.5) - density(2)) / share
    let variance = 1 + (-0.5 * density(-0.5) - 2 * density(2)) / share - mean * mean
    #expect(abs(seen.mean - mean) < 1e-4 && abs(seen.variance - variance) < 1e-3)
    #expect(law.value(score: -30) >= -0.5 && law.value(score: 30) <= 2)
    #expect(throws: (any Error).self) {
      try UncertainLaw(.normal(mean: 0, deviation: 1), within: 1...9)
    }
  }

  private func inputs(_ entries: [String], _ more: String = "", set: [String] = []) throws
    -> UncertainInputs?
  {
    let text =
      "name: u\npopulation: {members: 50}\nuncertain:\n"
      + entries.map { "  - \"\($0)\"\n" }.joined() + more
    return try UncertainInputs(
      try Scenario.load(
        text: text, file: "u.yaml", overrides: set.map { SettingOverride(argument: $0) }))
  }

  private static let scanned = "population.tins.scanned ~ triangular(40 %, 60 %, 80 %)"
  private static let weekly = "population.tins.per_week ~ * lognormal(1, 0.3) within 0.2 to 4"
  private static let profit = "economy.gross_profit ~ uniform(1.2, 2.8)"

  @Test("A draw follows from its seed, and one more uncertain setting changes no other's")
  func streams() throws {
    let two = try #require(try inputs([Self.scanned, Self.profit]))
    let three = try #require(try inputs([Self.weekly, Self.scanned, Self.profit]))
    for seed in [UInt64(1), 99, 1 << 40] {
      let draw = two.draw(seed: seed)
      #expect(draw == two.draw(seed: seed))
      #expect(Array(three.draw(seed: seed).numbers.dropFirst()) == draw.numbers)
      // The mirrored seed draws the opposite quantiles: of an even distribution the opposite value.
      let mirrored = two.draw(seed: seed ^ (1 << 63)).numbers
      #expect(abs(draw.numbers[1] + mirrored[1] - 4) < 1e-9)
      #expect(abs(draw.numbers[0] + mirrored[0] - 120) < 1e-6)
    }
    #expect(two.draw(seed: 1) != two.draw(seed: 2))
  }

  private func ranks(_ values: [Double]) -> [Double] {
    let order = values.indices.sorted { values[$0] < values[$1] }
    var ranks = [Double](repeating: 0, count: values.count)
    for (rank, place) in order.enumerated() { ranks[place] = Double(rank) }
    return ranks
  }

  @Test("Rank correlations are those that were asked for", arguments: [-0.7, 0.0, 0.5, 0.9])
  func correlation(_ wanted: Double) throws {
    let paths = ["population.tins.scanned", "population.tins.per_week", "economy.gross_profit"]
    let inputs = try #require(
      try inputs(
        [Self.scanned, Self.weekly, Self.profit],
        "correlated: [\"\(paths[0]) and \(paths[1]) = \(wanted)\"]\n"))
    let count = 4_000
    let draws = (0..<count).map { inputs.draw(seed: UInt64($0)).numbers }
    func spearman(_ a: Int, _ b: Int) -> Double {
      let (x, y) = (ranks(draws.map { $0[a] }), ranks(draws.map { $0[b] }))
      let middle = Double(count - 1) / 2
      let product = zip(x, y).reduce(0) { $0 + ($1.0 - middle) * ($1.1 - middle) }
      return product / (Double(count) * (Double(count) * Double(count) - 1) / 12)
    }
    // Four standard errors; independent ranks have 1 / √(n − 1).
    let error = 4 / Double(count - 1).squareRoot()
    #expect(abs(spearman(0, 1) - wanted) < error)
    #expect(abs(spearman(0, 2)) < error && abs(spearman(1, 2)) < error)
  }

  @Test("Correlations that contradict each other are refused")
  func contradiction() {
    let paths = ["population.tins.scanned", "population.tins.per_week", "economy.gross_profit"]
    #expect(throws: InputErrors.self) {
      try inputs(
        [Self.scanned, Self.weekly, Self.profit],
        "correlated: [\"\(paths[0]) and \(paths[1]) = 0.95\", \"\(paths[1]) and \(paths[2]) = 0.95\", "
          + "\"\(paths[0]) and \(paths[2]) = -0.95\"]\n")
    }
  }

  private func refusal(_ entries: [String], _ more: String = "", set: [String] = []) -> String {
    do {
      _ = try inputs(entries, more, set: set)
      return ""
    } catch { return "\(error)" }
  }

  @Test("What cannot be drawn is refused at the lines of its entries, all of them at once")
  func lines() {
    let wide = "economy.gross_profit ~ normal(-5, 1)"
    let high = "population.tins.scanned ~ uniform(90 %, 300 %)"
    let both = refusal([Self.weekly, wide, high]).split(separator: "\n")
    #expect(both.count == 2)
    #expect(both.first?.hasPrefix("u.yaml:5:5: uncertain[1]: only 0 % of the distribution") == true)
    #expect(both.last?.hasPrefix("u.yaml:6:5: uncertain[2]: only ") == true)
    // Values that each setting can have, and no scenario together.
    let drawn = refusal([Self.weekly, "rules.tiers.vip ~ uniform(1, 200)"])
    #expect(drawn.hasPrefix("u.yaml:5:5: uncertain[1]: rules.tiers.vip"))
    let pairs = ["scanned and population.tins.per_week", "per_week and economy.gross_profit"]
      .map { "\"population.tins.\($0) = 0.95\"" }
    let last = "\"economy.gross_profit and population.tins.scanned = -0.95\""
    #expect(
      refusal(
        [Self.scanned, Self.weekly, Self.profit],
        "correlated: [\((pairs + [last]).joined(separator: ", "))]\n"
      ).hasPrefix("u.yaml:7:13: correlated: the correlations contradict"))
    #expect(
      refusal([], set: ["uncertain=[\"\(wide)\"]"]).hasPrefix("--set uncertain"))
  }

  @Test("Without its file, what it sets is as written, and the rest is checked all the same")
  func withoutFiles() throws {
    let entry = "population.tins.scanned, population.tins.per_week ~ rows(nowhere.csv)"
    func inputs(_ more: String) throws -> UncertainInputs? {
      try UncertainInputs(
        try Scenario.load(text: "name: u\nuncertain: [\"\(entry)\"\(more)]\n", file: "u.yaml"),
        readingFiles: false)
    }
    #expect(try inputs("") == nil)
    #expect(try inputs(", \"\(Self.profit)\"")?.names == ["economy.gross_profit"])
    #expect(throws: InputErrors.self) { try inputs(", \"economy.gross_profit ~ normal(-5, 1)\"") }
  }

  @Test("What is set by hand is certain")
  func overridden() throws {
    let some = try #require(
      try inputs([Self.scanned, Self.profit], set: ["economy.gross_profit=2"]))
    #expect(some.names == ["population.tins.scanned"] && some.fixed == ["economy.gross_profit"])
    let draw = some.draw(seed: 3)
    let plan = try some.plan(draw)
    #expect(draw.texts.count == 1 && draw.texts[0].hasPrefix("population.tins.scanned="))
    #expect(
      plan.frame.settings.first { $0.path == "economy.gross_profit" }?.value.contains("2") == true)
    #expect(try inputs([Self.profit], set: ["economy.gross_profit=2"]) == nil)
  }

  @Test("Where some entries of a list are set by hand, the others are drawn")
  func partlyOverridden() throws {
    let every = "rules.prizes[*].every ~ * uniform(1, 4)"
    let scenario = try Scenario.load(text: "name: u\n", file: "u.yaml")
    let paths = scenario.rows(at: "rules.prizes[*].every").map(\.path)
    let first = try #require(try inputs([every], set: ["\(paths[0])=9"]))
    #expect(first.names == ["rules.prizes[*].every"] && first.fixed.isEmpty)
    #expect(first.draw(seed: 5).settings.map(\.path) == Array(paths.dropFirst()))
    let except = every.replacing(" ~", with: " except \(paths[0]) ~")
    #expect(try inputs([except])?.draw(seed: 5) == first.draw(seed: 5), "a file can say the same")
    #expect(try inputs([every], set: paths.map { "\($0)=9" }) == nil)
    for all in ["rules.prizes[*].every=9", "rules.prizes=[]"] {
      #expect(try inputs([every], set: [all]) == nil, "\(all)")
    }
    let beside = try #require(try inputs([every, Self.profit], set: ["rules.prizes=[]"]))
    #expect(beside.names == ["economy.gross_profit"])
  }

  @Test("Discrete values come as often as their weights say")
  func discrete() throws {
    let inputs = try #require(
      try inputs(["rules.comp_pool.recognition ~ discrete(accrual = 1, cash = 3)"]))
    let count = 4_000
    let cash = (0..<count).count { place in
      inputs.draw(seed: UInt64(place)).texts == ["rules.comp_pool.recognition=cash"]
    }
    #expect(abs(Double(cash) - 3_000) < 4 * (Double(count) * 0.1875).squareRoot())
  }

  @Test("In which order numbers are listed changes no draw; words keep theirs")
  func listed() throws {
    let scanned = "population.tins.scanned ~ uniform(0.3, 0.9)"
    let correlated =
      "correlated: [\"population.tins.per_week and population.tins.scanned = 0.9\"]\n"
    for (one, other) in [
      ("2 = 0.5, 6 = 0.5", "6 = 0.5, 2 = 0.5"), ("1 = 1, 2 = 2, 3 = 3", "3 = 3, 1 = 1, 2 = 2"),
    ] {
      let entry = "population.tins.per_week ~ discrete"
      let (first, second) = (
        try #require(try inputs(["\(entry)(\(one))", scanned], correlated)),
        try #require(try inputs(["\(entry)(\(other))", scanned], correlated))
      )
      var (low, high) = (Tally(), Tally())
      for seed in 0..<400 as Range<UInt64> {
        let draw = first.draw(seed: seed)
        #expect(second.draw(seed: seed) == draw)
        if draw.numbers[0] < 2.5 {
          try low.add(draw.numbers[1])
        } else {
          try high.add(draw.numbers[1])
        }
      }
      // More tins go with a larger share that is scanned.
      #expect(try #require(low.mean) + 0.1 < #require(high.mean))
    }
    let words = "rules.comp_pool.recognition ~ discrete"
    let (first, second) = (
      try #require(try inputs(["\(words)(accrual = 1, cash = 1)"])),
      try #require(try inputs(["\(words)(cash = 1, accrual = 1)"]))
    )
    #expect(first.draw(seed: 3).words != second.draw(seed: 3).words)
  }

  @Test(
    "P5 and P95 are the least values up to which 5 % and 95 % of all draws lie",
    arguments: [
      ("6 = 0.3, 2 = 0.7", "2", "6"), ("2 = 0.95, 6 = 0.05", "2", "2"),
      ("2 = 0.9499, 6 = 0.0501", "2", "6"), ("1 = 0.05, 2 = 0.7, 3 = 0.2, 4 = 0.05", "1", "3"),
      ("1 = 0.0499, 2 = 0.9501", "2", "2"),
    ])
  func discreteEnds(listed: String, low: String, high: String) throws {
    let inputs = try #require(try inputs(["population.tins.per_week ~ discrete(\(listed))"]))
    let ends = try #require(inputs.ends.first)
    #expect(ends.low == low && ends.high == high, "\(ends)")
  }

  @Test("Listed values with different units are numbers in one unit")
  func mixedUnits() throws {
    for listed in ["30 % = 1, 0.6 = 1, 0.9 = 1", "0.9 = 1, 30 % = 1, 60 % = 1"] {
      let inputs = try #require(try inputs(["population.tins.scanned ~ discrete(\(listed))"]))
      let numbers = Set((0..<60).map { inputs.draw(seed: $0).numbers[0] })
      #expect(numbers == [0.3, 0.6, 0.9], "\(listed)")
    }
    let same = try #require(
      try inputs(["population.tins.scanned ~ discrete(30 % = 1, 60 % = 1)"]))
    #expect(Set((0..<60).map { same.draw(seed: $0).numbers[0] }) == [30, 60])
    let rows = try #require(try inputs(rows: "40 %,3\n0.7,2\n"))
    #expect(Set((0..<60).map { rows.draw(seed: $0).numbers[0] }) == [0.4, 0.7])
  }

  /// The inputs of a scenario with settings from rows of a file beside it.
  private func inputs(rows: String, set: [String] = []) throws -> UncertainInputs? {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "fit-\(UInt64.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(("population.tins.scanned,population.tins.per_week\n" + rows).utf8)
      .write(to: folder.appending(path: "fit.csv"))
    let file = folder.appending(path: "s.yaml")
    try Data(
      "name: r\nuncertain: [\"population.tins.scanned, population.tins.per_week ~ rows(fit.csv)\"]\n"
        .utf8
    ).write(to: file)
    return try UncertainInputs(
      try Scenario.load(path: file.path, overrides: set.map { SettingOverride(argument: $0) }))
  }

  @Test("A column that is set by hand is not drawn, and its file's others are")
  func overriddenColumn() throws {
    for (path, other) in [("scanned", "per_week"), ("per_week", "scanned")] {
      let inputs = try #require(
        try inputs(rows: "40 %,3\n70 %,2\n", set: ["population.tins.\(path)=1"]))
      #expect(inputs.names == ["population.tins.\(other)"])
      #expect(inputs.fixed == ["population.tins.\(path)"])
      let draw = inputs.draw(seed: 1)
      #expect(draw.numbers.count == 1 && draw.settings.map(\.path) == inputs.names)
    }
  }

  @Test("Whichever column is set by hand, the others are drawn from the same rows")
  func sameRows() throws {
    let rows = (1...90).map { "\($0) %,\($0)\n" }.joined()
    let all = try #require(try inputs(rows: rows))
    for (path, place) in [("scanned", 1), ("per_week", 0)] {
      let one = try #require(try inputs(rows: rows, set: ["population.tins.\(path)=1"]))
      for seed in UInt64(0)..<20 {
        #expect(one.draw(seed: seed).numbers == [all.draw(seed: seed).numbers[place]])
      }
    }
  }

  @Test("The values that can be drawn reach from the least to the greatest of all draws")
  func ends() throws {
    let every = "population.members ~ lognormal(50, 0.2)"
    let inputs = try #require(
      try inputs(
        [Self.profit, every],
        "correlated: [\"population.members and economy.gross_profit = 0.9\"]\n"))
    #expect(inputs.values(of: "economy.gross_profit").map(\.text) == ["1.2", "2.8"])
    #expect(inputs.values(of: "population.tins.scanned").isEmpty)
    let members = inputs.values(of: "population.members").compactMap { value -> Int? in
      if case .integer(let count) = value { Int(count) } else { nil }
    }
    let drawn = (0..<500).map { Int(inputs.draw(seed: UInt64($0)).numbers[1].rounded()) }
    #expect(members.count == 2 && drawn.allSatisfy { (members[0]...members[1]).contains($0) })
    // Eight standard deviations of the logarithm, and no bound of the setting.
    #expect((200...300).contains(members[1]))
    let rows = try #require(try self.inputs(rows: "40 %,3\n70 %,2\n"))
    #expect(rows.values(of: "population.tins.per_week") == [.decimal(3), .decimal(2)])
  }

  @Test("Rows that no scenario can have are refused at their lines before anything is drawn")
  func refusedRows() {
    #expect {
      _ = try inputs(rows: "40 %,3\n\n140 %,3\n50 %,many\n")
    } throws: { error in
      let said = "\(error)"
      return said.contains("fit.csv:4:") && said.contains("fit.csv:5:")
        && said.contains("population.tins.per_week") && !said.contains("fit.csv:2:")
    }
  }

  @Test("Rows of a file set several settings together")
  func rows() throws {
    let inputs = try #require(try inputs(rows: "40 %,3\n70 %,2\n"))
    let seen = Set((0..<40).map { inputs.draw(seed: UInt64($0)).texts })
    #expect(
      seen == [
        ["population.tins.scanned=40 %", "population.tins.per_week=3"],
        ["population.tins.scanned=70 %", "population.tins.per_week=2"],
      ])
  }

  @Test("Factors multiply what the scenario says, of every entry of a list")
  func factors() throws {
    let inputs = try #require(try inputs(["rules.prizes[*].every ~ * uniform(1, 4)"]))
    let draw = inputs.draw(seed: 5)
    let scenario = try Scenario.load(text: "name: u\n", file: "u.yaml")
    let own = scenario.rows(at: "rules.prizes[*].every")
    #expect(own.count > 3 && draw.settings.count == own.count)
    for (setting, row) in zip(draw.settings, own) {
      let (now, before) = (Double(setting.value) ?? 0, Double(row.value.text) ?? 0)
      #expect(abs(now / before - draw.numbers[0]) <= 0.5 / before + 1e-9)
    }
  }
}
