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

  /// The value as a person would write it.
  package var valueText: String { value.text }

  /// Every setting in the catalog's order. A group that is switched off is one row.
  ///
  /// - Parameters:
  ///   - values: One for each row of the catalog.
  ///   - isSet: Whether the setting at a path was set rather than left at its default.
  static func all(
    of catalog: SettingCatalog, _ values: [SettingValue], isSet: (String) -> Bool
  ) -> [ResolvedSetting] {
    var rows: [ResolvedSetting] = []
    var switchedOff: [String] = []
    for (setting, value) in zip(catalog.rows, values) {
      if switchedOff.contains(where: { setting.path.hasPrefix($0 + ".") }) { continue }
      let mark = isSet(setting.path) ? SettingMark.set : setting.mark
      switch (setting.shape, value) {
      case (.offSwitch, .flag(let isOn)):
        if isOn { continue }
        switchedOff.append(setting.path)
        rows.append(
          ResolvedSetting(
            path: setting.path, value: .word("none"), mark: mark, unit: "", doc: setting.doc))
      case (.records(let fields, _), .list(let entries)) where !entries.isEmpty:
        for (index, entry) in entries.enumerated() {
          guard case .record(let parts) = entry else { continue }
          for (field, part) in zip(fields, parts) {
            let path = "\(setting.path)[\(index)].\(field.path)"
            let standard = setting.recordMarks["\(index).\(field.path)"] ?? field.mark
            rows.append(
              ResolvedSetting(
                path: path, value: part, mark: isSet(path) ? .set : standard, unit: field.unit,
                doc: field.doc))
          }
        }
      default:
        rows.append(
          ResolvedSetting(
            path: setting.path, value: value, mark: mark, unit: setting.unit, doc: setting.doc))
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
