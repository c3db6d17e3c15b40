package import Quantities

/// A state's ban of rewards: members who live there are suspended from a local date on.
package struct StateBan: Sendable, Equatable, Codable {
  /// Code of the state.
  package var state: String
  /// The first local date of the ban.
  package var date: CivilDate
  /// Local days until it is lifted, 0 or more; 0 is never.
  package var days: Int

  /// - Parameters:
  ///   - state: Code of the state.
  ///   - date: The first local date of the ban.
  ///   - days: Local days until it is lifted; 0 is never.
  package init(state: String, date: CivilDate, days: Int = 0) {
    self.state = state
    self.date = date
    self.days = days
  }

  /// Whether it is in force on a local date.
  package func holds(on day: CivilDate) -> Bool {
    day >= date && (days == 0 || day < date.adding(days: days))
  }
}
