internal import RewardModel

/// One setting that is set from outside the file, `path.to.key=value`.
///
/// Entries of lists are addressed by index (`rules.prizes[0].every`), all at once
/// (`rules.prizes[*].every`) or, where they have one, by name or date
/// (`rules.prizes.Casino.every`). A value in brackets or braces is YAML; any other
/// value is taken literally. A group is given in braces, and its other settings stay as they are:
/// `rules.tiers={vip: 12, whale: 90}`.
package struct SettingOverride: Sendable, Equatable {
  /// Dotted path of the setting.
  package let path: String
  package let value: String
  /// The flag or variable that carries it, for messages.
  package let source: String
  /// The flag and the variable that give the seed alone.
  static let seedSources = ["--seed", "PITBOSS_SEED"]
  /// Whether the text it was made from had a `=`.
  let isComplete: Bool

  /// An override of the setting at `path`.
  package init(path: String, value: String, source: String = "--set") {
    self.path = path.trimmed
    self.value = value.trimmed
    self.source = source
    isComplete = true
  }

  /// Reads `path.to.key=value`. Text without a `=` is refused when the scenario is loaded.
  package init(argument: String, source: String = "--set") {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts[0]).trimmed
    value = parts.count == 2 ? String(parts[1]).trimmed : ""
    self.source = source
    isComplete = parts.count == 2 && !path.isEmpty
  }

  /// What the environment sets: `PITBOSS_SET` holds overrides between semicolons, `PITBOSS_SEED`
  /// the seed, which wins over a seed in `PITBOSS_SET`. Empty ones set nothing.
  package static func from(environment: [String: String]) -> [SettingOverride] {
    var overrides = texts(environment: environment)
      .map { SettingOverride(argument: $0, source: "PITBOSS_SET") }
    if let seed = environment["PITBOSS_SEED"], !seed.isEmpty {
      overrides.append(SettingOverride(path: "seed", value: seed, source: "PITBOSS_SEED"))
    }
    return overrides
  }

  /// What the environment sets besides the seed, each as it would be given to `--set`.
  package static func texts(environment: [String: String]) -> [String] {
    (environment["PITBOSS_SET"] ?? "").split(separator: ";").map { String($0).trimmed }
      .filter { !$0.isEmpty }
  }
}

/// Writes overrides into the raw nodes of a file, so that one reading judges both.
struct OverrideWriter {
  let catalog: SettingCatalog
  private(set) var findings: [InputFinding] = []
  /// What each override that was written set; see `Scenario.targets`.
  private(set) var targets: [[String]] = []
  /// The same of the override that is being written.
  private var written: [String] = []

  init(_ catalog: SettingCatalog) { self.catalog = catalog }

  /// Writes one override.
  ///
  /// - Parameter rank: Its place among all overrides, from 1.
  mutating func write(_ override: SettingOverride, rank: Int, into root: inout RawNode) {
    let named = SettingOverride.seedSources.contains(override.source) || override.path.isEmpty
    let label = named ? override.source : "\(override.source) \(override.path)"
    written = []
    defer { targets.append(written) }
    do throws(Refusal) {
      guard override.isComplete else {
        throw Refusal("has no '=' after a path", "write path.to.key=value")
      }
      if let next = another(in: override) {
        throw Refusal(
          "'\(override.value.shortened)' goes on with another setting, \(next)",
          Self.apart[override.source] ?? "write one value")
      }
      let origin = Origin.override(label: label, rank: rank)
      let value = try Self.node(override.value, origin)
      guard case .mapping = root.content else { return }
      try set(value, override.path[...], &root, catalog.tree, origin)
    } catch {
      var finding = InputFinding(source: label, path: override.path, message: error.message)
      finding.rank = rank
      findings.append(finding)
    }
  }

  /// How settings are kept apart, by where they are given.
  private static let apart = [
    "PITBOSS_SET": "put a ';' between settings",
    "--set": "give each setting its own --set", "--with": "--help shows how to give several",
  ]

