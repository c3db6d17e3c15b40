internal import Quantities
internal import RewardModel

/// Spend over budget with what it was judged to be.
struct JudgedShare {
  /// Rounded down; nil without a budget.
  let basisPoints: Int64?
  /// By the exact comparison; nil without a budget.
  let status: BudgetStatus?
  private let rules: BudgetHealthRules

  init(_ basisPoints: Int64?, _ status: BudgetStatus?, _ rules: BudgetHealthRules) {
    self.basisPoints = basisPoints
    self.status = status
    self.rules = rules
  }

  /// With one decimal, and never on the wrong side of the bound that it was judged by.
  var words: String {
    PageWords.percent(
      basisPoints, judged: status, warning: rules.warning.rawValue,
      critical: rules.critical.rawValue)
  }

  /// Whether it was judged although there was no budget: there was spend, or less than nothing.
  var isWithoutBudget: Bool { basisPoints == nil && status != nil }

  /// What it means for its reader.
  var tone: PageTone { status?.tone ?? .soft }
}
