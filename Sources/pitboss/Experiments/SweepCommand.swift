internal import ArgumentParser
internal import Experiments
internal import Foundation
internal import Reports
internal import RewardModel
internal import Scenario

/// How the points of a sweep are chosen.
enum SweepDesign: String, CaseIterable, ExpressibleByArgument {
  case grid
  case latinHypercube = "latin_hypercube"
  case sobol
}

/// `pitboss sweep SCENARIO --vary …`.
struct SweepCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sweep",
    abstract: "Measures figures over the values of one or several settings.",
    usage: "pitboss sweep <scenario> --vary <path=a,b,c|lo..hi:n> ... [<options>]",
    discussion: """
      Every point is replicated with the same seeds. A path may hold [*] for all entries of a list, \
      and *lo..*hi multiplies what the scenario says: --vary 'path.to.list[*].key=*1..*8:5'.
      """)

  @Argument(help: "A scenario file, or the name of one in Scenarios/.")
  var scenario: String

  @OptionGroup var options: ExperimentOptions

  @Option(
    help: ArgumentHelp(
      "What to vary; may be repeated. A range has 5 points, or n.", valueName: "path=a,b,c|lo..hi:n"
    ))
  var vary: [String] = []

  @Option(help: "How the points are chosen.")
  var design = SweepDesign.grid

  @Option(help: "Points of latin_hypercube and sobol; 20 by default.")
  var points: Int?

  @Option(help: "Replications of each point.")
  var replications = 5

  @Option(help: "A figure that is shown; may be repeated. sweep.csv holds all.")
  var figure: [String] = []

  @Option(help: "The folder of the results; Results/sweep-NAME by default.")
  var out: String?

  @Option(help: PlotlyMode.help)
  var plotly: PlotlyMode?

  func validate() throws {
    if !(1...10_000).contains(replications) {
      throw ValidationError("--replications is \(replications); write a number from 1 to 10000")
    }
    if let points, !(1...10_000).contains(points) {
      throw ValidationError("--points is \(points); write a number from 1 to 10000")
    }
    if points != nil, design == .grid {
      throw ValidationError(
        "--points has no effect on a grid, whose points --vary gives (path=lo..hi:n); add --design "
          + "latin_hypercube or sobol, or leave it out")
    }
  }

  func run() throws {
    Interrupts.end()
    IdleNotes.leaveOut(varied: vary)
    // Not where arguments are parsed: an option that does not exist, such as a misspelled --vary, is
    // the mistake to name then.
    if vary.isEmpty { throw ValidationError("nothing is varied; give --vary path=lo..hi:n") }
    let base = try options.scenario(scenario)
    for name in figure { try FigureOption.check(name, of: base.figures) }
    let plan: (axes: [SettingAxis], design: Design)
    do {
      let axes = try vary.map { text throws(SettingAxis.Refusal) in
        try SettingAxis(text, forms: design == .grid ? [.lists, .levels] : .lists)
          .grained(like: base)
      }
      let drawn = try makeDesign(axes.map { try $0.designAxis() }, seed: base.seed)
      // On a grid a value that is listed twice is what somebody wrote.
      plan = (axes, design == .grid ? drawn : distinct(drawn, axes, base))
    } catch {
      throw ValidationError("--vary: \(error)")
    }
    for axis in plan.axes { try options.refuseReplaced(axis, base) }
    if let part = options.part {
      let requests = try settings(plan.axes, plan.design, base).flatMap { overrides in
        try options.runner(try options.scenario(scenario, overrides), asked: figure)
          .requests(0..<replications)
      }
      return try options.write(part, of: requests, kind: "sweep-\(base.folderName)", to: out)
    }
    let folder = out ?? "Results/sweep-\(base.folderName)"
    try ExperimentFolder.check(folder)
    options.listen()
    let settings = try settings(plan.axes, plan.design, base)
    let rows = try measure(settings).enumerated().map { place, estimates in
      let point = plan.design.points[place]
      return SweepRow(
        values: zip(plan.axes, point).map { $0.text($1) }, places: point.map(\.plotted),
        estimates: estimates)
    }
    let sweep = Sweep(
      axes: plan.axes.map(\.path), rows: rows,
      measured: MeasuredFigures(base.figures, asked: figure))
    let asked = figure.enumerated().filter { !figure[..<$0].contains($1) }.map(\.element)
    let shown = asked.isEmpty ? base.figures.choices.sweep : asked
    let page = try options.page(plotly) { mode, source in
      SweepPage.html(
        sweep, scenario: base.name, replications: replications, figures: shown, plotly: mode,
        source: source, set: options.set)
    }
    try ExperimentFolder.write(
      [("sweep.csv", sweep.csv), ("report.html", page)], to: folder)
    try options.show(SweepText.json(sweep, set: options.set)) { terminal in
      SweepText.text(
        sweep, scenario: base.name, replications: replications, figures: shown, folder: folder,
        width: terminal.width, colour: terminal.colour)
    }
  }

  /// What each point sets. The scenarios of all points are read first, so that everything that is
  /// wrong with any of them is said at once and nothing has run then.
  private func settings(
    _ axes: [SettingAxis], _ design: Design, _ base: Scenario
  ) throws -> [[SettingOverride]] {
    var review = InputReview()
    try checkDistinct(axes, base)
    let settings = try design.points.map { point in
      if Interrupts.requested { throw ExitStatus.stopped() }
      var overrides: [SettingOverride] = []
      do {
        for (axis, coordinate) in zip(axes, point) {
          overrides += try axis.overrides(coordinate, base)
        }
      } catch {
        throw ValidationError("--vary: \(error)")
      }
      try ExperimentOptions.refuseSeed(overrides)
      let there = review.read { () throws(InputErrors) in
        try options.source.load(scenario, overrides)
      }
      if let there { options.note(there) }
      return overrides
    }
    try review.check()
    return settings
  }

  /// Refuses settings that two axes move; ends that cannot be read are judged with the points.
  private func checkDistinct(_ axes: [SettingAxis], _ base: Scenario) throws {
    guard axes.count > 1 else { return }
    var distinct = DistinctSettings(flag: "--vary", word: "varied")
    for axis in axes {
      var given: [String] = []
      let ends: [DesignCoordinate]
      switch axis.values {
      case .list(let words):
        ends = [.choice(0), .choice(words.count - 1)]
        // It may have one value, or begin and end alike.
        given = ((try? axis.overrides(ends[0], base)).flatMap { try? base.targets(of: $0) }) ?? []
      case .range(let low, let high, _, _): ends = [.number(low), .number(high)]
      }
      let read = ends.map { end in
        (try? axis.overrides(end, base)).flatMap { try? options.source.load(scenario, $0) }
      }
      if let low = read[0], let high = read[1] { try distinct.add(low, high, given: given) }
    }
  }

  /// The estimates of all figures at each point.
  private func measure(_ settings: [[SettingOverride]]) throws -> [[Estimate?]] {
    let line = try options.progressLine(plotly)
    let total = settings.count * replications
    let estimates = try settings.enumerated().map { place, overrides in
      let runner = try options.runner(try options.scenario(scenario, overrides), asked: figure)
      let done = try options.reporting(scenario, overrides) {
        try runner.run(0..<replications) {
          line.update(place * replications + $0, of: total)
          return !Interrupts.requested
        }
      }
      guard let done else { throw ExitStatus.stopped() }
      return runner.measured.names.indices.map { row in
        Estimate(done.compactMap { $0.figures[row] })
      }
    }
    ProgressLine.remove()
    return estimates
  }

  /// Points that set the same once, such as shares of an axis with two values.
  private func distinct(_ drawn: Design, _ axes: [SettingAxis], _ base: Scenario) -> Design {
    let design = drawn.distinct { point in
      zip(axes, point).flatMap { axis, coordinate in
        (try? axis.overrides(coordinate, base))?.map { "\($0.path)=\($0.value)" }
          ?? [axis.text(coordinate)]
      }
    }
    if design.points.count < drawn.points.count, !options.quiet {
      complain(
        "pitboss: of \(drawn.points.count) points only \(design.points.count) differ; each is run once"
      )
    }
    return design
  }

  private func makeDesign(_ axes: [DesignAxis], seed: UInt64) throws -> Design {
    let points = points ?? 20
    return switch design {
    case .grid: try Design.grid(axes)
    case .latinHypercube: try Design.latinHypercube(axes, count: points, seed: seed)
    case .sobol: try Design.sobol(axes, count: points)
    }
  }
}
