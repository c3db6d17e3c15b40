internal import Foundation
internal import RewardModel

/// The rows of a CSV file that uncertain settings are drawn from.
package struct UncertainRows: Sendable, Equatable {
  /// Values as they are written, one list a row, in the order of the paths that were asked for.
  package let rows: [[String]]
  /// The words of the first line.
  private let heading: [String]
  /// Places in the heading of what was asked for.
  private let places: [Int]
  /// The line of each row, from 1.
  package let lines: [Int]

  /// Rows in a file, at most.
  package static let limit = 1_000_000

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: Of the file; messages name it as given.
  ///   - columns: Names of the columns that are taken.
  /// - Throws: `InputErrors` that say where what is wrong.
  package init(path: String, columns: [String]) throws(InputErrors) {
    let bytes = try InputFile.bytes(path: path, limit: 1 << 28, limitText: "256 MiB")
    var scanner = CSVScanner(bytes: bytes)
    func failure(_ line: Int, _ message: String) -> InputErrors {
      InputErrors([InputFinding(source: path, line: line, column: 1, message: message)])
    }
    func words() -> [String] {
      scanner.fields.map { field in
        let text = String(decoding: bytes[field.start..<field.end], as: UTF8.self)
        return (field.hasQuotes ? text.replacing("\"\"", with: "\"") : text).trimmed
      }
    }
    guard scanner.next() == .record, !scanner.isBlank else {
      throw failure(1, "has no heading; write the settings' paths in its first line")
    }
    let heading = words()
    var places: [Int] = []
    for column in columns {
      guard let place = heading.firstIndex(of: column) else {
        throw failure(
          1,
          "has no column '\(column.shortened)'; it has \(heading.joined(separator: ", ").shortened)"
        )
      }
      places.append(place)
    }
    var rows: [[String]] = []
    var lines: [Int] = []
    while true {
      let outcome = scanner.next()
      if outcome == .end { break }
      if case .broken(let wrong) = outcome { throw failure(scanner.line, wrong) }
      if scanner.isBlank { continue }
      let row = words()
      guard row.count == heading.count else {
        throw failure(
          scanner.line, "has \(row.count) fields and the heading \(heading.count); write as many")
      }
      guard rows.count < Self.limit else {
        throw failure(scanner.line, "is row \(Self.limit + 1); a file may have \(Self.limit)")
      }
      rows.append(places.map { row[$0] })
      lines.append(scanner.line)
    }
    guard !rows.isEmpty else { throw failure(1, "has no rows below its heading; write some") }
    self.rows = rows
    self.heading = heading
    self.places = places
    self.lines = lines
  }

  /// The column whose name draws the rows of an entry: the first of those next to each other that may be
  /// the entry's. It is the same where some of its settings are overridden, so that two scenarios that
  /// differ in one of them draw the same rows, and so does a scenario that is written with what is left of
  /// the entry.
  ///
  /// - Parameter mayBeOwn: Whether a column is a setting, and no other entry's of the file.
  package func firstColumn(_ mayBeOwn: (String) -> Bool) -> String {
    var column = places.min() ?? 0
    while column > 0, mayBeOwn(heading[column - 1]) { column -= 1 }
    return heading[column]
  }
}
