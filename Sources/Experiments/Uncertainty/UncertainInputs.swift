internal import CGSL
internal import EventKernel
internal import Foundation
internal import Population
package import RewardModel
package import Scenario

/// The uncertain settings of a scenario, ready to be drawn.
///
/// A draw is named by the seed of its replication and the paths, so that one more uncertain setting
/// changes no other's values, two scenarios of one seed draw the same scores (common random numbers),
/// and the mirrored seed draws the opposite ones. Settings that are correlated have scores R z, where
/// R Rᵀ is the correlation of the normal scores, 2 sin(π ρ ÷ 6) for a rank correlation ρ (Pearson 1907;
/// Iman and Conover 1982, doi:10.1080/03610918208812265).
package struct UncertainInputs: Sendable {
  /// One setting, or one list of rows.
  package struct Input: Sendable {
    package let setting: UncertainSetting
    /// The place of its entry among those of the scenario.
    fileprivate let place: Int
    /// Those of its paths that are drawn: where nothing overrides all of their settings.
    package let names: [String]
    /// What each of them sets: the settings that nothing overrides.
    fileprivate let targets: [[ResolvedSetting]]
    /// Nil for discrete values and rows.
    package let law: UncertainLaw?
    fileprivate let rows: [[String]]
    /// What each of their values is as a number; nil where it is a word.
    fileprivate let rowNumbers: [[Double?]]
    /// Discrete values; empty for others.
    fileprivate let choices: [UncertainChoice]
    fileprivate let stream: UInt64
  }

  /// What was drawn for a replication.
  package struct Draw: Sendable, Equatable {
    /// What each column of `names` is: a number in the unit of its entry, or the place of a word
    /// among its values.
    package var numbers: [Double] = []
    /// The word in each column; nil where it is a number.
    package var words: [String?] = []
    /// What overrides the scenario.
    package var settings: [SettingOverride] = []

    /// `path=value` of each setting.
    package var texts: [String] { settings.map { "\($0.path)=\($0.value)" } }
  }

  package let inputs: [Input]
  /// Paths of which overrides make all settings certain.
  package let fixed: [String]
  private let scenario: Scenario
  /// The lower triangle of R by rows; empty where nothing is correlated.
  private let factor: [Double]

  /// Prepares what a scenario says.
  ///
  /// - Parameter readingFiles: Whether rows of files are drawn; without them, settings that have some are
  ///   taken as they are written.
  /// - Returns: Nil where nothing is uncertain.
  /// - Throws: `InputErrors` for a distribution that hardly lies where its setting may be, a file
  ///   that cannot be read or has values that its settings cannot have, correlations that contradict
  ///   each other, and values that do not make a scenario.
  package init?(_ scenario: Scenario, readingFiles: Bool = true) throws(InputErrors) {
    self.scenario = scenario
    var inputs: [Input] = []
    var failures: [InputErrors] = []
    for (place, entry) in scenario.uncertain.enumerated() where readingFiles || entry.file == nil {
      let open = scenario.open(entry)
      guard !open.isEmpty else { continue }
      do throws(InputErrors) { inputs.append(try Self.input(place, open, scenario)) } catch {
        failures.append(error)
      }
    }
    if let first = failures.first {
      throw InputErrors(kind: first.kind, failures.flatMap(\.findings))
    }
    fixed = scenario.uncertain.flatMap { entry in
      let open = Set(scenario.open(entry).map(\.name))
      return entry.paths.filter { !open.contains($0) && !scenario.rows(at: $0, of: entry).isEmpty }
    }
    guard !inputs.isEmpty else { return nil }
    self.inputs = inputs
    factor = try Self.factor(scenario, inputs)
    // What can be drawn is read once before anything runs: the middle and both ends.
    for place in inputs.indices {
      for score in [0.0, -3, 3] where place == 0 || score != 0 {
        try check(draw(place, score: score))
      }
    }
  }

  /// Whether a draw makes a scenario.
  private func check(_ draw: Draw) throws(InputErrors) {
    do throws(InputErrors) {
      _ = try scenario.drawn(draw.settings)
    } catch {
      throw InputErrors(
        error.findings.map { finding in
          var finding = finding
          finding.message += ", drawn for 'uncertain' (\(draw.texts.joined(separator: ", ")))"
          // What was drawn is written at no line, but its entry is.
          let own = inputs.first { input in
            input.targets.joined().contains { finding.source == "\(Self.source) \($0.path)" }
          }
          guard let own else { return finding }
          if finding.source.hasSuffix(finding.path) {
            finding.message = "\(finding.path): \(finding.message)"
          }
          return scenario.finding(at: "uncertain[\(own.place)]", finding.message)
        })
    }
  }

  /// What the columns of a draw are: the path of each setting.
  package var names: [String] { inputs.flatMap(\.names) }

  /// Whether some settings move together: correlated ones, and those of one file's rows.
  package var areTogether: Bool { !factor.isEmpty || inputs.contains { $0.names.count > 1 } }

  /// The run of the scenario with what was drawn.
  ///
  /// - Throws: `InputErrors` where the values do not make a scenario; `CalendarError`.
  package func plan(_ draw: Draw) throws -> any RunPlan {
    try scenario.drawn(draw.settings).plan()
  }

  /// What a seed draws.
  package func draw(seed: UInt64) -> Draw {
    let own = inputs.map { input in
      var stream = RandomStream(
        seed: seed, purpose: ExperimentPurpose.uncertain.rawValue, entity: input.stream)
      return gsl_cdf_ugaussian_Pinv(stream.uniform())
    }
    return draw(scores: mixed(own))
  }

  /// The ends of one input, as people read them, and what overrides the scenario there while all
  /// other inputs are at their medians.
  package struct Ends: Sendable {
    package let path: String
    /// The entry as it was written, behind its `~`.
    package let text: String
    package let low: String
    package let high: String
    package let settings: [[SettingOverride]]
  }

  /// P5 and P95 of each input whose values are in order.
  package var ends: [Ends] {
    inputs.indices.compactMap { place in
      let setting = inputs[place].setting
      if case .rows = setting.law { return nil }
      let draws = [0.05, 0.95].map { draw(place, score: score(of: $0, place)) }
      let own = Set(inputs[place].targets[0].map(\.path))
      let words = draws.map { $0.settings.first { own.contains($0.path) }?.value ?? "" }
      return Ends(
        path: setting.paths[0], text: setting.lawText, low: words[0], high: words[1],
        settings: draws.map(\.settings))
    }
  }

  /// The values that can be drawn for a setting: the least and the greatest of a distribution, or each
  /// one that is listed; none of a certain setting.
  package func values(of path: String) -> [SettingValue] {
    let texts = inputs.flatMap { input -> [String] in
      guard let column = input.targets.firstIndex(where: { $0.contains { $0.path == path } }) else {
        return []
      }
      switch input.setting.law {
      case .rows: return input.rows.map { $0[column] }
      case .discrete(let choices): return choices.map(\.value)
      default:
        var draw = Draw()
        // No score is beyond 40 standard deviations.
        for score in [-40.0, 40] { add(input, score, to: &draw) }
        return draw.settings.filter { $0.path == path }.map(\.value)
      }
    }
    guard let shape = scenario.shape(of: path) else { return [] }
    return texts.compactMap { try? shape.read($0, style: .bare) }
  }

  /// A score at which an input is at a quantile: the least value up to which a share of all draws lies.
  private func score(of share: Double, _ place: Int) -> Double {
    let ends = inputs[place].choices.map(\.end)
    // The allowance is for sums such as 0.7 + 0.25, just below 0.95.
    guard let row = ends.firstIndex(where: { $0 >= share - 1e-12 }) else {
      return RandomStream.normalQuantile(share)
    }
    return RandomStream.normalQuantile((ends[row] + (row == 0 ? 0 : ends[row - 1])) / 2)
  }

  /// Inputs that have no ends: those drawn from a file.
  package var leftOut: Int { inputs.count { $0.setting.file != nil } }

  /// What overrides the scenario where every input is at its median.
  package var medians: [SettingOverride] {
    draw(scores: [Double](repeating: 0, count: inputs.count)).settings
  }

  /// What one input is at a normal score of its own while all others are at their medians.
  func draw(_ place: Int, score: Double) -> Draw {
    var scores = [Double](repeating: 0, count: inputs.count)
    scores[place] = score
    return draw(scores: scores)
  }

  private func mixed(_ scores: [Double]) -> [Double] {
    guard !factor.isEmpty else { return scores }
    let count = scores.count
    return (0..<count).map { row in
      (0...row).reduce(0) { $0 + factor[row * count + $1] * scores[$1] }
    }
  }

  private func draw(scores: [Double]) -> Draw {
    var draw = Draw()
    for (input, score) in zip(inputs, scores) { add(input, score, to: &draw) }
    return draw
  }

  /// Enters one of several values that are listed.
  private func enter(_ value: String, _ number: Double?, _ place: Int, in draw: inout Draw) {
    draw.numbers.append(number ?? Double(place))
    draw.words.append(number == nil ? value : nil)
  }

  private func add(_ input: Input, _ score: Double, to draw: inout Draw) {
    let setting = input.setting
    func set(_ targets: [ResolvedSetting], _ value: String) {
      draw.settings += targets.map {
        SettingOverride(path: $0.path, value: value, source: Self.source)
      }
    }
    switch setting.law {
    case .rows:
      let place = Int(UncertainLaw.share(score) * Double(input.rows.count))
      let row = min(place, input.rows.count - 1)
      for (column, targets) in input.targets.enumerated() {
        let value = input.rows[row][column]
        enter(value, input.rowNumbers[row][column], place, in: &draw)
        set(targets, value)
      }
    case .discrete:
      let share = UncertainLaw.share(score)
      let place = input.choices.firstIndex { share < $0.end } ?? input.choices.count - 1
      let choice = input.choices[place]
      enter(choice.value, choice.number, place, in: &draw)
      set(input.targets[0], choice.value)
    default:
      let value = input.law?.value(score: score) ?? 0
      draw.numbers.append(value)
      draw.words.append(nil)
      for row in input.targets[0] {
        let text =
          setting.isFactor
          ? SettingGrain.text(row.value, times: value)
          : SettingGrain.text(
            value, decimals: SettingGrain.decimals(scenario.shape(of: row.path), unit: setting.unit)
          )
            + setting.unit
        guard let text else { continue }
        draw.settings.append(
          SettingOverride(path: row.path, value: text, source: Self.source))
      }
    }
  }

  /// The label of what is drawn, in messages.
  private static let source = "uncertain"
}

