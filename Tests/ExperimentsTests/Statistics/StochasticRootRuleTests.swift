// Goal: the rules by which a search for a root decides: strict signs, undecided points, equal values,
// confirmations, and bounds that no sample could show.
// Method: functions without chance, or with noise of which each value is known, so that every verdict
// follows by hand; Wilson's interval of a sample that could not be better for the smallest cap.
import Experiments
import Scenario
import Testing

@Suite struct StochasticRootRuleTests {
  @Test("Each confirmation takes numbers of its own, at a level that all of them share")
  func confirmations() throws {
    var settings = StochasticRootTests.settings(.real(low: 0, high: 10), .mean, .atMost(4))
    settings.confirmation = 100
    settings.confirmations = 3
    #expect(abs(settings.confirmationLevel - (1 - 0.05 / 3)) < 1e-15)
    var asked: [Range<Int>] = []
    var search = try StochasticRoot.solve(settings) { x, replications in
      if replications.lowerBound >= settings.cap { asked.append(replications) }
      return replications.map { $0 < settings.cap ? x : x + 0.5 }
    }
    // The candidates near 4 and 3.9 are contradicted; 4 % of the range behind there is one at 3.5.
    #expect(asked == [400..<500, 500..<600, 600..<700])
    let answer = try StochasticRootTests.found(search)
    #expect((3...3.5).contains(answer.x), "\(answer.x)")
    #expect(answer.figure.level == settings.confirmationLevel)
    #expect(search.points.count { $0.isContradicted } == 2)
    #expect(answer.neighbour.x > answer.x)
    // A bound on how often: one more failure ends the search.
    asked = []
    settings.confirmations = 2
    search = try StochasticRoot.solve(settings) { x, replications in
      if replications.lowerBound >= settings.cap { asked.append(replications) }
      return replications.map { $0 < settings.cap ? x : x + 0.5 }
    }
    #expect(search.outcome == .notConfirmed)
    #expect(asked == [400..<500, 500..<600])
  }

  @Test("A strict condition does not hold where the figure equals the bound")
  func strict() throws {
    func answer(_ requirement: RootSettings.Requirement, falls: Bool = false) throws -> Double {
      var settings = StochasticRootTests.settings(
        .whole(low: 0, high: 8, step: 1), .mean, requirement)
      settings.tolerance = 0
      let search = try StochasticRoot.solve(settings) { x, replications in
        replications.map { _ in falls ? 8 - x : x }
      }
      return try StochasticRootTests.found(search).x
    }
    #expect(try answer(.atMost(5)) == 5)
    #expect(try answer(.below(5)) == 4)
    #expect(try answer(.atLeast(5)) == 5)
    #expect(try answer(.above(5)) == 6)
    #expect(try answer(.below(5), falls: true) == 4)
    #expect(try answer(.above(5), falls: true) == 2)
    // 0 is not more than 0, nowhere.
    let none = try StochasticRoot.solve(
      StochasticRootTests.settings(.real(low: 0, high: 1), .mean, .above(0))
    ) { _, replications in replications.map { _ in 0 } }
    #expect(none.outcome == .nowhereFeasible)
    for (comparison, requirement) in [
      (.less, .below(3)), (.lessOrEqual, .atMost(3)), (.more, .above(3)),
      (.moreOrEqual, .atLeast(3)),
    ] as [(Objective.Comparison, RootSettings.Requirement)] {
      #expect(RootSettings.Requirement(comparison, 3) == requirement)
      for figure in [2.0, 3, 4] {
        #expect(requirement.isMet(by: figure) == comparison.holds(figure, 3))
      }
    }
  }

  /// Searches with a mean of `figure(x)`; where `noisy(x)` is true half of the values lie 5 above
  /// and half 5 below, so that a figure near the bound is undecided.
  private func search(
    _ requirement: RootSettings.Requirement, noisy: @escaping (Double) -> Bool,
    figure: @escaping (Double) -> Double
  ) throws -> StochasticRoot {
    let settings = StochasticRootTests.settings(.real(low: 0, high: 8), .mean, requirement)
    return try StochasticRoot.solve(settings) { x, replications in
      replications.map { figure(x) + (!noisy(x) ? 0 : $0.isMultiple(of: 2) ? 5 : -5) }
    }
  }

