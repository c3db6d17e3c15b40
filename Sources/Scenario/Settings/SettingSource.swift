internal import Foundation
package import RewardModel

/// Where values that a scenario writes come from: an entry of `sources`.
///
///     population.purchase from shop.csv: 5,062 customers, 2026-01-01 to 2026-12-31
///     economy.gross_profit, economy.price from the books of 2026
///
/// A path names a setting or a group. What the file writes there is marked as sourced, not as set; an
/// override is set still.
package struct SettingSource: Sendable, Equatable {
  /// Settings and groups.
  package let paths: [String]
  /// Where their values come from.
  package let origin: String

  /// What an entry looks like, in words that complete 'write …'.
  package static let wanted =
    "paths, 'from' and a source, such as 'population.purchase from shop.csv'"

  /// The form of an entry in a file.
  static let form = TextForm(
    wanted: wanted, pattern: "^ *[^ ,]+( *, *[^ ,]+)* +from +.+$",
    check: { text throws(Refusal) in _ = try SettingSource(text) })

  /// Reads an entry.
  ///
  /// - Throws: `Refusal` that says what is wrong.
  package init(_ text: String) throws(Refusal) {
    guard text.count <= 1_000 else {
      throw Refusal("the entry is longer than 1,000 characters", "write one sentence")
    }
    guard let from = text.range(of: " from ") else {
      throw Refusal("'\(text.shortened)' has no 'from'", "write \(Self.wanted)")
    }
    paths = text[..<from.lowerBound].split(separator: ",", omittingEmptySubsequences: false).map {
      String($0).trimmed
    }
    origin = String(text[from.upperBound...]).trimmed
    guard paths.allSatisfy({ !$0.isEmpty && !$0.contains(" ") }) else {
      throw Refusal("'\(text.shortened)' names no setting before 'from'", "write \(Self.wanted)")
    }
    guard !origin.isEmpty else {
      throw Refusal("'\(text.shortened)' names no source", "write \(Self.wanted)")
    }
  }

  /// Whether the setting at a path is one of these, or in one of these groups.
  func covers(_ path: String) -> Bool {
    paths.contains { path == $0 || path.hasPrefix($0 + ".") || path.hasPrefix($0 + "[") }
  }
}

extension Scenario {
  /// What is wrong with where values are said to come from, each with the path of the entry.
  var sourceFaults: [(path: String, message: String)] {
    var faults: [(path: String, message: String)] = []
    for (place, entry) in sources.enumerated() {
      for path in entry.paths {
        let one = SettingSource(paths: [path])
        guard !settings.contains(where: { one.covers($0.path) }) else { continue }
        let meant = nearest(to: path, among: settings.map(\.path)).map { "did you mean '\($0)'?" }
        faults.append(
          (
            "sources[\(place)]",
            "no setting or group is called \(path.shortened); \(meant ?? "see pitboss scenario show")"
          ))
      }
    }
    return faults
  }
}

extension SettingSource {
  fileprivate init(paths: [String]) {
    self.paths = paths
    origin = ""
  }
}
