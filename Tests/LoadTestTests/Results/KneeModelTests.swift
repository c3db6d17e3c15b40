// Goal: a search without a queueing model says why it has none.
// Method: searches of one window, of a service that tells its writer's work and of one that does not.
import Foundation
import Testing

@testable import LoadTest

struct KneeModelTests {
  @Test(
    "A model that one rate cannot give is not blamed on the service", arguments: [true, false])
  func noModel(isTold: Bool) throws {
    var search = KneeSearch()
    search.run(from: 100, seconds: 1) { phase, rate, seconds in
      guard rate <= 100 else { return nil }
      var measures = LoadMeasures(journeys: 1, steps: 1)
      LoadFixture.answer(&measures, 100, latency: 1_000)
      measures.elapsed = seconds
      return KneeSearch.Point(
        phase: phase, rate: rate, seconds: seconds, measures: measures,
        work: isTold ? WriterWork(requests: 100, batches: 50, writing: 0.1) : nil, isMet: true)
    }
    let condition = try LoadThreshold("p99 < 1s", steps: [])
    let result = KneeResult(search, [condition], processors: 1, seed: 1)
    let words = KneeText.model(result).joined()
    #expect(result.model == nil)
    #expect(words.contains("The service does not tell") == !isTold, "\(words)")
    #expect(words.hasPrefix("No model: it takes two rates") == isTold, "\(words)")
  }

  @Test("Rates at which less than one request was there at once tell no ceiling of the service")
  func noCeiling() throws {
    let points = [(0.2, 50.0), (0.3, 100.0), (0.4, 200.0), (0.5, 400.0)]
    let law = try #require(ScalabilityLaw(points.map { (concurrency: $0, throughput: $1) }))
    // It would be 338 a second, at 0.55 requests at once; 400 were answered.
    #expect(law.coherence.value > 1 && law.peak == nil && law.ceiling == nil)
  }
}
