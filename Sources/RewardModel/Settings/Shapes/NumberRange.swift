/// A range of doubles.
package struct NumberRange: Sendable {
  package let lower: Double
  package let upper: Double
  /// Whether `lower` itself belongs to the range.
  package let lowerIncluded: Bool

  /// From `lower`, itself included, to `upper`.
  package static func atLeast(_ lower: Double, upTo upper: Double) -> NumberRange {
    NumberRange(lower: lower, upper: upper, lowerIncluded: true)
  }

  /// From `lower`, itself excluded, to `upper`.
  package static func above(_ lower: Double, upTo upper: Double) -> NumberRange {
    NumberRange(lower: lower, upper: upper, lowerIncluded: false)
  }

  /// The least number besides 0: what is divided by it is still finite.
  static let least = 1e-100

  func contains(_ value: Double) -> Bool {
    (lowerIncluded ? value >= lower : value > lower) && value <= upper
  }

  /// The range for people, for example `more than 0, at most 10`.
  var words: String {
    let upperText = ExactDecimal(shortest: upper).plain
    let lowerText = ExactDecimal(shortest: lower).plain
    return lowerIncluded
      ? "\(lowerText) to \(upperText)" : "more than \(lowerText), at most \(upperText)"
  }
}
