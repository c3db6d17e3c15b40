internal import ArgumentParser
internal import Experiments
internal import Foundation
internal import Reports
internal import Scenario

/// `pitboss compare A B`.
struct CompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Compares two scenarios, replication by replication with the same random numbers.",
    discussion: """
      A difference is called real when a paired t test says so, corrected for the number of \
      figures (Holm): in 95 of 100 comparisons chance alone calls none real. --set applies to both \
      scenarios; --with overrides B only, so that 'compare A A --with path.to.key=value' asks what \
      one setting changes.
      """)

  @Argument(help: "The scenario to compare with.")
  var first: String

  @Argument(help: "The other scenario.")
  var second: String

  @OptionGroup var options: ExperimentOptions

  @Option(
    name: .customLong("with"),
    help: ArgumentHelp("Overrides a setting of B only.", valueName: "path.to.key=value"))
  var overrides: [String] = []

  @Option(help: "How many replications of each.")
  var replications = 30

  @Option(help: "Another figure to compare; may be repeated.")
  var figure: [String] = []

  @Option(help: PlotlyMode.help)
  var plotly: PlotlyMode?

  @Option(help: "The folder of the results; Results/compare-A-B by default.")
  var out: String?

  func validate() throws {
    if !(2...100_000).contains(replications) {
      throw ValidationError("--replications is \(replications); write a number from 2 to 100000")
    }
  }

  func run() throws {
    Interrupts.end()
    IdleNotes.leaveOut(varied: overrides)
    let with = overrides.map { SettingOverride(argument: $0, source: "--with") }
    try ExperimentOptions.refuseSeed(with)
    var review = InputReview()
    let read = [(first, []), (second, with)].map { path, more in
      review.read { () throws(InputErrors) in try options.source.load(path, more) }
    }
    try review.check()
    guard let a = read[0], let b = read[1] else { throw ExitStatus.badInput }
    [a, b].forEach(options.note)
    if a.seed != b.seed, !options.quiet {
      complain(
        "pitboss: \(second) has the seed \(b.seed), which is not used: both run with \(a.seed), that of "
          + "\(first)")
    }
    try ExperimentOptions.checkProgrammes([(first, a), (second, b)])
    for name in figure { try FigureOption.check(name, of: a.figures) }
    let name = "compare-\(a.folderName)-\(b.folderName)"
    if let part = options.part {
      let requests = try [a, b].flatMap {
        try options.runner($0, asked: figure).seeded(a.seed).requests(0..<replications)
      }
      return try options.write(part, of: requests, kind: name, to: out)
    }
    let folder = out ?? "Results/\(name)"
    try ExperimentFolder.check(folder)
    let count = replications
    let line = try options.progressLine(plotly)
    options.listen()
    let runs = try [(first, a), (second, b)].enumerated().map { place, pair in
      let runner = try options.runner(pair.1, asked: figure)
      // Both sides share their seeds: the first scenario's.
      let done = try options.reporting(pair.0, place == 0 ? [] : with) {
        try runner.seeded(a.seed).run(0..<count) {
          line.update(place * count + $0, of: 2 * count)
          return !Interrupts.requested
        }
      }
      guard let done else { throw ExitStatus.stopped() }
      return done
    }
    ProgressLine.remove()
    let comparison = try ScenarioComparison(
      runs[0], runs[1], measured: MeasuredFigures(a.figures, asked: figure),
      settings: ScenarioComparison.differences(a, b))
    let names = names(a, b)
    let json = ComparisonText.json(comparison, names: names, set: options.set, seed: a.seed)
    let page = try options.page(plotly) { mode, source in
      ComparisonPage.html(
        comparison, names: names, plotly: mode, source: source, set: options.set)
    }
    try ExperimentFolder.write(
      [
        ("comparison.json", json), ("comparison.csv", ComparisonPage.csv(comparison)),
        ("report.html", page),
      ], to: folder)
    try options.show(json) { terminal in
      ComparisonText.text(
        comparison, names: names, folder: folder, width: terminal.width, colour: terminal.colour)
    }
  }

  /// What heads the two: the scenarios' names, or what tells them apart where both have one name.
  private func names(_ a: Scenario, _ b: Scenario) -> (String, String) {
    guard a.name == b.name else { return (a.name, b.name) }
    if !overrides.isEmpty { return (a.name, b.name + " with overrides") }
    return first == second ? (a.name, b.name + " again") : (first, second)
  }
}
