extension ProgrammeSettings {
  /// The settings of a run as the rows of its header say them, each read in its own shape: the one
  /// place that reads them back. What is not there, and every list, has its default.
  ///
  /// - Complexity: O(settings).
  package init(recorded rows: [RunHeader.SettingRow]) {
    self.init()
    let texts = Dictionary(rows.map { ($0.path, $0.value) }, uniquingKeysWith: { $1 })
    for setting in Self.catalog {
      guard let text = texts[setting.description.path],
        let value = try? setting.description.shape.read(text, style: .bare)
      else { continue }
      setting.write(&self, value)
    }
  }
}
