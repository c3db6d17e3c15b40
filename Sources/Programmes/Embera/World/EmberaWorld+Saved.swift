internal import EventKernel
package import Foundation
internal import Quantities
package import RewardModel

extension EmberaWorld {
  /// Hands out the world as it is after the last window: the house, then each cell.
  ///
  /// - Throws: Errors of the encoder, and what `part` throws.
  /// - Complexity: O(members + days).
  package mutating func save(_ part: (Data) throws -> Void) throws {
    try withCells { cells, house in try SavedRun.save(house, cells, part) }
  }

  /// The world as it is after the last window. One that is made of the same frame and settings and
  /// restored goes on as this one does.
  ///
  /// - Throws: Errors of the encoder.
  package mutating func saved() throws -> SavedRun {
    let instant = now
    return try SavedRun(instant: instant) { part in try save(part) }
  }

  /// Goes on where a world of the same frame and settings was saved, whatever its threads were; only
  /// whether members are handed out at the end must be the same.
  ///
  /// - Throws: `SavedRunError`, or errors of the decoder; the world is then of no use.
  package mutating func restore(_ saved: SavedRun) throws {
    let calendar = frame.calendar
    try withCells { cells, house in try saved.restore(&house, cells, in: calendar) }
    now = saved.instant
  }
}

extension House: SavablePart {
  /// What changes from window to window.
  private struct Saved: Codable {
    var books: EmberaBooks
    var total: EmberaTally
    var days: [EmberaRecord.Day]
    var cohorts: [EmberaRecord.CohortRow]
    var journal: [JournalEntry]
    var openingSums: ProgramSums
    var openingPlaced: Int64
  }

  /// The house after a window.
  func saved() throws -> Data {
    var writer = StateWriter()
    try writer.add(
      Saved(
        books: books, total: total, days: days, cohorts: cohorts, journal: journal,
        openingSums: opening.sums, openingPlaced: opening.placed))
    return writer.data
  }

  /// Goes on where a house of the same scenario was saved.
  mutating func restore(_ data: Data, at instant: Instant) throws {
    var reader = StateReader(data)
    let saved = try reader.next(Saved.self)
    (books, total, days, cohorts) = (saved.books, saved.total, saved.days, saved.cohorts)
    journal = saved.journal
    opening = (saved.openingSums, saved.openingPlaced)
  }
}

extension Cell: SavablePart {
  /// Counts and the like; members and what waits of theirs are rows.
  private struct Saved: Codable {
    var tiers: SIMD4<Int64>
    var subscribers: Int64
    var hours: [Int64]
    var vintages: PointVintages
    var lags: QuantileSketch
  }

  /// The cell after a window that the house has concluded: what it counted is no longer needed.
  func saved() throws -> Data {
    var writer = StateWriter()
    try writer.add(
      Saved(tiers: tiers, subscribers: subscribers, hours: hours, vintages: vintages, lags: lags))
    try pool.save(to: &writer)
    writer.add(rows: rows)
    writer.add(rows: live)
    writer.add(rows: ledgers)
    return writer.data
  }

  /// Goes on where a cell of the same members was saved.
  mutating func restore(_ data: Data, at instant: Instant) throws {
    var reader = StateReader(data)
    let saved = try reader.next(Saved.self)
    try pool.restore(from: &reader)
    let rows = try reader.rows(of: MemberRow.self)
    let live = try reader.rows(of: Instant.self)
    let ledgers = try reader.rows(of: MemberLedger.self)
    guard rows.count == self.rows.count, ledgers.count == self.ledgers.count else {
      throw SavedRunError.otherShape
    }
    (tiers, subscribers, hours) = (saved.tiers, saved.subscribers, saved.hours)
    (vintages, lags) = (saved.vintages, saved.lags)
    (self.rows, self.live, self.ledgers) = (rows, live, ledgers)
    due = rows.map(\.due)
  }
}
