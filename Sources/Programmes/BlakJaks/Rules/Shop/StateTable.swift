package import Quantities
package import RewardModel

/// The states of a run by number, 0 ..< `count`, with tax and ban of each.
///
/// Without states everybody lives in number 0, which has neither tax nor ban.
package struct StateTable: Sendable, Equatable {
  /// Two-letter codes, one row a state.
  package let codes: [String]
  /// Share of members living in each state, relative to one another.
  package let weights: [Double]
  let rates: [TaxRate]
  let bans: [StateBan?]

  /// Why states and bans make no table.
  package enum Refusal: Error, Equatable, Sendable {
    /// More than 256 states.
    case tooManyStates(Int)
    /// A code stands for two states.
    case repeatedCode(String)
    /// Nobody can live anywhere: every weight is zero.
    case noWeight
    /// A ban names a state that is not in the table.
    case unknownState(String)
    /// Two bans of one state.
    case repeatedBan(String)
  }

  /// - Parameters:
  ///   - states: Unique codes, at most 256, one weight above 0 unless empty.
  ///   - bans: At most one a state.
  /// - Throws: `Refusal` for the first thing that is wrong.
  /// - Complexity: O(states × (states + bans)).
  package init(_ states: [StateRecord], bans: [StateBan] = []) throws(Refusal) {
    guard states.count <= 256 else { throw .tooManyStates(states.count) }
    for (row, state) in states.enumerated()
    where states[..<row].contains(where: { $0.code == state.code }) {
      throw .repeatedCode(state.code)
    }
    guard states.isEmpty || states.contains(where: { $0.weight > 0 }) else { throw .noWeight }
    var dates = [StateBan?](repeating: nil, count: states.count)
    for ban in bans {
      guard let row = states.firstIndex(where: { $0.code == ban.state }) else {
        throw .unknownState(ban.state)
      }
      guard dates[row] == nil else { throw .repeatedBan(ban.state) }
      dates[row] = ban
    }
    codes = states.map(\.code)
    weights = states.map { Double($0.weight) }
    rates = states.map(\.tax)
    self.bans = dates
  }

  /// How many states there are.
  package var count: Int { codes.count }

  /// The number of a state; nil for a code that no state has.
  package func index(of code: String) -> UInt8? { codes.firstIndex(of: code).map { UInt8($0) } }

  /// The sales tax rate of a state; zero where there are no states.
  package func tax(for state: UInt8) -> TaxRate {
    rates.isEmpty ? .zero : rates[Int(state)]
  }

  /// The local date from which a state's members are suspended from rewards; nil without a ban.
  package func ban(of state: UInt8) -> CivilDate? { bans.isEmpty ? nil : bans[Int(state)]?.date }

  /// Whether members who live in a state are suspended from rewards on a local date.
  package func bansRewards(in state: UInt8, on date: CivilDate) -> Bool {
    bans.isEmpty ? false : bans[Int(state)]?.holds(on: date) ?? false
  }
}
