internal import RewardModel

extension Scenario {
  /// The resolved settings as an aligned table: path, value with unit, mark and what it is.
  package var table: String {
    let heads = ["setting", "value", "mark", "what it is"]
    let rows = settings.map { setting -> [String] in
      let value = setting.valueText.shortened
      return [
        setting.path, hasUnit(setting) ? "\(value) \(setting.unit)" : value,
        setting.mark.rawValue, setting.doc + (setting.source.map { " From \($0)." } ?? ""),
      ]
    }
    let widths = heads.indices.map { column in
      ([heads] + rows).map { $0[column].count }.max() ?? 0
    }
    let lines = ([heads] + rows).map { row in
      zip(row, widths).map { text, width in
        text + String(repeating: " ", count: width - text.count)
      }.joined(separator: "  ").trimmed
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func hasUnit(_ setting: ResolvedSetting) -> Bool {
    !setting.unit.isEmpty && setting.value != .none && setting.value != .list([])
  }

  /// The whole resolved file as YAML, with each value's mark and meaning after it; loads back to
  /// the same values.
  package var yaml: String { yaml(values) }

  /// The same with no more under `uncertain` and `correlated` than is still drawn, so that it repeats
  /// an experiment whose overrides made some of it certain.
  ///
  /// - Parameter file: The name of each file of rows, seen from the folder of the new scenario.
  package func drawnYAML(file: (String) -> String) -> String {
    yaml(drawnValues(file: file))
  }

  /// The values with no more under `uncertain` and `correlated` than is still drawn.
  func drawnValues(file: (String) -> String = { $0 }) -> [SettingValue] {
    let drawn = drawnEntries(file: file)
    return zip(catalog.rows, values).map { row, value in
      switch row.path {
      case "uncertain": .list(drawn.uncertain.map { .text($0) })
      case "correlated": .list(drawn.correlated.map { .text($0) })
      default: value
      }
    }
  }

  private func yaml(_ values: [SettingValue]) -> String {
    var lines: [String] = []
    appendYAML(catalog.tree, values, indent: 0, to: &lines)
    return lines.joined(separator: "\n") + "\n"
  }

  private func appendYAML(
    _ tree: SettingTree, _ values: [SettingValue], indent: Int, to lines: inout [String]
  ) {
    let pad = String(repeating: " ", count: indent)
    for child in tree.children {
      guard let row = child.row else {
        lines.append("\(pad)\(child.key):  # \(child.doc)")
        appendYAML(child, values, indent: indent + 2, to: &lines)
        continue
      }
      let setting = catalog.rows[row]
      let value = values[row]
      switch (setting.shape, value) {
      case (.offSwitch, .flag(true)):
        lines.append("\(pad)\(child.key):  # \(child.doc)")
        appendYAML(child, values, indent: indent + 2, to: &lines)
      case (.offSwitch, _): lines.append("\(pad)\(child.key): none  # \(child.doc)")
      case (.records(let fields, _), .list(let entries)) where !entries.isEmpty:
        lines.append("\(pad)\(child.key):  # \(setting.doc)")
        for (index, entry) in entries.enumerated() {
          guard case .record(let parts) = entry else { continue }
          for (column, (field, part)) in zip(fields, parts).enumerated() {
            let mark = mark(of: "\(setting.path)[\(index)].\(field.path)")
            lines.append(
              "\(pad)  \(column == 0 ? "- " : "  ")\(field.path): \(part.quotedText)  # \(mark)")
          }
        }
      case (.list(.form, _), .list(let texts)) where !texts.isEmpty:
        lines.append("\(pad)\(child.key):")
        lines += texts.map { "\(pad)  - \($0.quotedText)" }
      default:
        let unit = setting.unit.isEmpty ? "" : " [\(setting.unit)]"
        lines.append(
          "\(pad)\(child.key): \(value.quotedText)"
            + "  # \(mark(of: setting.path)): \(setting.doc)\(unit)")
      }
    }
  }

  private func mark(of path: String) -> String {
    settings.first { $0.path == path }?.mark.rawValue ?? ""
  }
}