// MARK: - Preparing

extension UncertainInputs {
  /// - Parameters:
  ///   - place: Of the entry.
  ///   - open: Its paths that are drawn, with the settings that each sets.
  private static func input(
    _ place: Int, _ open: [Scenario.OpenPath], _ scenario: Scenario
  ) throws(InputErrors) -> Input {
    let entry = scenario.uncertain[place]
    let names = open.map(\.name)
    var rows: [[String]] = []
    var rowNumbers: [[Double?]] = []
    var choices: [UncertainChoice] = []
    var law: UncertainLaw?
    var stream = names[0]
    switch entry.law {
    case .rows(let file):
      let path = scenario.resolve(file)
      let read = try UncertainRows(path: path, columns: names)
      try check(read, path, open, scenario)
      rows = read.rows
      let others = Set(
        scenario.uncertain.filter { $0 != entry && $0.file == file }.flatMap(\.paths))
      stream = read.firstColumn { !others.contains($0) && !scenario.rows(at: $0).isEmpty }
      let columns = open.indices.map { column in
        UncertainChoice.numbers(
          rows.map { $0[column] }, scenario.shape(of: open[column].targets.first?.path ?? ""))
      }
      rowNumbers = rows.indices.map { row in columns.map { $0[row] } }
    case .discrete(let listed):
      choices = UncertainChoice.all(
        listed.map { ($0.value, $0.weight) },
        entry.isFactor ? nil : scenario.shape(of: open[0].targets.first?.path ?? ""))
    default:
      do throws(Refusal) {
        law = try UncertainLaw(entry.law, within: range(entry, open[0].targets, scenario))
      } catch {
        throw InputErrors([scenario.finding(at: "uncertain[\(place)]", error.message)])
      }
    }
    return Input(
      setting: entry, place: place, names: names, targets: open.map(\.targets), law: law,
      rows: rows, rowNumbers: rowNumbers, choices: choices, stream: digest(stream))
  }

