// Goal: every sampler has the distribution that it names.
// Method: fixed seeds; continuous samplers by Kolmogorov–Smirnov, discrete ones by chi-square,
// both against GSL's functions, each at significance 1e-3. The seeds are fixed, so a failure is
// a change of the sampler, not bad luck.
import CGSL
import EventKernel
import Testing

/// A continuous sampler beside its distribution function.
struct ContinuousCase: Sendable, CustomTestStringConvertible {
  let name: String
  let draw: @Sendable (inout RandomStream) throws -> Double
  let cumulative: @Sendable (Double) -> Double
  var testDescription: String { name }

  init(
    _ name: String, _ draw: @escaping @Sendable (inout RandomStream) throws -> Double,
    _ cumulative: @escaping @Sendable (Double) -> Double
  ) {
    self.name = name
    self.draw = draw
    self.cumulative = cumulative
  }

  static func gamma(_ shape: Double) -> ContinuousCase {
    ContinuousCase("gamma(\(shape))") {
      $0.gamma(shape: shape, scale: 2)
    } _: {
      gsl_cdf_gamma_P($0, shape, 2)
    }
  }

  static func beta(_ a: Double, _ b: Double) -> ContinuousCase {
    ContinuousCase("beta(\(a), \(b))") {
      $0.beta(a, b)
    } _: {
      gsl_cdf_beta_P($0, a, b)
    }
  }

  static func erlang(_ shape: Int) -> ContinuousCase {
    ContinuousCase("erlang(\(shape))") {
      $0.erlang(shape: shape, mean: 3)
    } _: {
      gsl_cdf_gamma_P($0, Double(shape), 3 / Double(shape))
    }
  }

  static let all: [ContinuousCase] = [
    ContinuousCase("uniform") {
      $0.uniform()
    } _: {
      $0
    },
    ContinuousCase("uniform of 32 bits") {
      RandomStream.uniform($0.nextUInt32())
    } _: {
      $0
    },
    ContinuousCase("exponential") {
      $0.exponential(mean: 2.5)
    } _: {
      gsl_cdf_exponential_P($0, 2.5)
    },
    erlang(1), erlang(2), erlang(16), erlang(17), erlang(400),
    ContinuousCase("normal") {
      $0.normal(mean: 1, sigma: 2)
    } _: {
      gsl_cdf_gaussian_P($0 - 1, 2)
    },
    ContinuousCase("lognormal") {
      $0.lognormal(mu: 0.5, sigma: 0.8)
    } _: {
      gsl_cdf_lognormal_P($0, 0.5, 0.8)
    },
    gamma(0.05), gamma(0.243), gamma(1), gamma(1.2), gamma(4.5), gamma(1000),
    beta(0.793, 2.426), beta(0.05, 0.08), beta(1, 1), beta(5, 2), beta(200, 300),
    ContinuousCase("weibull") {
      try $0.weibull(scale: 2, shape: 1.5)
    } _: {
      gsl_cdf_weibull_P($0, 2, 1.5)
    },
    ContinuousCase("pareto") {
      try $0.pareto(minimum: 2, shape: 1.5)
    } _: {
      gsl_cdf_pareto_P($0, 1.5, 2)
    },
    ContinuousCase("studentT") {
      try $0.studentT(degreesOfFreedom: 3)
    } _: {
      gsl_cdf_tdist_P($0, 3)
    },
    ContinuousCase("chiSquared") {
      try $0.chiSquared(degreesOfFreedom: 5)
    } _: {
      gsl_cdf_chisq_P($0, 5)
    },
    ContinuousCase("gumbel") {
      try $0.gumbel(a: 1.5, b: 2)
    } _: {
      gsl_cdf_gumbel1_P($0, 1.5, 2)
    },
    ContinuousCase("logistic") {
      try $0.logistic(scale: 2)
    } _: {
      gsl_cdf_logistic_P($0, 2)
    },
  ]
}

/// A discrete sampler beside its probabilities.
struct DiscreteCase: Sendable, CustomTestStringConvertible {
  let name: String
  let draw: @Sendable (inout RandomStream) throws -> Int
  let mass: @Sendable (Int) -> Double
  var testDescription: String { name }

  init(
    _ name: String, _ draw: @escaping @Sendable (inout RandomStream) throws -> Int,
    _ mass: @escaping @Sendable (Int) -> Double
  ) {
    self.name = name
    self.draw = draw
    self.mass = mass
  }

  static func poisson(_ mean: Double) -> DiscreteCase {
    DiscreteCase("poisson(\(mean))") {
      $0.poisson(mean: mean)
    } _: {
      gsl_ran_poisson_pdf(UInt32($0), mean)
    }
  }

  static func binomial(_ n: Int, _ p: Double) -> DiscreteCase {
    DiscreteCase("binomial(\(n), \(p))") {
      $0.binomial(n, p)
    } _: {
      gsl_ran_binomial_pdf(UInt32($0), p, UInt32(n))
    }
  }

  static let weights: [Double] = [3, 0, 1, 0.5, 7, 1e-3, 2]

