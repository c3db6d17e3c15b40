internal import ArgumentParser
internal import Experiments
internal import Foundation
internal import RewardModel
internal import Scenario

/// Figures as options name them.
enum FigureOption {
  /// Refuses a name that no run can have; which of its program's daily series a run has shows only at
  /// its end.
  ///
  /// - Returns: What is known of the figure.
  @discardableResult
  static func check(
    _ name: String, of figures: FigureCatalog, flag: String = "--figure"
  ) throws -> FigureDescription {
    if let refusal = figures.seriesRefusal(name) {
      throw ValidationError("\(flag): \(refusal.message)")
    }
    if let figure = figures.figure(name) { return figure }
    let rest =
      figures.nearest(name).map { "did you mean '\($0)'? 'pitboss figures' lists them all" }
      ?? "figures are \(figures.names.joined(separator: ", "))"
    throw ValidationError("\(flag): unknown figure '\(name)'; \(rest)")
  }

  /// The message about a run that does not have the figure.
  static func missing(_ name: String, _ scenario: String) -> ValidationError {
    ValidationError("a run of \(scenario) has no \(name); give another figure with --figure")
  }

  /// A number or a percentage, `0.01` or `1%`; nil for any other text.
  static func number(_ text: String) -> Double? {
    ExactDecimal(word: text)?.double
  }

  /// The number that an option takes as `0.02` or `2%`.
  static func share(_ text: String) throws -> Double {
    guard let number = number(text) else {
      throw ValidationError("write a share such as 0.02 or 2%")
    }
    return number
  }
}
