internal import RewardModel
internal import Scenario

/// The settings of some runs: those in which they differ, and those that they share by mark.
struct SettingComparison {
  /// One path in all runs.
  struct Row {
    var path: String
    /// For people; may be empty.
    var unit: String
    /// One line: what it is; may be empty.
    var doc: String
    /// What the list is about that holds the setting; the same as `doc` outside lists.
    var listDoc: String
    /// One entry a run; nil where the run has no such setting, for example because the group that
    /// it belongs to is switched off.
    var entries: [RunHeader.SettingRow?]

    /// Whether the runs do not agree about the value.
    var differs: Bool { entries.contains { $0?.value != entries[0]?.value } }

    /// `set` when any run sets it, else the first run's.
    var mark: String {
      entries.contains { $0?.mark == "set" } ? "set" : entries.compactMap { $0?.mark }.first ?? ""
    }
  }

  /// The marks in the order in which reports list them, and what they mean.
  static let marks: [(mark: String, words: String)] = [
    ("set", "set by this scenario or on the command line"),
    ("assumed", "assumed; the scenario can say otherwise"),
    ("sourced", "taken from a source"),
    ("given", "given by the program, a fact"),
  ]

  /// In the order of the first run that has them, the runs in theirs.
  let rows: [Row]

  /// - Complexity: O(settings of all runs × runs).
  init(_ runs: [RunHeader]) {
    var places: [String: Int] = [:]
    var rows: [Row] = []
    for (index, run) in runs.enumerated() {
      for setting in RunWords.used(run) {
        let place: Int
        if let known = places[setting.path] {
          place = known
        } else {
          place = rows.count
          places[setting.path] = place
          let programme = run.programme
          let about = SettingDocs.about(setting.path, of: programme)
          let list = SettingDocs.about(
            String(setting.path.prefix { $0 != "[" }), of: programme)
          rows.append(
            Row(
              path: setting.path, unit: about?.unit ?? "", doc: about?.doc ?? "",
              listDoc: list?.doc ?? "", entries: Array(repeating: nil, count: runs.count)))
        }
        rows[place].entries[index] = setting
      }
    }
    self.rows = rows
  }

  /// Where the runs do not agree. Name and description are left out: they say what a run is, not
  /// what is put into it.
  var differing: [Row] {
    rows.filter { $0.differs && $0.path != "name" && $0.path != "description" }
  }

  /// What all runs agree about, by mark; marks that this version does not know come last.
  var shared: [(mark: String, words: String, rows: [Row])] {
    let rows = rows.filter { !$0.differs }
    let known = Self.marks.map(\.mark)
    let others = Set(rows.map(\.mark)).subtracting(known).sorted()
    return (Self.marks + others.map { ($0, $0) }).map { mark, words in
      (mark, words, rows.filter { $0.mark == mark })
    }.filter { !$0.rows.isEmpty }
  }

  /// A line of a list of settings: one setting, or the fields of one entry of a list.
  struct Line: Equatable {
    var path: String
    var value: String
    var doc: String
  }

  /// Rows as lines for people: neighbors that are fields of one entry, such as
  /// `rules.prizes[0].name` and `rules.prizes[0].every`, become one.
  ///
  /// - Parameter rows: Rows in which the runs agree.
  static func folded(_ rows: [Row]) -> [Line] {
    var lines: [Line] = []
    var last: Substring?
    for row in rows {
      let value = RunWords.value(row.entries[0]?.value ?? "", unit: row.unit)
      guard let close = row.path.lastIndex(of: "]"),
        row.path.index(after: close) < row.path.endIndex
      else {
        last = nil
        lines.append(Line(path: row.path, value: value, doc: row.doc))
        continue
      }
      let entry = row.path[...close]
      let field = "\(row.path[close...].dropFirst(2)) \(value)"
      if entry == last {
        lines[lines.count - 1].value += ", \(field)"
      } else {
        lines.append(Line(path: String(entry), value: field, doc: row.listDoc))
      }
      last = entry
    }
    return lines
  }
}
