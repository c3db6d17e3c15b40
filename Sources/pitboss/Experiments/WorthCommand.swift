internal import ArgumentParser
internal import Experiments
internal import Foundation
internal import Programmes
internal import Quantities
internal import Reports
internal import RewardModel
internal import Scenario

/// `pitboss worth SCENARIO`.
struct WorthCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worth",
    abstract: "Says whether a program pays: what it adds to gross profit, less all that it costs.",
    discussion: """
      The scenario is compared with the same population without rewards, replication by \
      replication with the same random numbers. How much less members buy without rewards is what \
      the scenario assumes of their response; see Documentation/response.md.

      Also shows what groups of members and each month's sign-ups bring, and what the accounts hold and \
      lack. With --break-even population.response.least=0.05..1 it looks for the value of one setting at \
      which the program adds as much as it costs: here, how often members may buy without rewards, where \
      population.response.purchase says that they respond.
      """)

  @Argument(help: "A scenario file, or the name of one in Scenarios/.")
  var scenario: String

  @OptionGroup var options: ExperimentOptions

  @Option(help: "How many replications of each.")
  var replications = 30

  @Option(
    help: ArgumentHelp(
      "The setting to search for where the program breaks even.", valueName: "path=lo..hi"))
  var breakEven: String?

  @Option(
    help:
      "Most replications of each value of --break-even, and as many to confirm it; 100 by default.")
  var most: Int?

  @Option(
    help: "How close the answer to --break-even has to be, as a share of it; 0.02 by default.",
    transform: FigureOption.share)
  var tolerance: Double?

  @Option(help: "The folder of the results; Results/worth-NAME by default.")
  var out: String?

  @Option(help: PlotlyMode.help)
  var plotly: PlotlyMode?

  func validate() throws {
    if !(2...100_000).contains(replications) {
      throw ValidationError("--replications is \(replications); write a number from 2 to 100000")
    }
    if let most, !(10...100_000).contains(most) {
      throw ValidationError("--most is \(most); write a number from 10 to 100000")
    }
    if let tolerance, !(tolerance > 0 && tolerance < 1) {
      throw ValidationError("--tolerance is \(tolerance); write a share above 0 and below 1")
    }
    if breakEven == nil, most != nil || tolerance != nil {
      throw ValidationError(
        "\(most != nil ? "--most" : "--tolerance") has an effect on the search of --break-even only; "
          + "add that, or leave it out")
    }
  }

  func run() throws {
    Interrupts.end()
    IdleNotes.leaveOut(varied: [breakEven].compactMap(\.self))
    try options.refusePart("its answers hold every member, too much for files")
    let base = try options.scenario(scenario)
    guard let without = base.withoutRewards else {
      let able = Programmes.all.filter { $0.withoutRewards != nil }.map { $0.name }
      throw ValidationError(
        "\(scenario): \(base.programme.name) does not say what members do without rewards; take a "
          + "scenario of \(able.joined(separator: " or "))")
    }
    let removed = without.settings.map {
      SettingOverride(argument: "\($0.path)=\($0.value)", source: "worth")
    }
    let plain = try options.scenario(scenario, removed)
    let axis = try breakEven.map { try self.axis($0, base, removed) }
    let folder = out ?? "Results/worth-\(base.folderName)"
    try ExperimentFolder.check(folder)
    let line = try options.progressLine(plotly)
    defer { ProgressLine.remove() }
    options.listen()
    let pairs = try self.pairs([], removed, 0..<replications, keepsMembers: true, line)
    let evenness = try axis.map { try search($0.axis, $0.settings, base, removed, line) }
    ProgressLine.remove()
    let worth = try RewardWorth(
      pairs, dates: try options.runner(base).plan.frame.calendar.dates.map(\.description),
      settings: ScenarioComparison.differences(base, plain))
    let words = WorthText.Words(
      scenario: base.name, response: without.response, currency: base.figures.currency.code,
      set: options.set, seed: base.seed)
    let page = try options.page(plotly) { mode, source in
      WorthPage.html(worth, evenness, words, plotly: mode, source: source)
    }
    let files = WorthFiles.all(worth, evenness, words)
    try ExperimentFolder.write(files + [("report.html", page)], to: folder)
    try options.show(files[0].text) { terminal in
      WorthText.text(
        worth, evenness, words, folder: folder, width: terminal.width, colour: terminal.colour)
    }
  }

  /// The setting to search over, of which both sides take the ends.
  private func axis(
    _ text: String, _ base: Scenario, _ removed: [SettingOverride]
  ) throws -> (axis: SettingAxis, settings: RootSettings) {
    do {
      var axis = try SettingAxis(text, forms: [])
      axis.flag = "--break-even"
      axis = try axis.grained(like: base)
      if removed.contains(where: { $0.path == axis.path }) {
        throw ValidationError(
          "--break-even: \(axis.path) is one of the rewards that the program is compared without; "
            + "choose another setting")
      }
      let settings = try BreakEven.settings(
        axis, most: most ?? 100, tolerance: tolerance ?? 0.02)
      try settings.check()
      for value in [settings.ends.low, settings.ends.high] {
        let overrides = try axis.overrides(value, base)
        options.note(try options.scenario(scenario, overrides))
        _ = try options.scenario(scenario, overrides + removed)
      }
      return (axis, settings)
    } catch let refusal as ValidationError {
      throw refusal
    } catch let exit as ExitCode {
      throw exit
    } catch { throw ValidationError("\(error)") }
  }

  /// Pairs with some settings on both sides.
  private func pairs(
    _ overrides: [SettingOverride], _ removed: [SettingOverride], _ numbers: Range<Int>,
    keepsMembers: Bool, _ line: ProgressLine
  ) throws -> [WorthPair] {
    let runner = WorthRunner(
      with: try options.runner(try options.scenario(scenario, overrides)),
      without: try options.runner(try options.scenario(scenario, overrides + removed)),
      keepsMembers: keepsMembers)
    do {
      let pairs = try runner.run(numbers) {
        line.update($0, of: numbers.count)
        return !Interrupts.requested
      }
      guard let pairs else { throw ExitStatus.stopped() }
      return pairs
    } catch let failure as WorthRunner.Failure {
      return try options.reporting(scenario, overrides + (failure.isWithout ? removed : [])) {
        throw failure.cause
      }
    }
  }

  private func search(
    _ axis: SettingAxis, _ settings: RootSettings, _ base: Scenario, _ removed: [SettingOverride],
    _ line: ProgressLine
  ) throws -> BreakEven {
    var sides: [Double: [WorthPair.Sides]] = [:]
    let search = try StochasticRoot.solve(settings) { value, numbers in
      let own = try pairs(
        try axis.overrides(value, base), removed, numbers, keepsMembers: false, line
      ).map(\.whole)
      sides[value, default: []] += own
      return own.map(\.net)
    }
    return BreakEven(
      axis: axis, search: search,
      overrides: { value in
        ((try? axis.overrides(value, base)) ?? []).map { "\($0.path)=\($0.value)" }
      }, sides: { sides[$0] ?? [] })
  }
}
