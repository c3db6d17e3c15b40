internal import Foundation
package import Quantities
package import RewardModel

/// What may be read by any thread, on connections of its own.
extension PostgresStore {
  /// See `ServiceStore`.
  package func started() throws -> Instant? {
    let rows = try patiently {
      try readers.read { try $0.query("SELECT started_us FROM service") }
    }
    return rows.isAbsent(0, 0) ? nil : Instant(microseconds: rows.whole(0, 0))
  }

  /// See `ServiceStore`.
  package func start(at now: Instant) throws -> Instant {
    _ = try readers.read {
      try $0.query(
        "UPDATE service SET started_us = $1 WHERE started_us IS NULL", [.whole(now.microseconds)])
    }
    return try started() ?? now
  }

  /// See `ServiceStore`.
  package func lastTime() throws -> Instant? {
    let rows = try readers.read {
      try $0.query("SELECT time_us FROM journal ORDER BY sequence DESC LIMIT 1")
    }
    return rows.count == 0 ? nil : Instant(microseconds: rows.whole(0, 0))
  }

  /// See `ServiceStore`.
  package func forEach(after sequence: Int64, _ body: (ServiceEntry) throws -> Void) throws {
    var last = sequence
    while true {
      let rows = try patiently {
        try readers.read {
          try $0.query(
            "SELECT \(PostgresSchema.entry) WHERE sequence > $1 ORDER BY sequence LIMIT $2",
            [.whole(last), .whole(Self.page)])
        }
      }
      let found = Self.entries(rows)
      for (entry, _) in found { try body(entry) }
      guard let end = found.last?.entry.sequence else { return }
      last = end
    }
  }

  /// See `ServiceStore`.
  package func rows(
    of list: RowList, owner: FieldValue?, before: Int64?, most: Int
  ) throws -> (rows: [[FieldValue]], next: Int64?) {
    let query = ListQuery(
      list, tables[list.table].shape, mark: "$", owner: owner, before: before, most: most)
    let values: [PostgresValue] = query.arguments.map {
      switch $0 {
      case .whole(let number): .whole(number)
      case .text(let text): .text(text)
      case .real(let number): .text("\(number)")
      case .absent: .text("")
      }
    }
    let found = try readers.read { try $0.query(query.text, values) }
    let shown = 0..<min(found.count, most)
    let rows = shown.map { row in
      (1..<query.kinds.count).map { PostgresSchema.value(found, row, $0, query.kinds[$0]) }
    }
    return (rows, found.count > most ? found.whole(most - 1, 0) : nil)
  }

  /// See `ServiceStore`.
  package func accounts() throws -> Set<UInt32> {
    let rows = try readers.read { try $0.query("SELECT member FROM account") }
    return Set((0..<rows.count).map { UInt32(truncatingIfNeeded: rows.whole($0, 0)) })
  }

  /// See `ServiceStore`.
  package func account(email: String) throws -> ServiceAccount? {
    let rows = try readers.read {
      try $0.query(
        "SELECT member, email, born, salt, hash FROM account WHERE email = $1", [.text(email)])
    }
    return rows.count == 0 ? nil : Self.account(rows, 0)
  }

  /// An account of rows with its columns.
  static func account(_ rows: PostgresRows, _ row: Int) -> ServiceAccount {
    ServiceAccount(
      member: UInt32(truncatingIfNeeded: rows.whole(row, 0)), email: rows.text(row, 1),
      born: rows.text(row, 2), salt: Data(rows.bytes(row, 3)), hash: Data(rows.bytes(row, 4)))
  }

  static func entries(_ rows: PostgresRows) -> [(entry: ServiceEntry, batch: Int64)] {
    (0..<rows.count).map { row in
      (
        ServiceEntry(
          sequence: rows.whole(row, 0), time: Instant(microseconds: rows.whole(row, 1)),
          key: rows.isAbsent(row, 2) ? nil : rows.text(row, 2), digest: rows.whole(row, 3),
          request: rows.bytes(row, 4),
          reply: ServedReply(
            status: Int(rows.whole(row, 5)), body: rows.bytes(row, 7),
            isProblem: rows.whole(row, 6) == 1)),
        rows.whole(row, 8)
      )
    }
  }
}
