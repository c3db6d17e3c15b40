public import Quantities

/// Discrete samplers, exact in distribution up to double rounding.
extension RandomStream {
  /// True with probability `p`. One 64-bit draw, also for p = 0 and p = 1.
  ///
  /// - Parameter p: From 0 to 1.
  @inlinable
  public mutating func bernoulli(_ p: Double) -> Bool {
    invariant(p >= 0 && p <= 1, "bernoulli needs a probability from 0 to 1")
    return uniform() < p
  }

  /// Poisson with the given mean.
  ///
  /// - Parameter mean: From 0 to 1e9.
  /// - Complexity: one draw and O(mean) steps below mean 10 (inversion); O(1) above, by the
  ///   transformed rejection PTRS of Hörmann 1993, doi:10.1016/0167-6687(93)90997-4
  @inlinable
  public mutating func poisson(mean: Double) -> Int {
    invariant(mean >= 0 && mean <= 1e9, "poisson needs a mean from 0 to 1e9")
    return mean < 10 ? poissonByInversion(mean: mean) : poissonByRejection(mean: mean)
  }

  @inlinable
  mutating func poissonByInversion(mean: Double) -> Int {
    var remaining = uniform()
    var mass = Elementary.exp(-mean)
    var count = 0
    // At 10 the masses beyond 200 are 0 in double arithmetic; the bound only stops rounding.
    while remaining > mass && count < 200 {
      remaining -= mass
      count &+= 1
      mass *= mean / Double(count)
    }
    return count
  }

  @usableFromInline
  mutating func poissonByRejection(mean: Double) -> Int {
    let logMean = Elementary.log(mean)
    let b = 0.931 + 2.53 * mean.squareRoot()
    let a = -0.059 + 0.02483 * b
    let inverseAlpha = 1.1239 + 1.1328 / (b - 3.4)
    let squeeze = 0.9277 - 3.6224 / (b - 2)
    while true {
      let u = uniform() - 0.5
      let v = uniform()
      let distance = 0.5 - abs(u)
      let k = (2 * a / distance + b) * u + mean + 0.43
      if distance >= 0.07 && v <= squeeze { return Int(k.rounded(.down)) }
      if k < 0 || (distance < 0.013 && v > distance) { continue }
      let count = k.rounded(.down)
      let left = Elementary.log(v * inverseAlpha / (a / (distance * distance) + b))
      if left <= count * logMean - mean - Self.logFactorial(count) { return Int(count) }
    }
  }

  /// log(k!) for a whole k ≥ 0, relative error below 1e-12.
  ///
  /// Stirling's series from k = 10 on; its first left-out term is below 1e-12 there.
  @usableFromInline
  static func logFactorial(_ k: Double) -> Double {
    if k < 10 {
      var product = 1.0
      var factor = 2.0
      while factor <= k {
        product *= factor
        factor += 1
      }
      return Elementary.log(product)
    }
    let inverse = 1 / k
    let square = inverse * inverse
    var series = 1.0 / 1260.0 - square / 1680.0
    series = 1.0 / 12.0 + square * (-1.0 / 360.0 + square * series)
    return (k + 0.5) * Elementary.log(k) - k + 0.918938533204672741780 + inverse * series
  }
}

/// Those that any source has.
extension RandomSource {
  /// Binomial: successes in `n` independent trials of probability `p`.
  ///
  /// - Parameters:
  ///   - n: From 0 to 2^31.
  ///   - p: From 0 to 1.
  /// - Complexity: one draw and O(np) steps below np = 10 (inversion); O(1) above, by the
  ///   transformed rejection BTRS of Hörmann 1993, doi:10.1080/00949659308811496
  @inlinable
  public mutating func binomial(_ n: Int, _ p: Double) -> Int {
    invariant(n >= 0 && n <= 1 << 31, "binomial needs from 0 to 2^31 trials")
    invariant(p >= 0 && p <= 1, "binomial needs a probability from 0 to 1")
    if p > 0.5 { return n - binomialLow(n, 1 - p) }
    return binomialLow(n, p)
  }

  @inlinable
  mutating func binomialLow(_ n: Int, _ p: Double) -> Int {
    if n == 0 || p == 0 { return 0 }
    return Double(n) * p < 10 ? binomialByInversion(n, p) : binomialByRejection(n, p)
  }

  @inlinable
  mutating func binomialByInversion(_ n: Int, _ p: Double) -> Int {
    let odds = p / (1 - p)
    var remaining = uniform()
    var mass = Elementary.exp(Double(n) * Elementary.log1p(-p))
    var count = 0
    while remaining > mass && count < n && count < 200 {
      remaining -= mass
      count &+= 1
      mass *= odds * Double(n - count + 1) / Double(count)
    }
    return count
  }

  @inlinable
  mutating func binomialByRejection(_ trials: Int, _ p: Double) -> Int {
    let n = Double(trials)
    let deviation = (n * p * (1 - p)).squareRoot()
    let b = 1.15 + 2.53 * deviation
    let a = -0.0873 + 0.0248 * b + 0.01 * p
    let center = n * p + 0.5
    let squeeze = 0.92 - 4.2 / b
    let alpha = (2.83 + 5.1 / b) * deviation
    let logOdds = Elementary.log(p / (1 - p))
    let mode = ((n + 1) * p).rounded(.down)
    let height = RandomStream.logFactorial(mode) + RandomStream.logFactorial(n - mode)
    while true {
      let u = uniform() - 0.5
      let v = uniform()
      let distance = 0.5 - abs(u)
      let k = ((2 * a / distance + b) * u + center).rounded(.down)
      if distance >= 0.07 && v <= squeeze { return Int(k) }
      if k < 0 || k > n { continue }
      let left = Elementary.log(v * alpha / (a / (distance * distance) + b))
      let right =
        height - RandomStream.logFactorial(k) - RandomStream.logFactorial(n - k) + (k - mode)
        * logOdds
      if left <= right { return Int(k) }
    }
  }
}
