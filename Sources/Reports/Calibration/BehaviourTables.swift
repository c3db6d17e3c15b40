internal import Experiments
internal import Foundation
internal import Population
internal import Quantities
internal import RewardModel

/// The tables of what a calibration found besides purchases: what was counted next to what is fitted.
struct BehaviourTables {
  private let calibration: Calibration

  init(_ calibration: Calibration) { self.calibration = calibration }

  /// Those that there is something for, with the ids that the page gives them.
  func all() -> [(id: String, table: CalibrationTable)] {
    let tables: [(id: String, table: CalibrationTable?)] = [
      ("adoption", adoption()), ("amounts", amounts()), ("uses", uses()), ("hours", hours()),
      ("weekdays", weekdays()), ("months", months()), ("referral", referral()),
      ("levels", levels()),
    ]
    return tables.compactMap { id, table in table.map { (id, $0) } }
  }

  private var form: HistoryForm { calibration.observed.history.form }
  private var column: String { form.column }
  private var columnTitle: String { column.prefix(1).uppercased() + column.dropFirst() }

  private static func number(_ value: Double, _ decimals: Int) -> String {
    CalibrationTables.number(value, decimals)
  }

  /// `5.003 (4.990 to 5.016)`.
  static func interval(_ interval: EstimatedInterval, _ decimals: Int) -> String {
    let ends = [interval.low, interval.high].map { $0.map { number($0, decimals) } ?? "–" }
    return "\(number(interval.estimate, decimals)) (\(ends.joined(separator: " to ")))"
  }

  /// `60.1 % (59.8 to 60.4)`.
  static func share(_ interval: EstimatedInterval) -> String {
    let ends = [interval.low, interval.high].map { $0.map { number(100 * $0, 2) } ?? "–" }
    return "\(number(100 * interval.estimate, 2)) % (95 %: \(ends.joined(separator: " to ")))"
  }

  private static func chance(_ test: GoodnessOfFit) -> String {
    guard let value = test.pValue else { return "too few bins for a test" }
    return value < 0.000_5 ? "P value below 0.001" : "P value \(number(value, 3))"
  }

  /// Sign-ups by month.
  func adoption() -> CalibrationTable {
    let fit = calibration.adoption
    var note: String
    if let bass = fit.bass {
      let parameters = bass.estimates.map { estimate in
        let decimals = estimate.name == "market" ? 0 : 4
        let ends = [estimate.low, estimate.high].map { $0.map { Self.number($0, decimals) } ?? "–" }
        let interval = bass.covariance == nil ? "" : " (\(ends.joined(separator: " to ")))"
        return "\(estimate.name) \(Self.number(estimate.value, decimals))\(interval)"
      }
      note =
        "Bass by maximum likelihood (95 % interval), p and q a year: "
        + parameters.joined(separator: ", ") + ". "
      // Where it is off by too much, the reason below says by how much.
      if bass.distance <= AdoptionFit.distanceMost {
        let most = PurchaseBlock.percent(bass.distance)
        note += "Its curve is off by up to \(most) of the sign-ups. "
      }
    } else {
      note = ""
    }
    switch fit.model {
    case .bass: note += "The scenario has this curve."
    case .cohort: note += "The scenario has a cohort: \(fit.reason ?? "")."
    case .plan, .rate:
      note += "The scenario has the months as they were (plan): \(fit.reason ?? "")."
    }
    let hasCurve = fit.bass != nil
    return CalibrationTable(
      title: "Sign-ups", note: note,
      columns: ["Month", "Days", "Sign-ups"] + (hasCurve ? ["Bass"] : []),
      rows: fit.months.map { month in
        [month.label, "\(month.days)", month.signUps.grouped]
          + (hasCurve ? [Self.number(month.expected ?? .nan, 1)] : [])
      })
  }

  /// Purchases by what they brought.
  func amounts() -> CalibrationTable? {
    guard let fit = calibration.amounts else { return nil }
    var note =
      "Mean \(Self.interval(fit.mean, 3)) by \(fit.members.grouped) members, 95 % interval by members. "
      + "Fitted: one, and a Poisson number more"
    if let dispersion = fit.dispersion {
      note +=
        "; the variance of that number is \(Self.number(dispersion, 2)) of its mean"
        + " (1 for Poisson). χ² \(Self.number(fit.test.chiSquared, 1)), \(Self.chance(fit.test))."
    } else {
      note += "."
    }
    return CalibrationTable(
      title: "\(columnTitle) per purchase", note: note,
      columns: [columnTitle, "Purchases", "Fitted"],
      rows: fit.counts.indices.map { place in
        let isLast = place == fit.counts.count - 1
        return [
          "\(place + 1)\(isLast ? "+" : "")", fit.counts[place].grouped,
          Self.number(fit.expected[place], 1),
        ]
      })
  }

