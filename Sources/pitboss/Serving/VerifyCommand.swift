internal import ArgumentParser
internal import Foundation
internal import Programmes
internal import Quantities
internal import Reports
internal import RewardModel
internal import RunStore
internal import Scenario
internal import Service

/// `pitboss verify RUN` and `pitboss verify SCENARIO --data DIR`, or with `--store postgres://…`.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Audits a run folder's files, or a service's folder against the rules.",
    discussion: """
      Of a run: every file is held against its digest, each batch of rows in run.sqlite against \
      its own, and the summary against the rows, so that a changed bit is found wherever it is. \
      Of a run that has not ended: whether its checkpoints are whole.

      Of a service, with --data or --store: commits the journal again from its first request, by \
      the rules alone, and holds against it every reply that was given, every row of the tables, \
      and what must always hold of the program. The service of a folder has to be stopped; a \
      database is audited as of one instant, while its processes go on.

      Exit code 111 when anything differs.
      """)

  @Argument(
    help: ArgumentHelp(
      "A run folder, or the name of one in Results/; with --data or --store the scenario that is served.",
      valueName: "run-or-scenario"))
  var subject: String

  @OptionGroup var options: PlaceOptions

  @OptionGroup var source: ScenarioOptions

  func validate() throws {
    if !options.isEmpty { try options.refuseSeed(source.seed) }
    guard options.isEmpty, !source.set.isEmpty || source.seed != nil else { return }
    throw ValidationError(
      "a run's own settings are in its folder; "
        + (source.set.isEmpty ? "leave --seed out" : "--set goes with --data or --store"))
  }

  func run() throws {
    guard let place = options.place else { return try auditRun(RunPlaces.resolve(subject)) }
    if let data = options.data,
      !FileManager.default.fileExists(atPath: "\(data)/service.sqlite")
    {
      complain("pitboss: \(ServiceError.missing(path: data))")
      throw ExitStatus.badInput
    }
    try audit(try source.scenario(subject).plan(), place)
  }

  private func auditRun(_ folder: String) throws {
    var folder = folder
    let place = ResumeCommand.resolve(subject)
    var problems: [String] = []
    if CheckpointFolder.exists(for: place) {
      problems = try auditCheckpoints(place)
      // What was interrupted may have left a run folder, too.
      guard RunFolder.isRun(place) else { return try report(problems) }
      folder = place
    }
    // A run whose database is missing or begins wrongly still has its summary.
    let summary = "\(folder)/\(RunFolder.summaryName)"
    if RunFolder.isForeign(folder), !FileManager.default.fileExists(atPath: summary) {
      complain(
        "pitboss: \(folder) is not a run folder; give one, "
          + "or the service's folder with --data to audit a service")
      throw ExitStatus.badInput
    }
    let audit = try reportingFailures { try RunAudit(folder, of: Programmes.all) }
    try printResult(
      """
      Files      \(audit.files.grouped)
      Digests    \(PageWords.counted(audit.batches, "batch", "batches")) of \
      \(PageWords.counted(audit.rows, "row", "rows"))\(Self.others(audit.others))\(audit.looksAtSummary
        ? "" : "\nSummary    not compared with the rows: an earlier version of pitboss wrote it")
      Audit      \(audit.problems.isEmpty
        ? "every byte is as it was written" : Self.problems(audit.problems.count))

      """)
    try report(problems + audit.problems)
  }

  /// Says from where a run that has not ended goes on.
  ///
  /// - Returns: What is wrong, in words.
  private func auditCheckpoints(_ run: String) throws -> [String] {
    let audit = CheckpointAudit(run)
    let path = CheckpointFolder.path(of: run)
    let place =
      audit.resumesAt.map { "'pitboss resume \(ShellText.word(run))' goes on from \($0)" }
      ?? "the run cannot go on; remove \(path) and run the scenario again"
    try printResult(
      """
      Run        has not ended: \(place)
      Files      \(PageWords.counted(audit.count, "checkpoint", "checkpoints"))
      Audit      \(audit.problems.isEmpty
        ? "every byte is as it was written" : Self.problems(audit.problems.count))

      """)
    return audit.problems.map { "\(path): \($0)" }
  }

  /// A line that says which files nobody can vouch for; nothing where there are none.
  private static func others(_ names: [String]) -> String {
    guard !names.isEmpty else { return "" }
    let more = names.count > 8 ? " and \((names.count - 8).grouped) more" : ""
    let list = names.prefix(8).map { DisplayText.safe($0) }.joined(separator: ", ")
    return "\nOthers     not of this run, and not checked: \(list)\(more)"
  }

  private static func problems(_ count: Int) -> String {
    PageWords.counted(count, "problem", "problems")
  }

  private func report(_ problems: [some CustomStringConvertible]) throws {
    guard !problems.isEmpty else { return }
    for problem in problems { complain("pitboss: \(problem)") }
    throw ExitStatus.invariantViolated
  }

  private func audit(_ plan: some RunPlan, _ place: ServicePlace) throws {
    guard let served = type(of: plan).served else {
      complain("\(subject): \(ServeCommand.unserved(programme(of: plan)))")
      throw ExitStatus.badInput
    }
    try audit(served, plan, place)
  }

  /// Somebody asked to stop.
  private struct Stopped: Error {}

  /// Throws where somebody asked to stop, so that the scratch folder goes as the command ends.
  private static func goOn() throws {
    if Interrupts.requested { throw Stopped() }
  }

  private func programme<Plan: RunPlan>(of plan: Plan) -> String { Plan.Programme.id }

  private func audit<Served: ServedProgramme>(
    _ served: Served.Type, _ plan: some RunPlan, _ place: ServicePlace
  ) throws {
    guard let settings = plan.settings as? Served.Settings else {
      fatalError("a plan has the settings of its program")
    }
    Interrupts.listen()
    let audit = try reportingServiceFailures(place.name) {
      do {
        return try ScratchFolder.auditing(place.name, "verify") { folder in
          let scratch = try folder.folder("scratch")
          var audited = try folder.folder("copy")
          var faults: [String] = []
          if case .folder(let data) = place {
            audited = data
          } else {
            faults = try place.copy(served, frame: plan.frame, in: audited)
          }
          try Self.goOn()
          return try ServiceAudit(
            Served.self, folder: audited, frame: plan.frame, settings: settings, scratch: scratch,
            faults: faults
          ) { _ in try Self.goOn() }
        }
      } catch let uncopied as UncopiedService {
        for fault in uncopied.faults { complain("pitboss: \(AuditProblem(.files, fault))") }
        throw ExitStatus.invariantViolated
      } catch is Stopped {
        complain("pitboss: interrupted; nothing was written")
        throw ExitStatus.interrupted
      }
    }
    try printResult(
      """
      Requests   \(audit.requests.grouped), \(audit.keys.grouped) of them with a client's key
      Audit      \(audit.problems.isEmpty
        ? "every reply, row and sum is what the rules give" : Self.problems(audit.problems.count))

      """)
    try report(audit.problems)
  }
}

extension RunPlan {
  /// The program as a service knows it; nil where it has none.
  static var served: (any ServedProgramme.Type)? { Programme.self as? any ServedProgramme.Type }
}