  /// The path of another setting that is written in a value, as in `100,calendar.days=3`.
  private func another(in override: SettingOverride) -> String? {
    guard let setting = catalog.row(override.path), setting.shape.isOneWord else { return nil }
    let pieces = override.value.split { $0.isWhitespace || $0 == "," || $0 == ";" }
    for piece in pieces.dropFirst() {
      let path = piece.prefix { $0 != "=" }
      let first = path.prefix { $0 != "." && $0 != "[" }
      if path.count < piece.count, catalog.tree.child(String(first)) != nil { return String(path) }
    }
    return nil
  }

  /// The node that a value means.
  private static func node(_ text: String, _ origin: Origin) throws(Refusal) -> RawNode {
    guard text.hasPrefix("[") || text.hasPrefix("{") else {
      return RawNode(content: .scalar(text, style: .bare), origin: origin)
    }
    var reader = YAMLReader(file: "")
    guard let node = reader.read(text), reader.findings.isEmpty else {
      let why = reader.findings.first?.message ?? "is not YAML; check brackets and quotes"
      let parts = why.split(separator: ";", maxSplits: 1).map { String($0).trimmed }
      throw Refusal("'\(text.shortened)' \(parts[0])", parts.count > 1 ? parts[1] : "check it")
    }
    return node.moved(to: origin)
  }

  private mutating func set(
    _ value: RawNode, _ path: Substring, _ node: inout RawNode, _ tree: SettingTree,
    _ origin: Origin
  ) throws(Refusal) {
    if path.isEmpty {
      note(value, tree)
      return Self.merge(value, into: &node, tree)
    }
    if let row = tree.row, tree.children.isEmpty {
      return try setEntry(value, path, &node, catalog.rows[row], origin)
    }
    var pairs: [RawPair] = []
    if case .mapping(let written) = node.content { pairs = written }
    if case .mapping = node.content {} else { node.origin = origin }
    let key = path.prefix { $0 != "." && $0 != "[" }
    let rest = path.dropFirst(key.count)
    let next = rest.first == "." ? rest.dropFirst() : rest
    guard !key.isEmpty, rest.isEmpty || !next.isEmpty else {
      throw Refusal("has an empty part in its path", "write path.to.key=value")
    }
    let index =
      pairs.firstIndex { $0.key == key }
      ?? {
        let empty = RawNode(content: .scalar("", style: .plain), origin: .standard)
        pairs.append(RawPair(key: String(key), keyOrigin: origin, value: empty))
        return pairs.count - 1
      }()
    if let child = tree.child(String(key)) {
      try set(value, next, &pairs[index].value, child, origin)
    } else {
      // The reader refuses the key, and says which it knows.
      pairs[index] = RawPair(key: String(key), keyOrigin: origin, value: value)
    }
    node.content = .mapping(pairs)
  }

  /// Notes what a value sets: of a group, the settings that it names.
  private mutating func note(_ value: RawNode, _ tree: SettingTree) {
    guard !tree.children.isEmpty, case .mapping(let given) = value.content else {
      written.append(tree.path)
      return
    }
    for pair in given {
      if let child = tree.child(pair.key) { note(pair.value, child) }
    }
  }

  /// Sets what is at a path: of a group, the settings that the value names and no others.
  private static func merge(_ value: RawNode, into node: inout RawNode, _ tree: SettingTree) {
    guard !tree.children.isEmpty, case .mapping(let given) = value.content,
      case .mapping(var pairs) = node.content
    else {
      node = value
      return
    }
    for pair in given {
      guard let index = pairs.firstIndex(where: { $0.key == pair.key }),
        let child = tree.child(pair.key)
      else {
        pairs.removeAll { $0.key == pair.key }
        pairs.append(pair)
        continue
      }
      merge(pair.value, into: &pairs[index].value, child)
    }
    node.content = .mapping(pairs)
  }

