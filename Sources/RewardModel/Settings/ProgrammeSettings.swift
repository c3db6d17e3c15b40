package import Quantities

/// The typed values of everything that a scenario can set of one program, and the one
/// description of each.
///
/// Reading, checks, listing, 'did you mean', overrides and JSON Schema all follow from `catalog`.
package protocol ProgrammeSettings: Sendable, Equatable {
  /// The defaults.
  init()

  /// Every setting, in the order in which files and listings show them.
  static var catalog: [Setting<Self>] { get }

  /// What each group of settings is about, by the path of the group.
  static var groupDocs: [String: String] { get }

  /// Checks what binds several settings; what one setting alone may be, its shape says.
  static func check(_ rules: inout SettingRules<Self>)

  /// Settings that do nothing in a run while others are as they are.
  ///
  /// - Parameter days: The run's first and last local day.
  func idle(during days: ClosedRange<CivilDate>) -> [IdleSettings]
}

extension ProgrammeSettings {
  /// No two settings bind each other.
  package static func check(_ rules: inout SettingRules<Self>) {}

  /// None.
  package func idle(during days: ClosedRange<CivilDate>) -> [IdleSettings] { [] }
}
