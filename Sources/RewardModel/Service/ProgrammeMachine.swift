package import Foundation
package import Quantities

/// A program as a service keeps it: a deterministic state machine with its calendar.
///
/// Whatever changes it is a request with an instant. Committing the same requests at the same
/// instants gives the same state, the same replies and the same rows; so a journal of them is all
/// that has to survive, and an earlier state only shortens the way.
package protocol ProgrammeMachine: Sendable {
  associatedtype Request: Sendable

  /// The tables in which a service keeps what is asked for later.
  static var tables: [ServedTable] { get }
  /// What clients may ask for.
  static var endpoints: [Endpoint<Self>] { get }
  /// What somebody says who joins, besides email, password and date of birth.
  static var joinFields: [ServedField] { get }

  /// The pages that show the program as it is, the first one first.
  static var pages: [PageDescription] { get }

  /// A page as of now.
  ///
  /// - Parameters:
  ///   - id: Of one of `pages`; nil for any other.
  ///   - now: Not before the last request.
  ///   - measures: What the service measured of itself.
  func page(_ id: String, at now: Instant, _ measures: ServiceMeasures) -> Page?

  /// A request as a journal keeps it.
  static func encode(_ request: Request) throws -> [UInt8]
  /// A request that a journal kept.
  ///
  /// - Throws: What the decoder throws.
  static func decode(_ bytes: [UInt8]) throws -> Request

  /// Least age of a member, in years.
  var minimumAge: Int { get }
  /// The number that the next member gets.
  var nextMember: UInt32 { get }
  /// The request by which somebody of age joins.
  ///
  /// - Parameter call: With the values of `joinFields`.
  func join(_ call: ServedCall) throws(ServedRefusal) -> Request

  /// Changes the state by one request.
  ///
  /// - Parameters:
  ///   - request: Any; what cannot be done is refused in the reply.
  ///   - time: Not before that of an earlier request.
  ///   - changes: Receives the rows that the request adds or changes.
  /// - Throws: What leaves the state of no further use.
  mutating func commit(
    _ request: Request, at time: Instant, _ changes: inout RowChanges
  ) throws -> ServedReply

  /// Tells of the rows that are there before the first request.
  func open(_ changes: inout RowChanges)

  /// Takes the next request that the calendar brings, or what the program works with outside of
  /// itself. Whoever calls commits it before any other.
  ///
  /// - Parameter now: The request's instant is not after it.
  mutating func takeDue(through now: Instant) -> (request: Request, time: Instant)?
  /// Whether `takeDue` brings such a request, and no client sends it.
  static func isOwn(_ request: Request) -> Bool
  /// Who joins by a request that a client sent for themselves, and so has an account.
  static func joined(by request: Request) -> UInt32?
  /// Until when `takeDue` brings nothing.
  var nextDue: Instant { get }

  /// Goes on, after its last request was committed again, with what it works with outside of itself.
  mutating func resume(at now: Instant)
  /// Leaves what it works with outside of itself to another process, which tells by requests what
  /// came of it: `takeDue` brings no more of it until `resume`.
  mutating func rest()

  /// What must hold of the state and does not; empty where all is well.
  ///
  /// - Complexity: O(the state).
  func violations() -> [String]

  /// What the program has come to, for people: the same figures in the same order, whatever the
  /// rules.
  var figures: [MachineFigure] { get }

  /// The state but for its bits, to be restored by the program; secrets are not among it.
  func saved() throws -> Data
  /// Takes the parts of the state that are large and change in few places, since they were taken
  /// last; parts that were never set are left out.
  ///
  /// - Parameter all: Takes them whether they changed or not.
  mutating func takeBits(all: Bool) -> [BitChunk]
}

/// A program that can be put behind a service.
package protocol ServedProgramme: RewardProgramme {
  associatedtype Machine: ProgrammeMachine

  /// The machine before its first request, or as it was saved.
  ///
  /// - Parameters:
  ///   - frame: Its calendar says the zone and the first day; a service has no last day.
  ///   - settings: Checked by a scenario.
  ///   - secret: Of what clients must not guess.
  ///   - start: The instant from which on requests come.
  ///   - saved: What `ProgrammeMachine.saved` and `takeBits` gave.
  /// - Throws: What the decoder throws, or `MoneyError.overflow`.
  static func machine(
    _ frame: RunFrame, _ settings: Settings, secret: UInt64, start: Instant, saved: SavedMachine?
  ) throws -> Machine
}

/// A figure of a machine.
package struct MachineFigure: Sendable, Equatable {
  package var name: String
  /// `.whole` or `.money`.
  package var kind: FieldKind
  /// A count, or micro-units.
  package var value: Int64

  /// A count.
  package init(_ name: String, count: Int64) {
    self.name = name
    kind = .whole
    value = count
  }

  /// An amount.
  package init(_ name: String, _ amount: MicroUSDT) {
    self.name = name
    kind = .money
    value = amount.microunits
  }
}

/// A machine as a service keeps it.
package struct SavedMachine: Sendable {
  package var state: Data
  /// The last that was taken of each place.
  package var bits: [BitChunk]

  /// A machine; see the properties.
  package init(state: Data, bits: [BitChunk]) {
    self.state = state
    self.bits = bits
  }
}

/// Bits of a state that are kept apart from it.
package struct BitChunk: Sendable, Equatable {
  package var area: UInt32
  /// Within the area.
  package var place: UInt32
  package var bytes: [UInt8]

  /// A chunk; see the properties.
  package init(area: UInt32, place: UInt32, bytes: [UInt8]) {
    self.area = area
    self.place = place
    self.bytes = bytes
  }
}

/// What a service measures of itself, and no program knows.
package struct ServiceMeasures: Sendable {
  /// How long the last requests took from their arrival to their answer; nil before the first.
  package var processingMean: TimeSpan?
  package var processingP95: TimeSpan?
  /// Requests that wait for the writer.
  package var waiting = 0

  /// Nothing was measured.
  package init() {}
}

/// A table in which a service keeps what is asked for later.
package struct ServedTable: Sendable {
  /// Its key is `columns`: a row with the key of another takes its place.
  package var shape: TableShape
  /// Columns by which its rows are looked for, besides its key.
  package var indexes: [[String]]

  /// A table with its indexes.
  package init(_ shape: TableShape, indexes: [[String]] = []) {
    self.shape = shape
    self.indexes = indexes
  }
}

/// The rows that requests add or change.
package struct RowChanges: Sendable {
  /// A row of a table, by its place in `ProgrammeMachine.tables`.
  package struct Row: Sendable {
    package var table: Int
    /// In the order of the table's columns.
    package var values: [FieldValue]

    /// A row; see the properties.
    package init(table: Int, values: [FieldValue]) {
      self.table = table
      self.values = values
    }
  }

  /// Of the request that is being committed, from 1 on.
  package var sequence: Int64 { didSet { first = rows.count } }
  package private(set) var rows: [Row] = []
  /// Place of the request's first row.
  private var first = 0

  /// No rows.
  package init(sequence: Int64) { self.sequence = sequence }

  /// Rows of the request so far.
  package var count: Int { rows.count - first }

  /// Adds a row, or puts it in the place of the one with its key.
  package mutating func put(_ table: Int, _ values: [FieldValue]) {
    rows.append(Row(table: table, values: values))
  }

  /// Forgets the rows and keeps their memory.
  package mutating func clear() {
    rows.removeAll(keepingCapacity: true)
    first = 0
  }
}
