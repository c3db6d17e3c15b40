internal import ArgumentParser
internal import Experiments
internal import Foundation
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
      """)

  @Argument(help: "A scenario file, or the name of one in Scenarios/.")
  var scenario: String

  @OptionGroup var options: ExperimentOptions

  @Option(help: "How many replications of each.")
  var replications = 30

  @Option(help: "The folder of the results; Results/worth-NAME by default.")
  var out: String?

  func validate() throws {
    if !(2...100_000).contains(replications) {
      throw ValidationError("--replications is \(replications); write a number from 2 to 100000")
    }
  }

  func run() throws {
    let base = try options.scenario(scenario)
    guard let without = base.withoutRewards else {
      throw ValidationError(
        "\(scenario): its program does not say what a scenario is without rewards")
    }
    let removed = without.settings.map {
      SettingOverride(argument: "\($0.path)=\($0.value)", source: "worth")
    }
    let plain = try options.scenario(scenario, removed)
    let folder = out ?? "Results/worth-\(base.folderName)"
    try ExperimentFolder.check(folder)
    let count = replications
    let line = try options.progressLine()
    Interrupts.listen()
    let runs = try [base, plain].enumerated().map { place, side in
      let runner = try options.runner(side)
      let done = try options.reporting(scenario, place == 0 ? [] : removed) {
        try runner.seeded(base.seed).run(0..<count) {
          line.update(place * count + $0, of: 2 * count)
          return !Interrupts.requested
        }
      }
      guard let done else { throw ExitStatus.stopped() }
      return done
    }
    ProgressLine.remove()
    let worth = try RewardWorth(
      with: runs[0], without: runs[1], settings: ScenarioComparison.differences(base, plain))
    let currency = base.figures.currency.code
    let json = WorthText.json(worth, scenario: base.name, currency: currency)
    try ExperimentFolder.write(
      [("worth.json", json), ("worth.csv", WorthText.csv(worth))], to: folder)
    try options.show(json) { terminal in
      WorthText.text(
        worth, scenario: base.name, response: without.response, currency: currency,
        folder: folder, colour: terminal.colour)
    }
  }
}
