/// What experiments keep of one run besides its figures, in terms that every program has.
///
/// About 30 KiB for a year, whatever the number of members, unless `members` is asked for. Money is in whole units of the
/// program's currency.
package struct RunSample: Sendable {
  /// How a cost is counted: when it is owed, or when it is paid.
  package enum Basis: Sendable {
    case accrual, cash
  }

  /// One local month.
  package struct Month: Sendable {
    /// `YYYY-MM`.
    package var label: String
    /// Costs of the month by either basis.
    package var spendCash: Double
    package var spendAccrual: Double
    /// What the month may cost; 0 without a budget.
    package var budget: Double
    /// Recognized spend over budget; nil without a budget.
    package var utilisation: Double?
    /// Nil without a budget and without spend.
    package var status: HealthStatus?
    /// Spend over budget that the month's middle day expects for its end; nil where it expects
    /// none.
    package var projected: Double?
    /// Gross profit of the month, and all that the program costs in it, whoever carries it; nil
    /// where the program does not tell.
    package var profit: Double?
    package var cost: Double?

    /// Whether the month used up a budget that it did not have: what it spent is over budget,
    /// however little it is.
    package var isOverWithoutBudget: Bool { utilisation == nil && status == .critical }

    /// One month; see the properties.
    package init(
      label: String, spendCash: Double, spendAccrual: Double, budget: Double,
      utilisation: Double? = nil, status: HealthStatus? = nil, projected: Double? = nil
    ) {
      self.label = label
      self.spendCash = spendCash
      self.spendAccrual = spendAccrual
      self.budget = budget
      self.utilisation = utilisation
      self.status = status
      self.projected = projected
    }
  }

  /// Events of one kind that are worth counting one by one, such as a prize that was won.
  package struct Events: Sendable, Equatable {
    /// As people read it.
    package var kind: String
    /// One number a month.
    package var counts: [Int]

    /// Events of one kind, one count per month.
    package init(kind: String, counts: [Int]) {
      self.kind = kind
      self.counts = counts
    }
  }

  /// The basis of recognized spend.
  package var basis = Basis.accrual
  /// Where a month's status changes.
  package var bounds: HealthBounds
  /// All months of the run.
  package var months: [Month] = []
  /// Recognized spend and budget, cumulative at each day's end.
  package var spend: [Float] = []
  package var budget: [Float] = []
  /// The status of each day by its projection; nil without a budget.
  package var statuses: [HealthStatus?] = []
  /// Spend over budget in basis points that each day expects for its month's end; nil without a
  /// budget.
  package var projected: [Int64?] = []
  /// By kind, in an order that depends on the settings alone.
  package var events: [Events] = []
  /// What members did, by weekday (Monday first) and local hour: 168 rows.
  package var heat = [Double](repeating: 0, count: 168)
  /// Living members by the month of their sign-up, at each month's end: one row a cohort, one
  /// column a month from its own on.
  package var cohorts: [[Int64]] = []
  /// Members who signed up in each cohort's month, whether they stayed or not; one a cohort.
  package var cohortSignUps: [Int64] = []
  /// The accounts that hold the program's money; empty where `RunFrame.keepsMembers` did not ask for
  /// it, or the program does not tell.
  package var cash: [CashAccount] = []
  /// What each member bought and was given; nil where `RunFrame.keepsMembers` did not ask for it, or
  /// the program does not tell.
  package var members: MemberValues?
  /// Numbers whose expectation is 0 whatever the settings, for use as control variates; empty where
  /// `RunFrame.controls` did not ask for them, or the program knows none.
  package var controls: [Double] = []

  /// A sample of nothing, to be filled.
  package init(bounds: HealthBounds) { self.bounds = bounds }

  /// A figure of the run as conditions compare it.
  ///
  /// Spend without a budget is over any budget, so that a utilization which has no value for that
  /// reason compares as infinite. Any other figure that the run does not have compares with nothing.
  ///
  /// - Parameters:
  ///   - value: Of the figure; nil where the run does not have it.
  ///   - figure: What is known of it.
  package func compared(_ value: Double?, as figure: FigureDescription) -> Double? {
    guard value == nil, figure.isUtilisation, months.contains(where: \.isOverWithoutBudget) else {
      return value
    }
    return .infinity
  }
}