  /// Refuses values in a file that their settings cannot have, each at its line.
  private static func check(
    _ read: UncertainRows, _ file: String, _ open: [Scenario.OpenPath], _ scenario: Scenario
  ) throws(InputErrors) {
    var findings: [InputFinding] = []
    for (line, row) in zip(read.lines, read.rows) where findings.count < InputErrors.limit {
      for (column, value) in zip(open, row) {
        let path = column.targets[0].path
        guard let refusal = scenario.refusal(of: value, at: path) else { continue }
        findings.append(
          InputFinding(
            source: file, line: line, column: 1, path: column.name, message: refusal.message))
      }
    }
    if !findings.isEmpty { throw InputErrors(findings) }
  }

  /// Where the values of an entry may be: within its own bounds, and within those of its settings.
  private static func range(
    _ entry: UncertainSetting, _ targets: [ResolvedSetting], _ scenario: Scenario
  ) throws(Refusal) -> ClosedRange<Double> {
    var (low, high) = (-Double.greatestFiniteMagnitude, Double.greatestFiniteMagnitude)
    for row in targets {
      guard let shape = scenario.shape(of: row.path),
        let bounds = SettingGrain.bounds(shape, unit: entry.unit)
      else { continue }
      let one = entry.isFactor ? SettingGrain.number(row.value) ?? 1 : 1
      guard one > 0 else { continue }
      low = max(low, bounds.lowerBound / one)
      high = min(high, bounds.upperBound / one)
    }
    if let within = entry.within {
      low = max(low, within.lowerBound)
      high = min(high, within.upperBound)
    }
    guard low < high else {
      throw Refusal("'within' leaves nothing that the setting may be", "choose other bounds")
    }
    return low...high
  }

