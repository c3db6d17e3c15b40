package import Quantities

/// A state's ban of rewards: members who live there are suspended from a local date on.
package struct StateBan: Sendable, Equatable, Codable {
  /// Code of the state.
  package var state: String
  /// The first local date of the ban.
  package var date: CivilDate

  /// - Parameters:
  ///   - state: Code of the state.
  ///   - date: The first local date of the ban.
  package init(state: String, date: CivilDate) {
    self.state = state
    self.date = date
  }
}
