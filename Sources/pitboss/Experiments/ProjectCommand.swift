internal import ArgumentParser
internal import Experiments
internal import Foundation
internal import Quantities
internal import Reports
internal import RewardModel
internal import RunStore
internal import Scenario

/// `pitboss project SCENARIO`.
struct ProjectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "project",
    abstract: "Projects what a scenario costs, and how sure that is, from many replications.",
    discussion: """
      Each replication runs the scenario with its own seed; number 0 uses the scenario's. \
      Without --replications they continue until the 95 % half-width of the year's utilization is \
      at most --precision, at least 10 and at most 200.

      Means are made more precise where that helps: by controls (purchases beyond their \
      known expectation) and by antithetic pairs (replications with opposite luck, tried on 20 \
      pairs when at least 80 replications will run). The report says what each gained.

      Settings under uncertain are drawn again in each replication, and a quarter of the draws, 400 at \
      most, run again with other luck: the report says how much of the spread is luck and how much is not \
      knowing. Without such settings it names the assumptions that matter most.

      Thresholds under expect are judged over replications as they are written: p90(FIGURE) < x, \
      mean(FIGURE) < x, P(critical) <= 5 %; a figure alone by its 95th percentile, or its 5th \
      where much is good, and with fewer than 20 replications by the worst of them. A missed one \
      ends with 99.
      """)

  @Argument(help: "A scenario file, or the name of one in Scenarios/.")
  var scenario: String

  @OptionGroup var options: ExperimentOptions

  @Option(help: "How many replications.")
  var replications: Int?

  @Option(
    help: "Half-width of utilization to reach, as a share of the budget; 0.01 by default.",
    transform: FigureOption.share)
  var precision: Double?

  @Option(help: "Whether replications run in pairs with opposite luck: auto, on or off.")
  var antithetic = Antithetic.auto

  @Flag(inversion: .prefixedNo, help: "Whether means are adjusted by controls.")
  var controls = true

  @Flag(
    inversion: .prefixedNo,
    help: "Whether settings are ranked by what they do to the cost, each at both ends of its range."
  )
  var assumptions = true

  @Option(help: "The folder of the results; Results/project-NAME by default.")
  var out: String?

  @Option(help: PlotlyMode.help)
  var plotly: PlotlyMode?

  func validate() throws {
    if let replications, !(1...100_000).contains(replications) {
      throw ValidationError("--replications is \(replications); write a number from 1 to 100000")
    }
    if let precision {
      guard precision > 0, precision < 1 else {
        throw ValidationError("--precision is \(precision); write a share above 0 and below 1")
      }
      if replications != nil {
        throw ValidationError(
          "--precision has no effect with --replications, which says how many there are; leave one "
            + "of them out")
      }
    }
    if antithetic == .on, let replications, !replications.isMultiple(of: 2) {
      throw ValidationError(
        "--replications is \(replications), which --antithetic on cannot pair; write an even number"
      )
    }
  }

  func run() throws {
    Interrupts.end()
    let scenario = try options.scenario(scenario)
    let runner = try options.runner(scenario, asked: scenario.expect.compactMap(\.figure))
    if let part = options.part {
      guard let requests = projector(runner, scenario).requests else {
        throw ValidationError(
          "--part: how many replications run, and whether in pairs, shows only while they run; give "
            + "--replications and --antithetic on or off, or use --workers to compute on several "
            + "machines")
      }
      return try options.write(
        part, of: requests, ranking: try rankingRequests(scenario),
        kind: "project-\(scenario.folderName)", to: out)
    }
    let folder = out ?? "Results/project-\(scenario.folderName)"
    // Before there is anything that an interrupt could leave over.
    options.listen()
    let drawn = Self.rowsFiles(scenario)
    let files =
      ["projection.json", "replications.csv", "scenario.yaml", "report.html"] + drawn.map(\.name)
    let (projection, verdicts, ranked, json) = try ExperimentFolder.fill(folder, files: files) {
      place in
      for file in drawn { try place.copy(scenario.resolve(file.path), as: file.name) }
      let rows = try place.stream("replications.csv")
      rows.append(
        ProjectionFiles.csvHeading(runner.measured, uncertain: runner.inputs?.names ?? []))
      let fold = try replicate(scenario, runner, rows)
      try reportingFailures { try rows.finish() }
      guard let fold else {
        throw ExitStatus.stopped()
      }
      let projection = Projection(
        fold, seed: scenario.seed,
        dates: runner.plan.frame.calendar.dates.map(\.description))
      let ranked = self.ranked(scenario)
      let verdicts = scenario.expect.compactMap { ExpectationVerdict($0, fold) }
      let json = ProjectionFiles.json(
        projection, scenario: scenario.name, expect: verdicts, assumptions: ranked.ranking,
        set: options.set)
      let page = try options.page(plotly) { mode, source in
        ProjectionPage.html(
          projection, scenario: scenario.name, description: scenario.description ?? "",
          settings: runner.plan.frame.settings, expect: verdicts, assumptions: ranked.ranking,
          plotly: mode, source: source, set: options.set)
      }
      try place.write([
        ("projection.json", json),
        (
          "scenario.yaml",
          scenario.drawnYAML { path in drawn.first { $0.path == path }?.name ?? path }
        ), ("report.html", page),
      ])
      return (projection, verdicts, ranked, json)
    }
    try options.show(json) { terminal in
      ProjectionText.text(
        projection, scenario: self.scenario, overrides: options.replayFlags(), folder: folder,
        expect: verdicts, assumptions: ranked.ranking, width: terminal.width,
        colour: terminal.colour)
    }
    let missed = verdicts.filter { !$0.holds }
    for verdict in missed { complain("pitboss: missed threshold: " + FigureText.verdict(verdict)) }
    if let exit = ranked.exit { throw exit }
    if !missed.isEmpty { throw ExitStatus.thresholdMissed }
  }

  /// The files of rows that settings are drawn from, with the names of their copies next to the
  /// results: the scenario there repeats the projection wherever the folder is.
  private static func rowsFiles(_ scenario: Scenario) -> [(path: String, name: String)] {
    var paths: [String] = []
    for entry in scenario.uncertain where !scenario.open(entry).isEmpty {
      if let file = entry.file, !paths.contains(file) { paths.append(file) }
    }
    return zip(paths, ExperimentFolder.rowsFiles).map { (path: $0, name: $1) }
  }

  private func projector(_ runner: ReplicationRunner, _ scenario: Scenario) -> Projector {
    let target =
      replications.map { Projector.Target.replications($0) }
      ?? .precision(precision ?? 0.01, most: 200)
    return Projector(
      runner, target: target, antithetic: antithetic, controls: controls, expect: scenario.expect)
  }

  /// Runs the replications, one row each; nil when they were stopped.
  private func replicate(
    _ scenario: Scenario, _ runner: ReplicationRunner, _ rows: FolderStream
  ) throws -> ProjectionFold? {
    let line = try options.progressLine(plotly)
    defer { ProgressLine.remove() }
    return try options.reporting(self.scenario) {
      try projector(runner, scenario).run(
        each: { rows.append(ProjectionFiles.csvRow($0)) },
        proceed: { count, expected in
          line.update(count, of: expected)
          return !Interrupts.requested && !rows.hasFailed
        })
    }
  }
}

extension Antithetic: ExpressibleByArgument {}
