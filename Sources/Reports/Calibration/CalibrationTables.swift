internal import Experiments
internal import Foundation
internal import Population
internal import Quantities
internal import RewardModel

/// A table of a calibration, for the terminal and for the page.
struct CalibrationTable {
  var title: String
  /// A sentence below the title.
  var note: String
  /// Headings; all but the first are over numbers.
  var columns: [String]
  var rows: [[String]]
}

/// The tables of a calibration: what was bought next to what each model expects.
struct CalibrationTables {
  private let report: CalibrationReport
  private let names: [String]

  init(_ report: CalibrationReport) {
    self.report = report
    names = report.models.map { PurchaseBlock.name($0.fit) }
  }

  /// Two sentences on what was fitted.
  func facts() -> [String] {
    let sample = report.sample
    var period = "\(sample.first) to \(sample.until)"
    if let end = sample.holdoutEnd { period += ", holdout to \(end)" }
    var bought =
      "\(sample.summary.customers.grouped) customers, "
      + "\(sample.summary.repeats.grouped) repeat purchases"
    if sample.holdoutEnd != nil {
      bought += ", \(sample.summary.holdoutRepeats.grouped) more in the holdout"
    }
    var lines = ["\(period) (\(sample.zone)), weeks of 7 days", bought + "."]
    let later = sample.laterCustomers
    if later > 0 {
      lines.append(
        "Left out: \(later.grouped) \(later == 1 ? "customer" : "customers") who first bought "
          + "after \(sample.until).")
    }
    let chosen = report.chosen
    if chosen.hidden >= 0.001 {
      lines.append(
        "Dates without a clock: two purchases of one day count once, which hides about "
          + "\(PurchaseBlock.percent(chosen.hidden)) of them at the rates of "
          + "\(PurchaseBlock.name(chosen.fit)). Rates are about as much too low, which the intervals "
          + "do not contain; times of day in the history avoid it.")
    }
    let without = sample.withoutPurchase
    if without > 0 {
      lines.append(
        "Left out: \(without.grouped) \(without == 1 ? "member" : "members") without a purchase.")
    }
    return lines + report.leftOut
  }

  /// Parameters, log-likelihood and how well the histogram fits.
  func parameters() -> CalibrationTable {
    var rows: [[String]] = []
    for name in ["r", "alpha", "a", "b", "s", "beta"] {
      let cells = report.models.map { model -> String in
        guard let estimate = model.fit.estimates.first(where: { $0.name == name }) else {
          return ""
        }
        let ends = estimate.standardError.map { _ in
          [estimate.low, estimate.high].map { $0.map { Self.number($0, 3) } ?? "–" }
        }
        return
          "\(Self.number(estimate.value, 3)) (\(ends.map { $0.joined(separator: " to ") } ?? "–"))"
      }
      if cells.contains(where: { !$0.isEmpty }) { rows.append([name] + cells) }
    }
    func row(_ name: String, _ cell: (FittedModel) -> String) {
      rows.append([name] + report.models.map(cell))
    }
    row("Log-likelihood") { Self.number($0.fit.logLikelihood, 2) }
    row("BIC") { Self.number($0.fit.bic, 2) }
    row("Histogram χ²") { Self.number($0.chiSquared, 2) }
    row("  its P value") { $0.pValue.map { $0 < 0.000_5 ? "< 0.001" : Self.number($0, 3) } ?? "–" }
    row("Search") { $0.fit.status.rawValue.replacing("_", with: " ") }
    return CalibrationTable(
      title: "Parameters",
      note: "Maximum likelihood (95 % interval); alpha and beta in weeks. – is an end that these "
        + "purchases leave open. A small P value says that the histogram does not fit.",
      columns: [""] + names, rows: rows)
  }

  /// Customers by repeat purchases.
  func histogram() -> CalibrationTable {
    CalibrationTable(
      title: "Customers by repeat purchases until \(report.sample.until)",
      note: "Expected numbers, each customer in the time that he or she was observed.",
      columns: ["Repeats", "Actual"] + names,
      rows: report.histogram.enumerated().map { x, count in
        [Self.label(x), count.grouped] + report.models.map { Self.number($0.histogram[x], 1) }
      })
  }

