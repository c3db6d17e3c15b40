internal import EventKernel
internal import Population
internal import Quantities

// How a cell's members respond to what happens to them.
extension Cell {
  /// A member's tier has fallen with the window that begins: the member may stop buying. Tins at
  /// home are still scanned.
  mutating func lapse(_ index: Int) {
    let member = firstMember + UInt32(index)
    let quarter = UInt32(bitPattern: broadcast.oldestLot.month) / 3
    guard !rows[index].hasLeft, shared.behaviour.lapses(member: member, quarter: quarter) else {
      return
    }
    rows[index].course.leave()
    if !steps.isEmpty { steps[index].left = window.start }
    cohorts[shared.month(of: rows[index].signUp)] -= 1
    plan(index)
  }

  /// A member won a milestone comp on the day that ended at a midnight, and buys more often from
  /// there on. Nobody else hears of it, and no window is waited for.
  mutating func cheer(_ index: Int, at midnight: Instant) {
    guard let uplift = shared.uplift, !rows[index].hasLeft else { return }
    let hours = shared.season.operationalHours(at: midnight)
    let next = paces[index].win(at: hours, uplift)
    rows[index].course.plan(
      next, now: midnight, signUp: rows[index].signUp, shared.behaviour, shared.season)
    plan(index)
  }
}
