internal import Documents
internal import Foundation

/// What the command line and the environment set for an experiment, so that nobody takes a scenario
/// as it is written for what was run. Texts, pages and JSON of experiments say it.
package struct SetWords: Sendable, Equatable {
  /// As `path=value`, in the order in which they were read.
  let settings: [String]

  /// Settings as `path=value`, without those of which later ones leave nothing; none where the scenario
  /// ran as it is written.
  package init(_ settings: [String] = []) {
    self.settings = settings.indices
      .filter { place in
        !settings[(place + 1)...].contains { Self.replaces($0, settings[place]) }
      }.map { settings[$0] }
  }

  /// Whether a later setting leaves nothing of an earlier one: it sets the same path, all entries of its
  /// list (`[*]`), or the list.
  private static func replaces(_ later: String, _ earlier: String) -> Bool {
    let (path, before) = (later.prefix { $0 != "=" }, earlier.prefix { $0 != "=" })
    if path == before { return true }
    func isEntry(of list: some StringProtocol) -> Bool {
      before.hasPrefix(list + "[") || before.hasPrefix(list + ".")
    }
    if later.dropFirst(path.count + 1).hasPrefix("[") { return isEntry(of: path) }
    guard let every = path.range(of: "[*]") else { return false }
    let field = path[every.upperBound...]
    return isEntry(of: path[..<every.lowerBound]) && before.hasSuffix(field)
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
