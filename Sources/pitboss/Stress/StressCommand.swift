internal import ArgumentParser
internal import EventKernel
internal import Foundation
internal import LoadTest
internal import Programmes
internal import Quantities
internal import RewardModel
internal import Scenario

extension Arrivals.Spacing: ExpressibleByArgument {}

/// `pitboss stress SCENARIO --target engine`; see `StressCommand+Load` for a service.
struct StressCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stress",
    abstract: "Puts the rules of a scenario, or a service, under load.",
    discussion: """
      --target engine: the scenario is simulated once for the requests that its own members make. They are committed \
      to the rules one by one, as fast as it goes, then at the rates of --rate; at last the scenario \
      is simulated with more and more threads.

      --target URL: what the scenario's members do is sent to a service over HTTP. Sessions start \
      when they are meant to, whatever becomes of those before them; --rate is how many start a \
      second. A service of 'pitboss serve' on this machine is given by its folder, too: --data. \
      Exit code 99 when a --threshold is missed, or when not even the lowest rate of --find-knee \
      meets its conditions; 111 when the audit finds something; 74 when the service is not there or \
      does not keep answering. Other errors fail no load without a --threshold.

      A rate counts as offered when at most 1 % of its requests started more than 10 ms late or not \
      at all. Otherwise the exit code is 112: the rate is too high, or the machine too busy.
      """)

  @Argument(help: "A scenario file, or the name of one in Scenarios/.")
  var scenario: String

  @OptionGroup var source: ScenarioOptions

  @Option(
    help: "What is put under load: engine, the rules in process, or the address of a service.")
  var target = "engine"

  @Option(
    help: ArgumentHelp(
      "Requests a second to offer to the engine, one rate after the other; none by default. Sessions a second to start at a service, one rate.",
      valueName: "n,n,..."))
  var rate: String?

  @Option(help: "For how long each rate is offered.")
  var seconds = 10.0

  @Option(help: "How the starts of requests are spaced at a given rate.")
  var arrivals = Arrivals.Spacing.poisson

  @Option(help: "Rounds as fast as it goes, after one to warm up; runs of the world, too.")
  var rounds = 5

  @Option(help: "At most so many of the scenario's requests, the first ones.")
  var requests = 1_000_000

  @Option(help: "The world is run with 1, 2, 4 … threads up to this. All processors by default.")
  var threads: Int?

  @OptionGroup(title: "A service under load") var load: LoadOptions

  @OptionGroup(title: "What a load of a service leaves") var files: LoadFileOptions

  @Option(
    help: "The folder of what is measured; Results/stress-NAME, load-NAME or knee-NAME by default.")
  var out: String?

  @Option(help: "What is printed: text for people, or stress.json, load.json or knee.json.")
  var format: OutputFormat?

  @Option(help: "When the progress line is shown.")
  var progress: ProgressMode?

  @Flag(help: "Prints nothing but errors; files are written all the same.")
  var quiet = false

  func validate() throws {
    _ = try rates()
    if !Arrivals.lengths.contains(seconds) {
      throw ValidationError("--seconds is \(seconds); write a number from 0.05 to 3600")
    }
    if !(2...1_000).contains(rounds) {
      throw ValidationError("--rounds is \(rounds); write a number from 2 to 1000")
    }
    if target != "engine", !target.contains("://") {
      throw ValidationError(
        "--target is '\(target)'; write engine, or an address like http://127.0.0.1:8080")
    }
    if !(1...100_000_000).contains(requests) {
      throw ValidationError("--requests is \(requests); write a number from 1 to 100000000")
    }
    try checkTogether()
    if let threads, !(1...256).contains(threads) {
      throw ValidationError("--threads is \(threads); write a number from 1 to 256")
    }
  }

  /// The rates that were asked for.
  func rates() throws -> [Double] {
    guard let rate else { return [] }
    return try rate.split(separator: ",", omittingEmptySubsequences: false).map { text in
      guard let value = Double(text), Arrivals.rates.contains(value) else {
        throw ValidationError(
          "--rate: '\(text)' is not a rate; write requests a second from 1 to 10000000, as in "
            + "50000,100000")
      }
      guard value * seconds <= Double(Arrivals.limit) else {
        throw ValidationError(
          "--rate: \(text) for \(seconds) seconds are more than \(Arrivals.limit.grouped) requests; "
            + "give fewer --seconds")
      }
      return value
    }
  }

  func run() throws {
    Interrupts.end()
    let scenario = try source.scenario(scenario)
    if target != "engine" { return try sendLoad(to: target, scenario) }
    let format = try chosen(format, "FORMAT", .text)
    let folder = out ?? "Results/stress-\(scenario.folderName)"
    try ExperimentFolder.check(folder)
    Interrupts.listen()
    let plan: any RunPlan
    do {
      plan = try scenario.plan()
    } catch {
      complain("pitboss: \(error)")
      throw ExitStatus.badInput
    }
    let result = try reporting(scenario) { try stress(plan) }
    ProgressLine.remove()
    let json = EngineDocument.json(result)
    try ExperimentFolder.write([("stress.json", json)], to: folder)
    if !quiet {
      let terminal = Terminal.current
      switch format {
      case .json: try printResult(json)
      case .text:
        try printResult(
          EngineText.text(
            result, folder: folder, width: terminal.width, colour: terminal.colour))
      }
    }
    guard result.rejected.isEmpty else {
      let rates = result.rejected.map { GivenNumber.text($0.rate) }.joined(separator: "; ")
      complain(
        "pitboss: not offered, as over 1 % of the starts were late or unsent: \(rates) a second")
      throw ExitStatus.rateNotOffered
    }
  }

  private func stress<Plan: RunPlan>(_ plan: Plan) throws -> EngineResult {
    guard let programme = Plan.Programme.self as? any StressedProgramme.Type else {
      let able = Programmes.all.filter { $0 is any StressedProgramme.Type }.map { $0.id }
      throw ValidationError(
        "'\(Plan.Programme.id)' answers no single requests, so there is nothing to put under load; "
          + "take a scenario of \(able.joined(separator: ", "))")
    }
    return try stress(programme, plan)
  }

  private func stress<P: StressedProgramme>(
    _ programme: P.Type, _ plan: some RunPlan
  ) throws -> EngineResult {
    guard let settings = plan.settings as? P.Settings else {
      fatalError("the settings are of another program than \(P.id)")
    }
    let line = try ProgressLine(progress, isQuiet: quiet)
    let rates = try rates()
    let most = threads ?? Processors.usable
    let runs = rounds * WorldScaling.threads(upTo: most).count
    let steps = Double(1 + rounds + 1 + rates.count + runs)
    func show(_ done: Double, _ words: String) -> Bool {
      line.show(done / steps) { _ in words }
      return !Interrupts.requested
    }
    let engine = try P.engine(plan.frame, settings, threads: most, limit: requests) { progress in
      show(progress.done, "simulating the requests")
    }
    if Interrupts.requested { throw stopped() }
    guard engine.count > 0 else {
      complain("\(scenario): its members make no request; give it members or more days")
      throw ExitStatus.badInput
    }
    let load = EngineLoad(engine)
    var measured: [EngineRound] = []
    for round in 0...rounds {
      guard show(Double(1 + round), "round \(round) of \(rounds)") else { throw stopped() }
      let (result, _) = try load.round()
      if round > 0 { measured.append(result) }
    }
    var paced: [PacedRate] = []
    for (place, rate) in rates.enumerated() {
      guard show(Double(2 + rounds + place), "\(GivenNumber.text(rate))/s") else { throw stopped() }
      let arrivals = Arrivals(arrivals, rate: rate, seconds: seconds, seed: plan.frame.seed)
      paced.append(try load.paced(arrivals) { !Interrupts.requested }.rate)
    }
    let scaling = try WorldScaling(plan, upTo: most, rounds: rounds) { done, _ in
      show(steps - Double(runs - done), "run \(done + 1) of \(runs) of the world")
    }
    guard let scaling else { throw stopped() }
    return EngineResult(
      scenario: plan.frame.scenario, programme: P.id, seed: plan.frame.seed,
      counted: P.Engine.counted, requests: engine.count, end: engine.end, spacing: arrivals,
      rounds: measured, rates: paced, scaling: scaling,
      processors: Processors.usable)
  }

  func stopped() -> ExitCode {
    complain("pitboss: interrupted; nothing was written")
    return ExitStatus.interrupted
  }

  /// Runs the stress; what the scenario's numbers run into becomes a message and an exit code.
  private func reporting(
    _ scenario: Scenario, _ body: () throws -> EngineResult
  ) throws -> EngineResult {
    do {
      return try body()
    } catch let limit as any ProgrammeLimit {
      complain("\(self.scenario): \(limit)")
      throw ExitStatus.badInput
    } catch let error as MoneyError {
      complain("\(self.scenario): \(error); lower the amounts or the number of members")
      throw ExitStatus.badInput
    } catch let violation as Violation {
      complain("pitboss: \(violation)")
      complain(source.replay(self.scenario, seed: scenario.seed, threads: 1))
      throw ExitStatus.invariantViolated
    }
  }
}
