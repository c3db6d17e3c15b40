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
}

/// What really happened, as a history file tells it, in the order of processing.
package struct History: Sendable {
  /// Names by first appearance in `rows`; on a `refer` row the member comes before the other.
  package let members: [String]
  /// Sorted by (instant, row number); at least one.
  package let rows: [HistoryRow]

  /// The largest file that is read.
  static let byteLimit = 1 << 30

  /// Reads a history file: CSV as in RFC 4180, with header `time,member,event,tins,other`.
  ///
  /// - Parameters:
  ///   - path: Messages name it as given.
  ///   - zone: IANA name of the zone of times without one.
  /// - Throws: `InputErrors` with every finding, each `file:line: what is wrong; what would do`.
  package static func read(path: String, zone: String) throws(InputErrors) -> History {
    let bytes = try InputFile.bytes(path: path, limit: byteLimit, limitText: "1 GiB")
    return try read(bytes: bytes, file: path, zone: zone)
  }

  /// Reads the bytes of a history; messages name it `file`.
  ///
  /// - Throws: `InputErrors` with every finding.
  package static func read(
    bytes: [UInt8], file: String, zone: String
  ) throws(InputErrors) -> History {
    var reader = try HistoryReader(bytes: bytes, file: file, zone: zone)
    return try reader.read()
  }

  /// Puts rows in the file's order into the order of processing, and names likewise.
  init(names: [String], fileRows: [HistoryRow]) {
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
