internal import Documents
package import Foundation
internal import Quantities
package import RewardModel

/// The CSV exports of a run. Later versions only append columns.
package enum CSVExports {
  /// Bytes that wait before they are written.
  private static let blockSize = 1 << 18

  /// Writes every export into a folder in the making, in the order in which the record names its
  /// files.
  ///
  /// - Returns: What was written.
  static func write<Record: ProgrammeRecord>(
    _ record: Record, to writer: FolderWriter
  ) throws(RunStoreError) -> [RunSummary.File] {
    let tables = Record.allTables
    var written: [RunSummary.File] = []
    for file in Record.files {
      guard let table = tables.first(where: { $0.file == file }) else { continue }
      var open = try writer.begin(file)
      var rest = render(record, table) { csv in
        if csv.count >= blockSize { csv.take { open.add($0) } }
      }
      rest.take { open.add($0) }
      written.append(try open.finish())
    }
    return written
  }

  /// One export; nil when no table has a file of the name.
  ///
  /// - Complexity: O(rows × columns).
  package static func text<Record: ProgrammeRecord>(_ record: Record, file: String) -> Data? {
    Record.allTables.first { $0.file == file }.map { render(record, $0) { _ in }.data }
  }

  /// Renders a table.
  ///
  /// - Parameter lineEnded: Called after each line; may take what there is so far.
  /// - Returns: What was not taken.
  private static func render<Record: ProgrammeRecord>(
    _ record: Record, _ table: some RecordTable<Record>, lineEnded: (inout CSVText) -> Void
  ) -> CSVText {
    let columns = table.columns(in: .csv)
    let forms = columns.map { CSVForm($0.kind) }
    var csv = CSVText(header: columns.map(\.exportedName).joined(separator: ","))
    table.rows(of: record, in: .csv) { row in
      csv.addLine(row, forms)
      lineEnded(&csv)
    }
    if let total = table.total(of: record, in: .csv) { csv.addLine(total, forms) }
    return csv
  }
}

/// How whole numbers of a column read in a CSV file.
enum CSVForm {
  case digits, instant, flag

  /// The form of a column's kind.
  init(_ kind: FieldKind) {
    self =
      switch kind {
      case .instant: .instant
      case .flag: .flag
      default: .digits
      }
  }
}

extension CSVText {
  /// Adds a line of fields, each in its form.
  mutating func addLine(_ row: [FieldValue], _ forms: [CSVForm]) {
    for place in forms.indices { add(row[place], forms[place]) }
    endLine()
  }

  /// Adds a field; an absent value is an empty one.
  mutating func add(_ value: FieldValue, _ form: CSVForm) {
    switch (value, form) {
    case (.absent, _): add("")
    case (.whole(let number), .instant): add(Instant(microseconds: number).description)
    case (.whole(let number), .flag): add(number == 0 ? "false" : "true")
    case (.whole(let number), _): add(number)
    case (.real(let number), _): add("\(number)")
    case (.text(let text), _): add(text)
    }
  }
}
