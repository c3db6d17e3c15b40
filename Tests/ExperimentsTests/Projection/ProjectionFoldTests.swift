import BlakJaks
// Goal: a projection folded one replication at a time says what all replications say together.
// Method: a slow, obvious computation that keeps every replication and sorts every column; equal
// while replications are few, within the sketch's stated error when they are many.
import EventKernel
import Experiments
import Quantities
import RewardModel
import Synchronization
import TestSupport
import Testing

/// What is said of replications that are all kept.
private struct PlainProjection {
  let replications: [Replication]
  let cash: Bool
  /// 0 while everything is exact, else the sketch's error as a share of a column's range.
  let error: Double

  private func within(_ answer: Double?, _ truth: Double?, _ values: [Double], _ error: Double)
    -> Bool
  {
    guard let answer, let truth else { return answer == nil && truth == nil }
    let range = (values.max() ?? 0) - (values.min() ?? 0)
    return abs(answer - truth) <= error * range + 1e-9 * max(1, abs(truth))
  }

  /// Hyndman and Fan's type 7.
  private func quantile(_ share: Double, _ sorted: [Double]) -> Double {
    let place = share * Double(sorted.count - 1)
    let low = Int(place)
    let high = min(low + 1, sorted.count - 1)
    return sorted[low] + (place - Double(low)) * (sorted[high] - sorted[low])
  }

  func expect(_ estimate: Estimate?, of values: [Double], _ name: String) throws {
    guard !values.isEmpty else {
      #expect(estimate == nil, "\(name)")
      return
    }
    let estimate = try #require(estimate, "\(name)")
    let n = Double(values.count)
    let mean = values.reduce(0, +) / n
    #expect(estimate.count == values.count)
    #expect(within(estimate.mean, mean, values, 0), "\(name)")
    if values.count > 1 {
      let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (n - 1)
      #expect(within(estimate.standardDeviation, variance.squareRoot(), values, 1e-9), "\(name)")
      let student = try ConfidenceInterval.studentQuantile(level: 0.95, degreesOfFreedom: n - 1)
      let half = student * (variance / n).squareRoot()
      #expect(within(estimate.halfWidth, half * estimate.widening, values, 1e-9), "\(name)")
      let widening = SkewedMean.widening(values, observations: values.count)
      #expect(abs(estimate.widening - widening) <= max(1e-9, error) * widening, "\(name)")
    }
    let sorted = values.sorted()
    for (share, answer) in zip([0.05, 0.1, 0.5, 0.9, 0.95], estimate.quantiles) {
      #expect(within(answer.estimate, quantile(share, sorted), values, error), "\(name) \(share)")
      let truth = try QuantileInterval(sample: values, probability: share).interval
      #expect(within(answer.low, truth.low, values, error), "\(name) \(share)")
      #expect(within(answer.high, truth.high, values, error), "\(name) \(share)")
    }
  }

  func expect(
    _ period: Projection.Period?, _ name: String, seed: UInt64,
    _ rows: [(cash: Double, accrual: Double, budget: Double, projected: Double?, [BudgetStatus?])]
  ) throws {
    let period = try #require(period)
    #expect(period.label == name)
    try expect(period.spendCash, of: rows.map(\.cash), name)
    try expect(period.spendAccrual, of: rows.map(\.accrual), name)
    try expect(period.budget, of: rows.map(\.budget), name)
    try expect(
      period.utilisation,
      of: rows.filter { $0.budget > 0 }.map { (cash ? $0.cash : $0.accrual) / $0.budget }, name)
    try expect(period.projected, of: rows.compactMap(\.projected), name)
    #expect(period.warning.happened == rows.count { $0.4.contains { $0 != nil && $0 != .normal } })
    #expect(period.critical.happened == rows.count { $0.4.contains(.critical) })
    let losses = rows.map { cash ? $0.cash : $0.accrual }
    #expect(period.tails.map(\.probability) == [0.95, 0.99])
    for tail in period.tails {
      let truth = try TailRisk(losses: losses, probability: tail.probability, seed: seed)
      for (answer, exact) in [
        (tail.valueAtRisk, truth.valueAtRisk), (tail.expectedShortfall, truth.expectedShortfall),
      ] {
        #expect(within(answer.estimate, exact.estimate, losses, error), "\(name)")
        // The ends of a bootstrap move by more than what is resampled, but by little.
        #expect(within(answer.low, exact.low, losses, 5 * error), "\(name)")
        #expect(within(answer.high, exact.high, losses, 5 * error), "\(name)")
      }
    }
  }