  /// What is used, by days since the member's latest purchase.
  func uses() -> CalibrationTable? {
    guard let fit = calibration.uses else { return nil }
    let word = form.events.first(where: \.usesPurchases)?.word ?? ""
    var note = "\(Self.share(fit.soFar)) of \(fit.bought.grouped) \(column) have a \(word) so far. "
    if let part = fit.completeness {
      note +=
        "Simulated members with the fitted settings have made \(PurchaseBlock.percent(part)) of "
        + "theirs by then, so that \(Self.share(fit.share)) will have one. "
    } else if let objection = fit.objection {
      note += objection.prefix(1).uppercased() + objection.dropFirst() + ". "
    } else {
      note += "Nothing was simulated to tell how many of the latest ones are still to come. "
    }
    note +=
      "Half come within \(Self.number(fit.days.half, 1)) days of the member's latest purchase and 90 % "
      + "within \(Self.number(fit.days.most, 1))"
    if let days = fit.simulatedDays {
      note += "; simulated, \(Self.number(days.half, 1)) and \(Self.number(days.most, 1))"
    }
    if let span = fit.span.estimate {
      note +=
        span.estimate > 0
        ? ". Fitted: what a member buys is used over \(Self.share(span)) of the member's mean time "
          + "between purchases" : ". Fitted: what a member buys is used at once"
    }
    let total = Double(max(1, fit.counts.reduce(0, +)))
    return CalibrationTable(
      title: "\(columnTitle) with a \(word)", note: note + ".",
      columns: ["Days since purchase", "Actual %"] + (fit.simulated.isEmpty ? [] : ["Simulated %"]),
      rows: fit.counts.indices.map { place in
        [fit.days(of: place), Self.number(100 * Double(fit.counts[place]) / total, 2)]
          + (fit.simulated.isEmpty ? [] : [Self.number(100 * fit.simulated[place], 2)])
      })
  }

  /// Weights of hours.
  func hours() -> CalibrationTable? {
    guard let fit = calibration.season, !fit.hours.isEmpty else { return nil }
    let counts = (0..<24).map { hour in fit.grid.reduce(0) { $0 + $1[hour] } }
    var note = "Weights with the mean 1 (95 % interval by members) from purchases with a clock."
    if let test = fit.test {
      note +=
        " Test of the same hours on all weekdays: χ² \(Self.number(test.chiSquared, 1)), "
        + "\(Self.chance(test)). A small P value says that they differ."
    }
    return CalibrationTable(
      title: "Purchases by hour", note: note, columns: ["Hour", "Purchases", "Weight"],
      rows: (0..<24).map { hour in
        [
          (hour < 10 ? "0" : "") + "\(hour):00", counts[hour].grouped,
          Self.interval(fit.hours[hour], 3),
        ]
      })
  }

  /// Weights of weekdays.
  func weekdays() -> CalibrationTable? {
    guard let fit = calibration.season, !fit.weekdays.isEmpty else { return nil }
    return CalibrationTable(
      title: "Purchases by weekday",
      note:
        "Weights with the mean 1 (95 % interval by members): purchases over the mean of the seven days "
        + "around each. Rows of one member at one time are one purchase, as are all of a day where one of "
        + "them has no clock; the first and last three days and days on which clocks change are left out.",
      columns: ["Weekday", "Days", "Purchases", "Weight"],
      rows: (0..<7).map { day in
        [
          Self.weekdays[day], "\(fit.weekdayDays[day])", fit.weekdayCounts[day].grouped,
          Self.interval(fit.weekdays[day], 3),
        ]
      })
  }

  static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// Repeat purchases by month of the year.
  func months() -> CalibrationTable? {
    guard let fit = calibration.months else { return nil }
    return CalibrationTable(
      title: "Repeat purchases by month of the year",
      note:
        "Weights with the mean 1 (95 % interval by members): what was bought over what the model of "
        + "buying and leaving expects of the members who were there. The population has no setting for "
        + "months: they are not in the scenario.",
      columns: ["Month", "Actual", "Expected", "Weight"],
      rows: (0..<12).map { month in
        [
          Self.months[month], fit.actual[month].grouped, Self.number(fit.expected[month], 1),
          Self.interval(fit.weights[month], 3),
        ]
      })
  }

  static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Members by how many others they have brought.
  func referral() -> CalibrationTable? {
    guard let fit = calibration.referral else { return nil }
    let note =
      "\(Self.share(fit.referred)) of \(fit.signUps.grouped) members were referred by another one. "
      + "\(Self.share(fit.seen)) have referred somebody. In the model, where everybody who refers is "
      + "equally likely to be the one, \(Self.share(fit.refers)) refer others, some without success so "
      + "far. Whether referred members leave less often is not fitted."
    return CalibrationTable(
      title: "Referrals", note: note, columns: ["Referred", "Members", "Fitted"],
      rows: fit.counts.indices.map { place in
        [
          "\(place)\(place == fit.counts.count - 1 ? "+" : "")", fit.counts[place].grouped,
          Self.number(fit.expected[place], 1),
        ]
      })
  }

  /// Members by level.
  func levels() -> CalibrationTable? {
    guard let fit = calibration.levels else { return nil }
    return CalibrationTable(
      title: "Members by level",
      note: "A replay of the history through the default rules (share with 95 % interval) next to "
        + "\(fit.simulatedMembers.grouped) simulated members with the fitted settings over the same "
        + "days. Nothing is fitted to this: where they part, the fits above miss how members differ.",
      columns: ["Period", "Level", "Members", "Share %", "Simulated %"],
      rows: fit.rows.map { row in
        let ends = [row.share.low, row.share.high].map { Self.number(100 * ($0 ?? .nan), 2) }
        return [
          row.period, row.level, Int(row.members).grouped,
          "\(Self.number(100 * row.share.estimate, 2)) (\(ends.joined(separator: " to ")))",
          Self.number(100 * row.simulated, 2),
        ]
      })
  }
}

extension UseFit {
  /// The days of a bin of the counts, such as `2–3`.
  func days(of place: Int) -> String {
    let from = place * binDays
    if place == counts.count - 1 { return "\(from)+" }
    return binDays == 1 ? "\(from)" : "\(from)–\(from + binDays - 1)"
  }
}
