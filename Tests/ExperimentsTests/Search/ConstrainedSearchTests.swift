import EventKernel
import Experiments
// Goal: a search over several settings ends at the best point that meets its conditions, says so
// honestly, and says when there is none.
// Method: models with normal noise whose best point is known in closed form, in one to three
// dimensions; whole numbers by enumeration; models made so that each rare branch is taken.
import Foundation
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct ConstrainedSearchTests {
  /// A model: the objective and X of the condition P(X > bound) ≤ 5 % at some values, with a
  /// standard normal draw a replication that is the same everywhere.
  struct Model {
    var objective: ([Double]) -> Double
    var excess: ([Double]) -> Double
    var spread = 1.0
    var seed = 0

    /// Draws by number, and an independent one for the objective.
    private func draw(_ number: Int) -> (Double, Double) {
      var stream = RandomStream(
        seed: UInt64(seed), purpose: 9_060, entity: UInt64(number))
      return (stream.normal(), stream.normal())
    }

    func evaluate(_ values: [Double], _ numbers: Range<Int>) -> [SearchObservation] {
      numbers.map { number in
        let (noise, other) = draw(number)
        let margin = excess(values) + spread * noise
        return SearchObservation(
          objective: objective(values) + 0.1 * other,
          conditions: [ConditionSample(value: margin > 0 ? 1 : 0, margin: margin)])
      }
    }
  }

  /// The standard normal's quantile of 95 %: P(μ + σ Z > 0) ≤ 5 % exactly where μ ≤ −1.6449 σ.
  static let z = 1.644_853_626_951_472_7

  static func plan(
    _ domains: [RootSettings.Domain], _ direction: SearchPlan.Direction = .maximise,
    conditions: [SearchCondition] = [
      SearchCondition(figure: .probability, comparison: .lessOrEqual, bound: 0.05)
    ]
  ) throws -> SearchPlan {
    SearchPlan(
      axes: try domains.map { domain throws(StatisticsError) in try SearchAxis(domain) },
      conditions: conditions, direction: direction)
  }

  static func found(_ search: ConstrainedSearch) throws -> SearchPoint {
    guard case .found(let number) = search.outcome else {
      throw StatisticsError.noVariation(name: "\(search.outcome)")
    }
    return search.points[number]
  }

  @Test("One setting: the largest value that the condition allows")
  func oneSetting() throws {
    // Maximise x with P(x − 10 + Z > 0) ≤ 5 %: x = 10 − 1.645.
    var distance = Tally()
    for seed in 0..<20 {
      let model = Model(objective: { $0[0] }, excess: { $0[0] - 10 }, seed: seed)
      var plan = try Self.plan([.real(low: 0, high: 20)])
      plan.replications = 200
      let search = try ConstrainedSearch.run(plan, evaluate: model.evaluate)
      let answer = try Self.found(search)
      try distance.add(answer.values[0] - (10 - Self.z))
      #expect(search.points.count <= plan.points)
      #expect(try #require(answer.confirmation).conditions[0].estimate <= 0.05)
    }
    // The quantile of 200 draws has a standard deviation of 0.15; confirmation keeps the safe half.
    #expect((-0.4...0.1).contains(try #require(distance.mean)), "\(distance.mean ?? 0)")
    #expect((distance.maximum ?? 0) < 0.6 && (distance.minimum ?? 0) > -1.2)
  }

  /// A model of so little noise that the sample's best point is the true one.
  static func quiet(
    _ objective: @escaping ([Double]) -> Double, _ excess: @escaping ([Double]) -> Double
  ) -> Model {
    Model(objective: objective, excess: excess, spread: 1e-4)
  }

  @Test("Two settings: the corner of a linear program, whose one end is named")
  func linear() throws {
    // Maximise 3x + y with x + y ≤ 8 in [0, 5]²: (5, 3).
    let model = Self.quiet({ 3 * $0[0] + $0[1] }, { $0[0] + $0[1] - 8 })
    let plan = try Self.plan([.real(low: 0, high: 5), .real(low: 0, high: 5)])
    let answer = try Self.found(try ConstrainedSearch.run(plan, evaluate: model.evaluate))
    #expect(answer.values[0] == 5)
    #expect(abs(answer.values[1] - 3) < 0.03, "\(answer.values)")
  }

  @Test("Two settings: the point of a disc that lies farthest in a direction")
  func disc() throws {
    // Maximise x + 2y with |(x, y)| ≤ 8: 8 √5 at 8 (1, 2)/√5.
    let model = Self.quiet({ $0[0] + 2 * $0[1] }, { hypot($0[0], $0[1]) - 8 })
    let plan = try Self.plan([.real(low: 0, high: 10), .real(low: 0, high: 10)])
    let search = try ConstrainedSearch.run(plan, evaluate: model.evaluate)
    let answer = try Self.found(search)
    let reached = answer.values[0] + 2 * answer.values[1]
    #expect(abs(reached - 8 * 5.0.squareRoot()) < 0.05, "\(answer.values)")
    #expect(search.points.count <= plan.points)
  }

  @Test("Three settings: the point of a ball that lies farthest in a direction")
  func ball() throws {
    let model = Self.quiet(
      { $0[0] + 2 * $0[1] + 3 * $0[2] },
      { ($0[0] * $0[0] + $0[1] * $0[1] + $0[2] * $0[2]).squareRoot() - 8 })
    let plan = try Self.plan(Array(repeating: .real(low: 0, high: 10), count: 3))
    let answer = try Self.found(try ConstrainedSearch.run(plan, evaluate: model.evaluate))
    let reached = answer.values[0] + 2 * answer.values[1] + 3 * answer.values[2]
    #expect(abs(reached - 8 * 14.0.squareRoot()) < 0.3, "\(answer.values), \(reached)")
  }

  @Test("Three factors: the cheapest box of a volume")
  func cheapest() throws {
    // Minimise x + 2y + 4z with xyz ≥ 1: each term is 2.
    let model = Self.quiet(
      { $0[0] + 2 * $0[1] + 4 * $0[2] }, { 1 - $0[0] * $0[1] * $0[2] })
    let plan = try Self.plan(
      Array(repeating: .logarithmic(low: 0.1, high: 10), count: 3), .minimise)
    let answer = try Self.found(try ConstrainedSearch.run(plan, evaluate: model.evaluate))
    let cost = answer.values[0] + 2 * answer.values[1] + 4 * answer.values[2]
    #expect((6 - 1e-3...6.2).contains(cost), "\(answer.values), \(cost)")
  }

  @Test("Whole numbers: the best pair of all, found without trying all", arguments: [30, 41, 55])
  func wholeNumbers(limit: Int) throws {
    let model = Self.quiet(
      { 7 * $0[0] + 5 * $0[1] }, { 3 * $0[0] + 2 * $0[1] + 0.05 * $0[0] * $0[1] - Double(limit) })
    var best = 0.0
    for x in 0...20 {
      for y in 0...20 where model.excess([Double(x), Double(y)]) <= -0.001 {
        best = max(best, Double(7 * x + 5 * y))
      }
    }
    let plan = try Self.plan(
      [.whole(low: 0, high: 20, step: 1), .whole(low: 0, high: 20, step: 1)])
    let search = try ConstrainedSearch.run(plan, evaluate: model.evaluate)
    let answer = try Self.found(search)
    #expect(answer.values.allSatisfy { $0 == $0.rounded() })
    // Within one step of the cheaper setting.
    #expect(best - (7 * answer.values[0] + 5 * answer.values[1]) <= 5, "\(answer.values) \(best)")
    #expect(search.counts.cacheHits > 0, "a value comes up twice")
    #expect(Set(search.points.map(\.values)).count == search.points.count, "and is not run again")
  }

  @Test("Points that the model cannot tell apart are run once")
  func keys() throws {
    var asked: [[Double]] = []
    let model = Self.quiet({ $0[0] }, { $0[0] - 5.5 })
    let plan = try Self.plan([.real(low: 0, high: 10)])
    let search = try ConstrainedSearch.run(plan) {
      ["\(Int($0[0].rounded()))"]
    } evaluate: { values, numbers in
      if numbers.lowerBound == 0 { asked.append(values) }
      return model.evaluate(values.map { $0.rounded() }, numbers)
    }
    #expect(try Self.found(search).values[0].rounded() == 5)
    #expect(Set(asked.map { $0[0].rounded() }).count == asked.count)
    #expect(search.counts.cacheHits > 0)
  }

  @Test("Where everything holds, the best end of the range")
  func everywhere() throws {
    let model = Self.quiet({ $0[0] - $0[1] }, { _ in -1 })
    let plan = try Self.plan([.real(low: 0, high: 4), .whole(low: -3, high: 9, step: 2)])
    let search = try ConstrainedSearch.run(plan, evaluate: model.evaluate)
    #expect(try Self.found(search).values == [4, -3])
    #expect(search.counts.leftEarly == 0 && search.counts.tightenings == 0)
  }

  @Test("Where nothing holds, the point that misses least, and no confirmation is spent")
  func nowhere() throws {
    let model = Self.quiet({ $0[0] }, { 1 + abs($0[0] - 3) + abs($0[1] - 2) })
    let plan = try Self.plan([.real(low: 0, high: 10), .real(low: 0, high: 10)])
    let search = try ConstrainedSearch.run(plan, evaluate: model.evaluate)
    guard case .nowhereFeasible(let least) = search.outcome else {
      Issue.record("\(search.outcome)")
      return
    }
    let values = search.points[least].values
    #expect(abs(values[0] - 3) < 0.6 && abs(values[1] - 2) < 0.6, "\(values)")
    #expect(search.points.allSatisfy { $0.confirmation == nil })
    // All are hopeless, so that each is left after the first ten replications.
    #expect(search.counts.leftEarly == search.points.count)
    #expect(search.spent == plan.first * search.points.count)
  }

  @Test("A sample that flatters is found out, and the search tightens by what it was off")
  func tightening() throws {
    var plan = try Self.plan([.real(low: 0, high: 10)])
    plan.tolerance = 0.005
    let honest = Self.quiet({ $0[0] }, { $0[0] - 8 })
    // Fresh replications see another world, 1 further on.
    let search = try ConstrainedSearch.run(plan) { values, numbers in
      honest.evaluate(numbers.lowerBound >= plan.replications ? [values[0] + 1] : values, numbers)
        .map { SearchObservation(objective: values[0], conditions: $0.conditions) }
    }
    let answer = try Self.found(search)
    // 7 would do; a bound moved by half as much again gives 6.5.
    #expect((6.4...6.6).contains(answer.values[0]), "\(answer.values)")
    #expect(search.counts.tightenings == 1)
    #expect(abs(search.shifts[0] - 1.5) < 0.05, "\(search.shifts)")
    let contradicted = search.points.filter(\.isContradicted)
    #expect(contradicted.count == 1)
    #expect(abs(contradicted[0].values[0] - 8) < 0.05)
    let fresh = try #require(answer.confirmation)
    #expect(fresh.objective.count == plan.confirmation && fresh.objective.level == 0.9875)
    #expect(
      search.spent
        == search.points.reduce(2 * plan.confirmation) {
          $0 + $1.figures.objective.count
        })
  }

  @Test("A search that is contradicted again and again says so, after so many confirmations")
  func neverConfirmed() throws {
    let plan = try Self.plan([.real(low: 0, high: 10)])
    var confirmed: [Range<Int>] = []
    let honest = Self.quiet({ $0[0] }, { $0[0] - 8 })
    let search = try ConstrainedSearch.run(plan) { values, numbers in
      let isFresh = numbers.lowerBound >= plan.replications
      if isFresh { confirmed.append(numbers) }
      // Each confirmation finds the answer off by a little more than what was allowed for.
      return honest.evaluate(
        isFresh ? [8 + Double(confirmed.count) * 0.01] : values, numbers)
    }
    guard case .notConfirmed = search.outcome else {
      Issue.record("\(search.outcome)")
      return
    }
    #expect(search.counts.tightenings == plan.confirmations)
    // Always numbers that nobody has used.
    #expect(
      confirmed
        == (0..<plan.confirmations).map {
          40 + $0 * plan.confirmation..<40 + ($0 + 1) * plan.confirmation
        })
  }

  @Test("Of several conditions all hold, whether on chances or on means")
  func severalConditions() throws {
    // Minimise x + y with P(3 − x + Z > 0) ≤ 5 % and E[y] ≥ 2: (3, 2) without noise.
    let conditions = [
      SearchCondition(figure: .probability, comparison: .lessOrEqual, bound: 0.05),
      SearchCondition(figure: .mean, comparison: .moreOrEqual, bound: 2),
    ]
    let model = Self.quiet({ $0[0] + $0[1] }, { 3 - $0[0] })
    let plan = try Self.plan(
      [.real(low: 0, high: 10), .real(low: 0, high: 10)], .minimise, conditions: conditions)
    let answer = try Self.found(
      try ConstrainedSearch.run(plan) { values, numbers in
        model.evaluate(values, numbers).map {
          SearchObservation(
            objective: $0.objective,
            conditions: $0.conditions + [ConditionSample(value: values[1], margin: 0)])
        }
      })
    #expect((3 - 1e-3...3.05).contains(answer.values[0]), "\(answer.values)")
    #expect((2...2.05).contains(answer.values[1]), "\(answer.values)")
    #expect(try #require(answer.confirmation).isMet)
  }

  @Test("With real noise the answer is near the best, and the interval covers, over 40 seeds")
  func coverage() throws {
    var covered = CoverageCount()
    var found = CoverageCount()
    var tightened = CoverageCount()
    var shortfall = Tally()
    for seed in 0..<40 {
      let model = Model(
        objective: { $0[0] + 2 * $0[1] }, excess: { hypot($0[0], $0[1]) - 8 }, spread: 0.3,
        seed: seed)
      let plan = try Self.plan([.real(low: 0, high: 10), .real(low: 0, high: 10)])
      let search = try ConstrainedSearch.run(plan, evaluate: model.evaluate)
      guard case .found(let number) = search.outcome else {
        found.count(false)
        continue
      }
      found.count(true)
      tightened.count(search.counts.tightenings > 0)
      let answer = search.points[number]
      let fresh = try #require(answer.confirmation)
      // P(|x| − 8 + 0.3 Z > 0), from the normal distribution.
      let chance = 0.5 * erfc(-model.excess(answer.values) / 0.3 / 2.0.squareRoot())
      covered.count(fresh.conditions[0].contains(chance))
      #expect(chance < 0.12, "\(chance)")
      try shortfall.add((8 - Self.z * 0.3) * 5.0.squareRoot() - model.objective(answer.values))
    }
    #expect(found.share >= 0.9, "\(found.share)")
    #expect(covered.share >= 0.93, "\(covered.share)")
    #expect(tightened.hits > 5, "\(tightened.hits)")
    // In standard deviations of the noise, 0.3 √5: a third of one at the mean, two at worst.
    #expect((-0.3...0.35).contains(try #require(shortfall.mean)), "\(shortfall.mean ?? 0)")
    #expect((shortfall.maximum ?? 0) < 1.4, "\(shortfall.maximum ?? 0)")
  }

  @Test("Equal searches are equal")
  func determinism() throws {
    let model = Model(
      objective: { $0[0] + 2 * $0[1] }, excess: { hypot($0[0], $0[1]) - 8 }, spread: 0.3)
    let plan = try Self.plan([.real(low: 0, high: 10), .real(low: 0, high: 10)])
    let one = try ConstrainedSearch.run(plan, evaluate: model.evaluate)
    let two = try ConstrainedSearch.run(plan, evaluate: model.evaluate)
    #expect(one.points == two.points && one.outcome == two.outcome && one.spent == two.spent)
  }

  @Test("A plan out of range is refused before anything runs")
  func badPlans() throws {
    func refused(_ change: (inout SearchPlan) -> Void) throws {
      var plan = try Self.plan([.real(low: 0, high: 10), .real(low: 0, high: 10)])
      change(&plan)
      #expect(throws: StatisticsError.self) {
        try ConstrainedSearch.run(plan) { _, _ in
          Issue.record("it ran")
          return []
        }
      }
    }
    try refused { $0.axes = [] }
    try refused { $0.axes = Array(repeating: $0.axes[0], count: 9) }
    try refused { $0.conditions = [] }
    try refused { $0.points = 21 }
    try refused { $0.replications = 1 }
    try refused { $0.first = 41 }
    try refused { $0.first = 1 }
    try refused { $0.confirmation = 1 }
    try refused { $0.confirmations = 0 }
    try refused { $0.level = 1 }
    try refused { $0.tolerance = 0 }
    for (figure, bound) in [(RootSettings.Figure.probability, 0), (.probability, 1), (.mean, .nan)]
    {
      try refused {
        $0.conditions = [SearchCondition(figure: figure, comparison: .less, bound: bound)]
      }
    }
    #expect(throws: StatisticsError.self) { try SearchAxis(.real(low: 1, high: 1)) }
    #expect(throws: StatisticsError.self) { try SearchAxis(.logarithmic(low: 0, high: 1)) }
  }

  @Test("Observations that are none are refused")
  func badObservations() throws {
    let plan = try Self.plan([.real(low: 0, high: 10)])
    func refused(_ observation: SearchObservation?) {
      #expect(throws: StatisticsError.self) {
        try ConstrainedSearch.run(plan) { _, numbers in
          numbers.compactMap { _ in observation }
        }
      }
    }
    let good = ConditionSample(value: 0, margin: -1)
    refused(nil)
    refused(SearchObservation(objective: .nan, conditions: [good]))
    refused(SearchObservation(objective: 1, conditions: []))
    refused(SearchObservation(objective: 1, conditions: [good, good]))
    refused(SearchObservation(objective: 1, conditions: [ConditionSample(value: 2, margin: 0)]))
    refused(
      SearchObservation(
        objective: 1, conditions: [ConditionSample(value: 0, margin: -.infinity)]))
  }
}
