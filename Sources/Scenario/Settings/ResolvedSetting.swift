internal import Documents
package import RewardModel

/// One setting of a loaded scenario, with where its value comes from.
package struct ResolvedSetting: Sendable, Equatable {
  /// Dotted path; entries of lists of records carry their index, `rules.prizes[0].every`.
  package let path: String
  package let value: SettingValue
  package let mark: SettingMark
  /// Unit for people; empty where the value says it.
  package let unit: String
  /// One line: what it is.
  package let doc: String
  /// Where `sources` of the scenario says that the value comes from; nil where it does not.
  package let source: String?
  /// Whether the file, the environment or an override writes it.
  package let isWritten: Bool

  /// What wrote a value.
  enum Writer {
    case standard, set
    /// Nothing: an entry of a list that was written leaves it out.
    case leftOut
    case sourced(String)
  }

  private init(
    _ path: String, _ value: SettingValue, _ standard: SettingMark, _ writer: Writer,
    unit: String, doc: String
  ) {
    (self.path, self.value, self.unit, self.doc) = (path, value, unit, doc)
    switch writer {
    case .standard, .leftOut: (mark, source, isWritten) = (standard, nil, false)
    case .set: (mark, source, isWritten) = (.set, nil, true)
    case .sourced(let origin): (mark, source, isWritten) = (.sourced, origin, true)
    }
  }

  /// The value as a person would write it.
  package var valueText: String { value.text }

  /// Every setting in the catalog's order. A group that is switched off is one row.
  ///
  /// - Parameters:
  ///   - values: One for each row of the catalog.
  ///   - writer: What wrote the setting at a path.
  static func all(
    of catalog: SettingCatalog, _ values: [SettingValue], writer: (String) -> Writer
  ) -> [ResolvedSetting] {
    var rows: [ResolvedSetting] = []
    var switchedOff: [String] = []
    for (setting, value) in zip(catalog.rows, values) {
      if switchedOff.contains(where: { setting.path.hasPrefix($0 + ".") }) { continue }
      switch (setting.shape, value) {
      case (.offSwitch, .flag(let isOn)):
        if isOn { continue }
        switchedOff.append(setting.path)
        rows.append(
          ResolvedSetting(
            setting.path, .word("none"), setting.mark, writer(setting.path), unit: "",
            doc: setting.doc))
      case (.records(let fields, _), .list(let entries)) where !entries.isEmpty:
        for (index, entry) in entries.enumerated() {
          guard case .record(let parts) = entry else { continue }
          for (field, part) in zip(fields, parts) {
            let path = "\(setting.path)[\(index)].\(field.path)"
            let writer = writer(path)
            var standard = field.mark
            // An entry that was written is none of those of the default list.
            if case .standard = writer {
              standard = setting.recordMarks["\(index).\(field.path)"] ?? standard
            }
            rows.append(
              ResolvedSetting(path, part, standard, writer, unit: field.unit, doc: field.doc))
          }
        }
      default:
        rows.append(
          ResolvedSetting(
            setting.path, value, setting.mark, writer(setting.path), unit: setting.unit,
            doc: setting.doc))
      }
    }
    return rows
  }
}

extension SettingValue {
  /// The value with text in double quotes and its special characters escaped, as YAML and JSON
  /// read it.
  package var quotedText: String {
    switch self {
    case .text(let text): JSONText.quoted(text)
    case .list(let values): "[" + values.map(\.quotedText).joined(separator: ", ") + "]"
    default: text
    }
  }
}
