// Goal: the sketch orders values exactly while few differ, and within the error it states beyond.
// Method: Swift's own sort of all values; center and scale of the stated error worked out from the
// first values by their definition.
import EventKernel
import Experiments
import Testing

@Suite struct PercentileSketchTests {
  private func sketch(_ values: [Double], _ error: Double = 0.001) throws -> PercentileSketch {
    var sketch = try PercentileSketch(relativeError: error)
    for value in values { try sketch.add(value) }
    return sketch
  }

  @Test("The first 1,024 values are exact", arguments: [0, 1, 2, 1_023, 1_024])
  func few(count: Int) throws {
    var stream = repetitionStream(count, purpose: 700)
    let values = (0..<count).map { _ in stream.normal(mean: 5, sigma: 3) }
    let sketch = try sketch(values)
    #expect(sketch.isExact && sketch.count == count)
    #expect(sketch.ordered == values.sorted())
  }

  @Test("However many, values of which few differ are exact")
  func discrete() throws {
    var stream = repetitionStream(0, purpose: 701)
    let values = (0..<20_000).map { _ in
      (stream.normal(mean: 0, sigma: 60)).rounded() + 0.1
    }
    #expect(Set(values).count > 300)
    let sketch = try sketch(values)
    #expect(sketch.isExact)
    #expect(sketch.ordered == values.sorted())
  }

  @Test(
    "Beyond, an order statistic errs by a share of its distance from the median",
    arguments: ["spend", "signs", "tail", "zeros"], [0.001, 0.005])
  func many(kind: String, error: Double) throws {
    var stream = repetitionStream(kind.utf8.count, purpose: 702)
    let values = (0..<6_000).map { _ -> Double in
      switch kind {
      // Like a year's spend: the spread is half a percent of the mean.
      case "spend": stream.normal(mean: 7_000_000, sigma: 35_000)
      case "signs": stream.normal(mean: 0, sigma: 1e-3)
      case "tail": stream.lognormal(mu: 0, sigma: 3)
      default: stream.bernoulli(0.6) ? 0 : -stream.lognormal(mu: 2, sigma: 2)
      }
    }
    let sketch = try sketch(values, error)
    #expect(!sketch.isExact && sketch.count == values.count)
    let truth = values.sorted()
    let answer = sketch.ordered
    #expect(answer.count == truth.count)
    #expect(zip(answer, answer.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(answer.first == truth.first && answer.last == truth.last)
    // It looks after every 1,024 values whether more than 1,024 differ.
    let switched = try #require(
      stride(from: 1_024, through: values.count, by: 1_024).first {
        Set(values.prefix($0)).count > 1_024
      })
    let first = values.prefix(switched).sorted()
    let centre = first[switched / 2 - 1]
    let scale = first.reduce(0) { $0 + abs($1 - centre) } / Double(switched)
    let wrong = zip(truth, answer).first { x, y in
      abs(x - y) > error * max(abs(x - centre), scale) * (1 + 1e-9)
    }
    #expect(wrong == nil)
    // Bounded: as many bins as the formula says, on either side.
    #expect(Set(answer).count < Int(20 / error))
  }

  @Test("Extreme values keep their order and their ends")
  func extremes() throws {
    let near = (0..<3_000).map { Double($0) * 1e-200 }
    let far: [Double] = [-.greatestFiniteMagnitude, .greatestFiniteMagnitude, 1e305, -1e305]
    let sketch = try sketch(near + far)
    #expect(!sketch.isExact)
    let answer = sketch.ordered
    #expect(answer.first == -.greatestFiniteMagnitude)
    #expect(answer.last == .greatestFiniteMagnitude)
    #expect(answer.allSatisfy { $0.isFinite })
    #expect(zip(answer, answer.dropFirst()).allSatisfy { $0 <= $1 })
  }

  @Test("What is not finite is refused and changes nothing", arguments: [100, 5_000])
  func refusals(count: Int) throws {
    let values = (0..<count).map { Double($0 * $0) }
    var sketch = try sketch(values)
    let before = sketch.ordered
    for bad in [Double.nan, .infinity, -.infinity] {
      #expect(throws: EstimatorError.self) { try sketch.add(bad) }
    }
    #expect(sketch.count == count && sketch.ordered == before)
    for error in [0, -1, 0.6, Double.nan] {
      #expect(throws: EstimatorError.self) { try PercentileSketch(relativeError: error) }
    }
  }
}
