package import Quantities

/// One row of a history.
package struct HistoryRow: Sendable, Equatable, BitwiseCopyable {
  /// When it happened.
  package var instant: Instant
  /// Number of the row in the file: 1 is the first below the header.
  package var row: UInt32
  /// Line of the file on which the row begins, from 1.
  package var line: UInt32
  /// Row of `History.members`.
  package var member: UInt32
  /// The member named as other as a row of `History.members`; `UInt32.max` where there is none.
  package var other: UInt32
  /// Things, or micro-units of money; `HistoryForm.noAmount` on rows without an amount.
  package var amount: Int64
  /// Place of the event in `HistoryForm.events`.
  package var kind: UInt8
  /// Whether the time is `instant`; where it is false, only the local date that begins with it is
  /// known.
  package var hasClock: Bool

  /// A row.
  package init(
    instant: Instant, hasClock: Bool, row: UInt32, line: UInt32, member: UInt32, other: UInt32,
    amount: Int64, kind: UInt8
  ) {
    self.instant = instant
    self.hasClock = hasClock
    self.row = row
    self.line = line
    self.member = member
    self.other = other
    self.amount = amount
    self.kind = kind
  }
}

/// What really happened, as a history file records it, in the order of processing.
package struct History: Sendable {
  /// What its rows can hold.
  package let form: HistoryForm
  /// Names by first appearance in `rows`; on one row the member comes before the other.
  package let members: [String]
  /// Sorted by (instant, row number); at least one.
  package let rows: [HistoryRow]

  /// Puts rows in the file's order into the order of processing, and names likewise.
  package init(_ form: HistoryForm, names: [String], fileRows: [HistoryRow]) {
    self.form = form
    var rows = fileRows
    let isSorted = zip(rows, rows.dropFirst()).allSatisfy { $0.instant <= $1.instant }
    if !isSorted { rows.sort { ($0.instant, $0.row) < ($1.instant, $1.row) } }
    var rank = [UInt32](repeating: .max, count: names.count)
    var members: [String] = []
    members.reserveCapacity(names.count)
    for index in rows.indices {
      for name in [rows[index].member, rows[index].other]
      where name != .max && rank[Int(name)] == .max {
        rank[Int(name)] = UInt32(members.count)
        members.append(names[Int(name)])
      }
      rows[index].member = rank[Int(rows[index].member)]
      if rows[index].other != .max { rows[index].other = rank[Int(rows[index].other)] }
    }
    self.members = members
    self.rows = rows
  }

  /// From the first row's local midnight to just after the last row.
  ///
  /// - Throws: `CalendarError.unknownZone`.
  package func calendar(zone: String) throws(CalendarError) -> ProgrammeCalendar {
    try ProgrammeCalendar(
      zone: zone, covering: rows[0].instant, through: rows[rows.count - 1].instant)
  }
}
