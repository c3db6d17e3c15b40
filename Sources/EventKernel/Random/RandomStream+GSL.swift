internal import CGSL

/// A GSL generator that draws from a `RandomStream`.
///
/// GSL asks for the generator as a C structure of function pointers and an opaque state; the state
/// here is the stream itself. Nothing is shared between two calls, so any number of threads may
/// use the bridge on their own streams.
extension RandomStream {
  /// Calls `body` with a GSL generator whose draws are this stream's next 64-bit draws.
  ///
  /// `body` must not keep the pointer. The integer side gives 32-bit numbers (min 0, max 2^32 − 1),
  /// the floating side `uniform()`.
  mutating func withGSLGenerator<Result>(
    _ body: (UnsafePointer<gsl_rng>) -> Result
  ) -> Result {
    GSLRuntime.prepare()
    var state = self
    defer { self = state }
    return "pitboss-philox4x32-10".withCString { name in
      var type = gsl_rng_type(
        name: name, max: UInt(UInt32.max), min: 0, size: MemoryLayout<RandomStream>.size,
        set: { _, _ in },
        get: { opaque in
          UInt(opaque!.assumingMemoryBound(to: RandomStream.self).pointee.nextUInt32())
        },
        get_double: { opaque in
          opaque!.assumingMemoryBound(to: RandomStream.self).pointee.uniform()
        })
      return withUnsafePointer(to: &type) { typePointer in
        withUnsafeMutablePointer(to: &state) { statePointer in
          var generator = gsl_rng(type: typePointer, state: UnsafeMutableRawPointer(statePointer))
          return withUnsafePointer(to: &generator) { body($0) }
        }
      }
    }
  }

  /// Refuses what GSL would turn into nonsense.
  private static func require(
    _ holds: Bool, _ distribution: String, _ parameter: String, _ value: Double
  ) throws(SamplerError) {
    guard holds else {
      throw .badParameter(distribution: distribution, parameter: parameter, value: value)
    }
  }

  private static func positive(
    _ value: Double, _ distribution: String, _ parameter: String
  ) throws(SamplerError) {
    try require(value > 0 && value < .infinity, distribution, parameter, value)
  }

  private static func finite(
    _ value: Double, from function: String
  ) throws(SamplerError) -> Double {
    guard value.isFinite else { throw .gsl(function: function, status: Int32(GSL_ERANGE)) }
    return value
  }

  /// Weibull with the given scale and shape (`gsl_ran_weibull`).
  ///
  /// - Throws: `SamplerError.badParameter` unless both are finite and above 0; `.gsl` when a tiny
  ///   shape drives the value beyond the largest double.
  public mutating func weibull(scale: Double, shape: Double) throws(SamplerError) -> Double {
    try Self.positive(scale, "weibull", "scale")
    try Self.positive(shape, "weibull", "shape")
    let value = withGSLGenerator { gsl_ran_weibull($0, scale, shape) }
    return try Self.finite(value, from: "gsl_ran_weibull")
  }

  /// Pareto of the first kind: values from `minimum` on with tail exponent `shape`
  /// (`gsl_ran_pareto`).
  ///
  /// - Throws: `SamplerError.badParameter` unless both are finite and above 0; `.gsl` when a tiny
  ///   shape drives the value beyond the largest double.
  public mutating func pareto(minimum: Double, shape: Double) throws(SamplerError) -> Double {
    try Self.positive(minimum, "pareto", "minimum")
    try Self.positive(shape, "pareto", "shape")
    let value = withGSLGenerator { gsl_ran_pareto($0, shape, minimum) }
    return try Self.finite(value, from: "gsl_ran_pareto")
  }

  /// Student's t with the given degrees of freedom (`gsl_ran_tdist`).
  ///
  /// - Throws: `SamplerError.badParameter` unless finite and above 0; `.gsl` when the value is beyond the
  ///   largest double, as it may be below 0.05 degrees.
  public mutating func studentT(degreesOfFreedom: Double) throws(SamplerError) -> Double {
    try Self.positive(degreesOfFreedom, "studentT", "degreesOfFreedom")
    let value = withGSLGenerator { gsl_ran_tdist($0, degreesOfFreedom) }
    return try Self.finite(value, from: "gsl_ran_tdist")
  }

