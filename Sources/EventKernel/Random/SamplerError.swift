/// Why a distribution's parameters or a table of weights were refused.
public enum SamplerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A table needs at least one weight.
  case noWeights
  /// A weight is negative, infinite or not a number.
  case badWeight(index: Int, weight: Double)
  /// All weights are zero, or their sum is not finite.
  case badTotal(Double)
  /// A parameter is outside its range.
  case badParameter(distribution: String, parameter: String, value: Double)
  /// GSL answered with a status other than success, or with no finite number.
  case gsl(function: String, status: Int32)

  /// One line for people: what was wrong.
  public var description: String {
    switch self {
    case .noWeights: "a table of weights needs at least one weight"
    case .badWeight(let index, let weight):
      "weight \(index) is \(weight); it must be finite and at least 0"
    case .badTotal(let total): "the weights sum to \(total); the sum must be finite and above 0"
    case .badParameter(let distribution, let parameter, let value):
      "\(distribution): \(parameter) is \(value), which is out of range"
    case .gsl(let function, let status): "\(function) failed with GSL status \(status)"
    }
  }
}
