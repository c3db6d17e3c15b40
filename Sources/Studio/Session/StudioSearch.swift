internal import Experiments
internal import Quantities
internal import Reports
internal import RewardModel
internal import Scenario

/// A search for the value of a setting at which a condition just holds, as the page shows it.
package struct StudioSearch: Encodable, Sendable, Equatable {
  /// How far it is.
  package enum State: String, Encodable, Sendable {
    case running, found, nothing, cancelled, failed
  }

  /// What is known of the answer, with its label.
  package struct Fact: Encodable, Sendable, Equatable {
    package var label: String
    package var words: String
  }

  /// A setting to make, as an override takes it.
  package struct Move: Encodable, Sendable, Equatable {
    package var path: String
    package var value: String
  }

  package var path: String
  package var condition: String
  package var state = State.running
  /// What it does now, or how it ended.
  package var words: String
  package var facts: [Fact] = []
  /// What has to be set to have the answer.
  package var moves: [Move] = []
}

/// What is sought, checked before anything runs.
struct GoalSeek: Sendable {
  let base: Scenario
  let axis: SettingAxis
  let objective: Objective
  let settings: RootSettings
  let threads: Int
  /// Asked again and again; false ends the search.
  var isWanted: @Sendable () -> Bool = { true }

  /// Nobody wants the answer any more.
  struct Cancelled: Error {}

  /// - Parameters:
  ///   - path: The setting.
  ///   - low: The range's ends as people write them, such as `10 %`.
  ///   - condition: As `pitboss solve --such-that` reads it.
  ///   - most: Replications of one value at most.
  ///   - load: Reads the scenario with overrides.
  init(
    _ base: Scenario, path: String, low: String, high: String, condition: String, most: Int,
    threads: Int, load: ([SettingOverride]) throws -> Scenario
  ) throws(StudioRefusal) {
    self.base = base
    self.threads = threads
    let ends = [low, high].map { SettingAxis.split($0) }
    guard let from = ends[0].number, let to = ends[1].number, from < to else {
      throw StudioRefusal(
        "'\(low)' to '\(high)' is not a range; write a number in both fields, the smaller one first",
        path: ends[0].number == nil ? "low" : "range")
    }
    do {
      var axis = try SettingAxis("\(path)=\(low)..\(high)", forms: [])
      axis.flag = "Find"
      self.axis = try axis.grained(like: base)
    } catch { throw StudioRefusal(Self.plain("\(error)"), path: "range") }
    do {
      objective = try Objective(condition, figures: base.figures)
      settings = try Solution.settings(axis, objective, most: most, tolerance: 0.02)
      try settings.check()
    } catch { throw StudioRefusal(Self.plain("\(error)"), path: "condition") }
    do {
      try Self.checkMonth(of: objective, try base.plan())
      let (low, high) = settings.ends
      for value in [low, high]
        + [settings.value(between: low, and: high, share: 0.5)].compactMap(\.self)
      {
        try Self.checkMonth(
          of: objective, try load(try axis.overrides(value, base)).plan(),
          with: " at \(axis.text(value))")
      }
    } catch let refusal as StudioRefusal {
      throw refusal
    } catch { throw StudioRefusal(Self.plain("\(error)"), path: "range") }
  }

  /// Refuses a condition on a month that a run does not have.
  ///
  /// - Parameter place: What the run is with, in words that follow "the run".
  private static func checkMonth(
    of objective: Objective, _ plan: any RunPlan, with place: String = ""
  ) throws {
    guard let month = objective.month else { return }
    let months = plan.frame.calendar.dates.map(\.monthLabel)
    if !months.contains(month) {
      throw StudioRefusal(
        "\(month) is not in the run\(place), which ends in \(months.last ?? "")",
        path: "condition")
    }
  }

  /// Words without the flags of the command line.
  private static func plain(_ words: String) -> String {
    words.replacing("--such-that ", with: "").replacing("--adjust", with: "the range")
      .replacing("--most must be", with: "'pitboss solve --most' must be")
      .replacing("with --most", with: "with 'pitboss solve --most'")
  }

  /// Runs the search.
  ///
  /// - Parameters:
  ///   - load: Reads the scenario with overrides.
  ///   - tell: Called with what it does now.
  /// - Throws: `Cancelled`, `StudioRefusal`.
  func run(
    load: ([SettingOverride]) throws -> Scenario, tell: @escaping @Sendable (String) -> Void
  ) throws -> Solution {
    var spent = 0
    let search = try StochasticRoot.solve(settings) { value, numbers in
      let scenario = try load(try axis.overrides(value, base))
      var runner = ReplicationRunner(
        try scenario.plan(), asked: objective.figures, threads: threads)
      runner.inputs = try UncertainInputs(scenario)
      runner.isWanted = isWanted
      let (words, before) = (axis.text(value), spent)
      tell("Trying \(words), \(before.grouped) replications so far")
      let done = try runner.run(numbers) { [isWanted] count in
        tell("Trying \(words), \(before + count) replications so far")
        return isWanted()
      }
      guard let done else { throw Cancelled() }
      spent += done.count
      return try done.map { replication in
        guard let value = objective.value(replication, runner.measured) else {
          let gaps = objective.figure.flatMap { FigureGaps($0, done, runner.measured) }
          throw StudioRefusal(
            gaps.map { FigureText.gaps($0) } ?? "a run has no value", path: "condition")
        }
        return value
      }
    }
    return Solution(axis: axis, objective: objective, search: search)
  }

  /// The end of a search in words.
  func told(_ solution: Solution, _ before: StudioSearch) -> StudioSearch {
    var told = before
    told.facts = SolutionWords.facts(solution).map { .init(label: $0.label, words: $0.words) }
    guard let answer = solution.answer, case .found(let found)? = solution.search.outcome else {
      told.state = .nothing
      told.words = Self.plain(SolutionWords.problem(solution) ?? "Nothing was found.")
      return told
    }
    told.state = .found
    let end = found.neighbour.x > answer ? "largest" : "smallest"
    told.words =
      "\(axis.path): \(axis.text(answer)) is the \(end) value tried that was shown to hold "
      + "\(objective.text)."
    told.moves = ((try? axis.overrides(answer, base)) ?? []).map {
      .init(path: $0.path, value: $0.value)
    }
    return told
  }
}
