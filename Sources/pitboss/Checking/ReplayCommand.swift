internal import ArgumentParser
internal import Check
internal import Foundation
internal import Quantities
internal import Reports
internal import RewardModel
internal import Scenario
internal import Synchronization

/// `pitboss replay SCENARIO --seed S`.
struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Runs one case of 'check' again and tells its story.",
    discussion: """
      The same scenario, seed and flags give the same case. With --trace every request is told, \
      with its answer and what moved in the ledger. A scenario with check.as_written is run without \
      the settings of PITBOSS_SET. Exits with 111 when a promise is broken.
      """)

  @Argument(help: "A scenario file, or the name of one in Scenarios/.")
  var scenario: String

  @Option(help: "The case's seed, 0 ... 2^64-1.")
  var seed: UInt64

  @Option(
    help: ArgumentHelp("Ends before this instant, such as 2026-03-01T05:00:00Z.", valueName: "time")
  )
  var until: String?

  @Flag(help: "Tells every request of the service, or of the world where that breaks a promise.")
  var trace = false

  @Option(
    help: ArgumentHelp(
      "With --trace: tells only of these members, by number.", valueName: "3,17"))
  var members: String?

  @Flag(help: "Draws the settings as check --vary does.")
  var vary = false

  @Option(
    help: ArgumentHelp(
      "Overrides a setting; may be repeated.", valueName: "path.to.key=value"))
  var set: [String] = []

  func validate() throws {
    if let until, Self.instant(until) == nil {
      throw ValidationError("--until is '\(until)'; write it as 2026-03-01T05:00:00Z")
    }
    if let members {
      let numbers = members.split(separator: ",").map { UInt64($0) ?? 0 }
      guard !numbers.isEmpty, !numbers.contains(0) else {
        throw ValidationError("--members is '\(members)'; write numbers such as 3,17")
      }
    }
    if members != nil, !trace {
      throw ValidationError(
        "--members has an effect on what --trace tells only; add that, or leave it out")
    }
  }

  func run() throws {
    let file = try reportingFailures { try ScenarioPlaces.resolve(scenario) }
    let source = try CheckCommand.source(file, set: set)
    tell(ofEnvironment: source.settings)
    var one = source.whole(
      Case(file: source.file, settings: source.settings + set, seed: seed, varies: vary))
    one.until = until.flatMap { Self.instant($0) }?.microseconds
    try checkEnd(one)
    let wanted = Set((members ?? "").split(separator: ",").compactMap { UInt64($0) })
    let last = Mutex<UInt64>(0)
    let broken = Mutex<ExitCode?>(nil)
    let tell: @Sendable (TraceLine) -> Void = { line in
      last.withLock { $0 = max($0, line.members.max() ?? 0) }
      guard wanted.isEmpty || !wanted.isDisjoint(with: line.members) else { return }
      // Whoever closed the output has read enough, and what cannot be written is said once.
      broken.withLock { broken in
        guard broken == nil else { return }
        do {
          try printResult("\(line.time)  \(DisplayText.safe(line.text))\n")
        } catch { broken = error as? ExitCode ?? ExitStatus.ioFailed }
      }
    }
    let isTold = trace
    let answer = try reportingFailures { try CaseRunner.run(one, trace: isTold ? tell : nil) }
    if let broken = broken.withLock({ $0 }) { throw broken }
    let absent = last.withLock { last in
      wanted.contains { $0 > last }
        ? "--members is '\(members ?? "")', and the story has "
          + (last == 0 ? "no members" : "members 1 to \(last.grouped)") : nil
    }
    switch answer.verdict {
    case .passed:
      if let absent { throw ValidationError(absent) }
      try printResult(
        "All promises hold: \(answer.events.grouped) events, \(answer.requests.grouped) requests.\n"
      )
    case .refused:
      complain("\(scenario): \(DisplayText.safe(answer.refusal ?? "the case was refused"))")
      throw ExitStatus.badInput
    case .failed:
      complain("pitboss: \(DisplayText.safe(answer.refusal ?? "the case could not be run"))")
      throw ExitStatus.ioFailed
    case .violated, .crashed:
      guard let broken = answer.broken else { return }
      let when = broken.time == 0 ? "" : " at \(Instant(microseconds: broken.time))"
      var out = "\(broken.invariant) is broken\(when), found by the "
      out += "\(broken.part): \(DisplayText.safe(broken.facts))\n"
      if !broken.members.isEmpty {
        out += "Members: \(broken.members.map { "\($0)" }.joined(separator: ", "))\n"
      }
      for event in broken.events { out += "  \(DisplayText.safe(event))\n" }
      if let absent { complain("pitboss: \(absent)") }
      try printResult(out)
      throw ExitStatus.invariantViolated
    }
  }

  /// Says which settings only the environment gives: a line of 'check' from elsewhere is another case with
  /// them.
  private func tell(ofEnvironment settings: [String]) {
    func path(_ text: String) -> Substring { text.prefix { $0 != "=" } }
    let given = Set(set.map(path))
    let more = settings.filter { !given.contains(path($0)) }
    guard !more.isEmpty else { return }
    complain(
      "pitboss: PITBOSS_SET sets \(DisplayText.safe(more.joined(separator: "; "))) for this case")
  }

  /// Refuses an end before which nothing of the case happens. A case that makes no scenario says so itself.
  private func checkEnd(_ one: Case) throws {
    guard let end = one.until, let calendar = try? CaseRunner.calendar(one),
      end <= calendar.start.microseconds
    else { return }
    throw ValidationError(
      "--until is '\(until ?? "")', and nothing of the case is before it: the case runs from "
        + "\(calendar.start) to \(calendar.end)")
  }

  private static func instant(_ text: String) -> Instant? {
    try? ProgrammeCalendar.parseInstant(text, zone: "UTC")
  }
}
