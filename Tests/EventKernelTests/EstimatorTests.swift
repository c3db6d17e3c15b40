// Goal: estimators give the textbook values and refuse what is not a finite number.
// Method: small samples worked out by hand or by GSL; random samples against a second computation.
import CGSL
import EventKernel
import Quantities
import Testing

@Suite struct EstimatorTests {
  static let bad: [Double] = [.nan, .infinity, -.infinity, .signalingNaN]
  static func at(_ seconds: Double) -> Instant { Instant(microseconds: Int64(seconds * 1e6)) }

  @Test("A tally gives count, mean, unbiased variance and extremes")
  func tally() throws {
    var tally = Tally()
    #expect(tally.mean == nil)
    #expect(tally.variance == nil)
    #expect(tally.minimum == nil)
    for value in [2.0, 4, 4, 4, 5, 5, 7, 9] { try tally.add(value) }
    #expect(tally.count == 8)
    #expect(tally.mean == 5)
    #expect(abs((tally.variance ?? 0) - 32.0 / 7) < 1e-14)
    #expect(tally.minimum == 2)
    #expect(tally.maximum == 9)
  }

  @Test("A tally stays exact far from zero, where a sum of squares would not")
  func tallyIsStable() throws {
    var tally = Tally()
    for value in [4.0, 7, 13, 16] { try tally.add(1e9 + value) }
    #expect(tally.variance == 30)
  }

  @Test("Merged tallies equal one tally of all", arguments: UInt64(0)..<8)
  func tallyMerge(seed: UInt64) throws {
    var stream = RandomStream(seed: seed, purpose: 1, entity: 0)
    var whole = Tally()
    var parts = [Tally(), Tally(), Tally(), Tally()]
    for index in 0..<500 {
      let value = stream.normal(mean: 3, sigma: 2)
      try whole.add(value)
      try parts[index % 3].add(value)
    }
    var merged = Tally()
    for part in parts { merged.merge(part) }
    #expect(merged.count == whole.count)
    #expect(abs((merged.mean ?? 0) - (whole.mean ?? 1)) < 1e-12)
    #expect(abs((merged.variance ?? 0) - (whole.variance ?? 1)) < 1e-10)
    #expect(merged.minimum == whole.minimum)
    #expect(merged.maximum == whole.maximum)
  }

  @Test("An observation at a bin's lower end is in that bin, whatever the width")
  func binEnds() throws {
    for width in 1...200 {
      var histogram = try Histogram(low: 0, high: Double(10 * width), bins: 10)
      for bin in 0..<10 { try histogram.add(Double(bin * width)) }
      #expect(histogram.counts == [Int](repeating: 1, count: 10), "\(width)")
    }
  }

  @Test("A quantile that is an outlier is not told")
  func outlyingQuantile() throws {
    var histogram = try Histogram(low: 0, high: 10, bins: 10)
    try histogram.add(-1_000)
    try histogram.add(9.5)
    #expect(try histogram.quantile(0.5) == nil)
    #expect(try histogram.quantile(0.75) != nil)
    var inside = try Histogram(low: 0, high: 10, bins: 10)
    try inside.add(0.5)
    #expect(try inside.quantile(0) == 0)
  }

  @Test("What is not a finite number is refused, and nothing changes", arguments: bad)
  func refusals(value: Double) throws {
    var tally = Tally()
    try tally.add(1)
    let tallyBefore = tally
    #expect(throws: EstimatorError.self) { try tally.add(value) }
    #expect(tally == tallyBefore)

    var weighted = TimeWeighted(start: Self.at(0), value: 1)
    let weightedBefore = weighted
    #expect(throws: EstimatorError.self) { try weighted.update(value, at: Self.at(1)) }
    #expect(weighted == weightedBefore)

    var histogram = try Histogram(low: 0, high: 1, bins: 4)
    let histogramBefore = histogram
    #expect(throws: EstimatorError.self) { try histogram.add(value) }
    #expect(histogram == histogramBefore)

    var sketch = try QuantileSketch()
    let sketchBefore = sketch
    #expect(throws: EstimatorError.self) { try sketch.add(value) }
    #expect(sketch == sketchBefore)
    // Of many those before it are added.
    let many = [Double](repeating: 2, count: 70) + [value, 3]
    #expect(throws: EstimatorError.self) {
      try many.withUnsafeBufferPointer { many throws(EstimatorError) in try sketch.add(all: many) }
    }
    #expect(sketch.count == 70)

    var batches = try BatchMeans()
    #expect(throws: EstimatorError.self) { try batches.add(value) }
    #expect(batches.observations.count == 0)

