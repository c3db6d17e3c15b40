internal import Foundation
package import Quantities
package import RewardModel
package import Scenario
internal import Service

/// Runs cases in this process.
package enum CaseRunner {
  static let goesOn = InvariantName(
    id: "case_goes_on", sentence: "Only numbers that cannot be counted stop a case")

  /// Runs a case.
  ///
  /// - Parameter trace: Receives what happens.
  /// - Throws: `InputErrors` where the scenario itself cannot be read.
  package static func run(
    _ one: Case, trace: (@Sendable (TraceLine) -> Void)? = nil
  ) throws(InputErrors) -> CaseAnswer {
    let base = try load(one, one.settings)
    guard let programme = base.programme as? any CheckedProgramme.Type else {
      return refused("\(base.programme.name) has no promises that are checked", base)
    }
    try CheckedKinds.requireFaults(of: base)
    var drawn = draws(one, base, programme)
    let scenario: Scenario
    do {
      scenario = try load(one, base, &drawn)
    } catch {
      var answer = refused(error.description, base)
      answer.drawn = drawn
      return answer
    }
    var answer = run(scenario, one, trace)
    answer.drawn = drawn
    return answer
  }

  /// What is drawn for a case and goes together, each `path=value`: what `run` runs it with.
  ///
  /// - Throws: `InputErrors` where the case makes no scenario.
  package static func drawn(_ one: Case) throws(InputErrors) -> [String] {
    let base = try load(one, one.settings)
    guard let programme = base.programme as? any CheckedProgramme.Type else { return [] }
    var drawn = draws(one, base, programme)
    _ = try load(one, base, &drawn)
    return drawn
  }

  /// The days of a case as it is run, everything drawn.
  ///
  /// - Throws: Where the case makes no scenario.
  package static func calendar(_ one: Case) throws -> ProgrammeCalendar {
    try scenario(one, drawn: try drawn(one)).plan().frame.calendar
  }

  private static func draws(
    _ one: Case, _ base: Scenario, _ programme: any CheckedProgramme.Type
  ) -> [String] {
    guard !base.check.asWritten else { return base.seed == one.seed ? [] : ["seed=\(one.seed)"] }
    var draws = CaseDraws(base, programme, seed: one.seed)
    return draws.pairs(varies: one.varies).map { "\($0.path)=\($0.value)" }
  }

  /// The scenario with what was drawn for it, and with bounds on its work.
  ///
  /// - Parameter drawn: Each `path=value`; loses what is left out, and receives the bounds.
  private static func load(
    _ one: Case, _ base: Scenario, _ drawn: inout [String]
  ) throws(InputErrors) -> Scenario {
    let scenario = try load(one, &drawn)
    guard !base.check.asWritten, let plan = try? scenario.plan() else { return scenario }
    let bounds = workBounds(plan, size: base.check.size)
    guard !bounds.isEmpty else { return scenario }
    drawn += bounds.map { "\($0.path)=\($0.value)" }
    return try load(one, &drawn)
  }

  private static func workBounds(
    _ plan: any RunPlan, size: Int
  ) -> [(path: String, value: String)] {
    func open<Plan: RunPlan>(_ run: Plan) -> [(path: String, value: String)] {
      func bounds<P: CheckedProgramme>(_ programme: P.Type) -> [(path: String, value: String)] {
        guard let settings = run.settings as? P.Settings else { return [] }
        return P.workBounds(run.frame, settings, size: size)
      }
      guard let programme = Plan.Programme.self as? any CheckedProgramme.Type else { return [] }
      return bounds(programme)
    }
    return open(plan)
  }

  /// The scenario with what was drawn for it. Settings that were drawn and do not go together with
  /// others are left out, lists as a whole.
  ///
  /// - Parameter drawn: Each `path=value`; loses what is left out.
  /// - Throws: `InputErrors` where something else is wrong.
  package static func load(
    _ one: Case, _ drawn: inout [String]
  ) throws(InputErrors) -> Scenario {
    for _ in 0..<12 {
      do {
        return try load(one, one.settings + drawn)
      } catch {
        let blamed = Set(error.findings.map { String($0.path.prefix { $0 != "[" }) })
        let kept = drawn.filter { pair in
          !blamed.contains { path in !path.isEmpty && pair.hasPrefix("\(path)=") }
        }
        guard kept.count < drawn.count else { throw error }
        drawn = kept
      }
    }
    return try load(one, one.settings + drawn)
  }

  /// The scenario of a case as it is run, everything drawn.
  ///
  /// - Throws: `InputErrors`.
  package static func scenario(_ one: Case, drawn: [String]) throws(InputErrors) -> Scenario {
    try load(one, one.settings + drawn)
  }

  private static func load(_ one: Case, _ settings: [String]) throws(InputErrors) -> Scenario {
    let overrides = settings.map { SettingOverride(argument: $0) }
    guard let text = one.text else {
      return try Scenario.load(path: one.file, overrides: overrides)
    }
    return try Scenario.load(
      text: text, file: one.file.isEmpty ? "case" : one.file, overrides: overrides)
  }

  private static func refused(_ why: String, _ scenario: Scenario) -> CaseAnswer {
    var answer = CaseAnswer(.refused)
    answer.refusal = why
    answer.programme = scenario.programme.id
    return answer
  }

  private static func run(
    _ scenario: Scenario, _ one: Case, _ trace: (@Sendable (TraceLine) -> Void)?
  ) -> CaseAnswer {
    var plan = CheckPlan()
    plan.rates = scenario.check.rates
    plan.kept = scenario.check.places
    plan.until = one.until.map { Instant(microseconds: $0) } ?? .distantFuture
    plan.trace = trace
    do {
      let outcome = try check(try scenario.plan(), plan)
      guard let outcome else { return refused("nothing is checked", scenario) }
      return answer(outcome, scenario)
    } catch {
      return stopped(error, scenario)
    }
  }

  /// The answer of a case that an error ended.
  package static func stopped(_ error: any Error, _ scenario: Scenario) -> CaseAnswer {
    var answer = CaseAnswer(.refused)
    answer.programme = scenario.programme.id
    if let violation = error as? Violation {
      answer.verdict = .violated
      answer.broken = broken(violation, "case")
      return answer
    }
    switch CaseStop(error) {
    case .refusal(let why): answer.refusal = why
    case .machine(let why):
      answer.verdict = .failed
      answer.refusal = why
    case .defect(let facts):
      answer.verdict = .violated
      answer.broken = CaseAnswer.Broken(
        invariant: goesOn.id, facts: facts, time: 0, part: "case")
    }
    return answer
  }

  private static func check(_ run: any RunPlan, _ plan: CheckPlan) throws -> CheckOutcome? {
    func open<Plan: RunPlan>(_ run: Plan) throws -> CheckOutcome? {
      guard let programme = Plan.Programme.self as? any CheckedProgramme.Type else { return nil }
      func check<P: CheckedProgramme>(_ programme: P.Type) throws -> CheckOutcome? {
        guard let settings = run.settings as? P.Settings else { return nil }
        var outcome = try P.check(run.frame, settings, plan)
        if let served = programme as? any CheckedService.Type, outcome.violation == nil {
          try CaseRunner.rehearse(served, run, plan, &outcome)
        }
        if plan.rates[StoredCase.kind.id, default: 0] > 0, outcome.violation == nil {
          try CaseRunner.store(programme, run.frame, settings, &outcome)
        }
        return outcome
      }
      return try check(programme)
    }
    return try open(run)
  }

  /// The case's run on a disk.
  private static func store<P: CheckedProgramme>(
    _ programme: P.Type, _ frame: RunFrame, _ settings: P.Settings, _ outcome: inout CheckOutcome
  ) throws {
    let root = try ScratchMemory.folder()
    defer { try? FileManager.default.removeItem(at: root) }
    do {
      let flips = try StoredCase.check(programme, frame, settings, in: root)
      outcome.count(StoredCase.kind.id, flips)
    } catch let violation as Violation {
      outcome.violation = violation
      outcome.part = "folder"
    }
  }

  /// Requests of the members that a service gets in a rehearsal, at most.
  private static let rehearsed = 240

  /// The same members at a service on a disk, where kills are among the faults.
  private static func rehearse(
    _ programme: any CheckedService.Type, _ run: any RunPlan, _ plan: CheckPlan,
    _ outcome: inout CheckOutcome
  ) throws {
    guard plan.rates[ServiceFaults.killed, default: 0] > 0, plan.until == .distantFuture else {
      return
    }
    let root = try ScratchMemory.folder()
    defer { try? FileManager.default.removeItem(at: root) }
    do {
      try rehearse(programme, run, plan, root, &outcome)
    } catch let violation as Violation {
      outcome.violation = violation
    } catch {
      guard case .defect(let facts) = CaseStop(error) else { throw error }
      outcome.violation = Violation(
        invariant: "service_goes_on", facts: facts, scenario: run.frame.scenario,
        seed: run.frame.seed, time: run.frame.calendar.end)
    }
    if outcome.violation != nil { outcome.part = "disk" }
  }

  private static func rehearse<P: CheckedService>(
    _ programme: P.Type, _ run: any RunPlan, _ plan: CheckPlan, _ root: URL,
    _ outcome: inout CheckOutcome
  ) throws {
    guard let settings = run.settings as? P.Settings else { return }
    var rehearsal = try ServiceRehearsal(
      P.self, run.frame, settings, rates: plan.rates, root: root)
    defer {
      for (kind, times) in rehearsal.counts { outcome.count(kind, times) }
      outcome.requests += rehearsal.requests
    }
    try rehearsal.run(try P.submissions(run.frame, settings, limit: rehearsed))
  }

  private static func answer(_ outcome: CheckOutcome, _ scenario: Scenario) -> CaseAnswer {
    var answer = CaseAnswer(outcome.violation == nil ? .passed : .violated)
    answer.events = outcome.events
    answer.requests = outcome.requests
    answer.submissions = outcome.submissions
    answer.faults = outcome.faults
    answer.seen = outcome.seen
    answer.programme = scenario.programme.id
    if let violation = outcome.violation {
      answer.broken = broken(violation, outcome.part)
    }
    return answer
  }

  private static func broken(_ violation: Violation, _ part: String) -> CaseAnswer.Broken {
    CaseAnswer.Broken(
      invariant: violation.invariant, facts: violation.facts,
      time: violation.time.microseconds, members: violation.members, events: violation.events,
      part: part)
  }
}
