package import Population
package import Quantities

/// Why a history cannot be calibrated.
package enum CalibrationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The history has no `purchase` row at all.
  case noPurchases
  /// The end of calibration is before the first purchase or after the last row.
  case untilOutside(until: CivilDate, first: CivilDate, last: CivilDate)
  /// The end of the holdout is not after the end of calibration, or is after the last row.
  case holdoutOutside(holdout: CivilDate, until: CivilDate, last: CivilDate)
  /// Fewer customers bought in the calibration period than there are parameters to find.
  case tooFewCustomers(count: Int, needed: Int, until: CivilDate?)
  /// Nobody bought a second time, so that nothing determines purchase rates or leaving.
  case noRepeats(customers: Int, until: CivilDate?)
  /// The name is not an IANA zone known on this machine.
  case unknownZone(String)
  /// The likelihood could not be computed at any of the starting points.
  case notEvaluable(PurchaseModel)

  package var description: String {
    switch self {
    case .noPurchases:
      "the history has no purchase rows; calibration needs rows whose event is 'purchase'"
    case .untilOutside(let until, let first, let last):
      "the end of calibration \(until) is outside the history; give a date from \(first), the "
        + "first purchase, to \(last), the last row"
    case .holdoutOutside(let holdout, let until, let last):
      until < last
        ? "the end of the holdout \(holdout) cannot be used; give a date from "
          + "\(until.adding(days: 1)) to \(last), the last row"
        : "nothing is left for a holdout after \(until), the date of the last row; give an earlier "
          + "end of calibration"
    case .tooFewCustomers(let count, let needed, let until):
      "only \(count) \(count == 1 ? "customer" : "customers") bought"
        + "\(until.map { " until \($0)" } ?? ""); four parameters need at least \(needed): give a "
        + "longer history or a later end of calibration"
    case .noRepeats(let customers, let until):
      "none of the \(customers) customers bought on a second day"
        + "\(until.map { " until \($0)" } ?? ""); give a longer history or a later end of "
        + "calibration"
    case .unknownZone(let name):
      CalendarError.unknownZone(name).description
    case .notEvaluable(let model):
      "the likelihood of \(model.rawValue) cannot be computed on these purchases; fit another "
        + "model, or look for customers who buy every day"
    }
  }
}
