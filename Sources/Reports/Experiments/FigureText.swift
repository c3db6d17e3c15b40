internal import EventKernel
package import Experiments
internal import Foundation
internal import Quantities
package import RewardModel
package import Scenario

/// Figures of experiments in the units that people read.
package enum FigureText {
  /// One value.
  package static func value(_ value: Double, _ unit: MeasureUnit) -> String {
    switch unit {
    case .share: percent(value)
    case .money: money(value)
    case .days: value >= 10_000 ? "over 27 years" : days(value)
    case .duration, .instant: duration(value)
    case .count, .flag, .text, .hash:
      (value == value.rounded() || abs(value) >= 1_000) && abs(value) < 1e15
        ? Int64(value.rounded()).grouped : count(value)
    }
  }

  /// A mean of counts: with a decimal, or with up to four where that would be none of it.
  private static func count(_ value: Double) -> String {
    let texts = (1...4).lazy.map { String(format: "%.\($0)f", value) }
    let isSmall = abs(value) < 0.095
    return texts.dropFirst(isSmall ? 1 : 0).first { $0.contains { ("1"..."9").contains($0) } }
      ?? "0.0"
  }

  private static func days(_ value: Double) -> String {
    guard abs(value) < 1_000 else { return String(format: "%.1f years", value / 365.25) }
    let text = String(format: "%.0f", value)
    return text == "1" ? "1 day" : "\(text) days"
  }

  /// A time in the largest unit that it fills: `33.6 d`, `-2.0 h`.
  private static func duration(_ seconds: Double) -> String {
    guard abs(seconds) < 9e12 else { return String(format: "%.3g s", seconds) }
    let size = Int64((abs(seconds) * 1e6).rounded())
    return (seconds < 0 && size > 0 ? "-" : "") + PageWords.duration(size)
  }

  /// The means of both sides and their difference; small counts with as many decimals, up to three,
  /// as make the difference that of the sides as they are written.
  static func sides(_ pair: PairedComparison, _ unit: MeasureUnit) -> [String] {
    let values = [pair.baselineMean, pair.variantMean, pair.difference.mean]
    guard unit == .count, values.allSatisfy({ abs($0) < 1_000 }) else {
      return values.prefix(2).map { value($0, unit) } + [difference(values[2], unit)]
    }
    func texts(_ decimals: Int) -> [String] {
      values.map { value in
        value == value.rounded()
          ? self.value(value, unit) : unsigned(String(format: "%.\(decimals)f", value))
      }
    }
    let decimals = (1...3).first { decimals in
      let seen = texts(decimals).compactMap { Double($0) }
      return seen.count == 3 && abs(seen[1] - seen[0] - seen[2]) < 1e-6
    }
    return texts(decimals ?? 3)
  }

  /// A number without the sign where it rounds to nothing.
  private static func unsigned(_ text: String) -> String {
    text.contains { ("1"..."9").contains($0) } ? text : text.replacing("-", with: "")
  }

  /// A difference of two values: of shares in points, with its sign.
  package static func difference(_ value: Double, _ unit: MeasureUnit) -> String {
    guard unit == .share else { return unsigned(self.value(value, unit)) }
    let text = String(format: "%+.1f points", value * 100)
    return text.dropFirst().hasPrefix("0.0 ") ? "0.0 points" : text
  }

  /// The half-width of a difference: of shares in points.
  package static func differenceSpread(_ width: Double, _ unit: MeasureUnit) -> String {
    guard unit == .share, width.isFinite else { return value(width, unit) }
    return String(format: "%.1f points", width * 100)
  }

  /// A difference that somebody gave, with all its decimals: of shares in points.
  static func given(_ width: Double, _ unit: MeasureUnit) -> String {
    // Years would not be all of it.
    if unit == .days, width >= 1_000 {
      let isWhole = width == width.rounded() && width < 1e15
      return (isWhole ? Int64(width).grouped : ExactDecimal(shortest: width).plain) + " days"
    }
    return exact(differenceSpread(width, unit), of: unit == .share ? width * 100 : width)
  }

  /// A value with as many decimals as a difference that matters has.
  ///
  /// - Parameter isDifference: Whether it is one itself: of shares in points.
  static func value(
    _ value: Double, _ unit: MeasureUnit, resolving step: Double, isDifference: Bool = false
  ) -> String {
    let text = isDifference ? differenceSpread(value, unit) : self.value(value, unit)
    let scale = unit == .share ? 100.0 : 1
    let decimals = Int((-log10(step * scale)).rounded(.up))
    let digits = text.prefix { $0.isNumber || "-.".contains($0) }
    let usual = digits.split(separator: ".").dropFirst().first?.count ?? 0
    guard [.share, .money, .count].contains(unit), (usual + 1...15).contains(decimals),
      value != value.rounded(), abs(value) * scale < 1_000
    else { return text }
    return String(format: "%.\(decimals)f", value * scale) + text.dropFirst(digits.count)
  }

  /// A share that somebody gave, with all its decimals.
  static func given(share: Double) -> String { exact(percent(share), of: share * 100) }

  /// A text with the decimals of its number that it leaves out; times, which have units of several sizes,
  /// as they are.
  private static func exact(_ text: String, of number: Double) -> String {
    // 0.07 in percent is 7, not 7.000000000000001.
    let value = Double(String(format: "%.12g", number)) ?? number
    let digits = text.prefix { $0.isNumber || ",.".contains($0) }
    let unit = text.dropFirst(digits.count)
    if digits.isEmpty || ["s", "min", "h", "d"].contains(unit.dropFirst()) { return text }
    for decimals in 0...15 {
      let longer = decimals == 0 ? String(digits) : String(format: "%.\(decimals)f", value)
      if Double(longer.replacing(",", with: "")) == value { return longer + unit }
    }
    return text
  }

  /// A value with as many more decimals as show on which side of a bound it is.
  package static func value(
    _ value: Double, _ unit: MeasureUnit, against comparison: Expectation.Comparison,
    _ bound: Double
  ) -> String {
    let text = self.value(value, unit)
    let scale = unit == .share ? 100.0 : 1
    let holds = comparison.holds(value, bound)
    // 1.233 in percent is 123.3, not 123.30000000000001.
    let limit = Double(String(format: "%.15g", bound * scale)) ?? bound * scale
    func isFaithful(_ digits: String) -> Bool {
      guard let seen = Double(digits.replacing(",", with: "")) else { return true }
      return comparison.holds(seen, limit) == holds
    }
    let digits = text.prefix { $0.isNumber || ",.-".contains($0) }
    switch unit {
    case .duration, .instant:
      return value != bound && text == self.value(bound, unit)
        ? String(format: "%.9g s", value) : text
    // A bound is in days; the text is in years here.
    case .days where !text.contains("day"):
      return faithful(value, from: 0, isFaithful).map { $0 + " days" } ?? text
    default: break
    }
    if isFaithful(String(digits)) { return text }
    let decimals = digits.split(separator: ".").dropFirst().first?.count ?? 0
    return faithful(value * scale, from: decimals + 1, isFaithful)
      .map { $0 + text.dropFirst(digits.count) } ?? text
  }

  /// A number with as few decimals as a condition on its digits allows, some at least and nine more at most.
  private static func faithful(
    _ value: Double, from least: Int, _ isFaithful: (String) -> Bool
  ) -> String? {
    (least...(least + 9)).lazy.map { String(format: "%.\($0)f", value) }.first(where: isFaithful)
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

  /// How far a mean may be off: values that are all the same do not tell, and a dash is of one value.
  ///
  /// - Parameter text: A half-width in words.
  static func spread(
    _ estimate: Estimate, _ unit: MeasureUnit, as text: (Double, MeasureUnit) -> String
  ) -> String {
    estimate.isConstant ? "same" : estimate.halfWidth.map { text($0, unit) } ?? "–"
  }

  /// What "same" means; nil where no estimate says so.
  static func constant(_ estimates: [Estimate?]) -> String? {
    guard estimates.contains(where: { $0?.isConstant == true }) else { return nil }
    return
      "same: all replications have the same value, which does not tell how far it may be "
      + "from that in others."
  }

  /// How far a mean difference may be off; pairs that are all apart by one number do not tell.
  static func spread(_ pair: PairedComparison, as text: @autoclosure () -> String) -> String {
    pair.isConstant ? "in every pair" : text()
  }

  /// What "in every pair" means; nil where no difference is so.
  static func constant(_ pairs: [PairedComparison]) -> String? {
    guard pairs.contains(where: \.isConstant) else { return nil }
    return "in every pair: the difference is the same in all pairs, which do not tell how far it "
      + "may be from that in others."
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
    // Sums of the same money in another order are the same to a millionth, also at half a cent.
    return String(format: "%.2f", (value * 1e6).rounded() / 1e6)
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
    edge(chance.share)
  }

  /// A share with one decimal: never 0 or 100 % where it is not.
  package static func edge(_ share: Double) -> String {
    let text = percent(share)
    if text == "100.0 %" && share < 1 { return "> 99.9 %" }
    if text == "0.0 %" && share > 0 { return "< 0.1 %" }
    return text
  }

  /// The interval of a chance in whole percent, `96 to 100 %`; an end is 0 or 100 only where it is.
  static func interval(_ chance: Projection.Chance) -> String {
    func end(_ share: Double) -> String {
      let percent = share * 100
      if percent > 0, percent < 0.5 {
        return percent < 0.05 ? "< 0.1" : String(format: "%.1f", percent)
      }
      if percent < 100, percent >= 99.5 {
        return percent >= 99.95 ? "> 99.9" : String(format: "%.1f", percent)
      }
      return String(format: "%.0f", percent)
    }
    return "\(end(chance.low)) to \(end(chance.high)) %"
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
    let measure = measure(verdict)
    let reached =
      verdict.reached.map { "\(measure) is \(Self.reached($0, verdict))" }
      ?? verdict.gaps.map { gaps in
        gaps.absent > 0
          ? "\(measure) has no value, as \(lacks(gaps))"
          : "\(measure) is over any bound, as \(lacks(gaps))"
      } ?? "\(measure) has no value"
    return "\(verdict.expectation.text): \(reached), \(verdict.met) of \(verdict.count) "
      + "replications meet it"
  }

  /// What replications reached, so that it reads as what it is: a threshold that holds or that does not.
  static func reached(_ reached: Double, _ verdict: ExpectationVerdict) -> String {
    value(
      reached, verdict.unit, against: verdict.expectation.comparison, verdict.expectation.bound)
  }

  /// What a threshold compares, without the figure's name.
  static func measure(_ verdict: ExpectationVerdict) -> String {
    switch verdict.expectation.measure {
    case .percentile(let percent, _) where verdict.isWorst:
      percent < 50 ? "the lowest" : "the highest"
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