  /// Chi-squared with the given degrees of freedom (`gsl_ran_chisq`).
  ///
  /// - Throws: `SamplerError.badParameter` unless finite and above 0.
  public mutating func chiSquared(degreesOfFreedom: Double) throws(SamplerError) -> Double {
    try Self.positive(degreesOfFreedom, "chiSquared", "degreesOfFreedom")
    let value = withGSLGenerator { gsl_ran_chisq($0, degreesOfFreedom) }
    return try Self.finite(value, from: "gsl_ran_chisq")
  }

  /// Gumbel of the first kind, as GSL writes it: density a b exp(−(b exp(−a x) + a x))
  /// (`gsl_ran_gumbel1`).
  ///
  /// - Throws: `SamplerError.badParameter` unless both are finite and above 0.
  public mutating func gumbel(a: Double, b: Double) throws(SamplerError) -> Double {
    try Self.positive(a, "gumbel", "a")
    try Self.positive(b, "gumbel", "b")
    let value = withGSLGenerator { gsl_ran_gumbel1($0, a, b) }
    return try Self.finite(value, from: "gsl_ran_gumbel1")
  }

  /// Logistic with location 0 and the given scale (`gsl_ran_logistic`).
  ///
  /// - Throws: `SamplerError.badParameter` unless finite and above 0.
  public mutating func logistic(scale: Double) throws(SamplerError) -> Double {
    try Self.positive(scale, "logistic", "scale")
    let value = withGSLGenerator { gsl_ran_logistic($0, scale) }
    return try Self.finite(value, from: "gsl_ran_logistic")
  }

  /// Negative binomial: failures before `successes` successes of probability `p`; `successes` need
  /// not be whole (`gsl_ran_negative_binomial`).
  ///
  /// - Throws: `SamplerError.badParameter` unless 0 < p < 1 and `successes` is finite and above 0, and
  ///   where a draw could leave the 32 bits in which GSL counts: where
  ///   (`successes` + 10 √`successes` + 40) (1 − p) / p is above 2^31.
  public mutating func negativeBinomial(
    successes: Double, p: Double
  ) throws(SamplerError) -> Int {
    try Self.positive(successes, "negativeBinomial", "successes")
    // It is a Poisson variate whose mean is a gamma variate: this is more than 40 scales, or ten standard
    // deviations, above that one's mean.
    let most = (successes + 10 * successes.squareRoot() + 40) * (1 - p) / p
    try Self.require(p > 0 && p < 1 && most <= 0x1p31, "negativeBinomial", "p", p)
    return Int(withGSLGenerator { gsl_ran_negative_binomial($0, p, successes) })
  }

  /// Geometric: trials of probability `p` up to and with the first success, at least 1
  /// (`gsl_ran_geometric`).
  ///
  /// - Throws: `SamplerError.badParameter` unless 0 < p ≤ 1. Below 1e-8 the count would leave
  ///   GSL's 32-bit range and is refused too.
  public mutating func geometric(p: Double) throws(SamplerError) -> Int {
    try Self.require(p >= 1e-8 && p <= 1, "geometric", "p", p)
    return Int(withGSLGenerator { gsl_ran_geometric($0, p) })
  }

  /// Hypergeometric: marked items among `draws` drawn without replacement from `marked` marked and
  /// `unmarked` unmarked ones (`gsl_ran_hypergeometric`).
  ///
  /// - Throws: `SamplerError.badParameter` when a count is negative or above 2^31, all items are 2^32 or
  ///   more, or `draws` exceeds them.
  /// - Complexity: O(min(`draws`, marked + unmarked − `draws`)).
  public mutating func hypergeometric(
    marked: Int, unmarked: Int, draws: Int
  ) throws(SamplerError) -> Int {
    let limit = 1 << 31
    let name = "hypergeometric"
    try Self.require(marked >= 0 && marked <= limit, name, "marked", Double(marked))
    try Self.require(
      unmarked >= 0 && unmarked <= limit && marked + unmarked <= UInt32.max, name, "unmarked",
      Double(unmarked))
    try Self.require(draws >= 0 && draws <= marked + unmarked, name, "draws", Double(draws))
    return Int(
      withGSLGenerator {
        gsl_ran_hypergeometric($0, UInt32(marked), UInt32(unmarked), UInt32(draws))
      })
  }
}
