internal import Quantities
package import RewardModel

/// Books with the rules that they follow, as their laws see them.
package struct BooksView: Sendable {
  let books: EmberaBooks
  let rules: EmberaRules

  /// Books at any instant between two requests.
  package init(_ books: EmberaBooks, _ rules: EmberaRules) {
    self.books = books
    self.rules = rules
  }
}

extension EmberaBooks {
  /// What holds after every request, by what counters and sums say: every run checks it after every
  /// window, every replay after every day.
  package static let laws: [Invariant<BooksView>] = [
    Invariant("redemptions_covered", "Points redeemed are those of the offers redeemed") { view in
      let total = view.books.total
      var points: Int64 = 0
      for (row, offer) in view.rules.offers.enumerated() {
        points += total.redemptions[row] * offer.points
      }
      return points == total.redeemed
        ? nil : "\(total.redeemed) points redeemed for offers of \(points)"
    },
    Invariant("ledger_balanced", "The ledger sums to zero and agrees with the orders") { view in
      let (ledger, total) = (view.books.ledger, view.books.total)
      let cash = -ledger.balance(.cash).microunits
      let sales = ledger.balance(.goodsSales).microunits + ledger.balance(.discounts).microunits
      return ledger.isBalanced && cash == total.revenue + total.shipping + total.tax
        && sales == total.revenue - total.deferred
        ? nil : "cash \(cash) for orders of \(total.revenue) micro-USD"
    },
  ]
}
