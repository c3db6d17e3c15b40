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

  @Test func aMonthThatOnlySpentServesTooAndAnEmptyOneDoesNot() {
    let first = BudgetHealth.Basis(spend: .whole(1), budget: .whole(30), weight: 10)
    func project(_ last: BudgetHealth.Basis) -> (basisPoints: Int64?, status: BudgetStatus?) {
      BudgetHealth.projection(
        toDate: first, daysOver: 1, restWeight: 990, lastMonth: last, rules: rules)
    }
    // (1 + 990 ÷ 1,000 of 100) ÷ 30: nothing more is expected to be earned.
    let spending = project(.init(spend: .whole(100), budget: .zero, weight: 1_000))
    #expect(spending.basisPoints == 33_333 && spending.status == .critical)
    let one = MicroUSDT(microunits: 1)
    let nearly = project(.init(spend: .whole(100), budget: one, weight: 1_000))
    #expect(nearly.basisPoints == spending.basisPoints, "next to no budget is no worse")
    // By the month's own rates 1 ÷ 30.
    let empty = project(.init(spend: .zero, budget: .zero, weight: 1_000))
    #expect(empty.basisPoints == 333 && empty.status == .normal)
  }

  @Test func aDayThatIsNotOverDoesNotSettleAMonth() throws {
    var books = try ProgrammeBooks(rules: ProgrammeRules(), firstDate: CivilDate("2026-03-30")!)
    let noon = Instant(microseconds: 1_775_000_000_000_000)
    try books.sell(tins: 1_000)  // A budget of 1,000.
    try books.pay(.guarantee, total: .whole(500), at: noon)
    for _ in 0..<2 { try books.turnDay() }
    try books.sell(tins: 10)
    try books.pay(.guarantee, total: .whole(100), at: noon)
    try books.turnDay()
    #expect(books.date == CivilDate("2026-04-02"))
    func weight(_ days: ClosedRange<Int>, of month: Int) -> Int64 {
      days.reduce(0) { sum, day in
        let date = CivilDate(year: 2026, month: month, day: day)
        return sum + rules.weekdayWeights[date.weekday]
      }
    }
    let lastMonths = BudgetHealth.projection(
      toDate: .init(spend: .whole(100), budget: .whole(10), weight: weight(1...2, of: 4)),
      daysOver: 1, restWeight: weight(3...30, of: 4),
      lastMonth: .init(spend: .whole(500), budget: .whole(1_000), weight: weight(30...31, of: 3)),
      rules: rules)
    let open = try books.dayNow(isOver: false)
    #expect(open.projectedBasisPoints == lastMonths.basisPoints && open.status == .normal)
    let ended = try books.dayNow(isOver: true)
    #expect(ended.projectedBasisPoints == 100_000 && ended.status == .critical)
    try books.turnDay()
    #expect(books.closed.days.last?.projectedBasisPoints == 100_000)
    // Two days are over: the third goes by the month's own rates.
    #expect(try books.dayNow(isOver: false).projectedBasisPoints == 100_000)
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
