internal import EventKernel
internal import Foundation
internal import HeapModule
internal import Quantities
internal import RewardModel

extension Cell: SavablePart {
  /// Counts and the like; members and what waits of theirs are rows.
  private struct Saved: Codable {
    var printed: UInt64
    var cohorts: [Int64]
    var productTins: [Int64]
    var chips: ChipTotals
    var walletTotal: Int64
    var walletPending: Int64
    var living: PerTier<Int64>
    var census: TierCensus
    var notes: [TransactionNote]
  }

  /// What a member has beside the account.
  private struct Beside: BitwiseCopyable {
    var index: UInt16
    var amount: Int64
  }

  /// The cell after a window that the house has concluded: what it counted is no longer needed.
  func saved() throws -> Data {
    var writer = StateWriter()
    let claims = desk.claims
    try writer.add(
      Saved(
        printed: claims.printed, cohorts: cohorts, productTins: productTins, chips: chips,
        walletTotal: walletTotal, walletPending: walletPending, living: living, census: census,
        notes: notes))
    writer.add(rows: UnsafeBufferPointer(rows))
    writer.add(rows: UnsafeBufferPointer(tinsBought))
    writer.add(rows: UnsafeBufferPointer(extras))
    writer.add(rows: steps)
    writer.add(rows: claims.bits)
    // A member's own deliveries keep their order.
    writer.add(rows: deliveries.all)
    writer.add(rows: returns.all)
    writer.add(rows: passed.unordered)
    writer.add(rows: orders.unordered)
    writer.add(rows: beside.map { Beside(index: $0.key, amount: $0.value) })
    if shared.uplift != nil { writer.add(rows: paces) }
    return writer.data
  }

  /// Goes on where a cell of the same members was saved.
  ///
  /// - Parameter instant: The end of the last window.
  /// - Throws: `SavedRunError`, or errors of the decoder.
  mutating func restore(_ data: Data, at instant: Instant) throws {
    var reader = StateReader(data)
    let saved = try reader.next(Saved.self)
    guard saved.cohorts.count == cohorts.count, saved.productTins.count == productTins.count else {
      throw SavedRunError.otherShape
    }
    cohorts = saved.cohorts
    productTins = saved.productTins
    chips = saved.chips
    (walletTotal, walletPending) = (saved.walletTotal, saved.walletPending)
    (living, census) = (saved.living, saved.census)
    notes = saved.notes
    try reader.fill(rows)
    try reader.fill(tinsBought)
    try reader.fill(extras)
    let steps = try reader.rows(of: MemberSteps.self)
    guard steps.count == self.steps.count else { throw SavedRunError.otherShape }
    self.steps = steps
    desk = ScanDesk(
      codes: desk.codes, first: desk.first,
      claims: ScanDesk.Claims(printed: saved.printed, bits: try reader.rows()))
    let members = extras.count
    deliveries = MemberLists(try reader.rows(), members: members) { Int($0.index) }
    returns = MemberLists(try reader.rows(), members: members) { Int($0.index) }
    passed = Heap(try reader.rows(of: PassedCode.self))
    orders = SlotCalendar(clock: shared.clock)
    for order in try reader.rows(of: OpenOrder.self) { orders.insert(order) }
    beside = Dictionary(
      try reader.rows(of: Beside.self).map { ($0.index, $0.amount) }
    ) { first, _ in first }
    if shared.uplift != nil {
      let paces = try reader.rows(of: PurchasePace.self)
      guard paces.count == self.paces.count else { throw SavedRunError.otherShape }
      self.paces = paces
    }
    rebase(at: shared.clock.slot(of: instant))
  }
}
