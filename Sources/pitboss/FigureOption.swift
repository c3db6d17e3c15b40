internal import ArgumentParser
internal import Experiments
internal import Foundation
internal import Scenario

/// Figures as options name them.
enum FigureOption {
  /// Refuses a name that no run can have; which daily series a run has shows only at its end.
  static func check(_ name: String, flag: String = "--figure") throws {
    let known = FigureCatalog().names
    let isSeries = Expectation.prefixes.contains { name.hasPrefix($0) && name.count > $0.count }
    if known.contains(name) || isSeries { return }
    let all = known + Expectation.prefixes.map { $0 + "KEY" }
    throw ValidationError(
      "\(flag): unknown figure '\(name)'; figures are \(all.joined(separator: ", "))")
  }

  /// The message about a run that does not have the figure.
  static func missing(_ name: String, _ scenario: String) -> ValidationError {
    ValidationError("--figure: a run of \(scenario) has no \(name); name another figure")
  }

  /// A number or a percentage, `0.01` or `1%`; nil for any other text.
  static func number(_ text: String) -> Double? {
    let isPercent = text.hasSuffix("%")
    let digits = (isPercent ? String(text.dropLast()) : text)
      .trimmingCharacters(in: .whitespaces).replacingOccurrences(of: "_", with: "")
    guard let number = Double(digits), number.isFinite else { return nil }
    return isPercent ? number / 100 : number
  }
}
