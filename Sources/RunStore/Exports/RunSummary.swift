internal import Documents
package import Foundation
internal import Quantities
package import RewardModel

/// The summary of a run: `summary.json`, and what `--format json` prints.
///
/// Its keys keep their order, and whole numbers are exact up to 2⁶⁴ − 1. `SummarySchema` describes
/// it. Later versions only append keys; a change of meaning raises `schemaVersion`.
package enum RunSummary {
  /// Version of the summary's shape.
  package static let schemaVersion: Int64 = 1

  /// A file of the run folder as the summary lists it.
  package struct File: Sendable, Equatable, Decodable {
    package var name: String
    package var bytes: Int64
    /// Of the content, in lower-case hexadecimal.
    package var sha256: String

    /// - Parameters:
    ///   - name: The name in the run folder.
    ///   - contents: What the file holds.
    package init(name: String, contents: Data) {
      self.name = name
      bytes = Int64(contents.count)
      sha256 = RunFingerprint.sha256(contents)
    }

    init(name: String, bytes: Int64, sha256: String) {
      (self.name, self.bytes, self.sha256) = (name, bytes, sha256)
    }

    /// A file in a folder that is being written.
    init(name: String, in writer: FolderWriter) throws(RunStoreError) {
      let path = "\(writer.partial)/\(name)"
      guard let contents = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
      else { throw writer.failure("read back \(name)", code: EIO) }
      self.init(name: name, contents: contents)
    }
  }

  /// The summary as JSON text ending with a line feed.
  ///
  /// - Parameters:
  ///   - record: A whole run, with its fingerprint.
  ///   - files: The other files of the run folder.
  package static func text<Record: ProgrammeRecord>(
    of record: Record, files: [File] = []
  ) -> String {
    let members =
      [("schema_version", .integer(schemaVersion))]
      + Record.allTables.flatMap { self.members(of: $0, in: record) }
      + [("files", .array(files.map(listing)))]
    return JSONText.object(ordered(members, for: Record.self)).rendered() + "\n"
  }

  /// The files that a summary lists; nil when it cannot be read.
  static func listed(in summary: Data) -> [File]? {
    struct Listing: Decodable { var files: [File] }
    return try? JSONDecoder().decode(Listing.self, from: summary).files
  }

  /// The files of a run folder as the summary that is there lists them, whatever became of them; none where
  /// it cannot be read.
  package static func files(_ folder: String) -> [File] {
    let summary = FileManager.default.contents(atPath: "\(folder)/\(RunFolder.summaryName)")
    return summary.flatMap(listed) ?? []
  }

  typealias Members = [(key: String, value: JSONText)]

  /// Members in the order that a record gives them.
  static func ordered<Record: ProgrammeRecord>(
    _ members: Members, for record: Record.Type
  ) -> Members {
    let order = Record.summaryKeys
    guard !order.isEmpty else { return members }
    let values = Dictionary(members) { first, _ in first }
    return order.compactMap { key in values[key].map { (key, $0) } }
  }

  private static func listing(_ file: File) -> JSONText {
    .line([
      ("name", .string(file.name)), ("bytes", .integer(file.bytes)),
      ("sha256", .string(file.sha256)),
    ])
  }

  /// What a table gives to the summary.
  private static func members<Record: ProgrammeRecord>(
    of table: some RecordTable<Record>, in record: Record
  ) -> Members {
    let columns = table.columns(in: .summary)
    var rows: [[FieldValue]] = []
    if case .none = table.summary {
    } else {
      table.rows(of: record, in: .summary) { rows.append($0) }
    }
    var members: Members
    switch table.summary {
    case .none: members = []
    case .members:
      let row = rows.first ?? []
      members = self.members(row, columns) + rates(row, columns, record.timing.wallSeconds)
    case .object:
      members = [(table.name, .object(self.members(rows.first ?? [], columns)))]
    case .rows: members = [(table.name, .array(rows.map { object($0, columns) }))]
    case .counts:
      let counts = rows.map { row -> (String, JSONText) in
        (text(row[0]), value(row[1], columns[1].kind))
      }
      members = [(table.name, .object(counts))]
    case .number: members = [(table.name, .integer(Int64(rows.count)))]
    }
    if let key = table.totalKey, let total = table.total(of: record, in: .summary) {
      members.append((key, object(total, columns)))
    }
    return members
  }

  private static func text(_ value: FieldValue) -> String {
    if case .text(let text) = value { text } else { "" }
  }

  private static func object(_ row: [FieldValue], _ columns: [ColumnShape]) -> JSONText {
    .line(members(row, columns))
  }

  /// The fields of a row; those of a group are an object of its own.
  private static func members(_ row: [FieldValue], _ columns: [ColumnShape]) -> Members {
    var members: Members = []
    for (place, column) in columns.enumerated() {
      let field = value(row[place], column.kind)
      guard let group = column.group else {
        members.append((column.exportedName, field))
        continue
      }
      var own: Members = []
      if let last = members.last, last.key == group.key, case .line(let earlier) = last.value {
        own = earlier
        members.removeLast()
      }
      own.append((column.memberName, field))
      members.append((group.key, .line(own)))
    }
    return members
  }

  private static func value(_ value: FieldValue, _ kind: FieldKind) -> JSONText {
    switch (value, kind) {
    case (.absent, _): .null
    case (.whole(let number), .instant): .string(Instant(microseconds: number).description)
    case (.whole(let number), .flag): .bool(number != 0)
    case (.whole(let number), _): .integer(number)
    case (.real(let number), _): .real(number, decimals: 6)
    case (.text(let text), .unsigned): .number(text)
    case (.text(let text), _): .string(text)
    }
  }

  /// How many of what some columns count the run did in a second; null when it was not timed.
  private static func rates(
    _ row: [FieldValue], _ columns: [ColumnShape], _ wall: Double
  ) -> Members {
    zip(columns, row).compactMap { column, value in
      guard let key = column.rate, case .whole(let count) = value else { return nil }
      return (key, .real(wall > 0 ? Double(count) / wall : .nan, decimals: 1))
    }
  }
}

extension ColumnShape {
  /// The column's key in the object that it is part of.
  var memberName: String {
    guard let group, exportedName.hasPrefix(group.prefix) else { return exportedName }
    return String(exportedName.dropFirst(group.prefix.count))
  }
}
