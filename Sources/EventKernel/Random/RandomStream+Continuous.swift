public import Quantities

/// Continuous samplers whose speed matters. Where the inverse of the distribution function is
/// cheap it is used: one draw a variate, monotone in it, so that common random numbers stay in
/// step between two runs. Parameters are checked; a bad one is a bug in the model and stops the
/// process.
extension RandomSource {
  /// A number uniform on the open interval (0, 1): an odd multiple of 2^-53.
  ///
  /// The distance from 0 and from 1 is at least 2^-53, so its logarithm and every inverse
  /// distribution function are finite.
  @inlinable
  public mutating func uniform() -> Double { RandomStream.uniform(wide: nextUInt64()) }

  /// Exponential with mean 1, by inversion: −log U.
  @inlinable
  public mutating func standardExponential() -> Double { -Elementary.log(uniform()) }

  /// Exponential with the given mean, by inversion: one 64-bit draw.
  ///
  /// - Parameter mean: Finite, at least 0, in any unit; the answer is in the same unit.
  @inlinable
  public mutating func exponential(mean: Double) -> Double {
    invariant(mean >= 0 && mean < .infinity, "exponential needs a finite mean of at least 0")
    return mean * standardExponential()
  }

  /// Erlang: the sum of `shape` independent exponentials, with the given mean **of the sum**.
  ///
  /// - Parameters:
  ///   - shape: At least 1; 1 gives the exponential.
  ///   - mean: Finite, at least 0.
  /// - Complexity: O(shape) multiplications and one logarithm up to shape 16, O(1) above (Gamma).
  @inlinable
  public mutating func erlang(shape: Int, mean: Double) -> Double {
    invariant(shape >= 1, "erlang needs a shape of at least 1")
    invariant(mean >= 0 && mean < .infinity, "erlang needs a finite mean of at least 0")
    if shape > 16 { return gamma(shape: Double(shape), scale: mean / Double(shape)) }
    // Sixteen factors of at least 2^-53 stay far above the smallest double.
    var product = uniform()
    var stage = 1
    while stage < shape {
      product *= uniform()
      stage &+= 1
    }
    return -Elementary.log(product) * (mean / Double(shape))
  }

  /// Standard normal by inversion: one 64-bit draw, monotone in it.
  ///
  /// Source: Wichura 1988, algorithm AS 241 (PPND16, relative error about 1e-16),
  /// doi:10.2307/2347330
  @inlinable
  public mutating func normal() -> Double { RandomStream.normalQuantile(uniform()) }

  /// Normal with the given mean and standard deviation.
  @inlinable
  public mutating func normal(mean: Double, sigma: Double) -> Double {
    invariant(sigma >= 0 && sigma < .infinity, "normal needs a finite sigma of at least 0")
    return mean + sigma * normal()
  }

  /// Lognormal: exp of a normal with mean `mu` and standard deviation `sigma` (of the logarithm).
  @inlinable
  public mutating func lognormal(mu: Double, sigma: Double) -> Double {
    Elementary.exp(normal(mean: mu, sigma: sigma))
  }

  /// Gamma with mean shape × scale, for any shape > 0.
  ///
  /// - Complexity: about one normal and one uniform draw. Source: Marsaglia and Tsang 2000,
  ///   doi:10.1145/358407.358414; below shape 1 by their boost U^(1/shape).
  @inlinable
  public mutating func gamma(shape: Double, scale: Double) -> Double {
    invariant(shape > 0 && shape < .infinity, "gamma needs a finite shape above 0")
    invariant(scale >= 0 && scale < .infinity, "gamma needs a finite scale of at least 0")
    if shape >= 1 { return gammaFromOne(shape: shape) * scale }
    let boosted = gammaFromOne(shape: shape + 1)
    return boosted * Elementary.power(uniform(), 1 / shape) * scale
  }

  /// Gamma of scale 1 for shape ≥ 1.
  @inlinable
  mutating func gammaFromOne(shape: Double) -> Double {
    let d = shape - 1.0 / 3.0
    let c = 1 / (9 * d).squareRoot()
    while true {
      let x = normal()
      let root = 1 + c * x
      if root <= 0 { continue }
      let v = root * root * root
      let u = uniform()
      let x2 = x * x
      if u < 1 - 0.0331 * x2 * x2 { return d * v }
      if Elementary.log(u) < 0.5 * x2 + d * (1 - v + Elementary.log(v)) { return d * v }
    }
  }

  /// The two numbers whose logarithms make that of a Gamma variate of scale 1, which is finite where the variate
  /// itself underflows: log `first` + log `second` ÷ shape.
  @inlinable
  public mutating func gammaParts(shape: Double) -> (first: Double, second: Double) {
    if shape >= 1 { return (gammaFromOne(shape: shape), 1) }
    let boosted = gammaFromOne(shape: shape + 1)
    return (boosted, uniform())
  }

