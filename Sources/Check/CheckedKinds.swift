internal import EventKernel
internal import Quantities
package import RewardModel
package import Scenario

/// What a campaign looks at and lets go wrong: a program's own, and what every program has.
package enum CheckedKinds {
  /// Kinds of faults.
  package static func faults(_ programme: any CheckedProgramme.Type) -> [FaultKind] {
    programme.faultKinds + [StoredCase.kind]
  }

  /// Promises.
  package static func invariants(_ programme: any CheckedProgramme.Type) -> [InvariantName] {
    programme.checkedInvariants + StoredCase.invariants + [CaseRunner.goesOn]
  }

  /// How many seeds a kind has to be drawn with one of them, but for a chance of 1 in 10,000.
  ///
  /// Scenarios of a campaign share their seeds and so what is drawn: more scenarios do not help.
  package static func seedsToDraw(_ kind: FaultKind, among kinds: [FaultKind]) -> Int64 {
    var chance = kind.chance
    if case .kind(let other)? = kind.need {
      chance *= kinds.first { $0.id == other }?.chance ?? 1
    }
    return chance < 1 ? Int64((Elementary.log(1e-4) / Elementary.log1p(-chance)).rounded(.up)) : 1
  }

  /// Kinds that no case of a scenario can have, or next to none, by name, sorted.
  package static func impossible(in scenario: Scenario) -> [String] {
    guard let programme = scenario.programme as? any CheckedProgramme.Type else { return [] }
    return faults(programme).filter { kind in
      switch kind.need {
      case nil, .kind?: false
      case .days(let least)?: scenario.calendar.days < least
      case .records(let path)?: CaseDraws.texts(of: scenario)[path, default: []].isEmpty
      case .clockChanges?: !clocksChange(in: scenario)
      }
    }.map(\.id).sorted()
  }

  /// How much the cases of a scenario have of a small world as it is usually drawn, above 0 and at most 1:
  /// those of few members or days have fewer occasions for a fault.
  package static func size(of scenario: Scenario) -> Double {
    let least = (scenario.programme as? any CheckedProgramme.Type)?.caseBounds.small
      .first { $0.path == "population.members" }?.least
    let days = min(Double(scenario.calendar.days) / 7, 1)
    let own = scenario.settings.first { $0.path == "population.members" }?.value
    guard let least, case .integer(let members)? = own else { return days }
    return days * min(Double(max(members, 1)) / Double(least), 1)
  }

  private static func clocksChange(in scenario: Scenario) -> Bool {
    let first = CivilDate(year: scenario.calendar.start.year, month: 1, day: 1)
    let years = try? ProgrammeCalendar(
      zone: scenario.calendar.zone, firstDate: first, days: 800)
    return years.map { $0.offsets.count > 1 } ?? true
  }

  /// Kinds in `check.faults` that cannot happen in the case that a scenario is, and why.
  package static func idle(in scenario: Scenario) -> [IdleSetting] {
    guard scenario.check.asWritten,
      let programme = scenario.programme as? any CheckedProgramme.Type
    else { return [] }
    let impossible = impossible(in: scenario)
    let rates = scenario.check.rates
    return faults(programme).filter { rates[$0.id, default: 0] > 0 }.compactMap { kind in
      reason(kind.need, impossible.contains(kind.id), rates).map {
        IdleSetting(path: "check.faults: \(kind.id)", reason: $0)
      }
    }
  }

  /// Why a case cannot have a kind, as `while …` goes on; nil where it can.
  private static func reason(
    _ need: FaultNeed?, _ isImpossible: Bool, _ rates: [String: Double]
  ) -> String? {
    switch need {
    case .kind(let other):
      rates[other, default: 0] > 0 ? nil : "check.faults has no \(other)"
    case .records(let path) where isImpossible:
      path.split(separator: ".").dropLast().joined(separator: ".") + " is empty"
    case .clockChanges where isImpossible: "the clocks of calendar.zone do not change"
    // A case of few days hardly ever has it.
    default: nil
    }
  }

  /// Looks whether each kind in `check.faults` is one that the course of requests brings about, and there once.
  ///
  /// - Throws: `InputErrors` for others, which would do nothing.
  package static func requireFaults(of scenario: Scenario) throws(InputErrors) {
    // Every command asks, and most scenarios have none.
    guard !scenario.check.kinds.isEmpty,
      let programme = scenario.programme as? any CheckedProgramme.Type
    else { return }
    let kinds = faults(programme)
    let place = CasePlace(
      start: scenario.calendar.start, days: scenario.calendar.days, seed: 1,
      texts: CaseDraws.texts(of: scenario))
    let findings = scenario.check.kinds.enumerated().compactMap { row, name -> InputFinding? in
      let path = "check.faults[\(row)]"
      guard let kind = kinds.first(where: { $0.id == name }) else {
        let known = kinds.filter { $0.settings == nil }.map(\.id)
        let meant = nearest(to: name, among: known).map { "did you mean '\($0)'?" }
        return scenario.finding(
          at: path,
          "'\(name)' is not a fault of \(programme.name); "
            + (meant ?? "write one of \(known.joined(separator: ", "))"))
      }
      if scenario.check.kinds.prefix(row).contains(name) {
        return scenario.finding(at: path, "'\(name)' is there twice; leave one of them out")
      }
      guard let settings = kind.settings else { return nil }
      let paths = settings(0.5, place).map(\.path).joined(separator: ", ")
      return scenario.finding(
        at: path, "'\(name)' comes from settings; leave it out and set \(paths)")
    }
    if !findings.isEmpty { throw InputErrors(findings) }
  }
}
