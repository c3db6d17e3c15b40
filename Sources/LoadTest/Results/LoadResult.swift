package import Quantities
package import RewardModel

/// What a load of a service has shown, with what it was.
package struct LoadResult: Sendable {
  package var scenario: String
  /// The program's id.
  package var programme: String
  package var seed: UInt64
  /// Where it was sent to.
  package var target: String
  /// The profile in words, such as `constant, 2,000 sessions a second for 20 s`.
  package var offer: String
  /// The same for programs, with how it was sent.
  package var shape: LoadShape
  /// The command that repeats it.
  package var command: String
  /// When it began, by the clock on the wall.
  package var started: Instant
  /// Simulated time of the first and the last session.
  package var from: Instant
  package var through: Instant
  package var journeys: [String]
  package var steps: [String]
  package var measures: LoadMeasures
  /// What an audit of the service's folder found; nil where none was made.
  package var audit: LoadAudit?
  /// What those saw who watched the pages live; nil without any.
  package var watchers: LoadWatchers.Seen?
  /// A measurement before this one; nil without.
  package var baseline: BaselineComparison?

  /// A result without audit; see the properties.
  package init(
    scenario: String, programme: String, seed: UInt64, target: String, offer: String,
    shape: LoadShape, command: String, started: Instant, from: Instant, through: Instant,
    journeys: [String], steps: [String], measures: LoadMeasures
  ) {
    self.scenario = scenario
    self.programme = programme
    self.seed = seed
    self.target = target
    self.offer = offer
    self.shape = shape
    self.command = command
    self.started = started
    self.from = from
    self.through = through
    self.journeys = journeys
    self.steps = steps
    self.measures = measures
  }

  /// Steps of which any request was made, in the program's order.
  package var usedSteps: [(name: String, measure: StepMeasure)] {
    zip(steps, measures.steps).filter { $0.1.offered > 0 }.map { (name: $0, measure: $1) }
  }

  /// Answers of a step a second while sessions were to start.
  package func answersPerSecond(_ step: StepMeasure) -> Double {
    measures.answersPerSecond(step, of: shape.seconds)
  }

  /// Microseconds of a processor that the generator took for each attempt.
  package var generatorCost: Double {
    let sent = measures.total.sent
    return sent == 0 ? 0 : measures.processorSeconds / Double(sent) * 1e6
  }

  /// Seconds in which sessions were to start all the time; those after them only end what began.
  package var offeredSeconds: [LoadSecond] {
    LoadShape.offered(measures.seconds, of: shape.seconds, elapsed: measures.elapsed)
  }

  /// Thresholds that were missed, those among them that a load to its end never measured.
  package var missed: [ThresholdResult] {
    measures.thresholds.filter { !$0.isMet && !($0.value == nil && measures.endedEarly) }
  }

  /// Thresholds of which nobody knows, as the load was ended before they could be measured.
  package var undecided: [ThresholdResult] {
    measures.thresholds.filter { !$0.isMet && $0.value == nil && measures.endedEarly }
  }
}

/// What an audit of a service's folder found after a load.
package struct LoadAudit: Sendable {
  /// Requests that the service had said were done.
  package var acknowledged: Int
  /// Requests in the journal; nil where nobody could count them.
  package var requests: Int64?
  /// What is wrong, in words; empty where all is well.
  package var problems: [AuditProblem]
  /// Why it could not be made; nil where it was.
  package var failure: String?

  /// See the properties.
  package init(
    acknowledged: Int, requests: Int64?, problems: [AuditProblem], failure: String? = nil
  ) {
    self.acknowledged = acknowledged
    self.requests = requests
    self.problems = problems
    self.failure = failure
  }

  /// Whether it was made and found nothing.
  package var isClean: Bool { failure == nil && problems.isEmpty }
}
