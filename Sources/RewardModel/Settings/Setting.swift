internal import Quantities

/// One setting of `Root`: what it is, and where its value is in the typed values.
package struct Setting<Root: Sendable>: Sendable {
  /// What everything that knows no type needs.
  package private(set) var description: SettingDescription
  /// The value in its own shape.
  package let read: @Sendable (Root) -> SettingValue
  /// Takes values of the shape only.
  package let write: @Sendable (inout Root, SettingValue) -> Void

  init(
    _ path: String, _ shape: SettingShape, _ about: About, marks: [String: SettingMark] = [:],
    read: @escaping @Sendable (Root) -> SettingValue,
    write: @escaping @Sendable (inout Root, SettingValue) -> Void
  ) {
    description = SettingDescription(path: path, shape: shape, about)
    description.recordMarks = marks
    self.read = read
    self.write = write
  }

  /// The same setting, which the file has to write.
  package var needed: Setting {
    var copy = self
    copy.description.required = true
    return copy
  }

  /// The description with the default that `root` holds.
  package func described(in root: Root) -> SettingDescription {
    var answer = description
    answer.standard = read(root)
    return answer
  }

  /// The same setting as a part of something larger.
  ///
  /// - Parameters:
  ///   - prefix: Path of the part; a setting without a path of its own takes it whole.
  ///   - place: Where the part is.
  package func under<Whole>(
    _ prefix: String, _ place: any Setting<Whole>.Place<Root>
  ) -> Setting<Whole> {
    let path = description.path.isEmpty ? prefix : "\(prefix).\(description.path)"
    var answer = Setting<Whole>(
      description, read: { read($0[keyPath: place]) },
      write: { write(&$0[keyPath: place], $1) })
    answer.description.path = path
    return answer
  }

  private init(
    _ description: SettingDescription, read: @escaping @Sendable (Root) -> SettingValue,
    write: @escaping @Sendable (inout Root, SettingValue) -> Void
  ) {
    self.description = description
    self.read = read
    self.write = write
  }
}

extension Array {
  /// Settings as a part of something larger; see `Setting.under`.
  package func under<Part, Whole>(
    _ prefix: String, _ place: any Setting<Whole>.Place<Part>
  ) -> [Setting<Whole>] where Element == Setting<Part> {
    map { $0.under(prefix, place) }
  }
}
