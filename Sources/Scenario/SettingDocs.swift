/// What settings are about, for readers of a run that holds only paths and values.
package enum SettingDocs {
  /// The unit for people (may be empty) and one line that says what the setting is.
  ///
  /// - Parameter path: As in a resolved scenario; entries of lists carry their index, as in
  ///   `rules.prizes[0].every`.
  /// - Returns: Nil for paths that this version does not know.
  /// - Complexity: O(1), and O(fields) for entries of lists.
  package static func about(_ path: String) -> (unit: String, doc: String)? {
    if let row = SettingCatalog.rows[path] {
      return (SettingCatalog.all[row].unit, SettingCatalog.all[row].doc)
    }
    guard let open = path.firstIndex(of: "["), let close = path[open...].firstIndex(of: "]"),
      let row = SettingCatalog.rows[String(path[..<open])],
      case .records(let fields, _) = SettingCatalog.all[row].shape
    else { return nil }
    let key = path[path.index(after: close)...].dropFirst()
    return fields.first { $0.key == key }.map { ($0.unit, $0.doc) }
  }
}
