internal import ArgumentParser
internal import EventKernel
internal import Experiments
internal import Foundation
internal import Population
internal import Quantities
internal import Reports
internal import RewardModel
internal import Scenario
internal import Workers

/// Which models `calibrate` fits.
enum CalibratedModel: String, CaseIterable, ExpressibleByArgument {
  case bgNbd = "bg_nbd"
  case mbgNbd = "mbg_nbd"
  case paretoNbd = "pareto_nbd"
  case all

  var models: [PurchaseModel] {
    PurchaseModel(rawValue: rawValue).map { [$0] } ?? PurchaseModel.allCases
  }
}

/// `pitboss calibrate HISTORY`.
struct CalibrateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "calibrate",
    abstract:
      "Fits a scenario to real history: buying, leaving, sign-ups and all else that it tells.",
    discussion: """
      BG/NBD, MBG/NBD and Pareto/NBD, or with --erlang K BG/CNBD-k and MBG/CNBD-k, by maximum likelihood, from the history's purchases, \
      time in weeks since the member's first. Every purchase with a clock time counts; a bare date \
      is a day, on which a member's purchases count once. What was bought after --until is forecast, not fitted, and shown next to what happened. Prints the \
      population.purchase block of a scenario.

      Besides, up to --until: sign-ups (a Bass curve where they turn off, else the months), what a \
      purchase brings, how much of it is used and when, hours, weekdays and months of purchases, who \
      brings whom, each with a 95 % interval; and the levels that members have reached next to \
      those of a simulation with what was fitted. --out has a scenario with all of it, marked as \
      sourced. What the history does not tell is said and left at its default.
      """)

  @Argument(help: "A CSV file with the header of the program's histories.")
  var history: String

  @OptionGroup var programme: ProgrammeOption

  @OptionGroup var workers: WorkerOptions

  @Option(
    help: ArgumentHelp(
      "Last local day of the calibration: YYYY-MM-DD. The history's last day by default.",
      valueName: "date"))
  var until: String?

  @Option(
    help: ArgumentHelp(
      "Last local day of the holdout: YYYY-MM-DD. The history's last day by default.",
      valueName: "date"))
  var holdout: String?

  @Option(help: "The model: bg_nbd, mbg_nbd, pareto_nbd or all.")
  var model = CalibratedModel.all

  @Option(
    help:
      "Phases of a gap between purchases: 1 for gaps at random, more for regular ones (not Pareto)."
  )
  var erlang = 1

  @Option(help: "IANA name of the time zone in which days are counted.")
  var zone = "America/New_York"

  @Flag(
    inversion: .prefixedNo,
    help: """
      Whether the fitted scenario is simulated over the same days, to tell what of the latest \
      purchases is still to be used, and to compare levels.
      """)
  var simulation = true

  @Option(help: "What is printed: tables for people, or JSON with every figure.")
  var format: OutputFormat?

  @Option(
    help: ArgumentHelp(
      "A folder for calibration.json, calibration.html, purchase.yaml, and a scenario with what the fits leave uncertain; none by default.",
      valueName: "folder"))
  var out: String?

  @Option(help: PlotlyMode.help)
  var plotly: PlotlyMode?

  func validate() throws {
    guard (1...100).contains(erlang) else {
      throw ValidationError("--erlang is \(erlang); write a number from 1 to 100")
    }
    if erlang > 1, model == .paretoNbd {
      throw ValidationError("--erlang: Pareto/NBD has gaps at random; leave it out or fit mbg_nbd")
    }
  }

  func run() throws {
    Interrupts.end()
    let format = try chosen(format, "FORMAT", .text)
    let end = try date(until, "--until")
    let close = try date(holdout, "--holdout")
    do {
      _ = try InstantParser(zone: zone)
    } catch {
      throw ValidationError("--zone: \(error)")
    }
    if let out {
      _ = try chosen(plotly, "PLOTLY", .inline)
      try ExperimentFolder.check(out)
    }
    let history = try reportingFailures {
      try History.read(programme.programme.history, path: self.history, zone: zone)
    }
    let report: CalibrationReport
    do {
      let sample = try CalibrationSample(history, zone: zone, until: end, holdout: close)
      report = try CalibrationReport(sample, models: model.models, shape: erlang)
    } catch {
      complain("\(self.history): \(error)")
      throw ExitStatus.badInput
    }
    let source = URL(fileURLWithPath: self.history).lastPathComponent
    let whole = try self.whole(history, report, source)
    let json = CalibrationJSON.text(report, source: source, whole: whole)
    if let out {
      let page = try ExperimentFolder.page(plotly, isQuiet: false) { mode, script in
        CalibrationPage.page(
          report, source: source, whole: whole, plotly: mode, script: script)
      }
      // From here on all of it is there, and is written.
      Interrupts.listen()
      try ExperimentFolder.write(
        [
          ("calibration.json", json), (CalibrationPage.name, page),
          (
            "purchase.yaml",
            PurchaseBlock.yaml(report, report.chosen, contained: whole.contained)
          ),
        ] + CalibrationScenario(whole).files(), to: out)
    }
    switch format {
    case .json: try printResult(json)
    case .text:
      let terminal = Terminal.current
      try printResult(
        CalibrationText.text(
          report, source: source, whole: whole, width: terminal.width, colour: terminal.colour))
    }
  }

  /// All that the history tells, compared with a simulation of it.
  private func whole(
    _ history: History, _ report: CalibrationReport, _ source: String
  ) throws -> Calibration {
    var whole: Calibration
    do {
      whole = try Calibration(
        history, of: programme.programme, report, source: DisplayText.safe(source))
    } catch {
      complain("\(self.history): \(error)")
      throw ExitStatus.badInput
    }
    guard simulation else { return whole }
    do {
      let own = Processors.usable
      try whole.compare(threads: workers.requests ?? own, maker: workers.maker)
    } catch let lost as WorkersFailure {
      throw WorkerOptions.exit(lost)
    }
    return whole
  }

  private func date(_ text: String?, _ flag: String) throws -> CivilDate? {
    guard let text else { return nil }
    guard let date = CivilDate(text) else {
      throw ValidationError("\(flag): '\(text)' is not a date; write YYYY-MM-DD, as in 2026-01-31")
    }
    return date
  }
}
