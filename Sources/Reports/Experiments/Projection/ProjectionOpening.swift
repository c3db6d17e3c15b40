internal import Experiments
internal import Quantities
internal import RewardModel

/// What a projection says first: its verdict in a sentence, and the figures that it rests on.
struct ProjectionOpening {
  let projection: Projection

  private var choices: FigureChoices { projection.measured.catalog.choices }

  private var currency: String { projection.measured.catalog.currency.code }

  private func estimate(_ id: String) -> Estimate? {
    projection.figures.first { $0.name == id }?.estimate
  }

  /// Replications, seed and how large a replication is on average.
  var about: String {
    let count = projection.count
    var text = "\(count.grouped) replication\(count == 1 ? "" : "s"), seed \(projection.seed)"
    if let members = estimate(choices.members) {
      let mean = Int64(members.mean.rounded())
      let isSame = members.percentiles[0] == members.percentiles[4]
      text +=
        ", \(mean.grouped) \(mean == 1 ? "member" : "members") each"
        + (isSame ? "" : " on average")
    }
    return text
  }

  /// In one sentence: how often a month closes Critical, what is to be expected, and what P95 is.
  var verdict: String {
    guard let cost = estimate(choices.cost) else { return "Nothing was spent." }
    let isOne = projection.count == 1
    let mean = "the program costs \(FigureText.money(cost.mean)) \(currency)"
    let most =
      Self.isObserved(cost)
      ? "\(FigureText.money(cost.percentiles[4])) in 95 of 100 replications."
      : "\(FigureText.money(cost.largest)) in each of \(cost.count.grouped) replications."
    let expected =
      isOne
      ? "\(mean) in one replication; run more of them to see how much that varies."
      : "\(mean) on average and at most \(most)"
    guard let critical = projection.year?.critical, critical.of > 0 else {
      return "Without a budget: " + expected
    }
    let judgement =
      critical.happened == 0
      ? "No month closes Critical" + (isOne ? "" : " in any replication")
      : critical.happened == critical.of
        ? "A month closes Critical" + (isOne ? "" : " in every replication")
        : "A month closes Critical in \(FigureText.whole(critical)) of replications"
    return "\(judgement): \(expected)"
  }

  /// What the verdict means for its reader.
  var tone: PageTone {
    guard let critical = projection.year?.critical, critical.of > 0 else { return .soft }
    return critical.happened == 0 ? .good : critical.share < 0.5 ? .caution : .bad
  }

  /// Expected cost, P95, what of the budget is used, and the chance of a Critical month.
  var cards: [ReportCard] {
    var cards: [ReportCard] = []
    if let cost = estimate(choices.cost) {
      cards.append(
        ReportCard(
          "Expected cost in all", FigureText.money(cost.mean), unit: currency,
          note: cost.halfWidth == nil
            ? (cost.count == 1 ? "one replication" : "one pair of replications")
            : FigureText.spread(cost, .money) { "± \(FigureText.spread($0, $1))" }))
      cards.append(highest(cost))
    }
    if let used = estimate(choices.utilisation) {
      cards.append(
        ReportCard(
          "Of the budget", FigureText.percent(used.mean),
          note: Self.isObserved(used)
            ? "P95 \(FigureText.percent(used.percentiles[4]))"
            : "highest \(FigureText.percent(used.largest))"))
    }
    if let critical = projection.year?.critical, critical.of > 0 {
      cards.append(
        ReportCard(
          "Chance that a month closes Critical", FigureText.whole(critical),
          note: "\(critical.happened.grouped) of \(critical.of.grouped) replications, interval "
            + FigureText.interval(critical), tone: tone))
    }
    return cards
  }

  /// Whether there are enough replications to tell P95.
  private static func isObserved(_ estimate: Estimate) -> Bool {
    TailRisk.isObserved(estimate.count, beyond: 0.95)
  }

  /// P95 of the cost; of fewer replications than tell it, the dearest.
  private func highest(_ cost: Estimate) -> ReportCard {
    guard Self.isObserved(cost) else {
      return ReportCard(
        "Highest cost", FigureText.money(cost.largest), unit: currency,
        note: cost.count == 1 ? "one replication" : "of \(cost.count.grouped) replications")
    }
    let high = cost.quantiles[4]
    let interval =
      switch (high.low, high.high) {
      case (nil, _): "its interval takes more replications"
      case (let low?, nil):
        "\(FigureText.money(low)) or more; its upper end takes more replications"
      default: "interval \(FigureText.ends(high, .money))"
      }
    return ReportCard(
      "P95 of the cost", FigureText.money(high.estimate), unit: currency, note: interval)
  }
}