  @inlinable
  mutating func logGammaVariate(shape: Double) -> Double {
    let (first, second) = gammaParts(shape: shape)
    return Elementary.log(first) + Elementary.log(second) / shape
  }

  /// Beta with mean a / (a + b), from two Gamma variates.
  ///
  /// Shapes are finite and above 0; those below 1e-300 or above 1e300 are taken as these.
  ///
  /// The ratio is taken of logarithms when a shape is below 1, where both variates may underflow.
  @inlinable
  public mutating func beta(_ a: Double, _ b: Double) -> Double {
    invariant(a > 0 && a < .infinity, "beta needs a finite a above 0")
    invariant(b > 0 && b < .infinity, "beta needs a finite b above 0")
    let (a, b) = (min(max(a, 1e-300), 1e300), min(max(b, 1e-300), 1e300))
    if a >= 1 && b >= 1 {
      let x = gammaFromOne(shape: a)
      let y = gammaFromOne(shape: b)
      return x / (x + y)
    }
    let logX = logGammaVariate(shape: a)
    let logY = logGammaVariate(shape: b)
    return 1 / (1 + Elementary.exp(logY - logX))
  }
}

extension RandomStream {
  /// The exponential of mean 1 that a draw from the open unit interval stands for; of the product
  /// of k such draws, the sum of their k exponentials.
  ///
  /// - Parameter product: In (0, 1).
  @inlinable
  public static func exponential(ofUniforms product: Double) -> Double { -Elementary.log(product) }

  /// The standard normal quantile of `p`, 0 < p < 1.
  @inlinable
  public static func normalQuantile(_ p: Double) -> Double {
    let q = p - 0.5
    if abs(q) <= 0.425 {
      let r = 0.180625 - q * q
      var n = 2.5090809287301226727e+3
      n = n * r + 3.3430575583588128105e+4
      n = n * r + 6.7265770927008700853e+4
      n = n * r + 4.5921953931549871457e+4
      n = n * r + 1.3731693765509461125e+4
      n = n * r + 1.9715909503065514427e+3
      n = n * r + 1.3314166789178437745e+2
      n = n * r + 3.3871328727963666080e+0
      var d = 5.2264952788528545610e+3
      d = d * r + 2.8729085735721942674e+4
      d = d * r + 3.9307895800092710610e+4
      d = d * r + 2.1213794301586595867e+4
      d = d * r + 5.3941960214247511077e+3
      d = d * r + 6.8718700749205790830e+2
      d = d * r + 4.2313330701600911252e+1
      d = d * r + 1.0
      return q * n / d
    }
    let tail = (-Elementary.log(q < 0 ? p : 1 - p)).squareRoot()
    let magnitude = tail <= 5 ? normalShoulder(tail - 1.6) : normalTail(tail - 5)
    return q < 0 ? -magnitude : magnitude
  }

  @inlinable
  static func normalShoulder(_ r: Double) -> Double {
    var n = 7.74545014278341407640e-4
    n = n * r + 2.27238449892691845833e-2
    n = n * r + 2.41780725177450611770e-1
    n = n * r + 1.27045825245236838258e+0
    n = n * r + 3.64784832476320460504e+0
    n = n * r + 5.76949722146069140550e+0
    n = n * r + 4.63033784615654529590e+0
    n = n * r + 1.42343711074968357734e+0
    var d = 1.05075007164441684324e-9
    d = d * r + 5.47593808499534494600e-4
    d = d * r + 1.51986665636164571966e-2
    d = d * r + 1.48103976427480074590e-1
    d = d * r + 6.89767334985100004550e-1
    d = d * r + 1.67638483018380384940e+0
    d = d * r + 2.05319162663775882187e+0
    d = d * r + 1.0
    return n / d
  }

  @inlinable
  static func normalTail(_ r: Double) -> Double {
    var n = 2.01033439929228813265e-7
    n = n * r + 2.71155556874348757815e-5
    n = n * r + 1.24266094738807843860e-3
    n = n * r + 2.65321895265761230930e-2
    n = n * r + 2.96560571828504891230e-1
    n = n * r + 1.78482653991729133580e+0
    n = n * r + 5.46378491116411436990e+0
    n = n * r + 6.65790464350110377720e+0
    var d = 2.04426310338993978564e-15
    d = d * r + 1.42151175831644588870e-7
    d = d * r + 1.84631831751005468180e-5
    d = d * r + 7.86869131145613259100e-4
    d = d * r + 1.48753612908506148525e-2
    d = d * r + 1.36929880922735805310e-1
    d = d * r + 5.99832206555887937690e-1
    d = d * r + 1.0
    return n / d
  }
}
