internal import Quantities
internal import RewardModel

extension EmberaRecount {
  /// Holds the whole state against the recount, at a day's end or the end.
  ///
  /// - Throws: `EmberaRecountFailure` with the first promise that is broken.
  /// - Complexity: O(requests so far).
  package func compare(_ state: EmberaState) throws(EmberaRecountFailure) {
    let accounts = state.accounts
    try expect(
      .members, accounts.count == members.count, [],
      "there are \(accounts.count) members, not \(members.count)")
    for (number, person) in members.enumerated() {
      try compare(accounts[number], person, UInt32(number))
      try compareDevices(state.snapshot.members[number], person, UInt32(number))
    }
    let (books, sums) = (state.books, sums { _ in true })
    let total = books.total
    try expect(
      .deliveries, total.deliveries == sums.deliveries, [],
      "\(total.deliveries) deliveries are counted, not \(sums.deliveries)")
    try expect(
      .offers,
      total.redemptions == sums.redemptions && total.redeemed == sums.redeemed, [],
      "offers were redeemed \(total.redemptions) times, not \(sums.redemptions)")
    try expect(
      .once, total.repeated == sums.repeated, [],
      "\(total.repeated) entries came again, not \(sums.repeated)")
    try expect(
      .expiry, total.expired == sums.expired, [],
      "\(total.expired) points expired, not \(sums.expired)")
    try expect(.totals, total == sums, [], "the totals are \(total), not \(sums)")
    try expect(
      .months, Int(books.month) == month && books.months == closes, [],
      "\(books.months.count) months are closed, not \(closes.count), or they differ")
    try expect(
      .share, books.share.rawValue == Int64(share), [],
      "the share redeemed is \(books.share.rawValue) basis points, not \(share)")
    try compare(books, sums)
  }

  private func compare(
    _ account: MemberAccount, _ person: PlainAccount, _ number: UInt32
  ) throws(EmberaRecountFailure) {
    let (who, name) = ([number], "member \(number + 1)")
    try expect(
      .once,
      Int(account.orders) == person.orders.count
        && EntryChannel.allCases.allSatisfy {
          Int(account.answered($0)) == person.answered[Int($0.rawValue)].count
        }, who,
      "\(name) has \(account.orders) orders, not \(person.orders.count), or entries that were "
        + "answered differ")
    try expect(
      .points, account.issued == Int64(person.earned), who,
      "\(name) has earned \(account.issued) points, not \(person.earned)")
    try expect(
      .tiers,
      rules.tiers.tier(earned: account.issued).rawValue == tier(person.earned), who,
      "\(name) is not of tier \(tier(person.earned))")
    try expect(
      .redemption, account.redeemed == Int64(person.redeemed), who,
      "\(name) has redeemed \(account.redeemed) points, not \(person.redeemed)")
    try expect(
      .expiry,
      account.expired == Int64(person.expired)
        && Int(account.lastOrderMonth) == person.orders.last?.month ?? -1, who,
      "\(name) lost \(account.expired) points, not \(person.expired), or ordered last in another "
        + "month")
    try expect(
      .balances, account.balance == Int64(person.held) && account.balance >= 0, who,
      "\(name) holds \(account.balance) points, not \(person.held)")
    try expect(
      .allotted, account.deferred == Int64(person.orders.reduce(0) { $0 + $1.allotted }), who,
      "\(account.deferred) micro-USD are allotted to \(name)'s points")
  }

  private func compareDevices(
    _ member: EmberaState.Member, _ person: PlainAccount, _ number: UInt32
  ) throws(EmberaRecountFailure) {
    for device in EntryChannel.devices {
      let name = "device \(device.rawValue + 1) of member \(number + 1)"
      let plain = person.devices[Int(device.rawValue)]
      let (counter, wanted) = (member.counter(device), plain.counters.last ?? 0)
      try expect(
        .sessions, counter == wanted, [number],
        "\(name) has the counter \(counter), not \(wanted)")
      let (challenge, last) = (member.challenge(device), plain.challenges.last)
      try expect(
        .challenges, challenge?.issued == last?.issued && challenge?.isUsed == last?.isUsed,
        [number], "the last challenge of \(name) is of another time, or was or was not answered")
    }
  }

  private func compare(
    _ books: EmberaBooks, _ sums: ProgramSums
  ) throws(EmberaRecountFailure) {
    try expect(
      .contract, books.recognised == Int64(recognised), [],
      "\(books.recognised) micro-USD are recognized, not \(recognised)")
    let rewards = Int64(rewardCost(sums))
    let wanted: [(EmberaAccount, Int64)] = [
      (.cash, -(sums.list - sums.discount + sums.shipping + sums.tax)),
      (.goodsSales, sums.list - sums.deferred), (.discounts, -sums.discount),
      (.pointsSales, Int64(recognised)), (.contractLiability, sums.deferred - Int64(recognised)),
      (.shippingIncome, sums.shipping), (.salesTax, sums.tax), (.costOfGoods, -sums.cost),
      (.costOfRewards, -rewards), (.stock, sums.cost + rewards),
    ]
    for (account, amount) in wanted {
      let balance = books.ledger.balance(account).microunits
      try expect(
        account == .contractLiability ? .contract : .ledger, balance == amount, [],
        "\(account.key) is \(MicroUSDT(microunits: balance)), not \(MicroUSDT(microunits: amount))")
    }
  }
}
