import EventKernel
import Experiments
// Goal: the search ends on the feasible side of the root, with an honest interval, and says when
// there is no root to find.
// Method: known functions under common random numbers, many seeds: how often the answer is truly
// feasible and how often its interval covers the true figure; deterministic functions, on which
// every step can be followed.
import Foundation
import Testing

@Suite struct StochasticRootTests {
  static func settings(
    _ domain: RootSettings.Domain, _ figure: RootSettings.Figure,
    _ requirement: RootSettings.Requirement
  ) -> RootSettings {
    RootSettings(domain: domain, figure: figure, requirement: requirement)
  }

  /// Uniform draws that mean the same at every x: one a replication.
  static func uniforms(_ repetition: Int, count: Int) -> [Double] {
    var stream = repetitionStream(repetition, purpose: 30)
    return (0..<count).map { _ in stream.uniform() }
  }

  static func found(_ search: StochasticRoot) throws -> RootAnswer {
    guard case .found(let answer)? = search.outcome else {
      throw StatisticsError.noVariation(name: "\(String(describing: search.outcome))")
    }
    return answer
  }

  /// P(critical) falls with the spacing x; it is 5 % at x = 5 + log 19 = 7.944.
  static func probability(_ x: Double) -> Double { 1 / (1 + exp(x - 5)) }

  @Test("The answer is feasible, near the root, and its interval covers, over 150 seeds")
  func probabilityCoverage() throws {
    var feasible = CoverageCount()
    var covered = CoverageCount()
    var distance = Tally()
    var narrow = 0
    var settings = Self.settings(.real(low: 0, high: 20), .probability, .atMost(0.05))
    settings.cap = 800
    for seed in 0..<150 {
      let draws = Self.uniforms(seed, count: 2_400)
      let search = try StochasticRoot.solve(settings) { x, replications in
        replications.map { draws[$0] < Self.probability(x) ? 1 : 0 }
      }
      let answer = try Self.found(search)
      feasible.count(Self.probability(answer.x) <= 0.05)
      covered.count(answer.figure.contains(Self.probability(answer.x)))
      try distance.add(answer.x)
      #expect(answer.isConfirmed)
      #expect(answer.neighbour.x < answer.x)
      // Values near one that fresh replications contradicted are passed over.
      if search.points.allSatisfy({ !$0.isContradicted }) {
        #expect(answer.x - answer.neighbour.x <= 0.01 * answer.x)
        narrow += 1
      }
      #expect(search.spent <= search.points.count * 800 + 4 * 400)
      #expect(search.contradictions.isEmpty)
    }
    // Shown feasible at 95 %, several points a search: three standard deviations of 150 below.
    #expect(feasible.share >= 0.90, "\(feasible.share)")
    #expect(covered.share >= 0.90, "\(covered.share)")
    #expect((120..<150).contains(narrow), "\(narrow)")
    // On the safe side of the root, but not by more than what 800 replications cannot tell apart.
    #expect((7.944...8.9).contains(distance.mean ?? 0), "\(distance.mean ?? 0)")
  }

  @Test("A mean that rises is held below a target, on a logarithmic range, over 100 seeds")
  func meanCoverage() throws {
    var feasible = CoverageCount()
    var covered = CoverageCount()
    var settings = Self.settings(.logarithmic(low: 1, high: 1_000), .mean, .atMost(3))
    settings.tolerance = 0.02
    for seed in 0..<100 {
      var stream = repetitionStream(seed, purpose: 31)
      let noise = (0..<2_000).map { _ in stream.normal() }
      let search = try StochasticRoot.solve(settings) { x, replications in
        replications.map { log(x) + noise[$0] }
      }
      let answer = try Self.found(search)
      feasible.count(log(answer.x) <= 3)
      covered.count(answer.figure.contains(log(answer.x)))
      #expect(abs(log(answer.x) - 3) < 0.5)
      #expect(answer.neighbour.x > answer.x)
    }
    #expect(feasible.share >= 0.90, "\(feasible.share)")
    #expect(covered.share >= 0.90, "\(covered.share)")
  }

