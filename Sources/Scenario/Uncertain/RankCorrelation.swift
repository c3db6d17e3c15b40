internal import Foundation
package import RewardModel

/// How far two uncertain settings move together: an entry of `correlated`, such as
/// `population.members and population.purchase.r = 0.4`.
package struct RankCorrelation: Sendable, Equatable {
  package let first: String
  package let second: String
  /// Spearman's rank correlation, above −1 and below 1.
  package let value: Double

  static let wanted =
    "two uncertain settings and their rank correlation, as in "
    + "'population.members and population.purchase.r = 0.4'"

  /// The form of an entry in a file.
  static let form = TextForm(
    wanted: wanted, pattern: #"^ *[^ ]+ +and +[^ ]+ *= *[-+]?[0-9.]+ *$"#,
    check: { text throws(Refusal) in _ = try RankCorrelation(text) })

  /// Reads an entry.
  ///
  /// - Throws: `Refusal` that says what is wrong.
  package init(_ text: String) throws(Refusal) {
    let sides = text.components(separatedBy: "=").map(\.trimmed)
    let paths = sides[0].components(separatedBy: " and ").map(\.trimmed)
    guard sides.count == 2, paths.count == 2, paths.allSatisfy({ !$0.isEmpty }),
      paths[0] != paths[1], let value = ExactDecimal(sides[1])?.double
    else { throw Refusal("'\(text.shortened)' is not a correlation", "write \(Self.wanted)") }
    guard abs(value) < 1 else {
      throw Refusal("\(sides[1]) is not a correlation", "write a number above -1 and below 1")
    }
    first = paths[0]
    second = paths[1]
    self.value = value
  }
}
