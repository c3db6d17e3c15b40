internal import Documents
internal import Foundation

/// What the command line and the environment set for an experiment, so that nobody takes a scenario
/// as it is written for what was run. Texts, pages and JSON of experiments say it.
package struct SetWords: Sendable, Equatable {
  /// As `path=value`, in the order in which they were read.
  let settings: [String]

  /// Settings as `path=value`, of which the last one of a path counts; none where the scenario ran as
  /// it is written.
  package init(_ settings: [String] = []) {
    let paths = settings.map { $0.prefix { $0 != "=" } }
    self.settings = settings.indices
      .filter { !paths[($0 + 1)...].contains(paths[$0]) }.map { settings[$0] }
  }

  /// The lines of a text, each with its line feed; empty where nothing was set.
  ///
  /// - Parameter width: Columns of the terminal.
  package func text(width: Int) -> String {
    guard !settings.isEmpty else { return "" }
    return DisplayText.wrapped(
      settings.joined(separator: ", "), width: DisplayText.room(width), after: "Set here   "
    ).map { $0 + "\n" }.joined()
  }

  /// Paragraphs at the head of a page.
  var facts: [String] {
    (settings.isEmpty ? [] : ["Set here: " + settings.joined(separator: ", ")]) + [Self.assumption]
  }

  /// A member of a JSON object, an array that is empty where nothing was set.
  var json: (String, JSONText) { ("set", .array(settings.map { .string($0) })) }

  private static let assumption =
    "How members behave is an assumption of the scenario."
}
