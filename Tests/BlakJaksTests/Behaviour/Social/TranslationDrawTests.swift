import BlakJaks
// Goal: counted requests, hits and misses have the law of single requests to a real cache.
// Method: closed-form moments of (requests, misses); the rulebook's cache with every request made
// one by one, later requests of a message among those of others.
import EventKernel
import Foundation
import Population
import Testing

/// Means, variances and the covariance of requests and misses.
private struct RequestMoments {
  var requests = Tally()
  var misses = Tally()
  private var both = Tally()

  mutating func add(_ count: TranslationCount) throws {
    try requests.add(Double(count.requests))
    try misses.add(Double(count.misses))
    try both.add(Double(count.requests * count.misses))
  }

  var covariance: Double { both.mean! - requests.mean! * misses.mean! }
}

@Suite struct TranslationDrawTests {
  private func draw(_ messages: Int, _ mean: Double, times: Int) throws -> RequestMoments {
    let draw = TranslationDraw(mean: mean)
    var moments = RequestMoments()
    for entity in 0..<times {
      var stream = RandomStream(seed: 9, purpose: 41, entity: UInt64(entity))
      let count = draw.requests(messages: messages, &stream)
      #expect(count.misses <= messages && count.misses <= count.requests)
      #expect(count.hits == count.requests - count.misses)
      try moments.add(count)
    }
    return moments
  }

  @Test(
    "Requests are Poisson and misses binomial, jointly as for single messages",
    arguments: [(1, 0.3), (20, 0.3), (20, 4), (5, 1e-4), (100, 0.3), (1_000, 0.3), (500, 6)])
  func moments(messages: Int, mean: Double) throws {
    let times = 8_000
    let moments = try draw(messages, mean, times: times)
    let all = Double(messages) * mean
    let asked = -expm1(-mean)
    let expectedMisses = Double(messages) * asked
    let varianceMisses = expectedMisses * (1 - asked)
    let root = Double(times).squareRoot()
    func expect(_ found: Double, _ wanted: Double, _ deviation: Double, _ what: String) {
      #expect(abs(found - wanted) < 4 * deviation / root, "\(what): \(found), not \(wanted)")
    }
    expect(moments.requests.mean!, all, all.squareRoot(), "mean requests")
    expect(moments.misses.mean!, expectedMisses, varianceMisses.squareRoot(), "mean misses")
    // Fourth moments: Poisson μ + 3μ², and the binomial's is no more than that.
    expect(moments.requests.variance!, all, (all + 2 * all * all).squareRoot(), "var requests")
    expect(
      moments.misses.variance!, varianceMisses,
      (varianceMisses + 2 * varianceMisses * varianceMisses).squareRoot(), "var misses")
    // Cov(X, [X > 0]) = m exp(−m) for one message.
    let together = Double(messages) * mean * exp(-mean)
    expect(
      moments.covariance, together,
      (all * varianceMisses + together * together + all).squareRoot(), "covariance")
  }

  @Test func manyMessagesTakeTheNormalBranchAndFewTheExactOne() {
    let draw = TranslationDraw(mean: 0.3)
    var few = RandomStream(seed: 2, purpose: 41, entity: 1)
    var many = RandomStream(seed: 2, purpose: 41, entity: 2)
    #expect(draw.requests(messages: 60, &few).misses < TranslationDraw.exactUpTo)
    let count = draw.requests(messages: 1_000_000, &many)
    #expect(count.misses > TranslationDraw.exactUpTo)
    #expect(many.counter < 20, "the cost does not follow the number of messages")
  }

  @Test func nothingAskedIsNothingMissed() {
    var stream = RandomStream(seed: 2, purpose: 41, entity: 1)
    #expect(TranslationDraw(mean: 0).requests(messages: 100, &stream) == TranslationCount())
    #expect(TranslationDraw(mean: 2).requests(messages: 0, &stream) == TranslationCount())
  }

  /// The requests for `messages` messages, each made of the cache: message i is posted at time i,
  /// and each request for it comes an exponential time of mean 10 later.
  private func single(
    _ cache: inout TranslationCache, messages: Int, mean: Double, _ stream: inout RandomStream
  ) -> TranslationCount {
    var requests: [(time: Double, message: Int64)] = []
    for message in 0..<messages {
      for _ in 0..<stream.poisson(mean: mean) {
        requests.append((Double(message) + stream.exponential(mean: 10), Int64(message)))
      }
    }
    requests.sort { $0.time < $1.time }
    var count = TranslationCount()
    for request in requests {
      count.requests += 1
      if !cache.request(message: request.message, language: .spanish).isHit { count.misses += 1 }
    }
    return count
  }

  @Test("The real cache, asked request by request, agrees", arguments: [(12, 0.8), (200, 0.8)])
  func agreesWithTheCache(messages: Int, mean: Double) throws {
    let times = 1_500
    var real = RequestMoments()
    for entity in 0..<times {
      var stream = RandomStream(seed: 21, purpose: 41, entity: UInt64(entity))
      var cache = TranslationCache(capacity: messages)
      let count = single(&cache, messages: messages, mean: mean, &stream)
      #expect(cache.hits == Int64(count.hits) && cache.misses == Int64(count.misses))
      try real.add(count)
    }
    let drawn = try draw(messages, mean, times: times)
    func differs(_ a: Tally, _ b: Tally) -> Double {
      abs(a.mean! - b.mean!) / ((a.variance! + b.variance!) / Double(times)).squareRoot()
    }
    #expect(differs(real.requests, drawn.requests) < 4)
    #expect(differs(real.misses, drawn.misses) < 4)
    let spread = 4 * (4 / Double(times)).squareRoot()
    #expect(abs(real.misses.variance! / drawn.misses.variance! - 1) < spread)
    #expect(abs(real.requests.variance! / drawn.requests.variance! - 1) < spread)
  }

  @Test func aSmallCacheOnlyMissesMore() {
    var stream = RandomStream(seed: 22, purpose: 41, entity: 0)
    var again = stream
    var large = TranslationCache(capacity: 1_000)
    var small = TranslationCache(capacity: 5)
    let full = single(&large, messages: 1_000, mean: 1, &stream)
    let tight = single(&small, messages: 1_000, mean: 1, &again)
    #expect(full.requests == tight.requests)
    #expect(tight.misses > full.misses)
  }
}