  func expect(_ projection: Projection) throws {
    let first = try #require(replications.first)
    let n = Double(replications.count)
    #expect(projection.count == replications.count)
    for (row, name) in measured.names.enumerated() {
      try expect(
        projection.figures.first { $0.name == name }?.estimate,
        of: replications.compactMap { $0.figures[row] }, name)
    }
    #expect(projection.months.count == first.months.count)
    for (row, month) in first.months.enumerated() {
      try expect(
        projection.months[row], month.label, seed: projection.seed,
        replications.map { replication in
          let month = replication.months[row]
          return (
            month.spendCash, month.spendAccrual, month.budget, month.projected, [month.status]
          )
        })
    }
    try expect(
      projection.year, "Whole run", seed: projection.seed,
      replications.map { row in
        (
          row.months.reduce(0) { $0 + $1.spendCash }, row.months.reduce(0) { $0 + $1.spendAccrual },
          row.months.reduce(0) { $0 + $1.budget }, nil, row.months.map(\.status)
        )
      })
    for (row, day) in projection.days.enumerated() {
      let spend = replications.map { Double($0.spend[row]) }
      let expected = replications.compactMap { $0.projected[row].map { Double($0) / 10_000 } }
      for (place, share) in Estimate.shares.enumerated() {
        #expect(within(day.spend[place], quantile(share, spend.sorted()), spend, 5 * error))
        guard !expected.isEmpty else { continue }
        #expect(
          within(day.projected[place], quantile(share, expected.sorted()), expected, 5 * error))
      }
      #expect(day.projected.isEmpty == expected.isEmpty)
      #expect(near(day.budget, replications.reduce(0) { $0 + Double($1.budget[row]) } / n, 1e-6))
      #expect(
        day.warning.happened
          == replications.count { $0.statuses[row].map { $0 != .normal } ?? false })
      #expect(day.critical.happened == replications.count { $0.statuses[row] == .critical })
    }
    let critical = replications.count { $0.statuses.contains(.critical) }
    #expect(projection.everCritical.happened == critical)
    for (prize, months) in projection.events.map(\.means).enumerated() {
      for (month, mean) in months.enumerated() {
        #expect(
          near(mean, replications.reduce(0) { $0 + Double($1.events[prize].counts[month]) } / n))
      }
    }
    for (row, mean) in projection.heat.enumerated() {
      #expect(near(mean, replications.reduce(0) { $0 + $1.heat[row] } / n))
    }
    for (cohort, shares) in projection.retention.enumerated() {
      for (month, share) in shares.enumerated() {
        let began = replications.reduce(0) { $0 + $1.cohortSignUps[cohort] }
        let living = replications.reduce(0) { $0 + $1.cohorts[cohort][month] }
        #expect(near(share, began > 0 ? Double(living) / Double(began) : 0))
      }
    }
    let year = try #require(measured.row(of: "budget.utilisation.year"))
    let ranked = replications.sorted {
      ($0.figures[year] ?? -.infinity, -$0.index) > ($1.figures[year] ?? -.infinity, -$1.index)
    }
    #expect(projection.highest.map(\.number) == ranked.prefix(10).map(\.index))
    #expect(projection.highest.map(\.seed) == ranked.prefix(10).map(\.seed))
  }
}