  static let all: [DiscreteCase] = [
    poisson(0.3), poisson(4), poisson(9.99), poisson(10), poisson(37.5), poisson(1_000),
    binomial(1, 0.4), binomial(12, 0.3), binomial(100, 0.5), binomial(1_000, 0.005),
    binomial(1_000, 0.02), binomial(1_000, 0.97), binomial(40_000, 0.25),
    DiscreteCase("bernoulli") {
      $0.bernoulli(0.3) ? 1 : 0
    } _: {
      [0.7, 0.3, 0][min($0, 2)]
    },
    DiscreteCase("uniformIndex") {
      Int($0.uniformIndex(below: 13))
    } _: {
      $0 < 13 ? 1.0 / 13 : 0
    },
    DiscreteCase("alias") {
      try AliasTable(weights: weights).sample(&$0)
    } _: {
      $0 < weights.count ? weights[$0] / weights.reduce(0, +) : 0
    },
    DiscreteCase("negativeBinomial") {
      try $0.negativeBinomial(successes: 2.5, p: 0.4)
    } _: {
      gsl_ran_negative_binomial_pdf(UInt32($0), 0.4, 2.5)
    },
    DiscreteCase("geometric") {
      try $0.geometric(p: 0.2)
    } _: {
      gsl_ran_geometric_pdf(UInt32($0), 0.2)
    },
    DiscreteCase("hypergeometric") {
      try $0.hypergeometric(marked: 30, unmarked: 50, draws: 20)
    } _: {
      gsl_ran_hypergeometric_pdf(UInt32($0), 30, 50, 20)
    },
  ]
}

@Suite struct SamplerTests {
  @Test("Continuous samplers follow GSL's distribution functions", arguments: ContinuousCase.all)
  func kolmogorovSmirnov(subject: ContinuousCase) throws {
    var stream = RandomStream(seed: 2024, purpose: 5, entity: 1)
    let count = 10_000
    var sample: [Double] = []
    for _ in 0..<count { sample.append(try subject.draw(&stream)) }
    sample.sort()
    var distance = 0.0
    for (index, value) in sample.enumerated() {
      let exact = subject.cumulative(value)
      distance = max(distance, exact - Double(index) / Double(count))
      distance = max(distance, Double(index + 1) / Double(count) - exact)
    }
    // √(−ln(α / 2) / 2) at α = 1e-3.
    let critical = 1.9495 / Double(count).squareRoot()
    #expect(distance < critical, "\(subject.name): distance \(distance), critical \(critical)")
  }

  @Test("Discrete samplers follow GSL's probabilities", arguments: DiscreteCase.all)
  func chiSquare(subject: DiscreteCase) throws {
    var stream = RandomStream(seed: 2024, purpose: 6, entity: 1)
    let count = 10_000
    var seen: [Int: Int] = [:]
    var largest = 0
    for _ in 0..<count {
      let value = try subject.draw(&stream)
      #expect(value >= 0)
      #expect(subject.mass(value) > 0, "\(subject.name) gave \(value), which is impossible")
      seen[value, default: 0] += 1
      largest = max(largest, value)
    }
    // Neighboring values are pooled until a class expects at least eight.
    var statistic = 0.0
    var classes = 0
    var expected = 0.0
    var found = 0
    var covered = 0.0
    for value in 0...largest {
      expected += subject.mass(value) * Double(count)
      found += seen[value] ?? 0
      if expected >= 8 && Double(count) - covered - expected >= 8 {
        statistic += (Double(found) - expected) * (Double(found) - expected) / expected
        classes += 1
        covered += expected
        expected = 0
        found = 0
      }
    }
    let rest = Double(count) - covered
    statistic += (Double(found) - rest) * (Double(found) - rest) / rest
    let p = gsl_cdf_chisq_Q(statistic, Double(classes))
    #expect(p > 1e-3, "\(subject.name): chi-square \(statistic), \(classes) degrees, p = \(p)")
  }

  @Test("The normal quantile agrees with GSL's to 2e-14 in both tails")
  func normalQuantile() {
    var p = 0x1p-53
    while p < 0.5 {
      for (point, mirrored) in [(p, false), (1 - p, true)] {
        let exact = mirrored ? gsl_cdf_ugaussian_Pinv(point) : gsl_cdf_ugaussian_Pinv(p)
        let ours = RandomStream.normalQuantile(point)
        #expect(abs(ours - exact) <= 2e-14 * abs(exact), "p = \(point): \(ours), GSL \(exact)")
      }
      p *= 1.37
    }
    #expect(RandomStream.normalQuantile(0.5) == 0)
  }

  @Test("Parameters at the edge of their range are legal")
  func edges() throws {
    var stream = RandomStream(seed: 1, purpose: 1, entity: 1)
    #expect(stream.exponential(mean: 0) == 0)
    #expect(stream.poisson(mean: 0) == 0)
    #expect(stream.binomial(0, 0.5) == 0)
    #expect(stream.binomial(9, 0) == 0)
    #expect(stream.binomial(9, 1) == 9)
    #expect(stream.bernoulli(0) == false)
    #expect(stream.bernoulli(1) == true)
    #expect(stream.uniformIndex(below: 1) == 0)
    #expect(stream.lognormal(mu: 0, sigma: 0) == 1)
    #expect(try stream.geometric(p: 1) == 1)
    #expect(try stream.hypergeometric(marked: 3, unmarked: 0, draws: 3) == 3)
    for _ in 0..<1_000 {
      let share = stream.beta(1e-3, 1e-3)
      #expect(share >= 0 && share <= 1)
    }
  }

