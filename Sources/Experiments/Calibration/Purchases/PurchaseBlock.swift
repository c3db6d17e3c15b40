internal import Foundation
internal import Population
internal import Quantities
package import RewardModel

/// The `population.purchase` block of a scenario, as a calibration found it.
package enum PurchaseBlock {
  /// YAML that is complete as a part of a scenario: the key `population` with the block in it, and
  /// in comments where the figures come from.
  ///
  /// Parameters have seven significant digits.
  ///
  /// - Parameter contained: Settings that must do nothing next to the block.
  package static func yaml(
    _ report: CalibrationReport, _ model: FittedModel, contained: [ContainedEffect] = []
  ) -> String {
    let sample = report.sample
    let fit = model.fit
    var lines = [
      "# \(name(fit)) fitted by maximum likelihood to \(sample.summary.customers) customers,",
      "# \(sample.first) to \(sample.until) (\(sample.zone)), times in weeks of 7 days.",
      "# Log-likelihood \(fixed(fit.logLikelihood, 2)), BIC \(fixed(fit.bic, 2)).",
    ]
    if fit.status != .converged {
      lines += YAMLComment.lines("Warning: \(fit.status.explanation).")
    }
    lines += ["population:", "  purchase:", "    model: \(fit.law.model.rawValue)"]
    for estimate in fit.estimates {
      lines.append("    \(estimate.name): \(digits(estimate.value, 7))\(interval(estimate))")
    }
    lines += [
      fit.law.shape == 1
        ? "    erlang: 1  # purchases of a customer come at random, as the model assumes"
        : "    erlang: \(fit.law.shape)  # phases of a gap, as they were asked for",
      "  # The season shifts purchases within a week and leaves their number as it is. For the",
      "  # fitted model as published, add:  season: none",
    ]
    for effect in contained {
      lines += YAMLComment.lines(
        "Next to it, set \(effect.path) to \(effect.value): \(effect.reason).", indent: 2)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Name of the file with what the fit leaves uncertain.
  package static let drawsName = "purchase-draws.csv"

  /// Draws as CSV, a column a parameter.
  ///
  /// - Parameter group: Path of the group that has the parameters.
  package static func csv(_ draws: ParameterDraws, at group: String) -> String {
    let heading = draws.names.map { "\(group).\($0)" }.joined(separator: ",")
    return heading + "\n"
      + draws.rows.map { row in row.map { digits($0, 7) }.joined(separator: ",") + "\n" }.joined()
  }

  /// A comment on a parameter; empty where nothing is known of its error.
  private static func interval(_ estimate: ParameterEstimate) -> String {
    let text = range(estimate)
    return text.isEmpty ? "" : "  # \(text)"
  }

  /// The interval of a parameter: `95 %: 0.2 to 0.3`; empty where nothing is known of its error.
  static func range(_ estimate: ParameterEstimate) -> String {
    range(low: estimate.low, high: estimate.high)
  }

  /// An interval; empty where neither end is known.
  static func range(low: Double?, high: Double?) -> String {
    switch (low, high) {
    case (nil, nil): ""
    case (let low?, nil): "95 %: \(digits(low, 4)) or more"
    case (nil, let high?): "95 %: up to \(digits(high, 4))"
    case (let low?, let high?): "95 %: \(digits(low, 4)) to \(digits(high, 4))"
    }
  }

  /// The model's name as it is published.
  package static func name(_ fit: PurchaseFit) -> String {
    name(fit.law.model, shape: fit.law.shape)
  }

  /// The same of a model with gaps of some phases.
  static func name(_ model: PurchaseModel, shape: Int) -> String {
    let rates = shape > 1 ? "CNBD-\(shape)" : "NBD"
    return switch model {
    case .bgNbd: "BG/\(rates)"
    case .mbgNbd: "MBG/\(rates)"
    case .paretoNbd: "Pareto/NBD"
    }
  }

  /// A share with one decimal: `7.6 %`.
  package static func percent(_ share: Double) -> String { fixed(share * 100, 1) + " %" }

  /// With so many decimals.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    String(format: "%.\(decimals)f", value)
  }

  /// With so many significant digits, never in scientific notation.
  static func digits(_ value: Double, _ count: Int) -> String {
    guard value.isFinite, value != 0 else { return "\(value)" }
    let magnitude = Int(log10(abs(value)).rounded(.down))
    let text = String(format: "%.\(max(0, count - 1 - magnitude))f", value)
    guard text.contains(".") else { return text }
    let trimmed = text.reversed().drop { $0 == "0" }
    return String((trimmed.first == "." ? trimmed.dropFirst() : trimmed).reversed())
  }
}
