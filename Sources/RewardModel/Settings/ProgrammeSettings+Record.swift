extension ProgrammeSettings {
  /// The settings of a run as the rows of its header say them, each read in its own shape, lists
  /// included: the one place that reads them back. What is not there has its default.
  ///
  /// - Complexity: O(settings).
  package init(recorded rows: [RunHeader.SettingRow]) {
    self.init()
    let texts = Dictionary(rows.map { ($0.path, $0.value) }, uniquingKeysWith: { $1 })
    for setting in Self.catalog {
      if let value = setting.description.value(recorded: texts) { setting.write(&self, value) }
    }
  }
}

extension SettingDescription {
  /// The setting's value in the texts of a record, by path; nil where they do not have it.
  fileprivate func value(recorded texts: [String: String]) -> SettingValue? {
    switch shape {
    case .records(let fields, _):
      if texts[path] == "[]" { return .list([]) }
      var entries: [SettingValue] = []
      while let entry = SettingDescription.entry(fields, "\(path)[\(entries.count)]", texts) {
        entries.append(entry)
      }
      return entries.isEmpty ? nil : .list(entries)
    case .offSwitch where texts[path] == nil:
      // A group that is on has the rows of its settings and none of its own.
      return texts.keys.contains { $0.hasPrefix(path + ".") } ? .flag(true) : nil
    default: return texts[path].flatMap { shape.value(recorded: $0) }
    }
  }

  /// A record of a list; nil behind the last one.
  private static func entry(
    _ fields: [SettingDescription], _ path: String, _ texts: [String: String]
  ) -> SettingValue? {
    let values = fields.map { field in
      texts["\(path).\(field.path)"].flatMap { field.shape.value(recorded: $0) }
    }
    guard values.contains(where: { $0 != nil }) else { return nil }
    return .record(zip(values, fields).map { $0 ?? $1.standard })
  }
}

extension SettingShape {
  /// A value of this shape in the text of a record; nil where it is none. Lists of texts, whose
  /// entries may hold anything, are not read back: no programme has one.
  fileprivate func value(recorded text: String) -> SettingValue? {
    guard case .list(let element, _) = self else { return try? read(text, style: .bare) }
    guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
    let parts = text.dropFirst().dropLast().split(separator: ", ")
    let values = parts.compactMap { try? element.read(String($0), style: .bare) }
    return values.count == parts.count ? .list(values) : nil
  }
}