  @Test("By estimate, the answer straddles the root")
  func byEstimate() throws {
    var mean = Tally()
    var settings = Self.settings(.real(low: 0, high: 10), .mean, .atLeast(4))
    settings.undecided = .byEstimate
    for seed in 0..<60 {
      var stream = repetitionStream(seed, purpose: 32)
      let noise = (0..<2_000).map { _ in stream.normal() }
      let search = try StochasticRoot.solve(settings) { x, replications in
        replications.map { x + noise[$0] }
      }
      try mean.add(try Self.found(search).x)
    }
    // Means of 400 have a standard deviation of 0.05; confirmation drops the lowest ones.
    #expect(abs((mean.mean ?? 0) - 4) < 0.1, "\(mean.mean ?? 0)")
  }

  @Test("A whole-numbered range ends at neighbors, whatever the step", arguments: [1, 7, 50])
  func wholeNumbers(step: Int) throws {
    var settings = Self.settings(
      .whole(low: 500, high: 2_000, step: step), .mean, .atMost(-1_234))
    settings.tolerance = 0
    let search = try StochasticRoot.solve(settings) { x, replications in
      replications.map { _ in -x }
    }
    let answer = try Self.found(search)
    let expected = stride(from: 500, through: 2_000, by: step).first { $0 >= 1_234 }
    #expect(answer.x == expected.map { Double($0) })
    #expect(answer.neighbour.x == answer.x - Double(step))
    #expect(search.points.count <= 2 + 12)
    // Equal values: none is decided before the cap.
    for point in search.points { #expect(point.figure.count == settings.cap) }
  }

  @Test("An exact hit of the target is feasible")
  func exactHit() throws {
    var settings = Self.settings(.whole(low: 0, high: 8, step: 1), .mean, .atMost(5))
    settings.tolerance = 0
    let search = try StochasticRoot.solve(settings) { x, replications in
      replications.map { _ in x }
    }
    #expect(try Self.found(search).x == 5)
  }

  @Test("A root at zero does not make the search endless")
  func rootAtZero() throws {
    let settings = Self.settings(.real(low: -1, high: 1), .mean, .atMost(0))
    let search = try StochasticRoot.solve(settings) { x, replications in
      replications.map { _ in x }
    }
    #expect(abs(try Self.found(search).x) < 1e-8)
    #expect(search.points.count < 40)
  }

  @Test("Requirements met or missed everywhere are told from a figure that turns")
  func noRoot() throws {
    func outcome(_ target: Double, _ f: @escaping (Double) -> Double) throws -> RootOutcome? {
      try StochasticRoot.solve(Self.settings(.real(low: 0, high: 1), .mean, .atMost(target))) {
        x, replications in replications.map { _ in f(x) }
      }.outcome
    }
    #expect(try outcome(2) { $0 } == .everywhereFeasible)
    #expect(try outcome(-1) { $0 } == .nowhereFeasible)
    #expect(try outcome(0.2) { 4 * ($0 - 0.5) * ($0 - 0.5) } == .notMonotone)
    #expect(try outcome(0.8) { 1 - 4 * ($0 - 0.5) * ($0 - 0.5) } == .notMonotone)
  }

  @Test("Ends that cannot be told from the target are not called infeasible")
  func notShown() throws {
    let settings = Self.settings(.real(low: 0, high: 1), .mean, .atMost(0))
    let search = try StochasticRoot.solve(settings) { _, replications in
      replications.map { $0.isMultiple(of: 2) ? 1 : -1 }
    }
    #expect(search.outcome == .notShown)
    for point in search.points {
      #expect(point.verdict == .undecided)
      #expect(point.figure.count == settings.cap)
    }
  }

  @Test("Fresh replications that disagree push the answer back")
  func failedConfirmation() throws {
    let settings = Self.settings(.real(low: 0, high: 10), .mean, .atMost(4))
    // In the search the figure is x; the confirming replications find it 2 higher.
    let search = try StochasticRoot.solve(settings) { x, replications in
      replications.map { $0 < settings.cap ? x : x + 2 }
    }
    let answer = try Self.found(search)
    #expect(answer.x <= 2)
    #expect(answer.isConfirmed)
    #expect(answer.figure.estimate <= 4)
    #expect(search.points.contains { $0.verdict == .infeasible && $0.confirmation != nil })
    // When even the end does not hold, there is no answer.
    let never = try StochasticRoot.solve(settings) { x, replications in
      replications.map { $0 < settings.cap ? x : x + 20 }
    }
    #expect(never.outcome == .notConfirmed)
  }

  @Test("Without confirmation the search's own interval is given, and said to be so")
  func withoutConfirmation() throws {
    var settings = Self.settings(.real(low: 0, high: 10), .mean, .atMost(4))
    settings.confirmation = 0
    let search = try StochasticRoot.solve(settings) { x, replications in
      replications.map { _ in x }
    }
    let answer = try Self.found(search)
    #expect(!answer.isConfirmed)
    #expect(answer.figure.estimate == answer.x)
  }

  @Test("Points that contradict a monotone figure are shown")
  func contradictions() throws {
    let settings = Self.settings(.real(low: 0, high: 8), .mean, .atMost(1))
    // Rises from 0 to 8, with a dip at the middle, which bisection visits.
    let search = try StochasticRoot.solve(settings) { x, replications in
      replications.map { _ in x == 4 ? -5 : x }
    }
    let contradictions = search.contradictions
    #expect(contradictions.contains { $0.lower.x == 0 && $0.upper.x == 4 })
    #expect(!contradictions.isEmpty)
  }

  @Test("Replications of a point follow on one another and stop at the first clear look")
  func requests() throws {
    var settings = Self.settings(.real(low: 0, high: 1), .probability, .atMost(0.5))
    settings.first = 10
    settings.cap = 45
    #expect(settings.looks == [10, 20, 40, 45])
    var search = try StochasticRoot(settings)
    #expect(search.request?.x == 0)
    // Five of ten: undecided at every look.
    for range in [0..<10, 10..<20, 20..<40, 40..<45] {
      #expect(search.request?.replications == range)
      try search.supply(range.map { $0.isMultiple(of: 2) ? 1 : 0 })
    }
    #expect(search.points.count == 1)
    #expect(search.points[0].verdict == .undecided)
    #expect(search.request?.x == 1)
    #expect(search.request?.replications == 0..<10)
    try search.supply([Double](repeating: 0, count: 10))
    #expect(search.points.count == 2)
    #expect(search.points[1].verdict == .feasible)
    #expect(search.spent == 55)
  }

  @Test("Bad settings and values are refused, and nothing changes")
  func refusals() throws {
    func refuses(_ change: (inout RootSettings) -> Void) {
      var settings = Self.settings(.real(low: 0, high: 1), .probability, .atMost(0.05))
      change(&settings)
      #expect(throws: StatisticsError.self) { try StochasticRoot(settings) }
    }
    refuses { $0.domain = .real(low: 1, high: 1) }
    refuses { $0.domain = .real(low: 0, high: .infinity) }
    refuses { $0.domain = .logarithmic(low: 0, high: 1) }
    refuses { $0.domain = .whole(low: 0, high: 5, step: 6) }
    refuses { $0.domain = .whole(low: 0, high: 5, step: 0) }
    refuses { $0.requirement = .atMost(0) }
    refuses { $0.requirement = .atLeast(1) }
    refuses { $0.requirement = .atLeast(.nan) }
    refuses { $0.level = 1 }
    refuses { $0.first = 9 }
    refuses { $0.cap = 20 }
    refuses { $0.confirmation = 5 }
    refuses { $0.confirmations = 0 }
    refuses { $0.tolerance = 1 }
    var search = try StochasticRoot(
      Self.settings(.real(low: 0, high: 1), .probability, .atMost(0.05)))
    let before = search
    #expect(throws: StatisticsError.lengths(name: "values", count: 1, needed: 50)) {
      try search.supply([1])
    }
    #expect(throws: StatisticsError.notZeroOrOne(0.5)) {
      try search.supply([Double](repeating: 0.5, count: 50))
    }
    #expect(throws: StatisticsError.self) {
      try search.supply([Double](repeating: .nan, count: 50))
    }
    #expect(search == before)
  }
}