  /// Repeat purchases by period, and customers who are still there.
  func totals() -> CalibrationTable {
    let sample = report.sample
    var rows = [
      ["Calibration", sample.summary.repeats.grouped]
        + report.models.map { Self.number($0.calibrationRepeats, 0) }
    ]
    if sample.holdoutEnd != nil {
      let actual = sample.summary.holdoutRepeats.grouped
      rows.append(
        ["Holdout, from first purchases", actual]
          + report.models.map { Self.number($0.holdoutRepeats, 0) })
      rows.append(
        ["Holdout, from all purchases", actual]
          + report.models.map { Self.number($0.holdoutGivenHistory, 0) })
    }
    rows.append(
      ["Still customers at \(sample.until)", "–"]
        + report.models.map { Self.number($0.alive, 0) })
    return CalibrationTable(
      title: "Repeat purchases",
      note: sample.holdoutEnd == nil
        ? "Expected from the dates of first purchases alone."
        : "The holdout is forecast from the dates of first purchases alone, and from all that was "
          + "bought until \(sample.until).",
      columns: ["", "Actual"] + names, rows: rows)
  }

  /// Cumulative repeat purchases by week.
  ///
  /// - Parameter most: About the most rows, 1 or more; weeks between are left out. Nil: all.
  func weeks(most: Int? = nil) -> CalibrationTable {
    let count = report.weeks.count
    let step = most.map { max(1, (count + $0 - 1) / $0) } ?? 1
    // The last week is always shown; the others are whole steps.
    let places = (0..<count).filter { ($0 + 1).isMultiple(of: step) || $0 == count - 1 }
    return CalibrationTable(
      title: "Cumulative repeat purchases",
      note: "Expected from the dates of first purchases alone"
        + (report.sample.holdoutEnd == nil ? "." : "; after \(report.sample.until) a forecast."),
      columns: ["Until", "Actual"] + names,
      rows: places.map { place in
        [report.weeks[place].description, report.weekly[place].grouped]
          + report.models.map { Self.number($0.weekly[place], 0) }
      })
  }

  /// Purchases a customer in the holdout by repeat purchases before; nil without a holdout.
  func groups() -> CalibrationTable? {
    guard let groups = report.models.first?.groups, !groups.isEmpty else { return nil }
    return CalibrationTable(
      title: "Purchases per customer in the holdout",
      note: "By repeat purchases until \(report.sample.until); expected of each customer from all "
        + "that was bought until then.",
      columns: ["Repeats", "Customers", "Actual"] + names,
      rows: groups.enumerated().map { place, group in
        [Self.label(group.repeats), group.customers.grouped, Self.number(group.actual, 3)]
          + report.models.map { Self.number($0.groups[place].expected, 3) }
      })
  }

  /// Why the block is that of this model.
  func choice() -> String {
    let chosen = report.chosen
    let name = PurchaseBlock.name(chosen.fit)
    var text = "The block for a scenario, with \(name)"
    if report.models.count > 1 {
      text += reason(chosen)
      if report.models.contains(where: { $0.fit.law.model == .bgNbd }) {
        text +=
          ". BG/NBD is left out: it counts everybody without a repeat purchase as a customer forever "
          + "and so cannot support a liability"
      }
    } else if chosen.fit.law.model == .bgNbd {
      text +=
        "; it counts everybody without a repeat purchase as a customer forever, so do not base a "
        + "liability on it"
    }
    return text + "."
  }

  /// Why a model is recommended: its forecast of the holdout, or its likelihood.
  private func reason(_ chosen: FittedModel) -> String {
    guard let error = report.holdoutError(chosen) else {
      return ", which has the highest log-likelihood"
    }
    var text = ", which forecasts the holdout best (\(Self.signed(error)) of its purchases)"
    let likeliest = report.likeliest
    guard likeliest != chosen, let other = report.holdoutError(likeliest) else { return text }
    let worst =
      report.candidates.compactMap { report.holdoutError($0) }.map(abs).max() == abs(other)
    text +=
      ". \(PurchaseBlock.name(likeliest.fit)) has the highest log-likelihood, but forecasts "
      + (worst && report.candidates.count > 2 ? "worst of all" : "worse")
      + " (\(Self.signed(other)))"
    return text
  }

  /// What the scenario sets so that an effect does not count twice.
  static func sentence(_ effect: ContainedEffect) -> String {
    "The scenario sets \(effect.path) to \(effect.value): \(effect.reason)."
  }

  /// A share with its sign: `+3.1 %`.
  private static func signed(_ share: Double) -> String {
    (share < 0 ? "-" : "+") + PurchaseBlock.percent(abs(share))
  }

  /// `7+` for the last bin.
  static func label(_ repeats: Int) -> String {
    repeats == FittedModel.bins - 1 ? "\(repeats)+" : "\(repeats)"
  }

  /// With so many decimals and groups of thousands; – for what could not be computed.
  static func number(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite, abs(value) < 1e15 else { return "–" }
    let text = String(format: "%.\(decimals)f", abs(value))
    let cut = text.firstIndex(of: ".") ?? text.endIndex
    let whole = Int(text[..<cut])?.grouped ?? String(text[..<cut])
    return (value < 0 ? "-" : "") + whole + text[cut...]
  }
}
