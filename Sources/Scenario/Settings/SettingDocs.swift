internal import RewardModel

/// What settings are about, for readers of a run that holds only paths and values.
package enum SettingDocs {
  /// The unit for people (may be empty) and one line that says what the setting is.
  ///
  /// - Parameters:
  ///   - path: As in a resolved scenario; entries of lists carry their index, as in
  ///     `calendar.days` or `faults.outages[0].hour`.
  ///   - programme: Id of the program of the run.
  /// - Returns: Nil for paths and programs that this version does not know.
  /// - Complexity: O(1), and O(fields) for entries of lists.
  package static func about(_ path: String, of programme: String) -> (unit: String, doc: String)? {
    guard let catalog = SettingCatalog.of(programme) else { return nil }
    if let row = catalog.row(path) { return (row.unit, row.doc) }
    guard let open = path.firstIndex(of: "["), let close = path[open...].firstIndex(of: "]"),
      case .records(let fields, _)? = catalog.row(String(path[..<open]))?.shape
    else { return nil }
    let key = path[path.index(after: close)...].dropFirst()
    return fields.first { $0.path == key }.map { ($0.unit, $0.doc) }
  }
}
