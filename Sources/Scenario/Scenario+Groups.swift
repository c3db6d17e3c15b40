package import RewardModel

extension Scenario {
  /// What the group of settings at a path is about, as files and listings say it; empty where
  /// nothing does.
  ///
  /// - Parameter path: As `rules` or `rules.orders`; empty for the whole file.
  /// - Complexity: O(keys on the way).
  package func groupDoc(_ path: String) -> String {
    var tree: SettingTree? = catalog.tree
    for key in path.split(separator: ".") { tree = tree?.child(String(key)) }
    return tree?.doc ?? ""
  }

  /// The description of the setting at a path, or of the field of an entry of a list.
  ///
  /// - Returns: Nil where the catalog has no such setting.
  package func description(of path: String) -> SettingDescription? {
    if let row = catalog.row(path) { return row }
    guard let open = path.firstIndex(of: "["), let close = path[open...].firstIndex(of: "]"),
      case .records(let fields, _)? = catalog.row(String(path[..<open]))?.shape
    else { return nil }
    let key = path[path.index(after: close)...].dropFirst()
    return fields.first { $0.path == key }
  }
}
