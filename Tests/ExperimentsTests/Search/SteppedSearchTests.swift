// Goal: a search finds the best point where conditions jump, as counts of months and shares of few
// replications do, and takes whole settings to the last step.
// Method: models without noise whose best point is found by trying all; plateaus that fresh
// replications contradict in part.
import EventKernel
import Experiments
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct SteppedSearchTests {
  /// A search of a model without noise: the objective and one mean a condition.
  static func run(
    _ domains: [RootSettings.Domain], _ direction: SearchPlan.Direction,
    _ conditions: [SearchCondition], objective: @escaping ([Double]) -> Double,
    means: @escaping ([Double], _ isFresh: Bool) -> [Double]
  ) throws -> ConstrainedSearch {
    let plan = SearchPlan(
      axes: try domains.map { domain throws(StatisticsError) in try SearchAxis(domain) },
      conditions: conditions, direction: direction)
    return try ConstrainedSearch.run(plan) { values, numbers in
      numbers.map { _ in
        SearchObservation(
          objective: objective(values),
          conditions: means(values, numbers.lowerBound >= plan.replications).map {
            ConditionSample(value: $0, margin: 0)
          })
      }
    }
  }

  static func found(_ search: ConstrainedSearch) throws -> SearchPoint {
    guard case .found(let number) = search.outcome else {
      throw StatisticsError.noVariation(name: "\(search.outcome)")
    }
    return search.points[number]
  }

  static let atLeastOne = SearchCondition(figure: .mean, comparison: .moreOrEqual, bound: 1)
  static let atMostTwo = SearchCondition(figure: .mean, comparison: .lessOrEqual, bound: 2)
  static let atMostZero = SearchCondition(figure: .mean, comparison: .lessOrEqual, bound: 0)

  @Test(
    "One whole setting: the last value at which a count still holds",
    arguments: [1, 2, 9, 17, 28, 33, 40, 46, 49])
  func wholeCount(edge: Int) throws {
    let search = try Self.run(
      [.whole(low: 0, high: 50, step: 1)], .minimise, [Self.atLeastOne, Self.atMostTwo],
      objective: { 1_000 + $0[0] },
      means: { values, _ in
        let months = values[0] < Double(edge) ? 0.0 : values[0] < Double(edge + 30) ? 1 : 3
        return [months, months]
      })
    #expect(try Self.found(search).values == [Double(edge)])
    #expect(search.points.count <= search.plan.points)
  }

  @Test("One real setting: the edge of a step within the tolerance", arguments: [0.7, 3.3, 9.1])
  func realStep(edge: Double) throws {
    let search = try Self.run(
      [.real(low: 0, high: 10)], .maximise, [Self.atMostZero], objective: { $0[0] },
      means: { values, _ in [values[0] > edge ? 1 : 0] })
    let answer = try Self.found(search)
    #expect((edge - 0.2...edge).contains(answer.values[0]), "\(answer.values)")
  }

  /// How far a search falls short of the best pair of all, as a share of the objective's range.
  private func shortfall(shape: Int) throws -> Double {
    // A staircase: the higher the first setting, the higher the second may be, by jumps.
    let width = Double(1 + shape % 4)
    let price = 2 + Double(shape)
    func allowed(_ first: Double) -> Double {
      first < 4 ? 0 : 10 + 3 * (first / width).rounded(.down)
    }
    func objective(_ values: [Double]) -> Double { 3 * values[1] - price * values[0] }
    func holds(_ values: [Double]) -> Bool { values[1] <= allowed(values[0]) }
    var best = -Double.infinity
    for first in 1...15 {
      for second in 10...60 where holds([Double(first), Double(second)]) {
        best = max(best, objective([Double(first), Double(second)]))
      }
    }
    let search = try Self.run(
      [.whole(low: 1, high: 15, step: 1), .whole(low: 10, high: 60, step: 1)], .maximise,
      [Self.atMostZero], objective: objective,
      means: { values, _ in [holds(values) ? 0 : 1] })
    let answer = try Self.found(search)
    #expect(holds(answer.values) && search.points.count <= search.plan.points)
    return (best - objective(answer.values)) / (objective([1, 60]) - objective([15, 10]))
  }

  @Test("Two whole settings: of eight staircases six within a hundredth of the best pair of all")
  func wholePairs() throws {
    let all = try (0..<8).map { try shortfall(shape: $0) }
    #expect(all.count { $0 <= 0.01 } >= 6, "\(all)")
    #expect(all.allSatisfy { (0...0.05).contains($0) }, "\(all)")
  }

  @Test("Two real settings: a condition that jumps at the edge of a disc")
  func realPair() throws {
    let search = try Self.run(
      [.real(low: 0, high: 10), .real(low: 0, high: 10)], .maximise, [Self.atMostZero],
      objective: { $0[0] + 2 * $0[1] },
      means: { values, _ in
        [values[0] * values[0] + values[1] * values[1] > 64 ? 1 : 0]
      })
    let answer = try Self.found(search)
    // 8 √5 at best, of a range of 30.
    let shortfall = 8 * 5.0.squareRoot() - answer.values[0] - 2 * answer.values[1]
    #expect((0...0.3).contains(shortfall), "\(answer.values)")
  }

  @Test("On a plateau that meets the bound exactly, points behind a contradicted one are confirmed")
  func plateau() throws {
    // The sample sees 1 from 50 on; fresh replications see it from 60 on only.
    let search = try Self.run(
      [.whole(low: 0, high: 100, step: 1)], .minimise, [Self.atLeastOne],
      objective: { $0[0] },
      means: { values, isFresh in [values[0] >= (isFresh ? 60 : 50) ? 1 : values[0] / 100] })
    let answer = try Self.found(search)
    #expect((60...100).contains(answer.values[0]), "\(answer.values)")
    #expect(search.points.contains { $0.isContradicted })
    #expect(search.counts.tightenings == search.points.count { $0.isContradicted })
    #expect(search.shifts == [0], "no bound can move on a plateau")
    #expect(search.isFeasible(answer))
  }

  @Test("The last confirmation goes to the point farthest from all that do not hold")
  func safest() throws {
    let search = try Self.run(
      [.whole(low: 0, high: 100, step: 1)], .minimise, [Self.atLeastOne],
      objective: { $0[0] },
      means: { values, isFresh in [values[0] >= (isFresh ? 100 : 3) ? 1 : 0] })
    #expect(try Self.found(search).values == [100])
    #expect(search.counts.tightenings == search.plan.confirmations - 1)
  }

  @Test("A narrow band between two conditions is found where no point of the design lies in it")
  func band() throws {
    let search = try Self.run(
      [.whole(low: 0, high: 100, step: 1)], .maximise, [Self.atLeastOne, Self.atMostTwo],
      objective: { $0[0] },
      means: { values, _ in
        let months = values[0] < 30 ? 0.0 : values[0] < 34 ? 1 : 3
        return [months, months]
      })
    #expect(try Self.found(search).values == [33])
  }
}
