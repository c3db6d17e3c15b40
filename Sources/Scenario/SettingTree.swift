/// The settings as the nested keys of a file; built from the catalog's paths.
final class SettingTree: Sendable {
  let key: String
  let path: String
  /// Row of the catalog; nil for a mere group.
  let row: Int?
  /// In the order of the catalog; empty for a mere setting.
  let children: [SettingTree]

  static let root = SettingTree(key: "", path: "", rows: Array(SettingCatalog.all.indices))

  /// - Parameter rows: The rows of the catalog at or under `path`, in order.
  private init(key: String, path: String, rows: [Int]) {
    self.key = key
    self.path = path
    row = rows.first { SettingCatalog.all[$0].path == path }
    let prefix = path.isEmpty ? "" : path + "."
    var keys: [String] = []
    var members: [String: [Int]] = [:]
    for row in rows where SettingCatalog.all[row].path != path {
      let rest = SettingCatalog.all[row].path.dropFirst(prefix.count)
      let child = String(rest.prefix { $0 != "." })
      if members[child] == nil { keys.append(child) }
      members[child, default: []].append(row)
    }
    children = keys.map { SettingTree(key: $0, path: prefix + $0, rows: members[$0] ?? []) }
  }

  func child(_ key: String) -> SettingTree? { children.first { $0.key == key } }

  /// What stands here, for people.
  var doc: String {
    SettingCatalog.groupDocs[path] ?? row.map { SettingCatalog.all[$0].doc } ?? ""
  }
}
