internal import ArgumentParser

/// The command line: parse, call, print.
@main
struct Pitboss: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pitboss",
    abstract: "Simulates reward programs: what they cost, and whether their rules hold.",
    discussion: """
      Results go to standard output; progress, warnings and errors to standard error. \
      PITBOSS_LOG=info (or debug) tells more.

      Exit codes: 0 all well; 64 usage; 65 bad input file; 74 input or output failed; \
      99 a threshold of 'expect' missed, or nothing found by solve or choose; \
      111 an invariant violated; 130 interrupted (what was computed is kept).
      """,
    version: "0.1.0",
    subcommands: [
      RunCommand.self, BacktestCommand.self, ProjectCommand.self, CompareCommand.self,
      SweepCommand.self, SolveCommand.self, SensitivityCommand.self, ChooseCommand.self,
      CalibrateCommand.self, ShowCommand.self,
      InsightsCommand.self, ReportCommand.self, ScenarioCommand.self, SchemaCommand.self,
    ])
}