@Suite(.tags(.slow)) struct ProjectionFoldTests {
  @Test("Of real replications, everything is what all of them say")
  func real() throws {
    let runner = try smallRunner(try smallScenario())
    let all = try #require(try runner.run(0..<14))
    let projection = Projection(
      fold(all), seed: 7, dates: runner.plan.frame.calendar.dates.map(\.description))
    #expect(projection.percentileError == 0 && projection.days.count == 70)
    try PlainProjection(replications: all, cash: false, error: 0).expect(projection)
  }

  /// Replications that differ in everything, with ties and runs without a budget among them.
  private func random(_ count: Int, cash: Bool) -> [Replication] {
    var stream = repetitionStream(count, purpose: 710)
    return (0..<count).map { index in
      func draw(_ most: Double) -> Int64 { Int64(stream.uniform() * most) }
      let budget = stream.bernoulli(0.1) ? 0 : 1_000 + draw(50)
      let all: [BudgetStatus?] = [.normal, .normal, .warning, .critical, nil]
      return HandmadeRun(
        spend: [900 + draw(100_000), stream.bernoulli(0.2) ? 0 : draw(3_000_000)],
        budget: [budget, 2_000], status: [all[Int(draw(5))], all[Int(draw(5))]],
        days: (0..<4).map { _ in all[Int(draw(stream.bernoulli(0.5) ? 2 : 5))] },
        projected: (0..<4).map { _ in stream.bernoulli(0.3) ? nil : draw(20_000) },
        awards: [Int(draw(3)), Int(draw(2))], scans: draw(9),
        seed: UInt64(index) + 100, cash: cash
      ).replication(index)
    }
  }

  @Test("Of few made-up replications, too", arguments: [1, 2, 90], [false, true])
  func few(count: Int, cash: Bool) throws {
    let all = random(count, cash: cash)
    let projection = Projection(
      fold(all), seed: 3, dates: HandmadeRun.dates)
    #expect(projection.percentileError == 0)
    #expect(projection.exceedance.count == count)
    try PlainProjection(replications: all, cash: cash, error: 0).expect(projection)
  }

  @Test("Of many, everything is within the stated error, and the curve stays short")
  func many() throws {
    let all = random(2_500, cash: false)
    let projection = Projection(fold(all), seed: 3, dates: HandmadeRun.dates)
    #expect(projection.percentileError == 0.001)
    try PlainProjection(replications: all, cash: false, error: 0.001).expect(projection)
    let curve = projection.exceedance
    #expect(curve.count <= 1_000 && curve.first?.share == 1)
    let spend = all.map { row in row.months.reduce(0) { $0 + $1.spendAccrual } }
    #expect(curve.first?.spend == spend.min() && curve.last?.spend == spend.max())
    for point in curve where point.spend.truncatingRemainder(dividingBy: 5) == 0 {
      let truth = Double(spend.count { $0 >= point.spend }) / 2_500
      #expect(abs(truth - point.share) < 0.01)
    }
  }

  @Test("The ten highest are kept: of equals the first ones, those without a budget last")
  func highest() {
    let none = HandmadeRun(budget: [0, 0], status: [nil, nil], seed: 50)
    let runs =
      [none] + (1...8).map { HandmadeRun(seed: 50 + UInt64($0)) } + [
        HandmadeRun(spend: [90, 90], seed: 70), none, none,
      ]
    let projection = projection(of: runs)
    #expect(projection.highest.map(\.number) == [9, 1, 2, 3, 4, 5, 6, 7, 8, 0])
    #expect(projection.highest.last?.utilisation == nil)
    #expect(projection.highest.first?.seed == 70)
  }

  @Test("Replications are added in the order of their numbers, whatever ends first")
  func order() throws {
    let runner = try smallRunner(try smallScenario("calendar.days=2"), threads: 3)
    // More than may wait, so that the window moves.
    let count = ReplicationRunner.waitingLimit + 20
    let told = Mutex(0)
    let numbers = try runner.fold(
      5..<5 + count, into: [Int](),
      proceed: { done in
        told.withLock { $0 = max($0, done) }
        return true
      }, add: { $0.append($1.index) })
    #expect(numbers == Array(5..<5 + count))
    #expect(told.withLock { $0 } == count)
  }

  @Test("An exceedance curve has every value, or a thousand of them with both ends")
  func exceedance() {
    #expect(Projection.exceedance([]).isEmpty)
    let one = Projection.exceedance([3])
    #expect(one.map(\.spend) == [3] && one.map(\.share) == [1])
    let all = Projection.exceedance((1...1_000).map { Double($0) })
    #expect(all.map(\.spend) == (1...1_000).map { Double($0) })
    let some = Projection.exceedance((1...1_500).map { Double($0) })
    #expect(some.count == 1_000 && some[0].spend == 1 && some[999].spend == 1_500)
    #expect(some.allSatisfy { near($0.share, (1_501 - $0.spend) / 1_500) })
  }
}
