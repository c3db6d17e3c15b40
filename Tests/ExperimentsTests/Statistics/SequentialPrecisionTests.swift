// Goal: replication stops when the interval is narrow enough, never before the first stage and
// never beyond the maximum.
// Method: known spreads; a second search that tries every number; coverage after stopping.
import EventKernel
import Experiments
import Testing

@Suite struct SequentialPrecisionTests {
  @Test("The first stage is always run in full, even for a constant")
  func firstStage() throws {
    var plan = try SequentialPrecision(target: .absolute(1), first: 12, maximum: 100)
    #expect(try plan.next() == .more(12))
    for _ in 0..<11 { try plan.add(5) }
    #expect(try plan.next() == .more(1))
    try plan.add(5)
    guard case .reached(let interval) = try plan.next() else {
      Issue.record("a constant meets every target")
      return
    }
    #expect(interval.halfWidth == 0)
  }

  @Test("The number asked for is the smallest that would do, at most doubling", arguments: 1..<30)
  func projection(scale: Int) throws {
    var plan = try SequentialPrecision(target: .absolute(1), first: 10, maximum: 1_000)
    for value in 0..<10 { try plan.add(Double(value * scale) / 4) }
    let variance = plan.tally.variance ?? 0
    var expected = 10
    while try ConfidenceInterval(mean: 0, variance: variance, count: expected).halfWidth > 1 {
      expected += 1
    }
    switch try plan.next() {
    case .more(let count): #expect(count == min(10, expected - 10))
    case .reached: #expect(expected == 10)
    case .exhausted: Issue.record("990 replications are left")
    }
  }

  @Test("At the maximum it says that the target is not met")
  func exhausted() throws {
    var plan = try SequentialPrecision(target: .absolute(0.001), first: 10, maximum: 15)
    for value in 0..<10 { try plan.add(Double(value)) }
    #expect(try plan.next() == .more(5))
    for value in 0..<5 { try plan.add(Double(value)) }
    guard case .exhausted(let interval) = try plan.next() else {
      Issue.record("the maximum is spent")
      return
    }
    #expect(interval.count == 15)
  }

  @Test("A relative target is a share of the mean, corrected for its own error")
  func relative() throws {
    for (offset, isReached) in [(1_000.0, true), (0.0, false)] {
      var plan = try SequentialPrecision(target: .relative(0.1), first: 20, maximum: 20)
      for value in 0..<20 { try plan.add(offset + (value.isMultiple(of: 2) ? 1 : -1)) }
      let step = try plan.next()
      if case .reached = step { #expect(isReached) } else { #expect(!isReached) }
    }
    // Half-width 0.48; 10 % / 1.1 of the mean is 0.4545 at 5 and 0.5 at 5.5.
    for (mean, isReached) in [(5.0, false), (5.5, true)] {
      var plan = try SequentialPrecision(target: .relative(0.1), first: 20, maximum: 20)
      for value in 0..<20 { try plan.add(mean + (value.isMultiple(of: 2) ? 1 : -1)) }
      if case .reached = try plan.next() { #expect(isReached) } else { #expect(!isReached) }
    }
  }

  @Test("After stopping, a 95 % interval still covers in at least 93 % of 1,000 repetitions")
  func coverage() throws {
    var coverage = CoverageCount()
    var replications = Tally()
    for repetition in 0..<1_000 {
      var stream = repetitionStream(repetition, purpose: 6)
      var plan = try SequentialPrecision(target: .absolute(0.3), first: 20, maximum: 1_000)
      stopping: while true {
        switch try plan.next() {
        case .more(let count): for _ in 0..<count { try plan.add(stream.normal()) }
        case .reached(let interval):
          coverage.count(interval.contains(0))
          try replications.add(Double(interval.count))
          break stopping
        case .exhausted:
          Issue.record("1,000 replications suffice")
          break stopping
        }
      }
    }
    #expect((0.93...0.97).contains(coverage.share), "\(coverage.share)")
    // (1.96 / 0.3)² = 43, and Student's factor asks for a few more.
    #expect((38...48).contains(replications.mean ?? 0), "\(replications.mean ?? 0)")
  }

  @Test("Targets, levels and numbers out of range are refused")
  func refusals() throws {
    for bad in [0, -1, .nan, .infinity] {
      #expect(throws: EstimatorError.self) { try SequentialPrecision(target: .absolute(bad)) }
      #expect(throws: EstimatorError.self) { try SequentialPrecision(target: .relative(bad)) }
    }
    #expect(throws: EstimatorError.self) {
      try SequentialPrecision(target: .absolute(1), level: 1)
    }
    #expect(throws: EstimatorError.badParameter(name: "first", value: 9)) {
      try SequentialPrecision(target: .absolute(1), first: 9)
    }
    #expect(throws: EstimatorError.badParameter(name: "maximum", value: 10)) {
      try SequentialPrecision(target: .absolute(1), first: 20, maximum: 10)
    }
    var plan = try SequentialPrecision(target: .absolute(1))
    #expect(throws: EstimatorError.self) { try plan.add(.nan) }
    #expect(plan.tally.count == 0)
  }
}
