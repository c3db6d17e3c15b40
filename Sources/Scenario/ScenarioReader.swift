internal import RewardModel

/// Gives raw nodes their meaning: fills the values of every setting and collects every finding.
struct ScenarioReader {
  /// Where a piece was written; what `Origin` is outside of `Scenario`, which has another one.
  typealias Place = Origin

  let file: String
  let catalog: SettingCatalog
  private(set) var findings: [InputFinding] = []
  /// How many findings there were beyond those that are kept.
  private(set) var omitted = 0
  /// One value for each row of the catalog; nil where the default holds.
  private(set) var values: [SettingValue?]
  /// Where each value was set, by path; paths of records carry index and key.
  private(set) var origins: [String: Origin] = [:]
  /// Fields that a written entry of a list leaves to their defaults, by path.
  private(set) var leftOut: Set<String> = []
  /// Paths that were refused, so that rules across settings do not judge them again.
  private(set) var refused: Set<String> = []

  init(file: String, catalog: SettingCatalog) {
    self.file = file
    self.catalog = catalog
    values = Array(repeating: nil, count: catalog.rows.count)
  }

  /// Reads the root of a scenario.
  mutating func read(_ root: RawNode) {
    guard case .mapping = root.content else {
      if case .refused = root.content { return }
      report(root.origin, "", "is \(root.kindName), not a group of keys; write 'key: value' lines")
      return
    }
    read(root, catalog.tree)
    for setting in catalog.rows
    where setting.required && origins[setting.path] == nil && !refused.contains(setting.path) {
      report(
        .file(line: 1, column: 1), setting.path,
        "is missing; write \(setting.path): and \(setting.shape.wanted)")
    }
  }

  /// Adds a finding about `path`, which was written at `origin`.
  mutating func report(_ origin: Origin, _ path: String, _ message: String) {
    refused.insert(path)
    let finding = InputFinding(origin, in: file, path: path, message: message)
    if hasRoom { findings.append(finding) } else { omitted += 1 }
  }

  /// Bounds memory and time, with room for findings that come first by position.
  private var hasRoom: Bool { findings.count < InputErrors.limit * 10 }

  /// Reports each broken rule at the first of its settings that was set, unless one of them was
  /// refused.
  mutating func report(_ broken: [BrokenRule]) {
    for rule in broken where rule.paths.allSatisfy({ !refused.contains($0) }) {
      let set = rule.blame.first { origin(of: $0.path) != nil }
      if let set, let origin = origin(of: set.path) {
        report(origin, set.path, set.message)
      } else if let first = rule.blame.first {
        report(.standard, first.path, first.message)
      }
    }
  }

