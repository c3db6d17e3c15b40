internal import RewardModel

/// Finds settings by the words that people have for them, and says what they meant.
package struct SettingFinder: Sendable {
  /// What a search found.
  package struct Finding: Encodable, Sendable, Equatable {
    /// Paths, in the order of the file.
    package var paths: [String]
    /// What was probably meant, as it would find something; nil where something was found, and
    /// where nothing is near.
    package var meant: String?
  }

  private let rows: [(path: String, words: String)]
  /// Paths, the keys that they are made of and the words of the labels.
  private let known: [String]

  /// A finder of the settings of a scenario.
  package init(_ settings: StudioSettings) {
    rows = settings.rows.map { row in
      let words = [row.path, row.label, row.entry ?? "", row.doc, row.unit]
      return (row.path, Self.plain(words.joined(separator: " ")))
    }
    var known: [String] = []
    var seen: Set<String> = []
    func add(_ word: some StringProtocol) {
      if seen.insert(String(word)).inserted { known.append(String(word)) }
    }
    for row in settings.rows where row.entry == nil || row.entry?.hasPrefix("1:") == true {
      add(row.path)
      for key in row.path.split(whereSeparator: { ".[]".contains($0) }) where Int(key) == nil {
        add(key)
        for word in key.split(separator: "_") where word.count > 2 { add(word) }
      }
    }
    self.known = known
  }

  /// The settings that have every word of a text in their path, heading, meaning or unit.
  ///
  /// - Complexity: O(settings × words), and O(names × length²) where nothing is found.
  package func find(_ text: String) -> Finding {
    let words = Self.plain(String(text.prefix(200))).split(separator: " ")
    guard !words.isEmpty else { return Finding(paths: []) }
    let found = rows.filter { row in words.allSatisfy { row.words.contains($0) } }.map(\.path)
    if !found.isEmpty { return Finding(paths: found) }
    let whole = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if let path = nearest(to: whole, among: known) { return Finding(paths: [], meant: path) }
    let meant = words.map { word -> String in
      if rows.contains(where: { $0.words.contains(word) }) { return String(word) }
      return nearest(to: String(word), among: known) ?? String(word)
    }.joined(separator: " ")
    let isNew = meant != words.joined(separator: " ")
    return Finding(paths: [], meant: isNew && !find(meant).paths.isEmpty ? meant : nil)
  }

  private static func plain(_ text: String) -> String {
    String(text.lowercased().map { $0 == "_" || $0 == "." || $0.isWhitespace ? " " : $0 })
  }
}