  @Test("Parameters out of range are refused by GSL's samplers")
  func refusals() {
    var stream = RandomStream(seed: 1, purpose: 1, entity: 1)
    let before = stream.counter
    for bad in [0, -1, Double.nan, .infinity] {
      #expect(throws: SamplerError.self) { try stream.weibull(scale: bad, shape: 1) }
      #expect(throws: SamplerError.self) { try stream.weibull(scale: 1, shape: bad) }
      #expect(throws: SamplerError.self) { try stream.pareto(minimum: bad, shape: 1) }
      #expect(throws: SamplerError.self) { try stream.studentT(degreesOfFreedom: bad) }
      #expect(throws: SamplerError.self) { try stream.chiSquared(degreesOfFreedom: bad) }
      #expect(throws: SamplerError.self) { try stream.gumbel(a: bad, b: 1) }
      #expect(throws: SamplerError.self) { try stream.logistic(scale: bad) }
      #expect(throws: SamplerError.self) { try stream.negativeBinomial(successes: bad, p: 0.5) }
      #expect(throws: SamplerError.self) { try stream.geometric(p: bad) }
    }
    #expect(throws: SamplerError.self) {
      try stream.hypergeometric(marked: 2, unmarked: 2, draws: 5)
    }
    #expect(throws: SamplerError.self) {
      try stream.hypergeometric(marked: -1, unmarked: 2, draws: 0)
    }
    #expect(stream.counter == before)
  }

  @Test(
    "A negative binomial that could leave 32 bits is refused, and one that cannot ends",
    arguments: [(1.0, 1e-9), (0.1, 1e-10), (0.01, 1e-10), (3, 3e-9)])
  func negativeBinomialBound(successes: Double, p: Double) throws {
    var stream = RandomStream(seed: 1, purpose: 1, entity: 1)
    #expect(throws: SamplerError.self) {
      try stream.negativeBinomial(successes: successes, p: p)
    }
    let most = (successes + 10 * successes.squareRoot() + 40) / 0x1p31
    var sum = 0.0
    for _ in 0..<20_000 {
      sum += Double(try stream.negativeBinomial(successes: successes, p: most * 1.001))
    }
    // Mean and standard deviation are those of the gamma variate, but for parts in a million.
    let scale = 1 / (most * 1.001)
    let spread = scale * (successes / 20_000).squareRoot()
    #expect(abs(sum / 20_000 - successes * scale) < 5 * spread)
  }

  @Test("Beta variates of shapes at the ends of all doubles are shares with their mean")
  func betaEnds() {
    var stream = RandomStream(seed: 1, purpose: 1, entity: 1)
    #expect(abs(stream.beta(1e308, 1e308) - 0.5) < 1e-9)
    let tiny = Double.leastNormalMagnitude / 100
    var ones = 0
    for _ in 0..<1_000 {
      let value = stream.beta(tiny, tiny)
      #expect(value == 0 || value == 1)
      ones += value == 1 ? 1 : 0
    }
    #expect((420...580).contains(ones), "\(ones)")
  }

  @Test("A table of weights refuses what is no weight")
  func tableRefusals() {
    #expect(throws: SamplerError.noWeights) { try AliasTable(weights: []) }
    #expect(throws: SamplerError.badTotal(0)) { try AliasTable(weights: [0, 0]) }
    #expect(throws: SamplerError.badWeight(index: 1, weight: -1)) {
      try AliasTable(weights: [1, -1])
    }
    #expect(throws: SamplerError.badWeight(index: 0, weight: .infinity)) {
      try AliasTable(weights: [.infinity])
    }
    #expect(throws: SamplerError.self) { try AliasTable(weights: [.nan]) }
    #expect(throws: SamplerError.self) {
      try AliasTable(weights: [.greatestFiniteMagnitude, .greatestFiniteMagnitude])
    }
    #expect(
      SamplerError.badWeight(index: 1, weight: -1).description
        == "weight 1 is -1.0; it must be finite and at least 0")
  }

  @Test("A bad parameter of a fast sampler stops the process")
  func badParametersStop() async {
    await #expect(processExitsWith: .failure) {
      var stream = RandomStream(seed: 1, purpose: 1, entity: 1)
      _ = stream.exponential(mean: .nan)
    }
    await #expect(processExitsWith: .failure) {
      var stream = RandomStream(seed: 1, purpose: 1, entity: 1)
      _ = stream.gamma(shape: 0, scale: 1)
    }
    await #expect(processExitsWith: .failure) {
      var stream = RandomStream(seed: 1, purpose: 1, entity: 1)
      _ = stream.uniformIndex(below: 0)
    }
  }
}