  @Test("An undecided point is no sign of a figure that turns")
  func undecidedInside() throws {
    // Holds at both ends, at 2 and 6; at 4 nothing can be said.
    let middle = try search(.atMost(0.1)) {
      $0 == 4
    } figure: { _ in
      0
    }
    #expect(middle.points.map(\.x) == [0, 8, 2, 4, 6, 1, 3, 5, 7])
    #expect(middle.outcome == .notShown)
    #expect(middle.points.count { $0.verdict == .undecided } == 1)
    // The same without hope at the ends.
    let hopeless = try search(.atMost(-0.1)) {
      $0 == 4
    } figure: { _ in
      0
    }
    #expect(hopeless.outcome == .notShown)
    // What is shown at 4 does turn.
    #expect(
      try search(.atMost(1)) { _ in
        false
      } figure: {
        $0 == 4 ? 3 : 0
      }.outcome == .notMonotone)
  }

  @Test("A narrow turn near the target is found before the whole range is claimed")
  func narrowTurn() throws {
    // Holds everywhere but from 4.6 to 4.9; the slope there shows where to look.
    let turned = try search(.atMost(1)) { _ in
      false
    } figure: {
      1.4 - abs($0 - 4.75) * 2.5
    }
    #expect(turned.outcome == .notMonotone)
    let flat = try search(.atMost(1)) { _ in
      false
    } figure: { _ in
      0
    }
    #expect(flat.outcome == .everywhereFeasible && flat.points.count > 9)
  }

  @Test("Beyond an undecided value the search goes on to where the condition ceases to hold")
  func farSide() throws {
    let found = try search(.atMost(4)) {
      (3.9...4.1).contains($0)
    } figure: {
      $0
    }
    let answer = try StochasticRootTests.found(found)
    let limit = try #require(answer.limit)
    #expect(answer.x < 3.9 && limit.x > 4.1)
    #expect(limit.x - answer.x < 0.5, "\(answer.x) to \(limit.x)")
  }

  @Test("An undecided end does not hide the root that lies inside")
  func undecidedEnd() throws {
    // Rises through 3 at x = 3; only at the low end there is too much noise to say so.
    let rising = try search(.atMost(3)) {
      $0 == 0
    } figure: {
      $0 == 0 ? 2.9 : $0
    }
    #expect(rising.points[0].verdict == .undecided && rising.points[1].verdict == .infeasible)
    let answer = try StochasticRootTests.found(rising)
    #expect((2.9...3).contains(answer.x), "\(answer.x)")
    let falling = try search(.atMost(-5)) {
      $0 == 8
    } figure: {
      $0 == 8 ? -5.1 : -$0
    }
    #expect((5...5.1).contains(try StochasticRootTests.found(falling).x))
  }

  @Test("The answer names the nearest value shown not to hold, beyond those undecided")
  func limit() throws {
    // 25 values decide everywhere but from 3 to 4.5, where the noise is larger than the distance.
    let found = try search(.atMost(4)) {
      (3...4.5).contains($0)
    } figure: {
      $0
    }
    let answer = try StochasticRootTests.found(found)
    let limit = try #require(answer.limit)
    #expect(answer.x < 4 && limit.x > 4)
    #expect(answer.neighbour.x <= limit.x && answer.neighbour.verdict == .undecided)
    #expect(limit.verdict == .infeasible && limit.confirmation == nil)
    let between = found.points.filter { answer.x < $0.x && $0.x < limit.x }
    #expect(!between.isEmpty && between.allSatisfy { $0.verdict == .undecided })
    // Nothing at all is shown not to hold where the other end is undecided.
    let open = try search(.atMost(4)) {
      $0 > 3
    } figure: {
      min($0, 4)
    }
    #expect(try StochasticRootTests.found(open).limit == nil)
  }

  @Test("Equal values decide nothing before the cap, values that differ do")
  func equalValues() throws {
    let settings = StochasticRootTests.settings(.real(low: 0, high: 1), .mean, .atMost(1.2))
    // One in 30 runs has 10 where the others have 1: the mean is 1.3, the first 29 values equal.
    let rare = try StochasticRoot.solve(settings) { _, replications in
      replications.map { $0 % 30 == 29 ? 10 : 1 }
    }
    #expect(rare.points.allSatisfy { $0.verdict != .feasible })
    var quick = try StochasticRoot(settings)
    try quick.supply((0..<50).map { $0.isMultiple(of: 2) ? 0 : 0.1 })
    #expect(quick.points.map(\.verdict) == [.feasible])
  }

  @Test(
    "The smallest cap that can show a bound is that at which Wilson's interval reaches it",
    arguments: [0.001, 0.01, 0.02, 0.05, 0.3, 0.7, 0.99])
  func capMinimum(bound: Double) throws {
    for requirement in [RootSettings.Requirement.atMost(bound), .atLeast(1 - bound)] {
      var settings = StochasticRootTests.settings(.real(low: 0, high: 1), .probability, requirement)
      settings.first = 25
      /// Whether a search with this cap shows the bound where no run speaks against it.
      func shows(_ cap: Int) throws -> Bool {
        var search = settings
        search.cap = cap
        search.first = min(25, cap)
        search.confirmation = 0
        return try StochasticRoot.solve(search) { _, replications in
          replications.map { _ in requirement.wantsLess ? 0 : 1 }
        }.outcome == .everywhereFeasible
      }
      let fewest = try #require(settings.capMinimum)
      #expect(try shows(fewest), "\(requirement), \(fewest)")
      if fewest > 10 {
        #expect(try !shows(fewest - 1), "\(requirement), \(fewest)")
        #expect(try !shows(fewest / 2 + 5), "\(requirement), \(fewest)")
      }
    }
  }

  @Test("By hand: 0.05 takes 119 replications in four looks; 0 cannot be shown at all")
  func capMinimumByHand() {
    // Four looks at 98.75 % each: z = 2.4977, z² = 6.2386, times 0.95/0.05 makes 118.5.
    var settings = StochasticRootTests.settings(.real(low: 0, high: 1), .probability, .atMost(0.05))
    settings.first = 25
    #expect(settings.capMinimum == 119)
    settings.requirement = .atMost(0)
    #expect(settings.capMinimum == nil)
    settings.requirement = .above(1)
    #expect(settings.capMinimum == nil)
    settings.figure = .mean
    #expect(settings.capMinimum == 10)
  }
}
