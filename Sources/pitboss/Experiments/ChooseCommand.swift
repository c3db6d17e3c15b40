internal import ArgumentParser
internal import Experiments
internal import Foundation
internal import Reports
internal import RewardModel
internal import Scenario

/// Which mean is chosen.
enum ChoiceGoal: String, EnumerableFlag {
  case least, most

  static func help(for value: ChoiceGoal) -> ArgumentHelp? {
    value == .least ? "The smallest mean is the best." : "The largest mean is the best."
  }
}

/// `pitboss choose A B C`.
struct ChooseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "choose",
    abstract: "Chooses among scenarios by the mean of a figure, with a stated probability.",
    discussion: """
      All are replicated with the same seeds, and those that are clearly worse are dropped \
      along the way (procedure KN of Kim and Nelson 2001). When the best is ahead by at least the \
      indifference, it is chosen with at least the stated probability. Candidates that were equally \
      far apart in each replication so far, and by less than the indifference, are not decided before \
      --limit: equal values do not tell how far others may be apart.

      Each --with adds a candidate, the first scenario with these settings: \
      pitboss choose A --with path.to.key=value --with 'path.to.key=value; path.to.other=value' \
      --figure FIGURE --indifference 1000
      """)

  @Argument(help: "Scenario files, or names of some in Scenarios/.")
  var scenarios: [String]

  @OptionGroup var options: ExperimentOptions

  @Option(
    name: .customLong("with"),
    help: ArgumentHelp(
      "Another candidate: the first scenario with other settings, separated by semicolons.",
      valueName: "path=value;path=value"))
  var variants: [String] = []

  @Option(help: "The figure whose mean decides.")
  var figure: String

  @Flag var goal = ChoiceGoal.least

  @Option(
    help: ArgumentHelp(
      "The smallest difference of means that matters, in the figure's unit; as a percentage only "
        + "where the figure is a share.",
      valueName: "number or n%"))
  var indifference: String

  @Option(
    help: "The probability of a correct choice; 0.95 by default.", transform: FigureOption.share)
  var probability = 0.95

  @Option(help: "Replications of each before any is dropped.")
  var first = 20

  @Option(help: "The most replications of each.")
  var limit = 1_000

  @Option(help: PlotlyMode.help)
  var plotly: PlotlyMode?

  @Option(help: "The folder of the results; Results/choose-NAME by default.")
  var out: String?

  func validate() throws {
    if scenarios.count + variants.count < 2 {
      throw ValidationError("there is only one candidate; name another scenario, or give --with")
    }
    guard let delta = FigureOption.number(indifference), delta > 0 else {
      throw ValidationError(
        "--indifference is '\(indifference)'; write a number above 0, such as 0.01 or 1%")
    }
    guard probability > 1 / Double(scenarios.count + variants.count), probability < 1 else {
      throw ValidationError(
        "--probability is \(probability); write a number below 1 and above the chance of a guess, "
          + "such as 0.95")
    }
    if !(10...1_000_000).contains(limit) {
      throw ValidationError("--limit is \(limit); write a number from 10 to 1000000")
    }
    if !(5...limit).contains(first) {
      throw ValidationError("--first is \(first); write a number from 5 to \(limit)")
    }
  }

  /// A scenario with what it was made from.
  private struct Candidate {
    var name: String
    var path: String
    var overrides: [SettingOverride]
    var runner: ReplicationRunner
  }

  func run() throws {
    Interrupts.end()
    IdleNotes.leaveOut(varied: variants)
    try options.refusePart(
      "which candidates run on shows as they run, so that no part knows its share")
    let (candidates, folderName) = try candidates()
    let catalog = candidates[0].runner.measured.catalog
    let measured = try FigureOption.check(figure, of: catalog)
    if indifference.hasSuffix("%"), measured.unit != .share {
      throw ValidationError(
        "--indifference is '\(indifference)', a share, and \(figure) is "
          + "\(measured.unit.predicate(in: catalog.currency)); write a number in its unit")
    }
    let folder = out ?? "Results/choose-\(folderName)"
    try ExperimentFolder.check(folder)
    let line = try options.progressLine(plotly)
    options.listen()
    let choice: ScenarioChoice
    do {
      let procedure = try RankingSelection(
        systems: candidates.count, indifference: FigureOption.number(indifference) ?? 0,
        level: probability, goal: goal == .least ? .smallest : .largest, first: first,
        batch: max(1, options.threadCount), maximum: limit)
      choice = try ScenarioChoice(
        names: candidates.map(\.name), figure: measured, procedure
      ) { try values($0, candidates, line) }
    } catch StatisticsError.missing(let system) {
      ProgressLine.remove()
      throw FigureOption.missing(figure, candidates[system].name)
    } catch let error as StatisticsError {
      ProgressLine.remove()
      throw ValidationError("\(error)")
    }
    ProgressLine.remove()
    let json = ChoiceText.json(choice, set: options.set)
    let page = try options.page(plotly) { mode, source in
      ChoicePage.html(choice, plotly: mode, source: source, set: options.set)
    }
    try ExperimentFolder.write(
      [
        ("choice.json", json), ("choice.csv", ChoicePage.csv(choice)),
        ("report.html", page),
      ], to: folder)
    try options.show(json) { terminal in
      ChoiceText.text(
        choice, folder: folder, width: terminal.width, colour: terminal.colour)
    }
    if !choice.selection.isGuaranteed { throw ExitStatus.thresholdMissed }
  }

  /// All candidates with the first one's seed, and what a folder is called after the first one.
  private func candidates() throws -> ([Candidate], String) {
    var review = InputReview()
    var seed: UInt64 = 0
    var folderName = ""
    var all: [Candidate] = []
    var read: [(path: String, scenario: Scenario)] = []
    func add(_ path: String, _ overrides: [SettingOverride], label: String) throws {
      try ExperimentOptions.refuseSeed(overrides)
      let scenario = review.read { () throws(InputErrors) in
        try options.source.load(path, overrides)
      }
      guard let scenario else { return }
      options.note(scenario)
      read.append((path, scenario))
      try ExperimentOptions.checkProgrammes(read)
      if all.isEmpty { (seed, folderName) = (scenario.seed, scenario.folderName) }
      var name = overrides.isEmpty ? scenario.name : label
      if all.contains(where: { $0.name == name }) { name = label }
      if all.contains(where: { $0.name == name }) { name += " (\(all.count + 1))" }
      all.append(
        Candidate(
          name: name, path: path, overrides: overrides,
          runner: try options.runner(scenario, asked: [figure]).seeded(seed)))
    }
    for path in scenarios { try add(path, [], label: path) }
    for text in variants {
      let parts = text.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty }
      if parts.isEmpty { throw ValidationError("--with sets nothing; write path=value") }
      try add(
        scenarios[0], parts.map { SettingOverride(argument: $0, source: "--with") },
        label: "with \(parts.joined(separator: ", "))")
    }
    try review.check()
    return (all, folderName)
  }

  private func values(
    _ request: RankingSelection.Request, _ candidates: [Candidate], _ line: ProgressLine
  ) throws -> [[Double?]] {
    let width = request.replications.count
    let jobs = request.systems.flatMap { system in
      request.replications.map { ReplicationJob(candidates[system].runner, $0) }
    }
    func candidate(_ place: Int) -> Candidate { candidates[request.systems[place / width]] }
    let total = jobs.count
    let values = try options.figures(
      jobs, figure, path: { candidate($0).path },
      overrides: { candidate($0).overrides }, progress: { line.update($0, of: total) })
    return request.systems.indices.map { row in
      Array(values[row * width..<(row + 1) * width])
    }
  }
}