  /// Sets an entry of a list, or a field of one; a list that is not written is the default's.
  private mutating func setEntry(
    _ value: RawNode, _ path: Substring, _ node: inout RawNode,
    _ setting: SettingDescription, _ origin: Origin
  ) throws(Refusal) {
    let fields: [SettingDescription]
    switch setting.shape {
    case .records(let described, _): fields = described
    case .list: fields = []
    default: throw Refusal("'\(setting.path)' has no parts", "write \(setting.path)=value")
    }
    var entries: [RawNode]
    if case .list(let written) = node.content {
      entries = written
    } else {
      node = RawNode(standard: setting.standard, shape: setting.shape)
      guard case .list(let standard) = node.content else { return }
      entries = standard
    }
    if path.hasPrefix("[*]") {
      guard !entries.isEmpty else {
        throw Refusal("\(setting.path) has 0 entries", "set the whole list")
      }
      for index in entries.indices {
        try setEntry(
          value, Substring("[\(index)]" + path.dropFirst(3)), &node, setting, origin)
      }
      return
    }
    let (index, rest) = try Self.entry(path, entries, fields.first?.path, setting.path)
    written.append("\(setting.path)[\(index)]" + (rest.isEmpty ? "" : ".\(rest)"))
    if rest.isEmpty {
      entries[index] = value
    } else if case .mapping(var pairs) = entries[index].content, !fields.isEmpty {
      let key = String(rest)
      let pair = RawPair(key: key, keyOrigin: origin, value: value)
      if let column = pairs.firstIndex(where: { $0.key == key }) {
        pairs[column] = pair
      } else {
        pairs.append(pair)
      }
      entries[index].content = .mapping(pairs)
    } else {
      throw Refusal("the entry has no parts", "write \(setting.path)[\(index)]=value")
    }
    node.content = .list(entries)
  }

  /// The entry that a path begins with, and the path after it.
  private static func entry(
    _ path: Substring, _ entries: [RawNode], _ nameKey: String?, _ listPath: String
  ) throws(Refusal) -> (index: Int, rest: Substring) {
    if path.first == "[" {
      let digits = path.dropFirst().prefix { $0 != "]" }
      let behind = path.dropFirst(digits.count + 2)
      guard let index = Int(digits), path.dropFirst(digits.count + 1).first == "]",
        behind.isEmpty || (behind.first == "." && behind.count > 1)
      else {
        throw Refusal("has a broken index", "write \(listPath)[0] and what follows")
      }
      guard entries.indices.contains(index) else {
        throw Refusal(
          "\(listPath) has \(entries.count) entries",
          entries.isEmpty ? "set the whole list" : "write an index from 0 to \(entries.count - 1)")
      }
      return (index, behind.dropFirst())
    }
    guard let nameKey else {
      throw Refusal("names no entry", "write an index, as in \(listPath)[0]=value")
    }
    let names = entries.map { $0.text(of: nameKey) ?? "" }
    let matches = names.indices.filter {
      path == names[$0] || path.hasPrefix(names[$0] + ".") && !names[$0].isEmpty
    }
    guard let index = matches.max(by: { names[$0].count < names[$1].count }) else {
      let typed = String(path.prefix { $0 != "." })
      let meant = nearest(to: typed, among: names).map { "did you mean '\($0)'?" }
      throw Refusal(
        "\(listPath) has no entry '\(typed.shortened)'",
        meant ?? "entries are \(names.joined(separator: ", "))")
    }
    return (index, path.dropFirst(names[index].count + 1))
  }
}

extension RawNode {
  /// The scalar under a key of a mapping.
  fileprivate func text(of key: String) -> String? {
    guard case .mapping(let pairs) = content,
      case .scalar(let text, _)? = pairs.first(where: { $0.key == key })?.value.content
    else { return nil }
    return text
  }

  /// The same node as if it had been written at `origin`.
  fileprivate func moved(to origin: Origin) -> RawNode {
    switch content {
    case .list(let nodes):
      RawNode(content: .list(nodes.map { $0.moved(to: origin) }), origin: origin)
    case .mapping(let pairs):
      RawNode(
        content: .mapping(
          pairs.map {
            RawPair(key: $0.key, keyOrigin: origin, value: $0.value.moved(to: origin))
          }), origin: origin)
    case .scalar, .refused: RawNode(content: content, origin: origin)
    }
  }
}

extension SettingShape {
  /// Whether no value has several parts or free text, as a number, a time or a choice.
  fileprivate var isOneWord: Bool {
    switch self {
    case .text, .form, .list, .records: false
    case .optional(let inner): inner.isOneWord
    default: true
    }
  }
}
