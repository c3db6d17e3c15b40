// Goal: means made more precise by pairs and controls stay honest, and say truly what they gained.
// Method: models whose mean and gain are known, 1,000 repetitions for the coverage; refusals.
import EventKernel
import Experiments
import Testing

@Suite struct ReducedMeanTests {
  /// One replication of 7 + slope · x + noise, by uniform numbers.
  private func value(_ x: Double, _ noise: Double, slope: Double) -> Double {
    7 + slope * RandomStream.normalQuantile(x) + RandomStream.normalQuantile(noise)
  }

  /// Values and their control, in antithetic pairs within `pairs` of their control part.
  private func sample(
    _ repetition: Int, count: Int, slope: Double, pairs: Range<Int>, purpose: UInt32
  ) -> (values: [Double], control: [Double]) {
    var stream = repetitionStream(repetition, purpose: purpose)
    var values: [Double] = []
    var control: [Double] = []
    var last = 0.5
    for number in 0..<count {
      let isMirror = pairs.contains(number) && number % 2 == 1
      last = isMirror ? 1 - last : stream.uniform()
      values.append(value(last, stream.uniform(), slope: slope))
      control.append(RandomStream.normalQuantile(last))
    }
    return (values, control)
  }

  @Test(
    "Intervals cover, by controls or pairs or both, where they help and where not",
    arguments: [0.0, 0.3, 2], [0..<0, 0..<40, 10..<20])
  func coverage(slope: Double, pairs: Range<Int>) throws {
    var coverage = CoverageCount()
    for repetition in 0..<CoverageTests.repetitions {
      let (values, control) = sample(
        repetition, count: 40, slope: slope, pairs: pairs, purpose: 30)
      let reduced = try #require(ReducedMean(values, controls: [control], pairs: pairs))
      coverage.count(abs(reduced.mean - 7) <= reduced.halfWidth)
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
  }

  @Test("A control that explains nothing is left out, and its gain said")
  func uselessControl() throws {
    let (values, control) = sample(3, count: 200, slope: 0, pairs: 0..<0, purpose: 32)
    let reduced = try #require(ReducedMean(values, controls: [control], pairs: 0..<0))
    #expect(!reduced.usesControls)
    #expect(near(reduced.controlGain, 1, 0.05) && near(reduced.gain, 1))
    #expect(near(reduced.mean, values.reduce(0, +) / 200))
  }

  @Test("A control whose mean is no longer 0 is not trusted, nor one that does not vary")
  func wrongControl() throws {
    let (values, control) = sample(4, count: 100, slope: 2, pairs: 0..<0, purpose: 33)
    let shifted = ReducedMean(values, controls: [control.map { $0 + 1 }], pairs: 0..<0)
    #expect(shifted?.usesControls == false && shifted?.controlGain == nil)
    let constant = ReducedMean(values, controls: [control.map { _ in 0 }], pairs: 0..<0)
    #expect(constant?.usesControls == false)
    let few = ReducedMean(
      Array(values[..<19]), controls: [Array(control[..<19])], pairs: 0..<0)
    #expect(few?.usesControls == false, "19 observations are too few")
  }

  @Test("Of pairs that are only tried, all replications count")
  func trial() throws {
    let (values, _) = sample(5, count: 60, slope: 2, pairs: 0..<20, purpose: 34)
    let reduced = try #require(ReducedMean(values, controls: [], pairs: 0..<20))
    #expect(near(reduced.mean, values.reduce(0, +) / 60))
    #expect((reduced.pairGain ?? 0) > 1)
    let odd = try #require(ReducedMean(values + [1_000], controls: [], pairs: 0..<20))
    #expect(near(odd.mean, reduced.mean), "the last has no neighbour")
  }

  @Test("Too few values have no mean with an interval")
  func tooFew() {
    #expect(ReducedMean([], controls: [], pairs: 0..<0) == nil)
    #expect(ReducedMean([1], controls: [], pairs: 0..<0) == nil)
    #expect(ReducedMean([1, 2, 3], controls: [], pairs: 0..<2) == nil)
    #expect(ReducedMean([1, .nan, 3], controls: [], pairs: 0..<0) == nil)
    let flat = ReducedMean([2, 2, 2], controls: [], pairs: 0..<0)
    #expect(flat?.mean == 2 && flat?.halfWidth == 0 && flat?.gain == nil)
  }
}