  /// FNV-1a of a path (Fowler, Noll and Vo 1991): the name of its stream.
  private static func digest(_ path: String) -> UInt64 {
    path.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }

  /// The Cholesky factor of the scores' correlations.
  private static func factor(
    _ scenario: Scenario, _ inputs: [Input]
  ) throws(InputErrors) -> [Double] {
    let count = inputs.count
    func place(_ path: String) -> Int? { inputs.firstIndex { $0.names.contains(path) } }
    // A correlation of 0 is none.
    let pairs = scenario.correlated.filter { $0.value != 0 }.compactMap { entry in
      place(entry.first).flatMap { first in
        place(entry.second).map { (first, $0, 2 * sin(.pi * entry.value / 6)) }
      }
    }
    guard !pairs.isEmpty else { return [] }
    GSLRuntime.prepare()
    guard let matrix = gsl_matrix_alloc(count, count) else { return [] }
    defer { gsl_matrix_free(matrix) }
    gsl_matrix_set_identity(matrix)
    for (first, second, value) in pairs {
      gsl_matrix_set(matrix, first, second, value)
      gsl_matrix_set(matrix, second, first, value)
    }
    guard gsl_linalg_cholesky_decomp1(matrix) == Int32(GSL_SUCCESS) else {
      throw InputErrors([
        scenario.finding(
          at: "correlated", "the correlations contradict each other; bring them nearer to 0")
      ])
    }
    return (0..<count).flatMap { row in
      (0..<count).map { $0 <= row ? gsl_matrix_get(matrix, row, $0) : 0 }
    }
  }
}
