package import Experiments
internal import Foundation
internal import Quantities
package import RewardModel
internal import Scenario

/// Figures of experiments in the units that people read.
package enum FigureText {
  /// One value.
  package static func value(_ value: Double, _ unit: MeasureUnit) -> String {
    switch unit {
    case .share: percent(value)
    case .money: money(value)
    case .days: value >= 10_000 ? "over 27 years" : String(format: "%.0f days", value)
    case .duration, .instant:
      abs(value) >= 1_000
        ? Int64(value.rounded()).grouped + " s" : String(format: "%.3g s", value)
    case .count, .flag, .text, .hash:
      (value == value.rounded() || abs(value) >= 1_000) && abs(value) < 1e15
        ? Int64(value.rounded()).grouped : String(format: "%.1f", value)
    }
  }

  /// A half-width: with more digits than a value where it is small.
  static func spread(_ width: Double, _ unit: MeasureUnit) -> String {
    switch unit {
    case .share where width < 0.01: String(format: "%.2f %%", width * 100)
    case .money where width < 1: String(format: "%.4f", width)
    case .count where width < 10: String(format: "%.2f", width)
    case .days where width < 10: String(format: "%.1f days", width)
    default: value(width, unit)
    }
  }

  /// The heading of a figure, with the number of replications that have it where not all do.
  static func heading(_ figure: Projection.Figure, of count: Int) -> String {
    let has = figure.estimate.count
    return figure.description.heading + (has < count ? " (in \(has) of \(count))" : "")
  }

  /// Money, with cents where it is little.
  package static func money(_ value: Double) -> String {
    guard abs(value) < 9e12 else { return String(format: "%.3g", value) }
    if abs(value) >= 1_000 { return Int64(value.rounded()).grouped }
    return String(format: "%.2f", value)
  }

  /// A share with one decimal.
  package static func percent(_ share: Double) -> String {
    let percent = share * 100
    return abs(percent) >= 1_000 && abs(percent) < 1e15
      ? Int64(percent.rounded()).grouped + " %" : String(format: "%.1f %%", percent)
  }

  /// An event's share of replications in whole percent: never 0 % of what happened, and never
  /// 100 % of what did not always happen.
  static func whole(_ chance: Projection.Chance) -> String {
    let percent = Int((chance.share * 100).rounded())
    if percent == 100 && chance.happened < chance.of { return "> 99 %" }
    if percent == 0 && chance.happened > 0 { return "< 1 %" }
    return "\(percent) %"
  }

  /// The same with one decimal.
  static func share(_ chance: Projection.Chance) -> String {
    let text = percent(chance.share)
    if text == "100.0 %" && chance.happened < chance.of { return "> 99.9 %" }
    if text == "0.0 %" && chance.happened > 0 { return "< 0.1 %" }
    return text
  }

  /// The interval of a chance in whole percent: `96 to 100 %`.
  static func interval(_ chance: Projection.Chance) -> String {
    String(format: "%.0f to %.0f %%", chance.low * 100, chance.high * 100)
  }

  /// An event's share of replications with its interval.
  package static func chance(_ chance: Projection.Chance) -> String {
    guard chance.of > 0 else { return "– (no budget)" }
    return "\(whole(chance))  (\(interval(chance)))"
  }

  /// An event's share of replications with its interval, for a column of a table.
  static func narrow(_ chance: Projection.Chance) -> String {
    guard chance.of > 0 else { return "–" }
    return "\(whole(chance)) (\(interval(chance).dropLast(2)))"
  }

  /// What became of a threshold: `members.total < 5: P95 is 12, 3 of 20 replications meet it`.
  package static func verdict(_ verdict: ExpectationVerdict) -> String {
    let reached =
      verdict.reached.map {
        "\(measure(verdict.expectation.measure)) is \(value($0, verdict.unit))"
      } ?? "not every replication has it"
    return "\(verdict.expectation.text): \(reached), \(verdict.met) of \(verdict.count) "
      + "replications meet it"
  }

  /// What a threshold compares, without the figure's name.
  static func measure(_ measure: Condition.Measure) -> String {
    switch measure {
    case .percentile(let percent, _): "P\(percent)"
    case .mean: "the mean"
    case .probability: "the share"
    }
  }

  /// The ends of an interval, a dash for one that is not known.
  static func ends(_ interval: EstimatedInterval, _ unit: MeasureUnit) -> String {
    func end(_ value: Double?) -> String { value.map { FigureText.value($0, unit) } ?? "–" }
    guard interval.low != nil || interval.high != nil else { return "–" }
    return "\(end(interval.low)) to \(end(interval.high))"
  }
}
