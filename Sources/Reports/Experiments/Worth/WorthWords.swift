internal import Documents
internal import Experiments
internal import Foundation
internal import RewardModel

/// Cells of the tables that say whether a program pays, for terminals and pages alike.
enum WorthWords {
  /// A mean number of members or of what they did.
  static func count(_ value: Double) -> String { FigureText.value(value.rounded(), .count) }

  static func cohortTitles(_ worth: RewardWorth) -> [String] {
    [
      "Signed up in", "Members", "Still there", worth.action, "Gross profit", "Given", "Value",
      "pays back", "Added", "pays back",
    ]
  }

  static func cohortCells(_ cohort: CohortWorth) -> [String] {
    guard let last = cohort.points.last else { return [cohort.label] }
    func payback(_ value: (CohortWorth.Point) -> Double) -> String {
      switch cohort.payback(value) {
      case nil: "–"
      case 0?: "at once"
      case let months?: months == 1 ? "1 month" : "\(months) months"
      }
    }
    return [
      cohort.label, count(last.members), last.retention.map(FigureText.percent) ?? "–",
      count(last.actions), FigureText.money(last.profit), FigureText.money(last.cost),
      FigureText.money(last.value), payback(\.value), FigureText.money(last.addedValue),
      payback(\.addedValue),
    ]
  }

  static func cashTitles(_ worth: RewardWorth) -> [String] {
    let isPercentile = CashNeed.isPercentile(of: worth.pairs)
    return [
      "Account", "At the start", "At the end", isPercentile ? "Lowest (P5)" : "Lowest", "on",
      isPercentile ? "Put in (P95)" : "Put in", "Short in",
    ]
  }

  static func cashCells(_ account: CashNeed) -> [String] {
    [
      account.title, FigureText.money(account.opening),
      FigureText.money(account.months.last?.end ?? account.opening),
      FigureText.money(account.lowest), account.lowestDate, FigureText.money(account.putIn),
      runs(account.short),
    ]
  }

  /// In how many runs something happened, and in what share of many it may.
  static func runs(_ share: EstimatedInterval) -> String {
    let count = share.count
    let happened = Int((share.estimate * Double(count)).rounded())
    func end(_ value: Double?) -> String { FigureText.spread(value ?? 0, .share) }
    return switch happened {
    case 0: "none of \(count) runs (up to \(end(share.high)))"
    case count: "all \(count) runs (\(end(share.low)) or more)"
    default: "\(happened) of \(count) runs (\(end(share.low)) to \(end(share.high)))"
    }
  }
}
