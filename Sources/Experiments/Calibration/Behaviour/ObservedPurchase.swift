internal import Quantities
internal import RewardModel

/// A purchase of a history, or what a member bought on a day of which no more is known: all of its rows.
///
/// An order that is written in three rows of one thing each is a purchase of three.
struct ObservedPurchase {
  /// Whose and when; its day is a row of the history's calendar.
  var visit: PurchaseVisit
  /// Of all its rows: things, or micro-units of money.
  var amount: Int64
}

extension ObservedHistory {
  /// The purchases that count, member after member, each member's in the order of time.
  ///
  /// - Complexity: O(n log n) for n rows.
  func purchases() -> [ObservedPurchase] {
    let isPurchase = history.form.events.map(\.isPurchase)
    var rows: [ObservedPurchase] = []
    eachRow { row, day in
      guard isPurchase[Int(row.kind)] else { return }
      let visit = PurchaseVisit(
        member: row.member, day: day, time: row.instant, isDate: !row.hasClock)
      rows.append(ObservedPurchase(visit: visit, amount: row.amount))
    }
    rows.sort { $0.visit < $1.visit }
    var purchases: [ObservedPurchase] = []
    for row in rows {
      if let last = purchases.indices.last, purchases[last].visit.isOne(with: row.visit) {
        purchases[last].amount += row.amount
      } else {
        purchases.append(row)
      }
    }
    return purchases
  }
}
