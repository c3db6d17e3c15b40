internal import RewardModel

/// The settings as the nested keys of a file; built from a catalog's paths.
final class SettingTree: Sendable {
  let key: String
  let path: String
  /// What is here, for people.
  let doc: String
  /// Row of the catalog; nil for a mere group.
  let row: Int?
  /// In the order of the catalog; empty for a mere setting.
  let children: [SettingTree]

  /// - Parameters:
  ///   - all: The rows of a catalog.
  ///   - docs: What groups are about, by path.
  convenience init(_ all: [SettingDescription], docs: [String: String]) {
    self.init(key: "", path: "", numbers: Array(all.indices), all, docs)
  }

  /// - Parameter numbers: The rows of the catalog at or under `path`, in order.
  private init(
    key: String, path: String, numbers: [Int], _ all: [SettingDescription], _ docs: [String: String]
  ) {
    self.key = key
    self.path = path
    row = numbers.first { all[$0].path == path }
    doc = docs[path] ?? row.map { all[$0].doc } ?? ""
    let prefix = path.isEmpty ? "" : path + "."
    var keys: [String] = []
    var members: [String: [Int]] = [:]
    for number in numbers where all[number].path != path {
      let rest = all[number].path.dropFirst(prefix.count)
      let child = String(rest.prefix { $0 != "." })
      if members[child] == nil { keys.append(child) }
      members[child, default: []].append(number)
    }
    children = keys.map {
      SettingTree(key: $0, path: prefix + $0, numbers: members[$0] ?? [], all, docs)
    }
  }

  func child(_ key: String) -> SettingTree? { children.first { $0.key == key } }
}
