internal import CGSL
internal import EventKernel

/// The root of a continuous function between two places with values of different signs, by GSL's
/// `brent`.
///
/// Source: Brent 1973, *Algorithms for Minimization without Derivatives*, chapter 4.
enum BracketedRoot {
  /// What the pointer of the C callback points to.
  private final class Function {
    let function: (Double) -> Double
    /// Values so far, the two ends among them.
    var known: [Double: Double]

    init(_ function: @escaping (Double) -> Double, known: [Double: Double]) {
      self.function = function
      self.known = known
    }

    func value(_ place: Double) -> Double {
      if let value = known[place] { return value }
      let value = function(place)
      known[place] = value
      return value
    }
  }

  /// - Parameters:
  ///   - low: A place and the function's value there.
  ///   - high: A greater place, with a value of the other sign.
  ///   - residual: The function is at most so far from 0 at the answer.
  ///   - function: Finite between the places.
  /// - Returns: Nil when GSL refuses, or has not found it after 100 steps.
  static func between(
    _ low: (place: Double, value: Double), _ high: (place: Double, value: Double),
    residual: Double, _ function: @escaping (Double) -> Double
  ) -> Double? {
    GSLRuntime.prepare()
    guard let solver = gsl_root_fsolver_alloc(gsl_brent_type()) else { return nil }
    defer { gsl_root_fsolver_free(solver) }
    let holder = Function(
      function, known: [low.place: low.value, high.place: high.value])
    return withExtendedLifetime(holder) {
      var callback = gsl_function(
        function: { place, opaque in
          guard let opaque else { return .nan }
          return Unmanaged<Function>.fromOpaque(opaque).takeUnretainedValue().value(place)
        }, params: Unmanaged.passUnretained(holder).toOpaque())
      return withUnsafeMutablePointer(to: &callback) { callback -> Double? in
        guard
          gsl_root_fsolver_set(solver, callback, low.place, high.place) == Int32(GSL_SUCCESS)
        else { return nil }
        for _ in 0..<100 {
          guard gsl_root_fsolver_iterate(solver) == Int32(GSL_SUCCESS) else { return nil }
          let root = gsl_root_fsolver_root(solver)
          if abs(holder.value(root)) <= residual { return root }
        }
        return nil
      }
    }
  }
}
