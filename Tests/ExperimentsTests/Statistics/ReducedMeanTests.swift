// Goal: means made more precise by pairs and controls stay honest, and say truly what they gained.
// Method: least squares over all values; models whose mean and gain are known, 1,000 repetitions
// for the coverage; refusals.
import EventKernel
import Experiments
import TestSupport
import Testing

@Suite(.tags(.slow)) struct ReducedMeanTests {
  /// Values of mean `centre` and their control, in antithetic pairs of their control part within
  /// `pairs`: center + slope · x + noise.
  private func sample(
    _ repetition: Int, count: Int, slope: Double, pairs: Range<Int>, purpose: UInt32,
    centre: Double = 7
  ) -> (values: [Double], control: [Double]) {
    var stream = repetitionStream(repetition, purpose: purpose)
    var values: [Double] = []
    var control: [Double] = []
    var last = 0.5
    for number in 0..<count {
      let isMirror = pairs.contains(number) && number % 2 == 1
      last = isMirror ? 1 - last : stream.uniform()
      let x = RandomStream.normalQuantile(last)
      values.append(centre + slope * x + stream.normal())
      control.append(x)
    }
    return (values, control)
  }

  private func neighbours(_ values: [Double]) -> [Double] {
    stride(from: 1, to: values.count, by: 2).map { (place: Int) -> Double in
      values[place - 1] / 2 + values[place] / 2
    }
  }

  @Test("Alone, and in pairs alone, they are least squares", arguments: [7, 1e9])
  func leastSquaresAgree(centre: Double) throws {
    let (values, x) = sample(
      0, count: 60, slope: 3, pairs: 0..<60, purpose: 29, centre: centre)
    let (_, w) = sample(1, count: 60, slope: 0, pairs: 0..<0, purpose: 29)
    for controls in [[], [x], [x, w.map { $0 * 1e6 }]] {
      let alone = try #require(ReducedMean(values, controls: controls, pairs: 0..<0))
      let plain = try leastSquares(values, controls)
      #expect(abs(alone.mean - plain.intercept) < 1e-6 * plain.half + 1e-14 * centre)
      #expect(near(alone.halfWidth, plain.half, 1e-5))
      #expect(alone.usesControls == !controls.isEmpty)
      let paired = try #require(ReducedMean(values, controls: controls, pairs: 0..<60))
      let means = try leastSquares(neighbours(values), controls.map(neighbours))
      if paired.usesControls == !controls.isEmpty {
        #expect(abs(paired.mean - means.intercept) < 1e-6 * means.half + 1e-14 * centre)
        #expect(near(paired.halfWidth, means.half, 1e-5))
      }
      let single = try leastSquares(values, [])
      #expect(near(paired.plainHalfWidth, single.half, 1e-5))
      #expect(
        near(paired.gain, (single.half / paired.halfWidth) * (single.half / paired.halfWidth), 1e-5)
      )
    }
  }

  @Test(
    "Intervals cover, by controls or pairs or both, where they help and where not",
    arguments: [0.0, 0.3, 2], [0..<0, 0..<60, 10..<30])
  func coverage(slope: Double, pairs: Range<Int>) throws {
    var coverage = CoverageCount()
    for repetition in 0..<CoverageTests.repetitions {
      let (values, control) = sample(
        repetition, count: 60, slope: slope, pairs: pairs, purpose: 30)
      let reduced = try #require(ReducedMean(values, controls: [control], pairs: pairs))
      coverage.count(abs(reduced.mean - 7) <= reduced.halfWidth)
    }
    #expect(CoverageTests.band.contains(coverage.share), "\(coverage.share)")
  }

  /// Without controls to explain them: pairs that err in opposite directions, and in the same.
  @Test("Pairs cover beside replications that stand alone", arguments: [-0.8, 0.8])
  func dependence(share: Double) throws {
    var coverage = CoverageCount()
    for repetition in 0..<CoverageTests.repetitions {
      var stream = repetitionStream(repetition, purpose: 35)
      var values: [Double] = []
      for number in 0..<60 {
        let noise = stream.normal()
        let isPaired = number < 40 && number % 2 == 1
        values.append(
          isPaired ? share * values[number - 1] + (1 - share * share).squareRoot() * noise : noise)
      }
      let reduced = try #require(ReducedMean(values, controls: [], pairs: 0..<40))
      coverage.count(abs(reduced.mean) <= reduced.halfWidth)
    }
    #expect(CoverageTests.band.contains(coverage.share), "\(coverage.share)")
  }

  /// Of the variance slope² + 1 the control explains slope², and so do pairs, whose values differ
  /// in their noise alone.
  @Test("The gain measured is the gain there is")
  func gain() throws {
    let plain = sample(1, count: 20_000, slope: 2, pairs: 0..<0, purpose: 31)
    let controlled = try #require(
      ReducedMean(plain.values, controls: [plain.control], pairs: 0..<0))
    #expect(near(controlled.gain, 5, 0.03) && near(controlled.controlGain, 5, 0.03))
    #expect(controlled.usesControls && controlled.pairGain == nil)
    let paired = sample(2, count: 20_000, slope: 2, pairs: 0..<20_000, purpose: 31)
    let both = try #require(ReducedMean(paired.values, controls: [], pairs: 0..<20_000))
    #expect(near(both.gain, 5, 0.05) && near(both.pairGain, 5, 0.05))
    #expect(both.controlGain == nil && !both.usesControls)
    // What the controls explain is no gain of the pairs.
    let beside = try #require(
      ReducedMean(plain.values, controls: [plain.control], pairs: 0..<20_000))
    #expect(near(beside.pairGain, 1, 0.03))
  }

  @Test("A control that explains nothing is left out, and its gain said")
  func uselessControl() throws {
    let (values, control) = sample(3, count: 200, slope: 0, pairs: 0..<0, purpose: 32)
    let reduced = try #require(ReducedMean(values, controls: [control], pairs: 0..<0))
    #expect(!reduced.usesControls)
    #expect(near(reduced.controlGain, 1, 0.05) && near(reduced.gain, 1))
    #expect(near(reduced.mean, values.reduce(0, +) / 200))
  }

  @Test("Controls that are constant or alike leave the others at work")
  func degenerateControls() throws {
    let (values, control) = sample(4, count: 100, slope: 2, pairs: 0..<0, purpose: 33)
    let alone = try #require(ReducedMean(values, controls: [control], pairs: 0..<0))
    #expect(alone.usesControls)
    let zero = control.map { _ in 0.0 }
    let beside = try #require(ReducedMean(values, controls: [zero, control], pairs: 0..<0))
    #expect(near(beside.mean, alone.mean) && near(beside.halfWidth, alone.halfWidth))
    let twice = try #require(
      ReducedMean(values, controls: [control, control.map { 3 * $0 }], pairs: 0..<0))
    #expect(near(twice.mean, alone.mean) && near(twice.halfWidth, alone.halfWidth))
    #expect(ReducedMean(values, controls: [zero], pairs: 0..<0)?.usesControls == false)
  }

  @Test("A control whose mean is no longer 0 is not trusted, and its score says so")
  func wrongControl() throws {
    let (values, control) = sample(4, count: 100, slope: 2, pairs: 0..<0, purpose: 33)
    let shifted = ReducedMean(values, controls: [control.map { $0 + 1 }], pairs: 0..<0)
    #expect(shifted?.usesControls == false && shifted?.controlGain == nil)
    #expect((shifted?.worstScore ?? 0) > ReducedMean.scoreAllowed)
    let few = ReducedMean(
      Array(values[..<19]), controls: [Array(control[..<19])], pairs: 0..<0)
    #expect(few?.usesControls == false, "19 observations are too few")
  }

  @Test("A figure that some replications lack is not adjusted, and breaks no pair but its own")
  func lacking() throws {
    let (values, control) = sample(5, count: 60, slope: 2, pairs: 0..<60, purpose: 34)
    var sums = ReductionSums()
    var whole = ReductionSums()
    for number in 0..<60 {
      let value = number == 3 ? nil : values[number]
      sums.add(value, controls: [control[number]], joins: number % 2 == 1)
      if number / 2 != 1 {
        whole.add(values[number], controls: [], joins: number % 2 == 1)
      } else if number == 2 {
        whole.add(values[number], controls: [])
      }
    }
    let mean = try #require(sums.mean)
    #expect(!mean.usesControls && mean.controlGain == nil)
    #expect(near(mean.halfWidth, try #require(whole.mean).halfWidth))
  }

  @Test(
    "Where some replications have no controls, or others, the mean is the plain one",
    arguments: [[2, 0], [0, 2], [1, 2], [2, 1]])
  func unequalControls(counts: [Int]) throws {
    let (values, control) = sample(6, count: 60, slope: 2, pairs: 0..<60, purpose: 36)
    var sums = ReductionSums()
    for (number, value) in values.enumerated() {
      let own = counts[number % 3 == 0 ? 0 : 1]
      sums.add(
        value, controls: [Double](repeating: control[number], count: own), joins: number % 2 == 1)
    }
    let mean = try #require(sums.mean)
    let plain = try #require(ReducedMean(values, controls: [], pairs: 0..<60))
    #expect(!mean.usesControls && mean.controlGain == nil)
    #expect(near(mean.mean, plain.mean) && near(mean.halfWidth, plain.halfWidth))
    #expect(near(mean.plainHalfWidth, plain.plainHalfWidth))
  }

  @Test("Too few values have no mean with an interval")
  func tooFew() {
    #expect(ReducedMean([], controls: [], pairs: 0..<0) == nil)
    #expect(ReducedMean([1], controls: [], pairs: 0..<0) == nil)
    #expect(ReducedMean([1, 2], controls: [], pairs: 0..<2) == nil)
    #expect(ReducedMean([1, .nan, 3], controls: [], pairs: 0..<0) == nil)
    let flat = ReducedMean([2, 2, 2], controls: [], pairs: 0..<0)
    #expect(flat?.mean == 2 && flat?.halfWidth == 0 && flat?.gain == nil)
    #expect(flat?.controlGain == nil)
  }
}