  /// Where a setting, or else the list or group that holds it, was set; nil for a default.
  func origin(of path: String) -> Origin? {
    var path = path[...]
    while true {
      if let origin = origins[String(path)], origin != .standard { return origin }
      guard let cut = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return nil }
      path = path[..<cut]
    }
  }

  private mutating func read(_ node: RawNode, _ tree: SettingTree) {
    if case .refused = node.content {
      refused.insert(tree.path)
      return
    }
    guard let row = tree.row else { return readGroup(node, tree) }
    let setting = catalog.rows[row]
    if case .offSwitch = setting.shape, case .mapping = node.content {
      values[row] = .flag(true)
      return readGroup(node, tree)
    }
    if let value = read(node, as: setting.shape, setting.path) {
      values[row] = value
      if origins[setting.path] == nil { origins[setting.path] = node.origin }
    }
  }

  private mutating func readGroup(_ node: RawNode, _ tree: SettingTree) {
    guard case .mapping(let pairs) = node.content else {
      let keys = tree.children.map(\.key).joined(separator: ", ")
      report(
        node.origin, tree.path,
        "is \(node.kindName), not a group of keys; write its keys below it: \(keys)")
      return
    }
    for pair in pairs {
      if let child = tree.child(pair.key) {
        read(pair.value, child)
      } else {
        let path = tree.path.isEmpty ? pair.key : "\(tree.path).\(pair.key)"
        let message = hasRoom ? unknownKey(pair.key, path, tree) : ""
        report(pair.keyOrigin, path.shortened, message)
      }
    }
  }

  private func unknownKey(_ key: String, _ path: String, _ tree: SettingTree) -> String {
    if let advice = advice(onPath: key, tree) { return advice }
    let keys = tree.children.map(\.key)
    if let meant = nearest(to: key, among: keys) { return "unknown key; did you mean '\(meant)'?" }
    let elsewhere = catalog.rows.map(\.path).filter { $0.hasSuffix(".\(key)") }
    if elsewhere.count == 1 { return "unknown key; did you mean '\(elsewhere[0])'?" }
    return "unknown key; keys here are \(keys.joined(separator: ", "))"
  }

  /// What to write in place of a path such as --set takes; nil where a key is none.
  private func advice(onPath key: String, _ tree: SettingTree) -> String? {
    let names = key.prefix { $0 != "[" }.split(separator: ".").map(String.init)
    guard key.contains("[") || names.count > 1, let first = names.first, tree.child(first) != nil
    else { return nil }
    let groups = names.map { "'\($0.shortened):'" }.joined(separator: ", below it ")
    guard let bracket = key.firstIndex(of: "[") else {
      return "dots are for --set and 'uncertain'; in a file write \(groups), each indented further"
    }
    let places = key[bracket...].prefix { $0 != "." }
    return "\(String(places).shortened) is for --set and 'uncertain'; in a file write \(groups), "
      + "below it every entry of the list after '- '"
  }

  private mutating func read(_ node: RawNode, as shape: SettingShape, _ path: String)
    -> SettingValue?
  {
    switch (node.content, shape) {
    case (.refused, _):
      refused.insert(path)
      return nil
    case (.list(let nodes), .list(let element, let count)):
      return readList(nodes, node.origin, element, count, path)
    case (.list(let nodes), .records(let fields, let count)):
      return readRecords(nodes, node.origin, fields, count, path)
    case (.scalar(let text, let style), _):
      do throws(Refusal) {
        return try shape.read(text, style: style)
      } catch {
        report(node.origin, path, error.message)
        return nil
      }
    default:
      report(node.origin, path, "is \(node.kindName); write \(shape.wanted)")
      return nil
    }
  }

  private mutating func check(
    _ count: Int, in range: ClosedRange<Int>, _ origin: Origin, _ path: String
  ) -> Bool {
    if range.contains(count) { return true }
    let wanted =
      range.lowerBound == range.upperBound
      ? "exactly \(range.upperBound)" : "\(range.lowerBound) to \(range.upperBound)"
    report(origin, path, "has \(count) entries; write \(wanted)")
    return false
  }

  private mutating func readList(
    _ nodes: [RawNode], _ origin: Origin, _ element: SettingShape, _ count: ClosedRange<Int>,
    _ path: String
  ) -> SettingValue? {
    var whole = check(nodes.count, in: count, origin, path)
    var values: [SettingValue] = []
    for (index, node) in nodes.enumerated() {
      let elementPath = "\(path)[\(index)]"
      if let value = read(node, as: element, elementPath) {
        values.append(value)
        if node.origin != .standard {
          origins[elementPath] = node.origin
          origins[path] = origin == .standard ? node.origin : origin
        }
      } else {
        whole = false
      }
    }
    if !whole { refused.insert(path) }
    return whole ? .list(values) : nil
  }

  private mutating func readRecords(
    _ nodes: [RawNode], _ origin: Origin, _ fields: [SettingDescription], _ count: ClosedRange<Int>,
    _ path: String
  ) -> SettingValue? {
    var whole = check(nodes.count, in: count, origin, path)
    var rows: [SettingValue] = []
    for (index, node) in nodes.enumerated() {
      if let row = readRecord(node, fields, "\(path)[\(index)]") {
        rows.append(row)
      } else {
        whole = false
      }
    }
    if !whole { refused.insert(path) }
    return whole ? .list(rows) : nil
  }

  private mutating func readRecord(_ node: RawNode, _ fields: [SettingDescription], _ path: String)
    -> SettingValue?
  {
    guard case .mapping(let pairs) = node.content else {
      if case .refused = node.content { return nil }
      let keys = fields.map(\.path).joined(separator: ", ")
      report(node.origin, path, "is \(node.kindName); write an entry with the keys \(keys)")
      return nil
    }
    var whole = true
    var values = fields.map { $0.required ? nil : $0.standard }
    var written: Set<String> = []
    for pair in pairs {
      let fieldPath = "\(path).\(pair.key)"
      guard let column = fields.firstIndex(where: { $0.path == pair.key }) else {
        let keys = fields.map(\.path)
        let meant = nearest(to: pair.key, among: keys).map { "did you mean '\($0)'?" }
        report(
          pair.keyOrigin, fieldPath.shortened,
          "unknown key; \(meant ?? "keys here are \(keys.joined(separator: ", "))")")
        whole = false
        continue
      }
      written.insert(pair.key)
      values[column] = read(pair.value, as: fields[column].shape, fieldPath)
      if values[column] == nil { whole = false }
      if pair.value.origin != .standard { origins[fieldPath] = pair.value.origin }
    }
    for field in fields where !written.contains(field.path) {
      if node.origin != .standard { leftOut.insert("\(path).\(field.path)") }
      guard field.required else { continue }
      report(
        node.origin, "\(path).\(field.path)",
        "is missing; write \(field.path): and \(field.shape.wanted)")
      whole = false
    }
    return whole ? .record(values.compactMap { $0 }) : nil
  }
}
