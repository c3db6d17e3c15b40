/// Everything that one run of a programme showed: a header and typed rows.
///
/// It is a plain value: files, figures and pages need nothing else. Its tables are declared once, by
/// `tables`, and serve SQL, CSV, JSON, the digest and reading back.
@dynamicMemberLookup
package protocol ProgrammeRecord: Sendable {
  var header: RunHeader { get set }
  /// One number of every local day, by key.
  var series: [DailySeries] { get }

  /// Facts about the whole run, such as totals: columns of the record itself.
  static var facts: [Column<Self>] { get }
  /// The program's own tables, in the order of the fingerprint.
  static var tables: [any RecordTable<Self>] { get }
  /// The names of the CSV files, in the order in which a run folder lists them.
  static var files: [String] { get }
  /// The keys of `summary.json` in their order; all keys in the order of declaration when empty.
  /// Later versions only append keys.
  static var summaryKeys: [String] { get }

  /// Why the rows cannot be stored, in words; nil when they agree with each other.
  var contradiction: String? { get }

  /// A record without rows, to be filled.
  init(header: RunHeader)
}

extension ProgrammeRecord {
  package static var files: [String] { tables.compactMap(\.file) }
  package static var summaryKeys: [String] { [] }
  package var contradiction: String? { nil }
}

extension ProgrammeRecord {
  /// What the header holds, as a property of the record.
  package subscript<Value>(dynamicMember path: WritableKeyPath<RunHeader, Value>) -> Value {
    get { header[keyPath: path] }
    set { header[keyPath: path] = newValue }
  }
}
