internal import Quantities
internal import RewardModel

/// The mornings on which the Operating account could not pay all that the shop owed.
struct OperatingShortfalls {
  /// Row of the first such day in the record's days; nil where there was none.
  let first: Int?
  /// How many there were.
  let mornings: Int
  /// The most that was lacking on one of them.
  let deepest: MicroUSDT
  /// What the Reserve account put in.
  let toppedUp: MicroUSDT
  /// What the shop owes after them.
  let owed: MicroUSDT

  /// - Parameter row: The last day that counts; the run's last where it is nil.
  /// - Returns: Nil for a run without a shop.
  init?(_ record: BlakJaksRecord, through row: Int? = nil) {
    func values(_ key: String) -> ArraySlice<Int64?>? {
      let all = record.series.first { $0.key == key }?.values
      return all.map { $0.prefix(row.map { $0 + 1 } ?? $0.count) }
    }
    func last(_ key: String) -> MicroUSDT {
      MicroUSDT(microunits: values(key)?.last.flatMap { $0 } ?? 0)
    }
    guard let lacking = values("bank.shortfall") else { return nil }
    first = lacking.firstIndex { ($0 ?? 0) > 0 }
    mornings = lacking.count { ($0 ?? 0) > 0 }
    deepest = MicroUSDT(microunits: lacking.compactMap(\.self).max() ?? 0)
    toppedUp = last("bank.topped_up")
    owed = last("payable.shop")
  }
}
