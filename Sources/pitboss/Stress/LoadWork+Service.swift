internal import ArgumentParser
internal import LoadTest
internal import Quantities
internal import RewardModel

/// What a load makes of the service that it is sent to, and says before it begins.
extension LoadWork {
  /// What members do: what was asked for, but for what the service does not have.
  func journeys(_ map: ServiceMap?) throws -> Set<Int> {
    var journeys = try options.places(Crowd.journeys)
    guard let map, let file = options.api, let joining = Crowd.joining,
      journeys.contains(joining.journey)
    else { return journeys }
    let missing = map.missing(of: joining.steps, Crowd.steps)
    guard !missing.isEmpty else { return journeys }
    let words =
      "\(file) does not say how '\(missing.joined(separator: "' and '"))' "
      + "\(missing.count == 1 ? "is" : "are") called"
    guard options.journeys == nil else {
      throw ValidationError("--journeys \(Crowd.journeys[joining.journey]): \(words)")
    }
    complain("pitboss: nobody joins during the load, as \(words); all members are there beforehand")
    journeys.remove(joining.journey)
    return journeys
  }

  /// Refuses journeys that were asked for and that nobody makes in the scenario, or without the one
  /// that they follow from.
  func checkJourneys(_ journeys: Set<Int>, of crowd: Crowd) throws {
    let absent = journeys.intersection(crowd.absent).sorted().map { "'\(Crowd.journeys[$0])'" }
    guard options.journeys != nil else { return }
    guard !absent.isEmpty else { return try checkOrigins(journeys) }
    let there = Crowd.journeys.indices.filter { !crowd.absent.contains($0) }
      .map { Crowd.journeys[$0] }
    complain(
      "\(command.scenario): --journeys: its settings have no \(absent.joined(separator: " and no ")); "
        + "switch that on, or write other --journeys: \(there.joined(separator: ","))")
    throw ExitStatus.badInput
  }

  private func checkOrigins(_ journeys: Set<Int>) throws {
    for journey in journeys.sorted() {
      guard let origin = Crowd.origins[journey], !journeys.contains(origin) else { continue }
      let (name, needed) = (Crowd.journeys[journey], Crowd.journeys[origin])
      throw ValidationError(
        "--journeys: '\(name)' takes place only where '\(needed)' does; add '\(needed)'")
    }
  }

  /// What is said where the service turns no quarter during a load that is meant for one.
  func quarterNote(_ campaign: LoadCampaign<Crowd>) throws -> String? {
    guard let time = try campaign.time() else {
      return "the service does not tell its clock, so nobody knows whether it turns a quarter "
        + "during this load; an --api file says under 'clock' where it does"
    }
    let (zone, seconds) = (frame.calendar.zoneName, command.seconds)
    guard try !time.turnsQuarter(within: seconds, zone: zone) else { return nil }
    let start = try time.start(forMiddleOf: seconds, zone: zone)
    let now = time.now.description.prefix(19)
    return "the service's clock shows \(now)Z and reaches no quarter's end within the "
      + "\(GivenNumber.text(seconds)) s of this load; serve with --clock \(start) and start the "
      + "load within \(GivenNumber.text(seconds / 2)) s for one"
  }
}
