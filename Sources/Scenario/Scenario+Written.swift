internal import Documents
package import RewardModel

extension Scenario {
  /// The description of every setting, in the order of files.
  package var descriptions: [SettingDescription] { catalog.rows }

  /// What the file and its overrides say, each as an override of an empty scenario; the name and
  /// what it is about are left out.
  package var written: [(path: String, value: String)] {
    zip(catalog.rows, values).compactMap { row, value in
      guard isWritten(row.path), !["name", "description", "programme"].contains(row.path) else {
        return nil
      }
      let value = row.path == "sources" ? writtenSources : value
      // An override's text stands without quotes.
      if case .text(let text) = value { return (row.path, text) }
      if case .word(let text) = value { return (row.path, text) }
      return (row.path, Self.flow(value, row.shape))
    }
  }

  /// A scenario file that says no more than this one's file and overrides do.
  ///
  /// - Parameters:
  ///   - head: Lines of comment that it begins with.
  ///   - isDrawn: Whether `uncertain` keeps no more than is still drawn: what an override sets is then
  ///     certain in the file, too. What has its default is left out.
  package func writtenYAML(head: [String], isDrawn: Bool = false) -> String {
    var lines = head.map { "# \($0)" }
    appendWritten(
      catalog.tree, isDrawn ? drawnValues() : values, omits: isDrawn, indent: 0, to: &lines)
    return lines.joined(separator: "\n") + "\n"
  }

  private func appendWritten(
    _ tree: SettingTree, _ values: [SettingValue], omits: Bool, indent: Int,
    to lines: inout [String]
  ) {
    let pad = String(repeating: " ", count: indent)
    for child in tree.children {
      if let row = child.row, isWritten(child.path) || child.path == "name" {
        if omits, values[row] == catalog.rows[row].standard, isNeedless(child.path) { continue }
        let value = child.path == "sources" ? writtenSources : values[row]
        lines.append("\(pad)\(child.key): \(Self.flow(value, catalog.rows[row].shape))")
      } else if !child.children.isEmpty {
        let head = lines.count
        appendWritten(child, values, omits: omits, indent: indent + 2, to: &lines)
        if lines.count > head { lines.insert("\(pad)\(child.key):", at: head) }
      }
    }
  }

  /// The entries of `sources` without what an override has set since: where an entry's group holds such a
  /// setting, it names the others one by one.
  private var writtenSources: SettingValue {
    .list(
      sources.compactMap { entry in
        let own = settings.filter { $0.isWritten && entry.covers($0.path) }
        let paths =
          own.contains { $0.source == nil }
          ? own.filter { $0.source != nil }.map(\.path) : entry.paths
        return paths.isEmpty
          ? nil : .text("\(paths.joined(separator: ", ")) from \(entry.origin)")
      })
  }

  /// Whether to say the default of a setting does nothing: it turns a group on that is off without, and may
  /// have a source.
  private func isNeedless(_ path: String) -> Bool {
    let isInSwitch = catalog.rows.contains { row in
      guard case .offSwitch = row.shape else { return false }
      return path == row.path || path.hasPrefix(row.path + ".")
    }
    return !isInSwitch && path != "name" && path != "programme"
      && settings.allSatisfy { setting in
        setting.path != path && !setting.path.hasPrefix(path + "[")
          || setting.source == nil
      }
  }

  private func isWritten(_ path: String) -> Bool {
    settings.contains { setting in
      setting.isWritten && (setting.path == path || setting.path.hasPrefix(path + "["))
    }
  }

  /// A value on one line, as YAML reads it.
  static func flow(_ value: SettingValue, _ shape: SettingShape) -> String {
    switch (shape, value) {
    case (.offSwitch, .flag(false)): return "none"
    case (.records(let fields, _), .list(let entries)):
      let rows = entries.map { entry -> String in
        guard case .record(let parts) = entry else { return entry.quotedText }
        let pairs = zip(fields, parts).filter { $1 != .none }
          .map { "\($0.path): \(flow($1, $0.shape))" }
        return "{" + pairs.joined(separator: ", ") + "}"
      }
      return "[" + rows.joined(separator: ", ") + "]"
    case (.list(.form, _), .list(let texts)):
      return "[" + texts.map { JSONText.quoted($0.text) }.joined(separator: ", ") + "]"
    case (_, .text(let text)), (_, .word(let text)): return JSONText.quoted(text)
    default: return value.quotedText
    }
  }
}
