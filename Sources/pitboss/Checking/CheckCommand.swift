internal import ArgumentParser
internal import Check
internal import EventKernel
internal import Foundation
internal import Programmes
internal import Quantities
internal import Reports
internal import RewardModel
internal import Scenario

/// `pitboss check SCENARIO…`.
struct CheckCommand: ParsableCommand {
  /// How the results are printed.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json
  }

  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Looks for broken promises over many seeded runs, with faults.",
    discussion: """
      Each seed makes a small world of the scenario, of at most 200 members or a market of 1,000 \
      (times check.size), and lets things go wrong: payouts that fail or are lost, requests that \
      come twice, late or out of order, restarts, bans, refunds. Every promise of the program is \
      held against a second reading of the journal. A broken promise is made as small as it can \
      be and written as a scenario that fails by itself.

      Exits with 0 when all promises hold, with 111 when one is broken, no case of a scenario ran, \
      or a kind of fault never happened that should have within these seeds.
      """)

  @Argument(help: "Scenario files, or names in Scenarios/; all of Scenarios/ without any.")
  var scenarios: [String] = []

  @Option(help: ArgumentHelp("Seeds, such as 1..200.", valueName: "first..last"))
  var seeds = "1..100"

  @Option(
    help: ArgumentHelp(
      "Begins no case after this time, such as 60s or 10min; it counts the search for smaller cases.",
      valueName: "time"))
  var budget: String?

  @Option(help: "Processes that run cases; all processors by default.")
  var jobs: Int?

  @Option(
    help: ArgumentHelp(
      "Starts each of them by this command of the shell, such as 'ssh HOST pitboss worker'.",
      valueName: "command"))
  var workers: String?

  @Option(
    help: ArgumentHelp(
      "A process started so that is silent this long is treated as lost.",
      valueName: "seconds"))
  var workerLimit = CaseWorker.silence

  @Flag(help: "Draws the settings, too, from the ranges that they declare.")
  var vary = false

  @Option(
    help: ArgumentHelp(
      "A file of JUnit XML for build servers: a test case a promise.", valueName: "file"))
  var junit: String?

  @Option(help: "How the results are printed.")
  var format: Format?

  @Option(help: "The folder for the smallest failing cases; Results/check by default.")
  var out: String?

  @Flag(inversion: .prefixedNo, help: "Makes failing cases small.")
  var shrink = true

  @Option(
    help: ArgumentHelp(
      "Overrides a setting; may be repeated.", valueName: "path.to.key=value"))
  var set: [String] = []

  @Option(help: "Whether progress is shown on standard error.")
  var progress: ProgressMode?

  private func printed() throws -> Format { try chosen(format, "FORMAT", .text) }
  private func shown() throws -> ProgressMode { try chosen(progress, "PROGRESS", .auto) }

  func validate() throws {
    _ = try range()
    _ = try seconds()
    _ = try (printed(), shown())
    if let jobs, !(1...256).contains(jobs) {
      throw ValidationError("--jobs is \(jobs); write a number from 1 to 256")
    }
    try WorkerOptions.check(limit: workerLimit)
    if workers == nil, workerLimit != CaseWorker.silence {
      throw ValidationError("--worker-limit is for --workers; add that, or leave it out")
    }
    if junit == "" { throw ValidationError("--junit is empty; give a file") }
    if out == "" { throw ValidationError("--out is empty; give a folder") }
    if out != nil, !shrink {
      throw ValidationError(
        "--out is the folder of what is made small; leave it out, or --no-shrink")
    }
  }

  func run() throws {
    Interrupts.end()
    let sources = try files().map { try Self.source($0, set: set) }
    if vary, sources.allSatisfy(\.isAsWritten) {
      throw ValidationError(
        "--vary draws nothing for scenarios with check.as_written; leave it out")
    }
    var output = CampaignOutput(folder: shrink ? out ?? "Results/check" : nil, junit: junit)
    do {
      try output.probe()
    } catch let failure as CampaignFailure {
      complain("pitboss: \(failure)")
      throw ExitStatus.ioFailed
    }
    Interrupts.listen(finishing: .cases)
    // A process that ended is noticed by its answer, which does not come.
    signal(SIGPIPE, SIG_IGN)
    var campaign = Campaign(
      sources: sources, settings: set, seeds: try range(), varies: vary,
      jobs: jobs ?? Processors.usable, budget: try seconds(),
      worker: worker)
    campaign.shrinks = shrink
    let line = ProgressLine(try shown())
    let began = ContinuousClock.now
    var outcome = campaign.run { done, total, broken in
      line.show(Double(done) / Double(total)) { seconds in
        let rate = seconds > 0 ? Int64(Double(done) / seconds) : 0
        return "\(Int64(done).grouped) of \(Int64(total).grouped) cases  \(rate.grouped)/s"
          + (broken > 0 ? "  \(broken) broken" : "")
      }
      return !Interrupts.requested
    }
    ProgressLine.remove()
    let elapsed = (ContinuousClock.now - began) / .seconds(1)
    if shrink {
      let end = campaign.budget.map { began + .seconds($0) }
      self.shrink(&outcome.results, sources, &output, until: end)
    }
    let report = CampaignReport(outcome, programmes: Self.programmes, seconds: elapsed)
    let isWritten = tell(report, campaign, output)
    if report.interrupted, report.broken == 0 { throw ExitStatus.interrupted }
    // What was found outweighs what failed.
    if report.broken > 0 { throw ExitStatus.invariantViolated }
    if report.memoryWasRefused { throw ExitStatus.memoryRefused }
    if report.failure != nil || !isWritten { throw ExitStatus.ioFailed }
    if !report.passed { throw ExitStatus.invariantViolated }
  }

  /// Prints the report and writes JUnit, each whatever becomes of the other; whether both went well.
  private func tell(
    _ report: CampaignReport, _ campaign: Campaign, _ output: CampaignOutput
  ) -> Bool {
    var isWritten = true
    do {
      try output.write(report)
    } catch {
      // It says so itself, as the next one does.
      isWritten = false
    }
    do {
      try printResult(
        try printed() == .json
          ? report.json()
          : CampaignText.text(report, of: campaign, width: Terminal.current.width))
    } catch {
      isWritten = false
    }
    if let failure = report.failure { complain("pitboss: \(failure)") }
    if report.interrupted {
      complain("pitboss: interrupted; the results are those of \(report.casesDone)")
    }
    return isWritten
  }

  /// Programs whose promises are checked, by id.
  static let programmes = Dictionary(
    uniqueKeysWithValues: Programmes.all.compactMap { programme in
      (programme as? any CheckedProgramme.Type).map { (programme.id, $0) }
    })

  /// The binary that runs now.
  private static let program =
    Bundle.main.executableURL
    ?? URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()

  /// Makes what runs cases.
  private var worker: @Sendable () -> CaseWorker {
    let (command, silence) = (workers, workerLimit)
    return {
      command.map { CaseWorker(command: $0, silence: silence) }
        ?? CaseWorker(program: Self.program, arguments: [CheckWorkerCommand.name])
    }
  }

  /// Finds the smallest case of each finding, and writes it. Where that fails the finding says so.
  ///
  /// - Parameter end: When the budget is used up; what is left of it is shared among the findings.
  private func shrink(
    _ results: inout [Campaign.Result], _ sources: [CampaignSource],
    _ output: inout CampaignOutput, until end: ContinuousClock.Instant?
  ) {
    let worker = self.worker()
    defer { worker.stop() }
    var left = results.reduce(0) { $0 + $1.found.count }
    for row in results.indices {
      for place in results[row].found.indices {
        let found = results[row].found[place]
        let rest = end.map { ($0 - ContinuousClock.now) / .seconds(1) / Double(left) }
        left -= 1
        do {
          var shrinker = try Shrinker(
            worker, sources[row].whole(found.first), found.answer,
            seconds: min(rest ?? .infinity, Shrinker.secondsMost),
            isStopped: { Interrupts.requested })
          defer { results[row].found[place].mayBeSmaller = shrinker.isCut }
          results[row].found[place].smallest = try output.write(
            try shrinker.run(), of: found, attempts: shrinker.attempts)
        } catch {
          let why = CampaignFailure.words(of: error)
          results[row].found[place].notSmaller = why
          complain("pitboss: \(found.invariant): no smaller case: \(DisplayText.safe(why))")
        }
      }
    }
  }

  // MARK: - What was asked for

  private func files() throws -> [String] {
    guard scenarios.isEmpty else {
      let files = try reportingFailures { try scenarios.map { try ScenarioPlaces.resolve($0) } }
      return Self.once(files)
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: ScenarioPlaces.folder)) ?? []
    let files = names.filter { $0.hasSuffix(".yaml") }.sorted().map {
      "\(ScenarioPlaces.folder)/\($0)"
    }
    guard !files.isEmpty else {
      throw ValidationError("there is no \(ScenarioPlaces.folder)/ here; name scenario files")
    }
    return files
  }

  /// Each file once: a second time its seeds make the same cases.
  private static func once(_ files: [String]) -> [String] {
    var seen: Set<String> = []
    return files.filter { file in
      let isFirst = seen.insert(URL(fileURLWithPath: file).standardizedFileURL.path).inserted
      if !isFirst { complain("pitboss: \(file) is given more than once; it is checked once") }
      return isFirst
    }
  }

  /// Reads a scenario, once for all its cases, and refuses what cannot be read before anything is run.
  ///
  /// The environment's settings are those of its cases, and `--set` wins over them. A file that is
  /// checked as written has none of them: it is the same case everywhere.
  static func source(_ file: String, set: [String]) throws -> CampaignSource {
    let environment = ProcessInfo.processInfo.environment
    var settings = SettingOverride.texts(environment: environment)
    let (text, scenario) = try reportingFailures { () -> (String, Scenario) in
      let bytes = try Scenario.bytes(path: file)
      let alone = try? Scenario.load(bytes: bytes, file: file, overrides: [], environment: [:])
      let isStored = alone?.check.asWritten == true
      if isStored, !settings.isEmpty {
        complain("\(file) is checked as written, without the settings of PITBOSS_SET")
        settings = []
      }
      let scenario = try Scenario.load(
        bytes: bytes, file: file, overrides: set.map { SettingOverride(argument: $0) },
        environment: isStored ? [:] : environment)
      try CheckedKinds.requireFaults(of: scenario)
      for sentence in IdleNotes.sentences(scenario.idleInChecks + CheckedKinds.idle(in: scenario)) {
        complain("\(file): \(sentence)")
      }
      return (String(decoding: bytes, as: UTF8.self), scenario)
    }
    guard programmes[scenario.programme.id] != nil else {
      complain("\(file): the promises of \(scenario.programme.name) are not checked")
      throw ExitStatus.badInput
    }
    let type = try? URL(fileURLWithPath: file).resolvingSymlinksInPath()
      .resourceValues(forKeys: [.isRegularFileKey]).isRegularFile
    return CampaignSource(
      file, text: text, scenario: scenario, settings: settings,
      isReadOnce: type != true || file.hasPrefix("/dev/"))
  }

  private func range() throws -> ClosedRange<UInt64> {
    let ends = seeds.split(separator: "..", omittingEmptySubsequences: false).map { UInt64($0) }
    guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil else {
      throw ValidationError("--seeds is '\(seeds)'; write first..last, such as 1..200")
    }
    guard first <= last else {
      throw ValidationError(
        "--seeds is '\(seeds)', which ends before it begins; write \(last)..\(first)")
    }
    guard last - first < 1_000_000_000 else {
      throw ValidationError("--seeds is '\(seeds)'; keep it at 1,000,000,000 seeds or fewer")
    }
    return first...last
  }

  private func seconds() throws -> Double? {
    guard let budget else { return nil }
    let units: [(String, Double)] = [("min", 60), ("s", 1), ("h", 3_600)]
    for (unit, factor) in units where budget.hasSuffix(unit) {
      let number = budget.dropLast(unit.count).trimmingCharacters(in: .whitespaces)
      guard let value = Double(number), value > 0, value.isFinite else { continue }
      guard value * factor <= 1e9 else {
        throw ValidationError("--budget is '\(budget)'; keep it at 277,777 h or less")
      }
      return value * factor
    }
    throw ValidationError("--budget is '\(budget)'; write a time such as 60s, 10min or 2h")
  }
}

/// The process that runs cases for `check`; nobody calls it by hand.
struct CheckWorkerCommand: ParsableCommand {
  static let name = "check-worker"

  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Runs cases that it reads, for 'check'.", shouldDisplay: false)

  func run() throws {
    // Whoever stops 'check' may stop all of its processes; it ends this one when its last case is done.
    for name in [SIGHUP, SIGINT, SIGTERM] { signal(name, SIG_IGN) }
    try CaseWorker.serve()
  }
}
