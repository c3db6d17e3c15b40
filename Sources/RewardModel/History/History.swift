package import Quantities

/// What a row of a history says happened.
package enum HistoryEvent: UInt8, CaseIterable, Sendable, BitwiseCopyable {
  case signup, purchase, scan, refer

  /// The event's word in history files.
  package var word: String {
    switch self {
    case .signup: "signup"
    case .purchase: "purchase"
    case .scan: "scan"
    case .refer: "refer"
    }
  }
}

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
  /// The referring member as a row of `History.members`; `UInt32.max` on all but `refer` rows.
  package var other: UInt32
  /// 1...1,000,000; 1 on `signup` and `refer` rows.
  package var tins: UInt32
  package var event: HistoryEvent

  package init(
    instant: Instant, row: UInt32, line: UInt32, member: UInt32, other: UInt32, tins: UInt32,
    event: HistoryEvent
  ) {
    self.instant = instant
    self.row = row
    self.line = line
    self.member = member
    self.other = other
    self.tins = tins
    self.event = event
  }
}

/// What really happened, as a history file tells it, in the order of processing.
package struct History: Sendable {
  /// Names by first appearance in `rows`; on a `refer` row the member comes before the other.
  package let members: [String]
  /// Sorted by (instant, row number); at least one.
  package let rows: [HistoryRow]

  /// Puts rows in the file's order into the order of processing, and names likewise.
  package init(names: [String], fileRows: [HistoryRow]) {
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
}
