import BlakJaks
// Goal: budget health compares exactly and projects by the season.
// Method: the worked example of the specification, bounds to the micro-unit.
import Quantities
import RewardModel
import Testing

@Suite struct BudgetTests {
  let rules = BudgetHealthRules()

  @Test(
    "A month's status compares exactly",
    arguments: [
      (8_499_999, .normal), (8_500_000, .warning), (10_000_000, .warning), (10_000_001, .critical),
    ] as [(Int64, BudgetStatus)])
  func bounds(spend: Int64, status: BudgetStatus) {
    let budget = MicroUSDT(microunits: 10_000_000)
    #expect(
      BudgetHealth.status(
        spend: MicroUSDT(microunits: spend), budget: budget, rules: rules) == status)
  }

  @Test func withoutABudgetAndSpendThereIsNoStatus() {
    for spend in [MicroUSDT.zero, MicroUSDT(microunits: -1)] {
      #expect(BudgetHealth.status(spend: spend, budget: .zero, rules: rules) == nil)
      #expect(BudgetHealth.utilisation(spend: spend, budget: .zero) == nil)
    }
  }

  @Test func spendWithoutABudgetIsCriticalAlsoBeforeTheMonthEnds() {
    let spend = MicroUSDT(microunits: 1)
    #expect(BudgetHealth.status(spend: spend, budget: .zero, rules: rules) == .critical)
    #expect(BudgetHealth.utilisation(spend: spend, budget: .zero) == nil)
    for (spend, status) in [(spend, .critical), (.zero, nil)] as [(MicroUSDT, BudgetStatus?)] {
      let projected = BudgetHealth.projection(
        toDate: .init(spend: spend, budget: .zero, weight: 10), daysOver: 5, restWeight: 990,
        lastMonth: nil, rules: rules)
      #expect(projected.status == status && projected.basisPoints == nil)
    }
  }

  @Test func aBudgetBelowZeroIsCritical() {
    let budget = MicroUSDT(microunits: -1)
    for spend in [MicroUSDT.zero, MicroUSDT(microunits: -1), .whole(1)] {
      #expect(BudgetHealth.status(spend: spend, budget: budget, rules: rules) == .critical)
      #expect(BudgetHealth.utilisation(spend: spend, budget: budget) == nil)
    }
  }

  @Test func theProjectionFollowsTheSeason() throws {
    // A 30-day month that starts on a Monday; 13,000 spent after day 12 of a 30,000 budget that
    // accrues by the same weights: 108.52 %, where a linear projection would say 108.33 %.
    let weights = rules.weekdayWeights
    let passed = (0..<12).reduce(Int64(0)) { $0 + weights[$1 % 7] }
    let rest = (12..<30).reduce(Int64(0)) { $0 + weights[$1 % 7] }
    let budget = try MicroUSDT.whole(30_000).portion(passed, of: passed + rest)
    let projection = BudgetHealth.projection(
      toDate: .init(spend: .whole(13_000), budget: budget, weight: passed), daysOver: 12,
      restWeight: rest, lastMonth: nil, rules: rules)
    #expect(projection.basisPoints == 10_852)
    #expect(projection.status == .critical)
    let exact = 13_000.0 / (30_000 * Double(passed) / Double(passed + rest)) * 100
    #expect(abs(exact - 108.52) < 0.005)
  }

  @Test func beforeTheThirdDayLastMonthsRatesServe() {
    let last = BudgetHealth.Basis(spend: .whole(500), budget: .whole(1_000), weight: 1_000)
    let wild = BudgetHealth.Basis(spend: .whole(100), budget: .whole(10), weight: 10)
    func project(_ daysOver: Int) -> Int64? {
      BudgetHealth.projection(
        toDate: wild, daysOver: daysOver, restWeight: 990, lastMonth: last, rules: rules
      ).basisPoints
    }
    // (100 + 495) ÷ (10 + 990), and by the month's own rates 100 ÷ 10.
    #expect(project(1) == 5_950)
    #expect(project(2) == 100_000)
  }

  @Test func hugeSumsDoNotOverflow() {
    let most = MicroUSDT(microunits: .max)
    let basis = BudgetHealth.Basis(spend: most, budget: MicroUSDT(microunits: 1), weight: 1)
    let projection = BudgetHealth.projection(
      toDate: basis, daysOver: 20, restWeight: 300_000, lastMonth: nil, rules: rules)
    #expect(projection.basisPoints == .max)
    #expect(projection.status == .critical)
  }
}
