internal import EventKernel
package import Quantities

/// What a stress of the rules in process has shown.
package struct EngineResult: Sendable {
  /// The scenario's name.
  package var scenario: String
  /// The program's id.
  package var programme: String
  package var seed: UInt64
  /// What accepted requests are counted in, in the plural.
  package var counted: String
  /// How many requests were committed in each round.
  package var requests: Int
  /// The instant of the last of them.
  package var end: Instant?
  /// How given rates were spaced.
  package var spacing: Arrivals.Spacing
  /// As fast as it went, 2 or more, without those that only warmed up.
  package var rounds: [EngineRound]
  /// At given rates, in the order in which they were given.
  package var rates: [PacedRate]
  /// The simulated world by threads.
  package var scaling: WorldScaling
  /// Processors that the system offers.
  package var processors: Int

  /// What has been measured; see the properties.
  package init(
    scenario: String, programme: String, seed: UInt64, counted: String, requests: Int,
    end: Instant?, spacing: Arrivals.Spacing, rounds: [EngineRound], rates: [PacedRate],
    scaling: WorldScaling, processors: Int
  ) {
    self.scenario = scenario
    self.programme = programme
    self.seed = seed
    self.counted = counted
    self.requests = requests
    self.end = end
    self.spacing = spacing
    self.rounds = rounds
    self.rates = rates
    self.scaling = scaling
    self.processors = processors
  }

  /// How the program was built: figures of a debug build are not those of the program in use.
  package static var build: String {
    #if DEBUG
      "debug"
    #else
      "release"
    #endif
  }

  /// The rates that were not offered; they say nothing about the rules.
  package var rejected: [PacedRate] { rates.filter { !$0.times.wasOffered } }

  /// Requests of each kind over all rounds.
  package var kinds: [KindTimes] {
    var kinds = rounds.first?.kinds ?? []
    for round in rounds.dropFirst() {
      for (place, kind) in round.kinds.enumerated() { kinds[place].add(kind) }
    }
    return kinds
  }

  /// The mean of some values and half the width of its 95 % interval; no interval for one value.
  package static func estimate(_ values: [Double]) -> (mean: Double, halfWidth: Double?) {
    var tally = Tally()
    for value in values { try? tally.add(value) }
    return (tally.mean ?? 0, try? tally.interval().halfWidth)
  }
}
