internal import EventKernel
package import Quantities

/// A request with its instant: one entry of a journal.
///
/// Committing the entries of a run's journal in their order, to a state of the same rules, audits
/// the run: the state that comes out is what the run claims to have led to.
package struct JournalEntry: Sendable, Equatable, Codable {
  package var time: Instant
  package var request: ProgrammeRequest
}

/// What a cell's members asked of the programme in one window, where a journal is written.
struct CellJournal: Sendable {
  struct Note: Sendable {
    var time: Instant
    var member: UInt32
    var request: ProgrammeRequest
  }

  /// Whether a journal is written.
  let isOn: Bool
  /// The member behind each row of the affiliate table.
  let owners: [UInt32]
  private(set) var notes: [Note] = []

  mutating func add(_ time: Instant, _ member: UInt32, _ request: ProgrammeRequest) {
    notes.append(Note(time: time, member: member, request: request))
  }

  mutating func removeAll() { notes.removeAll(keepingCapacity: true) }
}

/// The journal of a world, in the order in which its house decided.
struct WorldJournal {
  private let write: (JournalEntry) -> Void

  init(_ write: @escaping (JournalEntry) -> Void) { self.write = write }

  func add(_ time: Instant, _ request: ProgrammeRequest) {
    write(JournalEntry(time: time, request: request))
  }

  /// Enters what the cells' members asked in a window, in the total order.
  func add(_ cells: UnsafeMutableBufferPointer<Cell>) {
    // By (instant, member); one member's requests keep their order, as the sort is by place, too.
    let notes = cells.indices.flatMap { cells[$0].journal.notes }
    let order = notes.indices.sorted {
      (notes[$0].time, notes[$0].member, $0) < (notes[$1].time, notes[$1].member, $1)
    }
    for place in order { add(notes[place].time, notes[place].request) }
  }

  /// Enters the steps of payouts since the last call.
  func add(_ pipeline: PayoutPipeline) {
    for (time, step) in pipeline.takeSteps() { add(time, .payout(step)) }
  }
}
