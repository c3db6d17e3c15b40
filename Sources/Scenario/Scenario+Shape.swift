package import RewardModel

extension Scenario {
  /// Which values the setting at a path takes; entries of lists carry their index, as in
  /// `rules.prizes[0].every`.
  ///
  /// - Returns: Nil where the catalog has no such setting.
  /// - Complexity: O(length of the path + fields of a record).
  package func shape(of path: String) -> SettingShape? {
    if let row = catalog.row(path) { return row.shape }
    guard let open = path.lastIndex(of: "["), let close = path[open...].firstIndex(of: "]"),
      let list = catalog.row(String(path[..<open]))
    else { return nil }
    let rest = path[path.index(after: close)...].drop { $0 == "." }
    switch list.shape {
    case .records(let fields, _): return fields.first { $0.path == rest }?.shape
    case .list(let element, _): return rest.isEmpty ? element : nil
    default: return nil
    }
  }
}
