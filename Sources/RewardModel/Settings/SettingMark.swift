/// Where the value of a setting comes from.
package enum SettingMark: String, Sendable, CaseIterable {
  /// A fact of the product brief.
  case given
  /// From a public source, or from where `sources` of the scenario says.
  case sourced
  /// Assumed so that the program is complete.
  case assumed
  /// Set by the scenario file, the environment or an override.
  case set
}
