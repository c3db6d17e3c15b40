internal import Quantities
internal import RewardModel
package import Scenario

/// Every setting of a scenario as the page shows it.
package struct StudioSettings: Encodable, Sendable {
  /// One setting, or one field of an entry of a list.
  package struct Row: Encodable, Sendable, Equatable {
    package var path: String
    /// The last part of the path in plain words.
    package var label: String
    /// Path of the group that it is shown in.
    package var group: String
    /// The entry of a list that it is a field of, with what names the entry; nil for others.
    package var entry: String?
    /// given, sourced, assumed or set.
    package var mark: String
    /// As a sentence, such as `In USDT.`; empty where the value says it.
    package var unit: String
    package var doc: String
    /// How far the assumption may be off, and why; nil where the program does not say.
    package var assumption: String?
    /// What is drawn for it in each replication, or that it no longer is; nil of a certain setting.
    package var uncertain: String?
    /// Why it does nothing as others are, as a sentence; nil where it does something.
    package var idle: String?
    /// Path of the entry of a list that it is a field of, where entries can be copied and removed.
    package var listEntry: String?
    /// The list of that entry where it was changed as a whole since the scenario was opened.
    package var changedList: String?
    /// Whether it was moved since the scenario was opened.
    package var isMoved: Bool
    package var control: StudioControl
  }

  /// Settings under one heading.
  package struct Group: Encodable, Sendable, Equatable {
    package var path: String
    package var title: String
    package var doc: String
  }

  package let revision: Int
  package let name: String
  package let description: String
  package let programme: String
  package let groups: [Group]
  package let rows: [Row]
  /// Paths of the settings that move the figures most, as the program says.
  package let first: [String]

  /// The settings of a scenario.
  ///
  /// - Parameters:
  ///   - moved: Paths that were moved since the scenario was opened.
  ///   - revision: Which state of the session this is.
  /// - Complexity: O(settings).
  package init(_ scenario: Scenario, moved: [String] = [], revision: Int = 0) {
    self.revision = revision
    name = scenario.name
    description = scenario.description ?? ""
    programme = scenario.programme.name
    rows = Self.rows(scenario, moved)
    var groups: [Group] = []
    var seen: Set<String> = []
    for row in rows where seen.insert(row.group).inserted {
      groups.append(
        Group(
          path: row.group, title: Self.title(row.group), doc: scenario.groupDoc(row.group)))
    }
    self.groups = groups
    let axes = Set(scenario.standardAxes)
    first = rows.map(\.path).filter { axes.contains(Self.pattern($0)) }
  }

  private static func rows(_ scenario: Scenario, _ moved: [String]) -> [Row] {
    let assumptions = Dictionary(
      scenario.assumptions.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    let moved = Set(moved)
    let uncertain = uncertain(scenario)
    let idle = scenario.idleSettings
    var names: [String: String] = [:]
    var shown: [Row] = []
    func add(
      _ path: String, _ value: SettingValue, _ mark: SettingMark, _ about: SettingDescription
    ) {
      let entry = path.lastIndex(of: "]").map { String(path[...$0]) }
      if let entry, names[entry] == nil { names[entry] = value.text }
      let assumption = assumptions[pattern(path)].map { range in
        "May be off by × \(number(range.low)) to × \(number(range.high)). \(range.reason)."
      }
      shown.append(
        Row(
          path: path, label: label(path), group: about.isOfEntries ? path : group(path),
          entry: entry.map { "\(place($0)): \(names[$0] ?? "")" }, mark: mark.rawValue,
          unit: about.unitSentence, doc: about.doc, assumption: assumption,
          uncertain: uncertain[path],
          idle: idle.first { $0.covers(path) }.map { "Does nothing while \($0.reason)." },
          listEntry: path.hasSuffix("]") ? nil : entry,
          changedList: entry.map { String($0.prefix { $0 != "[" }) }.flatMap {
            moved.contains($0) ? $0 : nil
          },
          isMoved: moved.contains(path),
          control: StudioControl(
            about.shape, value, standard: standard(path, about, scenario) ?? value)))
    }
    // A group that can be switched off is listed by itself only while it is off.
    let switches = scenario.descriptions.filter {
      if case .offSwitch = $0.shape { true } else { false }
    }
    var open = switches[...]
    for setting in scenario.settings {
      if let next = open.first, setting.path == next.path || setting.path.hasPrefix(next.path + ".")
      {
        open = open.dropFirst()
        if setting.path != next.path {
          add(next.path, .word("on"), next.mark, next)
        }
      }
      guard let about = scenario.description(of: setting.path) else { continue }
      add(setting.path, setting.value, setting.mark, about)
    }
    return shown
  }

  /// What is said of each uncertain setting, by its path.
  private static func uncertain(_ scenario: Scenario) -> [String: String] {
    var words: [String: String] = [:]
    for entry in scenario.uncertain {
      for path in entry.paths {
        for row in scenario.rows(at: path, of: entry) {
          words[row.path] =
            scenario.isOverridden(path) || scenario.isOverridden(row.path)
            ? "Uncertain until you set it: now every replication has this value."
            : "Uncertain: each replication draws \(entry.lawText)."
        }
      }
    }
    return words
  }

  /// The default of a setting, or of a field of a default entry; nil where it has none.
  private static func standard(
    _ path: String, _ about: SettingDescription, _ scenario: Scenario
  ) -> SettingValue? {
    guard let open = path.firstIndex(of: "["),
      let list = scenario.description(of: String(path[..<open])),
      case .records(let fields, _) = list.shape, case .list(let entries) = list.standard
    else { return about.required ? nil : about.standard }
    guard entries.indices.contains(place(path) - 1),
      case .record(let parts) = entries[place(path) - 1],
      let column = fields.firstIndex(where: { $0.path == about.path })
    else { return nil }
    return parts[column]
  }

  /// A path with `[*]` for every index, as assumptions and axes are written.
  static func pattern(_ path: String) -> String {
    guard let open = path.firstIndex(of: "["), let close = path[open...].firstIndex(of: "]") else {
      return path
    }
    return path[..<open] + "[*]" + path[path.index(after: close)...]
  }

  /// The first two parts of a path that has more, or is a list; else the first.
  static func group(_ path: String) -> String {
    let isEntry = path.contains("[")
    let parts = path.prefix { $0 != "[" }.split(separator: ".")
    if parts.count > 2 || isEntry { return parts.prefix(2).joined(separator: ".") }
    return parts.count == 2 ? String(parts[0]) : ""
  }

  /// `rules.scan_reward` as `Rules: scan reward`.
  private static func title(_ group: String) -> String {
    guard !group.isEmpty else { return "Scenario" }
    let words = group.replacing("_", with: " ").split(separator: ".")
    return
      ([words[0].prefix(1).uppercased() + words[0].dropFirst()] + words.dropFirst().map(String.init))
      .joined(separator: ": ")
  }

  /// What is left of a path below its group, in words.
  private static func label(_ path: String) -> String {
    let group = group(path)
    var rest = path.dropFirst(group.isEmpty || group == path ? 0 : group.count)
    if rest.first == "[", let close = rest.firstIndex(of: "]") {
      rest = rest[rest.index(after: close)...]
    }
    if group == path { rest = path.split(separator: ".").last ?? rest }
    let words = rest.split(separator: ".").joined(separator: ", ").replacing("_", with: " ")
      .replacing("programme", with: "program")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// The number of an entry, from 1, of `rules.list[0]`.
  private static func place(_ entry: String) -> Int {
    let digits = entry.split(separator: "[").last?.prefix { $0.isNumber } ?? ""
    return (Int(digits) ?? 0) + 1
  }

  private static func number(_ value: Double) -> String {
    value == value.rounded() ? "\(Int(value))" : "\(value)"
  }
}

extension SettingDescription {
  /// Whether it is a list of entries with fields, which is shown as a whole while it is empty.
  fileprivate var isOfEntries: Bool { if case .records = shape { true } else { false } }
}
