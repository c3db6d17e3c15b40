package import Quantities

/// A program whose service is checked, too: its journal on the disk, under kills and retries.
package protocol CheckedService: CheckedProgramme, ServedProgramme {
  /// What the members of a scenario's world send to a service, in order.
  ///
  /// - Parameters:
  ///   - limit: At most so many, the first ones.
  /// - Throws: What `simulate` throws.
  static func submissions(
    _ frame: RunFrame, _ settings: Settings, limit: Int
  ) throws -> [(time: Instant, request: Machine.Request)]

  /// What sums over the service's tables have to come to, by the state.
  static func tableSums(_ machine: borrowing Machine) -> [TableSum]
}

/// A count of rows, or a sum over them.
package struct TableSum: Sendable {
  package var table: String
  /// The column that is added up; nil counts rows.
  package var column: String?
  /// Rows with a text in a column alone; nil for all.
  package var only: (column: String, text: String)?
  /// What it has to be.
  package var value: Int64

  /// A count or a sum; see the properties.
  package init(
    _ table: String, _ column: String? = nil, only: (column: String, text: String)? = nil,
    is value: Int64
  ) {
    self.table = table
    self.column = column
    self.only = only
    self.value = value
  }
}

/// Faults and promises of a service, the same for every program.
package enum ServiceFaults {
  /// The process ends at once, and another begins.
  package static let killed = "killed"
  /// An answered request comes again with its key.
  package static let retried = "retried_with_key"
  /// The same without a key.
  package static let keyless = "retried_without_key"
  /// A key comes with another request.
  package static let reused = "key_reused"
  /// The service's clock steps back.
  package static let clock = "clock_steps"

  /// All of them. What they need costs more than other faults, and so is rarer.
  package static let kinds = [
    FaultKind(
      killed, "The service is killed, and goes on with what is on the disk", most: 0.3, chance: 0.12
    ),
    atKills(retried, "An answered request comes again with its key", most: 0.3),
    atKills(keyless, "An answered request comes again without a key", most: 0.1),
    atKills(reused, "A key comes again with another request", most: 0.1),
    atKills(clock, "The service's clock steps back", most: 0.5),
  ]

  /// A kind of the service on a disk, which only cases with kills have.
  private static func atKills(_ id: String, _ sentence: String, most: Double) -> FaultKind {
    FaultKind(id, sentence, most: most, chance: 0.9, need: .kind(killed))
  }

  /// What must hold of a service.
  package static let invariants = [
    InvariantName(
      id: "keys_pay_once", sentence: "A request that comes again with its key is answered as before"
    ),
    InvariantName(
      id: "acknowledged_kept", sentence: "What was answered is there after a kill, with its answer"),
    InvariantName(
      id: "journal_is_truth", sentence: "Replies, rows and sums are what the journal gives"),
    InvariantName(
      id: "tables_repeat_state", sentence: "Rows of the tables add up to what the state says"),
    InvariantName(id: "service_goes_on", sentence: "No request and no kill stops a service"),
  ]
}
