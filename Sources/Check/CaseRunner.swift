internal import Foundation
internal import Quantities
package import RewardModel
package import Scenario

/// Runs cases in this process.
package enum CaseRunner {
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
    var drawn: [String] = []
    if !base.check.asWritten {
      var draws = CaseDraws(base, programme, seed: one.seed)
      drawn = draws.pairs(varies: one.varies).map { "\($0.path)=\($0.value)" }
    } else if base.seed != one.seed {
      drawn = ["seed=\(one.seed)"]
    }
    let scenario: Scenario
    do {
      scenario = try load(one, &drawn)
    } catch {
      var answer = refused(error.description, base)
      answer.drawn = drawn
      return answer
    }
    var answer = run(scenario, one, trace)
    answer.drawn = drawn
    return answer
  }

  /// The scenario with what was drawn for it. Settings that were drawn and do not go together with
  /// others are left out.
  private static func load(
    _ one: Case, _ drawn: inout [String]
  ) throws(InputErrors) -> Scenario {
    for _ in 0..<12 {
      do {
        return try load(one, one.settings + drawn)
      } catch {
        let blamed = Set(error.findings.map(\.path))
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
    return try Scenario.load(text: text, file: "case", overrides: overrides)
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
      return refused("\(error)", scenario)
    }
  }

  private static func check(_ run: any RunPlan, _ plan: CheckPlan) throws -> CheckOutcome? {
    func open<Plan: RunPlan>(_ run: Plan) throws -> CheckOutcome? {
      guard let programme = Plan.Programme.self as? any CheckedProgramme.Type else { return nil }
      func check<P: CheckedProgramme>(_ programme: P.Type) throws -> CheckOutcome? {
        guard let settings = run.settings as? P.Settings else { return nil }
        return try P.check(run.frame, settings, plan)
      }
      return try check(programme)
    }
    return try open(run)
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
      answer.broken = CaseAnswer.Broken(
        invariant: violation.invariant, facts: violation.facts,
        time: violation.time.microseconds, members: violation.members, events: violation.events,
        part: outcome.part)
    }
    return answer
  }
}
