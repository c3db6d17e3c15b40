internal import Programmes
internal import RewardModel
internal import Synchronization

/// The one description of every setting that scenarios of one program have, in the order in
/// which files and listings show them.
struct SettingCatalog: Sendable {
  let programme: any RewardProgramme.Type
  let rows: [SettingDescription]
  /// The settings as the nested keys of a file.
  let tree: SettingTree
  /// Where each path is in `rows`.
  private let numbers: [String: Int]
  /// The settings of the frame, those before and those after the settings of the program.
  private let head: [Setting<FrameValues>]
  private let tail: [Setting<FrameValues>]

  /// Those that were asked for. Each takes milliseconds to make, and a command mostly needs one.
  private static let made = Mutex<[String: SettingCatalog]>([:])

  /// The catalog of a program by its id; nil where no such program is registered.
  static func of(_ programme: String) -> SettingCatalog? {
    Programmes.all.first { $0.id == programme }.map(registered)
  }

  private static func registered(_ programme: any RewardProgramme.Type) -> SettingCatalog {
    // Who asks while it is being made waits for it.
    made.withLock { made in
      if let catalog = made[programme.id] { return catalog }
      let catalog = SettingCatalog(programme)
      made[programme.id] = catalog
      return catalog
    }
  }

  /// The catalog of a program.
  static func of(_ programme: any RewardProgramme.Type) -> SettingCatalog {
    of(programme.id) ?? SettingCatalog(programme)
  }

  private init<P: RewardProgramme>(_ programme: P.Type) {
    self.programme = programme
    head = FrameValues.head(programmes: Programmes.ids)
    tail = FrameValues.tail(figures: P.figures)
    let frame = FrameValues(programme: P.id)
    let standard = P.Settings()
    let rows =
      head.map { $0.described(in: frame) }
      + P.Settings.catalog.map { $0.described(in: standard) }
      + tail.map { $0.described(in: frame) }
    self.rows = rows
    numbers = Dictionary(
      uniqueKeysWithValues: rows.enumerated().map { ($0.element.path, $0.offset) })
    tree = SettingTree(
      rows, docs: FrameValues.groupDocs.merging(P.Settings.groupDocs) { first, _ in first })
  }

  /// The setting at a path.
  func row(_ path: String) -> SettingDescription? { numbers[path].map { rows[$0] } }

  /// The typed values of the frame.
  ///
  /// - Parameter values: One for each row; nil where the default holds.
  func frame(_ values: [SettingValue?]) -> FrameValues {
    var frame = FrameValues(programme: programme.id)
    Self.write(values.prefix(head.count), head, &frame)
    Self.write(values.suffix(tail.count), tail, &frame)
    return frame
  }

  /// The typed values of the program's own settings.
  ///
  /// - Parameter values: One for each row; nil where the default holds.
  func typed(_ values: [SettingValue?]) -> any TypedSettings {
    let own = values.dropFirst(head.count).dropLast(tail.count)
    func typed<P: RewardProgramme>(_ programme: P.Type) -> any TypedSettings {
      var settings = P.Settings()
      Self.write(own, P.Settings.catalog, &settings)
      return ProgrammeValues<P>(settings: settings)
    }
    return typed(programme)
  }

  private static func write<Root>(
    _ values: ArraySlice<SettingValue?>, _ settings: [Setting<Root>], _ root: inout Root
  ) {
    for (setting, value) in zip(settings, values) {
      if let value { setting.write(&root, value) }
    }
  }
}
