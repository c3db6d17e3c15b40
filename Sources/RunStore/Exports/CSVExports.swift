internal import Documents
package import Foundation
internal import Quantities
package import RewardModel

/// The CSV exports of a run. Later versions only append columns.
package enum CSVExports {
  /// Every export, in the order in which the record names its files.
  static func all<Record: ProgrammeRecord>(_ record: Record) -> [RunFolder.ExtraFile] {
    Record.files.compactMap { file in
      text(record, file: file).map { RunFolder.ExtraFile(name: file, contents: $0) }
    }
  }

  /// One export; nil when no table has a file of the name.
  ///
  /// - Complexity: O(rows × columns).
  package static func text<Record: ProgrammeRecord>(_ record: Record, file: String) -> Data? {
    Record.allTables.first { $0.file == file }.map { text(record, $0) }
  }

  private static func text<Record: ProgrammeRecord>(
    _ record: Record, _ table: some RecordTable<Record>
  ) -> Data {
    let columns = table.columns(in: .csv)
    let kinds = columns.map(\.kind)
    var csv = CSVText(header: columns.map(\.exportedName).joined(separator: ","))
    func add(_ row: [FieldValue]) {
      for (value, kind) in zip(row, kinds) { csv.add(value, kind) }
      csv.endLine()
    }
    table.rows(of: record, in: .csv, add)
    if let total = table.total(of: record, in: .csv) { add(total) }
    return csv.data
  }
}

extension CSVText {
  /// Adds a field; an absent value is an empty one.
  mutating func add(_ value: FieldValue, _ kind: FieldKind) {
    switch (value, kind) {
    case (.absent, _): add("")
    case (.whole(let number), .instant): add(Instant(microseconds: number).description)
    case (.whole(let number), .flag): add(number == 0 ? "false" : "true")
    case (.whole(let number), _): add(number)
    case (.real(let number), _): add("\(number)")
    case (.text(let text), _): add(text)
    }
  }
}
