package import Quantities

/// What some members did in one window of a simulation, as rows of a history.
package struct HistoryNotes: Sendable {
  /// Whether a history is written.
  package let isOn: Bool
  /// Of the last window; those of one member in the order in which they happened.
  package private(set) var rows: [HistoryRow] = []

  /// No rows.
  package init(isOn: Bool) { self.isOn = isOn }

  /// Notes down what a member did.
  ///
  /// - Parameters:
  ///   - time: When it happened.
  ///   - member: Number from 0.
  ///   - kind: Place of the event in `HistoryForm.events`.
  ///   - amount: See `HistoryRow.amount`.
  ///   - other: Number of the member named as other; `UInt32.max` where there is none.
  package mutating func add(
    _ time: Instant, _ member: UInt32, kind: UInt8, amount: Int64, other: UInt32 = .max
  ) {
    rows.append(
      HistoryRow(
        instant: time, hasClock: true, row: 0, line: 0, member: member, other: other,
        amount: amount, kind: kind))
  }

  /// Forgets the rows.
  package mutating func removeAll() { rows.removeAll(keepingCapacity: true) }

  /// Hands over the rows of one window by (instant, member).
  ///
  /// - Parameter parts: The rows of all members; those of one member are in one part.
  /// - Complexity: O(rows · log rows).
  package static func write(_ parts: [[HistoryRow]], _ write: (HistoryRow) -> Void) {
    let rows = parts.flatMap(\.self)
    let order = rows.indices.sorted {
      (rows[$0].instant, rows[$0].member, $0) < (rows[$1].instant, rows[$1].member, $1)
    }
    for place in order { write(rows[place]) }
  }
}
