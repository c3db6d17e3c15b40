package import Quantities

/// What is not paid yet, found from the payouts themselves.
extension PayoutDesk {
  /// Tells of every award to a wallet that is not paid, given up or not.
  ///
  /// Where only some members are traced, awards of the others may have one another's numbers: see
  /// `AwardRun.awards`.
  ///
  /// - Complexity: O(awards that are not paid).
  package func forEachUnpaid(_ body: (AwardID, Award) -> Void) {
    func tell(_ type: PayoutType, from first: Int64, _ awards: [Award]) {
      guard type.credit(prizes) != nil else { return }
      for (place, award) in awards.enumerated() {
        body(AwardID(type: type, number: first + Int64(place)), award)
      }
    }
    arrivals.visitTypes { arrival in
      tell(arrival.type, from: arrival.number, arrival.run.awards)
    }
    for payout in payouts where payout.status != .paid {
      tell(payout.type, from: payout.firstAward, payout.awards)
    }
  }

  /// Counts what is pending anew from the payouts themselves, for checks.
  ///
  /// - Complexity: O(payouts not settled).
  package func recountPending() throws(MoneyError) -> PayoutSum {
    var sum = PayoutSum()
    try arrivals.visitTypes { arrival throws(MoneyError) in
      try sum.add(arrival.run.count, arrival.run.amount)
    }
    for payout in payouts where payout.status != .paid && payout.status != .failed {
      try sum.add(payout.count, payout.amount)
    }
    return sum
  }
}
