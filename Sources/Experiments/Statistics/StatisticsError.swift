package import EventKernel

/// Why an experiment's statistics refused their input; nothing has changed then.
package enum StatisticsError: Error, Equatable, Sendable, CustomStringConvertible {
  /// An estimator refused: not finite, too few observations, a parameter out of range.
  case estimator(EstimatorError)
  /// Two series that belong together differ in length.
  case lengths(name: String, count: Int, needed: Int)
  /// More dimensions or points than the method can carry, or fewer than it needs.
  case count(name: String, count: Int, allowed: ClosedRange<Int>)
  /// A range that is empty, or has an end that is not finite.
  case badRange(name: String, low: Double, high: Double)
  /// Two axes of one design have the same name.
  case duplicateAxis(String)
  /// All values are equal, so there is nothing to share out.
  case noVariation(name: String)
  /// A value that must be 0 or 1 is neither.
  case notZeroOrOne(Double)
  /// Values were given that nobody asked for.
  case nothingAsked
  /// A replication of a system has no value where one is needed.
  case missing(system: Int)

  /// One line for people: what was wrong.
  package var description: String {
    switch self {
    case .estimator(let error): error.description
    case .lengths(let name, let count, let needed):
      "\(name): there are \(count) values; there must be \(needed)"
    case .count(let name, let count, let allowed):
      "\(name) is \(count); it must be from \(allowed.lowerBound) to \(allowed.upperBound)"
    case .badRange(let name, let low, let high):
      "\(name): the range \(low)..\(high) is not a finite, increasing one"
    case .duplicateAxis(let name): "\(name) is varied twice"
    case .noVariation(let name): "\(name): all values are equal"
    case .notZeroOrOne(let value): "\(value) is neither 0 nor 1"
    case .nothingAsked: "no values were asked for"
    case .missing(let system): "a replication of system \(system) has no value"
    }
  }

  /// Runs an estimator and passes on its refusal.
  static func estimating<Result>(
    _ body: () throws(EstimatorError) -> Result
  ) throws(StatisticsError) -> Result {
    do { return try body() } catch { throw .estimator(error) }
  }

  /// Refuses a value that is not finite.
  static func requireFinite(_ values: [Double]) throws(StatisticsError) {
    for value in values where !value.isFinite { throw .estimator(.notFinite(value)) }
  }

  /// Refuses a level that is not strictly between 0 and 1.
  static func requireLevel(_ level: Double) throws(StatisticsError) {
    guard level > 0, level < 1 else {
      throw .estimator(.badParameter(name: "level", value: level))
    }
  }
}
