package import Scenario

/// A scenario of a campaign.
package struct CampaignSource: Sendable {
  /// Path of its file.
  package var file: String
  /// Its text as it was when the campaign began; nil where each case reads the file.
  package var text: String?
  /// Overrides of its cases, each `path=value`; those of the campaign win over them.
  package var settings: [String] = []
  /// Whether the file can be read only once, as a pipe.
  package var isReadOnce = false
  /// Whether nothing is drawn for its cases.
  package var isAsWritten = false
  /// Kinds of faults that none of its cases can have.
  package var impossible: [String] = []
  /// How much its cases have of a usual small world; see `CheckedKinds.size(of:)`.
  package var size = 1.0

  /// A file of which nothing is known.
  package init(_ file: String) { self.file = file }

  /// A scenario that was read.
  ///
  /// - Parameters:
  ///   - scenario: What its text, its settings and those of the campaign make.
  ///   - settings: Overrides of its cases, each `path=value`.
  ///   - isReadOnce: Whether the file is a pipe, say.
  package init(
    _ file: String, text: String, scenario: Scenario, settings: [String] = [], isReadOnce: Bool
  ) {
    self.file = file
    self.text = text
    self.settings = settings
    self.isReadOnce = isReadOnce
    isAsWritten = scenario.check.asWritten
    impossible = CheckedKinds.impossible(in: scenario)
    size = CheckedKinds.size(of: scenario)
  }

  /// A case of it with its text.
  package func whole(_ one: Case) -> Case {
    var one = one
    one.text = text
    return one
  }
}