    #expect(throws: EstimatorError.self) { try SampleQuantiles([1, value]) }
    #expect(throws: EstimatorError.self) {
      try ConfidenceInterval(mean: value, variance: 1, count: 5)
    }
    #expect(throws: EstimatorError.self) {
      try ConfidenceInterval(mean: 1, variance: value, count: 5)
    }
    #expect(throws: EstimatorError.self) { try Histogram(low: value, high: 1, bins: 1) }
    #expect(throws: EstimatorError.self) { try Histogram(low: 0, high: value, bins: 1) }
  }

  @Test("Settings out of range are refused")
  func badSettings() throws {
    #expect(throws: EstimatorError.self) { try Histogram(low: 1, high: 1, bins: 1) }
    #expect(throws: EstimatorError.self) { try Histogram(low: 0, high: 1, bins: 0) }
    #expect(throws: EstimatorError.self) { try QuantileSketch(relativeError: 0) }
    #expect(throws: EstimatorError.self) { try QuantileSketch(relativeError: .nan) }
    #expect(throws: EstimatorError.self) { try BatchMeans(batchesMinimum: 1) }
    #expect(throws: EstimatorError.self) { try BatchMeans(batchLength: 0) }
    #expect(throws: EstimatorError.tooFew(count: 0, needed: 1)) { try SampleQuantiles([]) }
    let sample = try SampleQuantiles([1])
    for p in [-0.1, 1.1, Double.nan] {
      #expect(throws: EstimatorError.self) { try sample.orderStatistic(p) }
      #expect(throws: EstimatorError.self) { try sample.interpolated(p) }
      #expect(throws: EstimatorError.self) { try QuantileSketch().quantile(p) }
      #expect(throws: EstimatorError.self) { try Histogram(low: 0, high: 1, bins: 1).quantile(p) }
    }
    for level in [0, 1, -0.5, Double.nan] {
      #expect(throws: EstimatorError.self) {
        try ConfidenceInterval(mean: 0, variance: 1, count: 5, level: level)
      }
    }
    #expect(throws: EstimatorError.tooFew(count: 1, needed: 2)) {
      try ConfidenceInterval(mean: 0, variance: 1, count: 1)
    }
    #expect(
      EstimatorError.tooFew(count: 1, needed: 2).description
        == "1 observations are too few; 2 are needed")
  }

  @Test("A time-weighted mean weighs each value by how long it held")
  func timeWeighted() throws {
    var queue = TimeWeighted(start: Self.at(10))
    #expect(try queue.mean(at: Self.at(10)) == nil)
    try queue.update(2, at: Self.at(12))
    try queue.update(5, at: Self.at(13))
    try queue.update(1, at: Self.at(13))
    #expect(try queue.mean(at: Self.at(20)) == 0.9)
    #expect(try queue.integral(at: Self.at(20)) == 9)
    #expect(queue.maximum == 5)
    #expect(queue.current == 1)
    #expect(throws: EstimatorError.timeWentBack(from: Self.at(13), to: Self.at(12))) {
      try queue.update(1, at: Self.at(12))
    }
    #expect(throws: EstimatorError.self) { try queue.mean(at: Self.at(12)) }
  }

  @Test("A histogram counts each observation once, the outliers apart")
  func histogram() throws {
    var histogram = try Histogram(low: 0, high: 10, bins: 5)
    for value in [-1, 0, 1.9, 2, 3, 9.99, 10, 40] { try histogram.add(value) }
    #expect(histogram.counts == [2, 2, 0, 0, 1])
    #expect(histogram.below == 1)
    #expect(histogram.above == 2)
    #expect(histogram.count == 8)
    #expect(try histogram.quantile(0) == nil)
    #expect(try histogram.quantile(0.375) == 2)
    #expect(try histogram.quantile(1) == nil)
    var other = try Histogram(low: 0, high: 10, bins: 5)
    try other.add(5)
    try histogram.merge(other)
    #expect(histogram.counts == [2, 2, 1, 0, 1])
    let foreign = try Histogram(low: 0, high: 10, bins: 4)
    #expect(throws: EstimatorError.differentSettings) { try histogram.merge(foreign) }
  }

  @Test("Exact quantiles are order statistics, or interpolated as R and NumPy do")
  func sampleQuantiles() throws {
    let sample = try SampleQuantiles([30, 10, 20, 40])
    #expect(try sample.orderStatistic(0) == 10)
    #expect(try sample.orderStatistic(0.25) == 10)
    #expect(try sample.orderStatistic(0.26) == 20)
    #expect(try sample.orderStatistic(1) == 40)
    // numpy.quantile([10, 20, 30, 40], [0, .1, .5, .95, 1])
    for (p, exact) in [(0.0, 10.0), (0.1, 13), (0.5, 25), (0.95, 38.5), (1, 40)] {
      #expect(abs(try sample.interpolated(p) - exact) < 1e-12)
    }
  }

  @Test("A sketch's quantiles keep their relative error", arguments: [0.001, 0.01, 0.1])
  func sketch(relativeError: Double) throws {
    var stream = RandomStream(seed: 8, purpose: 1, entity: 0)
    var values: [Double] = []
    for _ in 0..<4_000 {
      let size = stream.lognormal(mu: 0, sigma: 4)
      values.append(stream.bernoulli(0.05) ? 0 : stream.bernoulli(0.3) ? -size : size)
    }
    var left = try QuantileSketch(relativeError: relativeError)
    var right = try QuantileSketch(relativeError: relativeError)
    var whole = try QuantileSketch(relativeError: relativeError)
    for (index, value) in values.enumerated() {
      try whole.add(value)
      if index % 3 == 0 { try left.add(value) } else { try right.add(value) }
    }
    try left.merge(right)
    for count in [0, 1, 64, values.count] {
      var (many, single) = (
        try QuantileSketch(relativeError: relativeError),
        try QuantileSketch(relativeError: relativeError)
      )
      try values.prefix(count).withContiguousStorageIfAvailable { try many.add(all: $0) }
      for value in values.prefix(count) { try single.add(value) }
      #expect(many == single && many.count == count, "\(count) at once")
      // Each as often as its count says, now and then not at all.
      let counts = (0..<values.count).map { $0 % 7 }
      for (value, count) in zip(values, counts).prefix(count) {
        try single.add(value, count: count)
      }
      try values.prefix(count).withContiguousStorageIfAvailable { values in
        try counts.withUnsafeBufferPointer { try many.add(all: values, counts: $0) }
      }
      #expect(many == single, "\(count) with counts")
    }
    let exact = try SampleQuantiles(values)
    for step in 0...200 {
      let p = Double(step) / 200
      let answer = try #require(try whole.quantile(p))
      let truth = try exact.orderStatistic(p)
      #expect(abs(answer - truth) <= relativeError * abs(truth) * (1 + 1e-9), "p = \(p)")
      #expect(try left.quantile(p) == answer, "merged, p = \(p)")
    }
    // The bins, written out, are the order statistics.
    let bins = whole.bins
    #expect(bins.reduce(0) { $0 + $1.count } == values.count)
    #expect(zip(bins, bins.dropFirst()).allSatisfy { $0.value < $1.value })
    let written = bins.flatMap { Array(repeating: $0.value, count: $0.count) }
    for (answer, truth) in zip(written, exact.sorted) {
      #expect(abs(answer - truth) <= relativeError * abs(truth) * (1 + 1e-9))
    }
    #expect(try QuantileSketch().bins.isEmpty)
  }

  @Test("Student's t quantiles are GSL's, and the tables'")
  func studentQuantiles() throws {
    for (degrees, table) in [(1.0, 12.706), (4, 2.776), (9, 2.262), (19, 2.093), (1e6, 1.96)] {
      let quantile = try ConfidenceInterval.studentQuantile(level: 0.95, degreesOfFreedom: degrees)
      #expect(abs(quantile - table) < 6e-4)
    }
    let interval = try ConfidenceInterval(mean: 10, variance: 4, count: 16, level: 0.9)
    #expect(abs(interval.halfWidth - 1.753 * 0.5) < 1e-3)
    #expect(interval.contains(10.8))
    #expect(!interval.contains(10.9))
  }

  @Test("Batches double in length and never pass twice their minimum")
  func batchMeans() throws {
    var batches = try BatchMeans(batchesMinimum: 4, batchLength: 2)
    for value in 1...15 { try batches.add(Double(value)) }
    #expect(batches.batches == 7)
    #expect(batches.batchLength == 2)
    try batches.add(16)
    #expect(batches.batches == 4)
    #expect(batches.batchLength == 4)
    #expect(batches.mean == 8.5)
    // Means 2.5, 6.5, 10.5, 14.5: variance 80 / 3.
    let interval = try batches.interval()
    #expect(interval.mean == 8.5)
    #expect(abs(interval.halfWidth - 3.1824463 * (80.0 / 12).squareRoot()) < 1e-6)
    #expect(abs((batches.lagOneCorrelation ?? 0) - 0.25) < 1e-12)
  }
}
