internal import EventKernel
internal import Quantities

/// Which windows' awards are all settled, that is, paid out.
struct SettledWindows: Sendable {
  /// Ends of the windows behind `last`.
  private var ends: [Instant] = []
  private var first = 0
  /// The last window before which nothing is pending; −1 before the first.
  private(set) var last: Int32 = -1

  /// Takes a window that is over.
  ///
  /// - Parameter earliestPending: The earliest award that is still pending.
  mutating func close(_ window: Window, earliestPending: Instant) {
    ends.append(window.end)
    while first < ends.count && ends[first] <= earliestPending {
      first += 1
      last += 1
    }
    if first > 1_024 {
      ends.removeFirst(first)
      first = 0
    }
  }
}

/// A bound of the model that a scenario's numbers ran into.
package enum RunLimit: Error, Equatable, Sendable, CustomStringConvertible {
  /// A member had more gold chips that expire with one month than a vault can count.
  case chipsOfOneMonth

  package var description: String {
    switch self {
    case .chipsOfOneMonth:
      "a member earned more than 65,535 gold chips in one month; "
        + "lower rules.chips.per_scan or population.tins.per_week"
    }
  }
}
