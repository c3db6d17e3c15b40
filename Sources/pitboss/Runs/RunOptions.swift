internal import ArgumentParser
internal import Foundation
internal import Logging
internal import Reports
internal import RewardModel
internal import RunStore
internal import Scenario

/// How results are printed.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  case text, json
}

extension PlotlyMode: ExpressibleByArgument {
  /// What `--plotly` is for.
  static let help = ArgumentHelp(
    "How the page loads plotly.js: from a file next to it (a run's page by default), from within it (all "
      + "other pages), or from the network.")
}

/// What `run`, `resume` and `backtest` have in common.
struct RunOptions: ParsableArguments {
  @Option(help: "What is printed: a summary for people, or summary.json.")
  var format: OutputFormat?

  @Option(help: "When the progress line is shown.")
  var progress: ProgressMode?

  @Option(help: PlotlyMode.help)
  var plotly: PlotlyMode?

  @Flag(help: "Prints nothing but errors; the files are written all the same.")
  var quiet = false

  /// Looks at what the environment says before the run, not when it is to be written.
  func checkEnvironment() throws {
    _ = try chosen(format, "FORMAT", .text)
    _ = try chosen(progress, "PROGRESS", .auto)
    _ = try chosen(plotly, "PLOTLY", .directory)
  }

  /// Runs something with progress and interrupts; adds how it went on this machine. The record has
  /// no fingerprint before it is written.
  ///
  /// - Parameter seconds: What the run had taken before.
  func timed<Record: ProgrammeRecord>(
    threads: Int, after seconds: Double = 0, _ body: ((RunProgress) -> Bool) throws -> Record
  ) throws -> Record {
    try checkEnvironment()
    let line = try ProgressLine(progress, isQuiet: quiet, isResumed: seconds > 0)
    Interrupts.listen()
    PlotlyPlaces.prepare(try chosen(plotly, "PLOTLY", .directory))
    let clock = ContinuousClock()
    let began = clock.now
    var record = try body { progress in
      line.update(progress)
      return !Interrupts.requested
    }
    ProgressLine.remove()
    let elapsed = clock.now - began
    record.timing.wallSeconds =
      seconds + Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    record.timing.threads = threads
    record.timing.peakMemoryBytes = Self.peakMemoryBytes
    return record
  }

  /// Writes the run folder, prints the result and ends with the right exit code.
  ///
  /// - Parameter checkpoints: Those of the run: they are removed when it has ended, and where it was
  ///   interrupted it can go on from them.
  func finish<Plan: RunPlan>(
    _ plan: Plan, _ record: Plan.Programme.Record, scenario: Scenario,
    folder wanted: String, members: RunFolder.ExtraFile? = nil,
    checkpoints: CheckpointFolder? = nil
  ) throws {
    var record = record
    record.header.thresholds = scenario.expect.verdicts(Plan.Programme.self, record)
    let keepsEarlier = record.interrupted && RunFolder.holdsCompleteRun(wanted)
    let folder = keepsEarlier ? RunFolder.interruptedPath(wanted, for: Plan.Programme.self) : wanted
    let format = try chosen(format, "FORMAT", .text)
    let mode = try chosen(plotly, "PLOTLY", .directory)
    // A page that loads the script itself needs none, and looking for it takes time.
    let source =
      mode == .cdn ? nil : PlotlyPlaces.source(mode, for: "report.html", isQuiet: quiet)
    let extra = { @Sendable (record: Plan.Programme.Record) in
      let report = HTMLReport.files(
        Plan.Programme.self, record, plotly: mode, source: source,
        links: RunFolder.files(of: Plan.Programme.Record.self) + ["scenario.yaml"]
          + (members.map { [$0.name] } ?? []))
      return report.map { RunFolder.ExtraFile(name: $0.name, contents: $0.contents) } + [
        RunFolder.ExtraFile(name: "scenario.yaml", contents: Data(scenario.yaml.utf8))
      ] + (members.map { [$0] } ?? [])
    }
    let summary: String
    (record, summary) = try reportingFailures {
      try RunFolder.write(record, to: folder, extra: extra)
    }
    if !record.interrupted { checkpoints?.remove() }
    Log.pitboss.info("wrote the run folder", metadata: ["folder": "\(folder)"])
    switch format {
    case _ where quiet: break
    case .json: try printResult(summary, interrupted: record.interrupted)
    case .text:
      try printResult(
        Self.text(Plan.Programme.self, record, folder: folder), interrupted: record.interrupted)
    }
    if record.interrupted {
      complain(
        record.start == record.end
          ? "pitboss: interrupted before \(record.start), where the figures begin; \(folder) has none"
          : "pitboss: interrupted; \(folder) holds the run up to \(record.end)")
      if keepsEarlier {
        complain("pitboss: \(wanted) still holds the earlier run, which is complete")
      }
      if checkpoints != nil {
        complain("pitboss: 'pitboss resume \(ShellText.word(wanted))' goes on from there")
      }
      throw ExitStatus.interrupted
    }
    let missed = record.thresholds.filter { !$0.holds }
    for miss in missed {
      complain(
        "pitboss: missed threshold: "
          + ThresholdWords.line(miss, of: record.header, Plan.Programme.figures))
    }
    if !missed.isEmpty { throw ExitStatus.thresholdMissed }
  }

  /// The summary for people, colored on a terminal unless `NO_COLOR` is set.
  static func text<P: RewardProgramme>(
    _ programme: P.Type, _ record: P.Record, folder: String
  ) -> String {
    let terminal = Terminal.current
    return TerminalSummary.text(
      programme, record, folder: folder, width: terminal.width, colour: terminal.colour)
  }

  /// The largest resident memory so far.
  private static var peakMemoryBytes: Int64 {
    var usage = rusage()
    #if os(Linux)
      getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
      return Int64(usage.ru_maxrss) * 1_024
    #else
      getrusage(RUSAGE_SELF, &usage)
      return Int64(usage.ru_maxrss)
    #endif
  }
}
