public import Quantities

/// Why an estimator refused its input; it is then unchanged.
public enum EstimatorError: Error, Equatable, Sendable, CustomStringConvertible {
  /// An observation or result is infinite or not a number.
  case notFinite(Double)
  /// A statistic needs more observations than there are.
  case tooFew(count: Int, needed: Int)
  /// A parameter is outside its range.
  case badParameter(name: String, value: Double)
  /// An update is before an earlier one.
  case timeWentBack(from: Instant, to: Instant)
  /// Two estimators of different settings cannot be merged.
  case differentSettings
  /// GSL answered with no finite number.
  case gsl(function: String)

  /// One line for people.
  public var description: String {
    switch self {
    case .notFinite(let value): "\(value) is not a finite number"
    case .tooFew(let count, let needed): "\(count) observations are too few; \(needed) are needed"
    case .badParameter(let name, let value): "\(name) is \(value), which is out of range"
    case .timeWentBack(let from, let to):
      "time went back from \(from.microseconds) us to \(to.microseconds) us"
    case .differentSettings: "estimators with different settings cannot be merged"
    case .gsl(let function): "\(function) did not return a finite number"
    }
  }
}
