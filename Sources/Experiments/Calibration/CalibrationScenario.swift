internal import Documents
internal import Foundation
internal import Population
internal import Quantities
internal import RewardModel

/// The scenario that a calibration found: every block that the history tells with its source, and what
/// the fits leave uncertain.
package struct CalibrationScenario {
  /// Name of the file with draws of a Bass curve.
  package static let adoptionDraws = "adoption-draws.csv"

  private struct Line {
    var path: String
    var value: String
    /// Behind the value; may be empty.
    var note: String
  }

  private let calibration: Calibration
  private let paths: CalibratedPaths

  /// The scenario of a calibration.
  package init(_ calibration: Calibration) {
    self.calibration = calibration
    paths = calibration.paths
  }

  /// The files of the scenario: itself, and the draws that it names.
  package func files() -> [(name: String, text: String)] {
    var files = [(name: "scenario.yaml", text: text(factor: 1, isWhole: true))]
    if let draws = ParameterDraws(calibration.report.chosen.fit) {
      files.append(
        (PurchaseBlock.drawsName, PurchaseBlock.csv(draws, at: "population.purchase")))
    }
    if let draws = bassDraws {
      let rounded = draws.rows.map { row in
        row.enumerated().map {
          $0 == 2 ? "\(Int($1.rounded(.up)))" : PurchaseBlock.digits($1, 7)
        }.joined(separator: ",") + "\n"
      }
      let heading = draws.names.map { "population.adoption.\($0)" }.joined(separator: ",")
      files.append((Self.adoptionDraws, heading + "\n" + rounded.joined()))
    }
    return files
  }

  private var bassDraws: ParameterDraws? {
    guard calibration.adoption.model == .bass, let fit = calibration.adoption.bass else {
      return nil
    }
    return ParameterDraws(fit, signUps: calibration.adoption.signUps)
  }

  /// A scenario file.
  ///
  /// - Parameters:
  ///   - factor: Sign-ups are so many times as many as in the history.
  ///   - isWhole: Whether comments, sources and what is uncertain are in it.
  func text(factor: Double, isWhole: Bool) -> String {
    let lines =
      calendar + adoption(factor) + purchases + amounts + season + referral + contained
    var text = isWhole ? head.flatMap { YAMLComment.lines($0) }.map { $0 + "\n" }.joined() : ""
    text += "name: calibrated\nprogramme: \(calibration.programme.id)\n"
    text += Self.nested(lines, isWhole: isWhole)
    guard isWhole else { return text }
    text += "sources:\n" + sources.map { "  - \(JSONText.quoted($0))\n" }.joined()
    let laws = uncertain
    if !laws.isEmpty {
      text += "# What the fits leave open. Rows of a file are drawn together.\nuncertain:\n"
      text += laws.map { "  - \(JSONText.quoted($0))\n" }.joined()
    }
    if let correlated { text += "correlated:\n  - \(JSONText.quoted(correlated))\n" }
    return text
  }

  private var period: String {
    let sample = calibration.report.sample
    return "\(calibration.observed.calendar.dates[0]) to \(sample.until)"
  }

  private var head: [String] {
    [
      "Fitted to \(calibration.source), \(period) (\(calibration.report.sample.zone)), by calibrate."
    ]
      + ["Everything that is not here is the program's default."] + calibration.untold
      + undetermined
  }

  /// What the purchases do not tell, and the draws of the uncertain settings leave out.
  private var undetermined: [String] {
    let status = calibration.report.chosen.fit.status
    guard status != .converged else { return [] }
    return [
      "population.purchase: \(status.explanation). Its values are taken as certain here, and are not."
    ]
  }

  // MARK: - Blocks

  private var calendar: [Line] {
    let calendar = calibration.observed.calendar
    return [
      Line(path: "calendar.start", value: "\(calendar.dates[0])", note: "the history's first day"),
      Line(
        path: "calendar.days", value: "\(min(3_660, calendar.dayCount))",
        note: "the days of the history; more of them forecast"),
      Line(path: "calendar.zone", value: calendar.zoneName, note: ""),
    ]
  }

  private func adoption(_ factor: Double) -> [Line] {
    let fit = calibration.adoption
    func scaled(_ count: Double) -> Int { max(0, Int((count * factor).rounded())) }
    let members = min(AdoptionSettings.membersMaximum, max(1, scaled(Double(fit.signUps))))
    var lines = [
      Line(path: "population.members", value: "\(members)", note: "signed up in the history"),
      Line(
        path: "population.adoption.model", value: fit.model.rawValue, note: fit.reason ?? ""),
    ]
    switch fit.model {
    case .bass:
      for estimate in fit.bass?.estimates ?? [] {
        let isMarket = estimate.name == "market"
        lines.append(
          Line(
            path: "population.adoption.\(estimate.name)",
            value: isMarket
              ? "\(max(members, scaled(estimate.value)))" : PurchaseBlock.digits(estimate.value, 7),
            note: PurchaseBlock.range(estimate)))
      }
    case .plan:
      let plan = fit.plan.prefix(122).map { "\(scaled(Double($0)))" }
      lines.append(
        Line(
          path: "population.adoption.monthly", value: "[\(plan.joined(separator: ", "))]",
          note: "months of the history; days after it at the rate of its last 90 days"))
    case .cohort, .rate: break
    }
    return lines
  }

  private var purchases: [Line] {
    let fit = calibration.report.chosen.fit
    let group = "population.purchase"
    return [Line(path: "\(group).model", value: fit.law.model.rawValue, note: "")]
      + fit.estimates.map {
        Line(
          path: "\(group).\($0.name)", value: PurchaseBlock.digits($0.value, 7),
          note: PurchaseBlock.range($0))
      }
      + [
        Line(
          path: "\(group).erlang", value: "\(fit.law.shape)",
          note: "phases of a gap, as they were asked for")
      ]
  }

  /// What purchases bring and what is used of it; the amounts a week follow from purchase rates.
  private var amounts: [Line] {
    var lines: [Line] = []
    if let fit = calibration.amounts, let path = paths.amount {
      let law = calibration.report.chosen.fit.law
      let rate = law.r / (law.alpha * Double(law.shape)) * fit.mean.estimate
      if let weekly = paths.weeklyAmount, let shape = paths.weeklyShape, rate <= 1_000 {
        let note = "follows from purchases; counts only where their alpha is null"
        lines = [
          Line(path: weekly, value: PurchaseBlock.digits(rate, 5), note: note),
          Line(path: shape, value: PurchaseBlock.digits(law.r, 5), note: note),
        ]
      }
      lines.append(
        Line(
          path: path, value: PurchaseBlock.digits(fit.mean.estimate, 6),
          note: Self.range(fit.mean)))
    }
    if let fit = calibration.uses, let path = paths.used {
      lines.append(
        Line(
          path: path, value: PurchaseBlock.digits(fit.share.estimate, 5),
          note: Self.range(fit.share)))
      if let path = paths.usedOver, let span = fit.span.estimate {
        let isAtOnce = span.estimate == 0
        lines.append(
          Line(
            path: path, value: isAtOnce ? "0" : PurchaseBlock.digits(span.estimate, 4),
            note: isAtOnce ? "at once" : Self.range(span)))
      }
    }
    return lines
  }

  private var season: [Line] {
    guard let fit = calibration.season else { return [] }
    func list(_ weights: [EstimatedInterval]) -> String {
      "[" + weights.map { PurchaseBlock.digits($0.estimate, 5) }.joined(separator: ", ") + "]"
    }
    var lines: [Line] = []
    if !fit.hours.isEmpty {
      lines.append(
        Line(path: "population.season.hours", value: list(fit.hours), note: "from 00:00"))
    }
    if !fit.weekdays.isEmpty {
      lines.append(
        Line(path: "population.season.weekdays", value: list(fit.weekdays), note: "from Monday"))
    }
    return lines
  }

  private var referral: [Line] {
    guard let fit = calibration.referral else { return [] }
    return [
      Line(
        path: "population.referral.affiliates", value: PurchaseBlock.digits(fit.refers.estimate, 5),
        note: Self.range(fit.refers)),
      Line(
        path: "population.referral.referred", value: PurchaseBlock.digits(fit.referred.estimate, 5),
        note: Self.range(fit.referred)),
    ]
  }

  /// What the fitted purchases contain already; the first is of the group of referrals.
  private var contained: [Line] {
    calibration.contained.map { Line(path: $0.path, value: $0.value, note: $0.reason) }
  }

  private static func range(_ interval: EstimatedInterval) -> String {
    PurchaseBlock.range(low: interval.low, high: interval.high)
  }

  // MARK: - Sources and laws

  /// An entry of `sources` for each block.
  private var sources: [String] {
    let origin = "\(calibration.source), \(period)"
    let report = calibration.report
    let adoption = calibration.adoption
    let people = "\(adoption.signUps.grouped) sign-ups"
    var entries = [
      "calendar, population.members from \(origin)",
      adoption.model == .bass
        ? "population.adoption from \(origin): Bass by maximum likelihood, \(people)"
        : "population.adoption from \(origin): \(people)",
      "population.purchase from \(origin): \(PurchaseBlock.name(report.chosen.fit)) by maximum "
        + "likelihood, \(report.sample.summary.customers.grouped) customers",
    ]
    if let fit = calibration.amounts, let path = paths.amount {
      let all = ([paths.weeklyAmount, paths.weeklyShape].compactMap(\.self) + [path])
      entries.append(
        "\(all.joined(separator: ", ")) from \(origin): \(fit.purchases.grouped) purchases")
    }
    if let fit = calibration.uses, let path = paths.used {
      entries.append(
        "\(path) from \(origin): \(fit.used.grouped) of \(fit.bought.grouped) used so far")
      if let path = paths.usedOver, let span = fit.span.estimate {
        let days = "\(PurchaseBlock.digits(fit.span.days, 3)) days after the latest purchase"
        let words = span.estimate > 0 ? "\(days) on average" : "at once"
        entries.append("\(path) from \(origin): used \(words)")
      }
    }
    if let fit = calibration.season {
      let purchases = fit.weekdayCounts.reduce(0, +)
      entries.append("population.season from \(origin): \(purchases.grouped) purchases")
    }
    if let fit = calibration.referral {
      entries.append(
        "population.referral from \(origin): \(fit.referredCount.grouped) of "
          + "\(fit.signUps.grouped) members were referred")
    }
    let contained = calibration.contained.map(\.path).joined(separator: ", ")
    entries.append("\(contained) from \(origin): in the fitted purchases already")
    return entries
  }

  /// The entry of `correlated`: what is used in the end follows from how late it is used.
  private var correlated: String? {
    guard let fit = calibration.uses, fit.law != nil, fit.span.law != nil, let path = paths.used,
      let other = paths.usedOver, fit.correlation >= 0.01
    else { return nil }
    // Normal scores: the rank correlation of two normals is a little lower (Pearson 1907).
    let rank = 6 / Double.pi * asin(min(fit.correlation, 0.99) / 2)
    return "\(path) and \(other) = \(PurchaseBlock.digits(rank, 2))"
  }

  /// The entries of `uncertain`.
  private var uncertain: [String] {
    var laws: [String] = []
    let fit = calibration.report.chosen.fit
    if ParameterDraws(fit) != nil {
      let names = fit.estimates.map { "population.purchase.\($0.name)" }
      laws.append("\(names.joined(separator: ", ")) ~ rows(\(PurchaseBlock.drawsName))")
    }
    if let draws = bassDraws {
      let names = draws.names.map { "population.adoption.\($0)" }
      laws.append("\(names.joined(separator: ", ")) ~ rows(\(Self.adoptionDraws))")
    }
    if let path = paths.amount, let law = calibration.amounts?.law {
      laws.append("\(path) ~ \(law)")
    }
    if let path = paths.used, let law = calibration.uses?.law { laws.append("\(path) ~ \(law)") }
    if let path = paths.usedOver, let law = calibration.uses?.span.law {
      laws.append("\(path) ~ \(law)")
    }
    if let referral = calibration.referral {
      for (name, share) in [("affiliates", referral.refers), ("referred", referral.referred)] {
        guard let low = share.low, let high = share.high else { continue }
        let error = (high - low) / (2 * ProfileLikelihood.reach)
        if let law = BetaLaw(mean: share.estimate, error: error)?.text {
          laws.append("population.referral.\(name) ~ \(law)")
        }
      }
    }
    return laws
  }

  // MARK: - YAML

  /// Paths as nested keys; lines of one group are next to each other.
  private static func nested(_ lines: [Line], isWhole: Bool) -> String {
    var text = ""
    var open: [String] = []
    for line in lines {
      let keys = line.path.split(separator: ".").map(String.init)
      let groups = Array(keys.dropLast())
      var depth = 0
      while depth < min(open.count, groups.count), open[depth] == groups[depth] { depth += 1 }
      for level in depth..<groups.count {
        text += String(repeating: "  ", count: level) + groups[level] + ":\n"
      }
      open = groups
      text += String(repeating: "  ", count: groups.count) + "\(keys.last ?? ""): \(line.value)"
      text += (isWhole && !line.note.isEmpty ? "  # \(line.note)" : "") + "\n"
    }
    return text
  }
}
