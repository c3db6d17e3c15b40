internal import Foundation
package import Population
package import Quantities
internal import RewardModel

/// When members signed up, and the model of a scenario that tells it.
package struct AdoptionFit: Sendable, Equatable {
  /// A calendar month of the history.
  package struct Month: Sendable, Equatable {
    /// `YYYY-MM`.
    package let label: String
    /// Its days in the history.
    package let days: Int
    /// Its days after the history's end; 0 but for the last month.
    package let missing: Int
    package let signUps: Int
    /// As the Bass curve expects them; nil without one.
    package let expected: Double?
  }

  package let signUps: Int
  /// Sign-ups of each local day from the first of the history on.
  package let daily: [Int]
  package let months: [Month]
  /// The Bass curve; nil where it cannot be computed.
  package let bass: BassFit?
  /// Bass, the plan of months, or the cohort of one day.
  package let model: AdoptionModel
  /// Why it is not Bass; nil where it is.
  package let reason: String?

  /// The greatest distance of the cumulative shares of sign-ups from a Bass curve that is taken.
  package static let distanceMost = 0.05
  /// The least number of sign-ups to which the Bass curve is fitted.
  package static let leastSignUps = 50

  /// - Complexity: O(rows + days), and the search for the Bass curve.
  package init(_ observed: ObservedHistory) {
    let calendar = observed.calendar
    var daily = [Int](repeating: 0, count: calendar.dayCount)
    for member in observed.order {
      daily[calendar.dayIndex(of: observed.signUps[Int(member)])] += 1
    }
    self.init(daily: daily, dates: calendar.dates)
  }

  /// - Parameters:
  ///   - daily: Sign-ups of each day; at least one.
  ///   - dates: As many, one after the other.
  package init(daily: [Int], dates: [CivilDate]) {
    self.daily = daily
    signUps = daily.reduce(0, +)
    let isOneDay = daily.count { $0 > 0 } == 1
    let isMany = signUps >= Self.leastSignUps
    let fit = isMany && !isOneDay ? BassFit(daily: daily) : nil
    bass = fit
    var months: [Month] = []
    var day = 0
    while day < daily.count {
      let label = dates[day].monthLabel
      var next = day
      while next < daily.count, dates[next].monthLabel == label { next += 1 }
      months.append(
        Month(
          label: label, days: next - day, missing: dates[day].daysToMonthEnd - (next - day),
          signUps: daily[day..<next].reduce(0, +),
          expected: fit.map { $0.expected[day..<next].reduce(0, +) }))
      day = next
    }
    self.months = months
    if isOneDay {
      (model, reason) = (.cohort, "all members signed up on one day")
    } else if !isMany {
      (model, reason) = (
        .plan, "fewer than \(Self.leastSignUps) sign-ups do not tell a Bass curve"
      )
    } else {
      reason = Self.objection(to: fit)
      model = reason == nil ? .bass : .plan
    }
  }

  /// Why a Bass curve is not taken; nil where it is.
  private static func objection(to fit: BassFit?) -> String? {
    guard let fit else { return "no Bass curve could be computed" }
    if fit.distance > distanceMost {
      return "the Bass curve is off by up to \(PurchaseBlock.percent(fit.distance)) of the sign-ups"
    }
    let isOpen = "the sign-ups do not turn off yet: they set no upper limit to the market"
    switch fit.status {
    case .converged: break
    case .edge where fit.estimates.last.map { $0.value > 1e9 } == true: return isOpen
    case .edge: return "a Bass parameter ran to the edge: these sign-ups do not determine it"
    case .flat: return "these sign-ups determine only combinations of the Bass parameters"
    case .notConverged: return "the search for the Bass curve did not converge"
    }
    return fit.estimates.last?.high == nil ? isOpen : nil
  }

  /// Sign-ups of each month for a plan, and last those of any later month: 365/12 days at the rate of
  /// the last 90 days, at which the rest of a month goes on, too, that the history's end cuts.
  package var plan: [Int] {
    let last = daily.suffix(90)
    let rate = Double(last.reduce(0, +)) / Double(last.count)
    return months.map { $0.signUps + Int((rate * Double($0.missing)).rounded()) }
      + [Int((rate * 365 / 12).rounded())]
  }
}
