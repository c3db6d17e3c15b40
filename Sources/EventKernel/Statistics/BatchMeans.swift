/// Mean and confidence interval of a **correlated** series, such as waiting times in one long run,
/// by non-overlapping batch means.
///
/// The series is cut into batches; their means are nearly independent when a batch is much longer
/// than the series remembers. The number of batches stays between `batchesMinimum` and twice that:
/// when it reaches the double, neighbors are joined and the batch length doubles. Observations of
/// the last, unfinished batch count in `mean` but not in the interval.
///
/// Source: Law and Carson 1979, doi:10.1287/opre.27.5.1011; Schmeiser 1982,
/// doi:10.1287/opre.30.3.556, who finds little use in more than 30 batches.
public struct BatchMeans: Sendable {
  /// Fewest batches once so many are complete, at least 2.
  public let batchesMinimum: Int
  /// Observations a batch, now.
  public private(set) var batchLength: Int
  private var sums: [Double] = []
  private var openSum = 0.0
  private var openCount = 0
  private var all = Tally()

  /// Makes an empty estimator.
  ///
  /// - Parameters:
  ///   - batchesMinimum: At least 2.
  ///   - batchLength: Observations a batch to begin with, at least 1.
  public init(batchesMinimum: Int = 20, batchLength: Int = 1) throws(EstimatorError) {
    guard batchesMinimum >= 2 else {
      throw .badParameter(name: "batchesMinimum", value: Double(batchesMinimum))
    }
    guard batchLength >= 1 else {
      throw .badParameter(name: "batchLength", value: Double(batchLength))
    }
    self.batchesMinimum = batchesMinimum
    self.batchLength = batchLength
    sums.reserveCapacity(2 * batchesMinimum)
  }

  /// Adds the next observation of the series.
  ///
  /// - Throws: `EstimatorError.notFinite`; the estimator is then unchanged.
  /// - Complexity: O(1) amortized.
  public mutating func add(_ value: Double) throws(EstimatorError) {
    try all.add(value)
    openSum += value
    openCount += 1
    guard openCount == batchLength else { return }
    sums.append(openSum)
    openSum = 0
    openCount = 0
    if sums.count == 2 * batchesMinimum { joinNeighbours() }
  }

  private mutating func joinNeighbours() {
    for index in 0..<batchesMinimum { sums[index] = sums[2 * index] + sums[2 * index + 1] }
    sums.removeLast(sums.count - batchesMinimum)
    batchLength *= 2
  }

  /// All observations, whose variance says nothing about their mean's.
  public var observations: Tally { all }
  /// Mean of all observations; nil without any.
  public var mean: Double? { all.mean }
  /// Complete batches.
  public var batches: Int { sums.count }

  /// Correlation of neighboring batch means: near 0 when the batches are long enough.
  ///
  /// Nil below three batches or when all are equal.
  public var lagOneCorrelation: Double? {
    guard sums.count >= 3 else { return nil }
    let middle = sums.reduce(0, +) / Double(sums.count)
    var squares = 0.0
    var products = 0.0
    for index in sums.indices {
      squares += (sums[index] - middle) * (sums[index] - middle)
      if index > 0 { products += (sums[index] - middle) * (sums[index - 1] - middle) }
    }
    return squares > 0 ? products / squares : nil
  }

  /// Interval for the mean, from the complete batches by Student's t.
  ///
  /// - Throws: `EstimatorError.tooFew` below two complete batches, `.badParameter` for the level.
  public func interval(level: Double = 0.95) throws(EstimatorError) -> ConfidenceInterval {
    var means = Tally()
    for sum in sums { try means.add(sum / Double(batchLength)) }
    return try means.interval(level: level)
  }
}
