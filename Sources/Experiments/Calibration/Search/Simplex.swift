internal import CGSL
internal import EventKernel

/// Minimization of a function of several variables without derivatives, by GSL's `nmsimplex2`.
///
/// Source: Nelder and Mead 1965, doi:10.1093/comjnl/7.4.308.
enum Simplex {
  /// Where a search ended.
  struct Outcome: Sendable {
    var point: [Double]
    var value: Double
    /// How often the function was evaluated.
    var evaluations: Int
    /// Whether the simplex shrank to the size that was asked for.
    var isSmall: Bool
  }

  /// What the pointer of the C callback points to.
  private final class Objective {
    let function: ([Double]) -> Double
    var evaluations = 0

    init(_ function: @escaping ([Double]) -> Double) { self.function = function }
  }

  /// - Parameters:
  ///   - start: The function is finite there.
  ///   - step: Size of the first simplex in each direction.
  ///   - size: The simplex counts as small below this mean distance from its center.
  ///   - maximumSteps: Bound on the steps of the search.
  ///   - function: Values that are not finite count as very high.
  /// - Returns: Nil when GSL refuses: no memory, or a start whose value is not finite.
  static func minimum(
    from start: [Double], step: Double, size: Double, maximumSteps: Int,
    _ function: @escaping ([Double]) -> Double
  ) -> Outcome? {
    GSLRuntime.prepare()
    let objective = Objective(function)
    guard function(start).isFinite,
      let point = gsl_vector_alloc(start.count), let steps = gsl_vector_alloc(start.count),
      let search = gsl_multimin_fminimizer_alloc(gsl_simplex_type(), start.count)
    else { return nil }
    defer {
      gsl_multimin_fminimizer_free(search)
      gsl_vector_free(point)
      gsl_vector_free(steps)
    }
    for (index, value) in start.enumerated() { gsl_vector_set(point, index, value) }
    gsl_vector_set_all(steps, step)
    return withExtendedLifetime(objective) {
      var function = gsl_multimin_function(
        f: { vector, opaque in
          guard let vector, let opaque else { return .nan }
          let objective = Unmanaged<Objective>.fromOpaque(opaque).takeUnretainedValue()
          let place = (0..<vector.pointee.size).map { gsl_vector_get(vector, $0) }
          objective.evaluations += 1
          let value = objective.function(place)
          return value.isFinite ? value : 1e300
        },
        n: start.count, params: Unmanaged.passUnretained(objective).toOpaque())
      return withUnsafeMutablePointer(to: &function) { function -> Outcome? in
        guard gsl_multimin_fminimizer_set(search, function, point, steps) == Int32(GSL_SUCCESS)
        else { return nil }
        var isSmall = false
        for _ in 0..<maximumSteps where !isSmall {
          // Besides success: no progress any more, which ends the search with the result so far.
          guard gsl_multimin_fminimizer_iterate(search) == Int32(GSL_SUCCESS) else { break }
          isSmall = gsl_multimin_fminimizer_size(search) < size
        }
        guard let best = gsl_multimin_fminimizer_x(search) else { return nil }
        return Outcome(
          point: (0..<start.count).map { gsl_vector_get(best, $0) },
          value: gsl_multimin_fminimizer_minimum(search), evaluations: objective.evaluations,
          isSmall: isSmall)
      }
    }
  }
}
