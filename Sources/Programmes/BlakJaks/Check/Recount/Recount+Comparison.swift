package import Quantities
internal import RewardModel

extension Recount {
  /// Holds the whole state against the recount, at a day's end or the end.
  ///
  /// - Throws: `RecountFailure` with the first promise that is broken.
  /// - Complexity: O(requests so far).
  package func compare(_ state: ProgrammeState, at time: Instant) throws(RecountFailure) {
    let programme = state.programme
    let books = programme.books
    try expect(
      .scansGapless, programme.board.scans == scans && books.scans == scans, [],
      "\(programme.board.scans) scans are numbered and \(books.scans) counted, of \(scans)")
    try expect(
      .codesOnce, state.claimed == Int64(claimed.count), [],
      "\(state.claimed) tins are claimed, not \(claimed.count)")
    try expect(.answers, state.outcomes == outcomes, [], "\(state.outcomes), not \(outcomes)")
    for (row, prize) in rules.prizes.enumerated() {
      let line = awarded[row]
      let wanted = (0..<line.count).map { Int64($0 + 1) * prize.every }
      try expect(
        .prizesInOrder, line == wanted && programme.board.awarded[row] == Int64(line.count), [],
        "\(prize.name) was awarded for \(line)")
    }
    try compareMembers(state, at: time)
    try compareMoney(state)
    try comparePayouts(books)
    try expect(
      .sunset,
      programme.sunset.isActive == (sunsetSince != nil)
        && programme.sunset.activeSince == sunsetSince,
      [], "the doors closed at \(programme.sunset.activeSince.map { "\($0)" } ?? "no time")")
    let rewards = programme.rewards.amount.all
    let due = rules.scanReward.multiplier.all.map { multiplier in
      let multiplied = portion(
        rules.scanReward.base.microunits, multiplier.rawValue, of: 10_000)
      return portion(multiplied, rewardFactor, of: 10_000)
    }
    try expect(
      .guardPolicy, programme.board.deferring == isDeferring && rewards.map(\.microunits) == due,
      [],
      "prizes \(programme.board.deferring ? "" : "do not ")wait, and a scan earns "
        + "\(rewards.map { "\($0)" }.joined(separator: ", ")) by tier")
    let total = programme.wholesale.total
    try expect(
      .wholesale,
      total.tins == wholesaleTins.values.reduce(0, +) && total.chips == wholesaleChips
        && total.comps == Int64(payouts.awards[.wholesale]?.count ?? 0), [],
      "accounts have \(total.chips) chips and \(total.comps) comps for \(total.tins) tins")
    for account in 0..<UInt32(rules.wholesale.accounts) {
      let (kept, tins) = (programme.wholesale.figures(Int(account)), wholesaleTins[account] ?? 0)
      try expect(
        .wholesale, kept.tins == tins && kept.chips == tins / rules.wholesale.tinsPerChip, [],
        "account \(account + 1) has \(kept.chips) chips for \(kept.tins) tins, of \(tins)")
    }
    let board = state.board
    try expect(.channels, board.messages == messages, [], "\(board.messages) messages")
    try expect(
      .channels, board.live == liveStream && board.streams == streams, [],
      "stream \(board.live.map { "\($0.number)" } ?? "none") of \(board.streams) is live, not "
        + "\(liveStream.map { "\($0.number)" } ?? "none") of \(streams)")
  }

  private func compareMembers(
    _ state: ProgrammeState, at time: Instant
  ) throws(RecountFailure) {
    var census = PerTier<Int64>(repeating: 0)
    for number in members.keys.sorted() {
      guard let person = members[number] else { continue }
      let account = state.members.account(of: number)
      let (who, name) = ([number], "member \(number + 1)")
      let (tier, floor) = (tier(person), floor(person))
      census[tier] += 1
      try expect(
        .floors, account.standing.floor == floor, who,
        "\(name) has the floor \(account.standing.floor.name), not \(floor.name)")
      try expect(
        .tiers,
        account.standing.tier == tier
          && Int(account.standing.quarterScans) == person.scans[date.quarterIndex] ?? 0
          && Int(account.standing.lifetimeScans) == person.lifetime, who,
        "\(name) is \(account.standing.tier.name) with \(account.standing.quarterScans) scans this "
          + "quarter and \(account.standing.lifetimeScans) in all, not \(tier.name)")
      try expect(
        .comps, account.comps.microunits == person.comps, who,
        "\(name) has comps of \(account.comps), not \(MicroUSDT(microunits: person.comps))")
      try expect(
        .suspension, account.isSuspended == isSuspended(person), who,
        "\(name) is \(account.isSuspended ? "" : "not ")suspended")
      let due = person.signedUp + .days(rules.guarantee.afterDays)
      let isLate = rules.guarantee.enabled && due < time && person.guaranteeLooks == 0
      try expect(.guaranteeNotMissing, !isLate, who, "\(name)'s guarantee of \(due) is missing")
      try compare(state.members.purses[Int(number)], person, name)
    }
    for (row, owner) in affiliates.enumerated() {
      guard let person = members[owner] else { continue }
      let table = state.programme.books.affiliates
      try expect(
        .affiliateChips,
        table.chips(row) == affiliateChips(person)
          && table.referredScans(row) == person.referredScans, [owner],
        "affiliate \(owner + 1) holds \(table.chips(row)) chips, not \(affiliateChips(person))")
    }
    let counted = state.members.census.members
    try expect(
      .tiers, counted.all == census.all, [], "members by tier are \(counted.all), not \(census.all)"
    )
  }

  private func compare(
    _ purse: MemberPurse, _ person: PlainMember, _ name: String
  ) throws(RecountFailure) {
    let (wallet, who) = (purse.wallet, [person.number])
    let pending = payouts.pending[person.number] ?? 0
    try expect(
      .wallets,
      wallet.available.microunits == person.available && wallet.pending.microunits == pending, who,
      "\(name) has \(wallet.available) available and \(wallet.pending) pending, not "
        + "\(MicroUSDT(microunits: person.available)) and \(MicroUSDT(microunits: pending))")
    try expect(
      .wallets, person.available >= 0 && pending >= 0, who, "\(name)'s wallet is below zero")
    let vault = purse.vault
    let vaulted = person.chips.count { $0.isVaulted }
    let held = person.chips.count - vaulted
    try expect(
      .vaults, Int(vault.held) == held && Int(vault.vaulted) == vaulted, who,
      "\(name) holds \(vault.held) and vaults \(vault.vaulted) chips, not \(held) and \(vaulted)")
    for (kind, lots) in [(false, vault.earnedLots), (true, vault.bonusLots)] {
      for place in 0..<ChipVault.lots {
        let count = person.chips.count {
          $0.isBonus == kind && $0.expires % ChipVault.lots == place
        }
        try expect(
          .vaults, Int(lots[place]) == count, who,
          "\(name) has \(lots[place]) \(kind ? "bonus" : "earned") chips of a month, not \(count)")
      }
    }
  }

  // MARK: - Money

  private func compareMoney(_ state: ProgrammeState) throws(RecountFailure) {
    let ledger = state.programme.books.ledger
    func balance(
      _ law: RecountLaw, _ account: LedgerAccount, _ wanted: Int64
    ) throws(RecountFailure) {
      let found = ledger.balance(account).microunits
      try expect(
        law, found == wanted, [],
        "\(account.key) is \(MicroUSDT(microunits: found)), not \(MicroUSDT(microunits: wanted))")
    }
    let pool = rules.compPool
    let shares: [(LedgerAccount, ChargeAccount, BasisPoints)] = [
      (.compPool, .compPool, pool.share), (.affiliatePool, .affiliatePool, pool.affiliateShare),
      (.wholesalePool, .wholesalePool, pool.wholesaleShare),
    ]
    var rest = books.profit
    for (account, charge, share) in shares {
      let part = portion(books.profit, share.rawValue, of: 10_000)
      rest -= part
      try balance(.poolAccrual, account, part - (books.charged[charge] ?? 0))
    }
    try balance(.poolAccrual, .operating, rest - (books.charged[.operating] ?? 0))
    try balance(.poolAccrual, .grossProfit, -books.profit)
    try balance(.poolAccrual, .spent, books.charged.values.reduce(0, +))
    var expenses: [LedgerAccount: Int64] = [.expenseTrip: tripReserved]
    var owed: [LedgerAccount: Int64] = [:]
    var trips: Int64 = 0
    for type in PayoutType.all(rules.prizes) {
      let (total, kind) = (payouts.total(type), PlainKind(type, rules))
      owed[kind.payable, default: 0] += total - (payouts.paid[type] ?? 0)
      if kind.expense == .expenseTrip {
        trips += total
      } else {
        expenses[kind.expense, default: 0] += total
      }
    }
    for (account, total) in expenses.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      try balance(.expenses, account, -total)
    }
    for account in [LedgerAccount.memberPayable, .affiliatePayable, .wholesalePayable] {
      try balance(.payables, account, owed[account] ?? 0)
    }
    try balance(.payables, .tripReserve, tripReserved - trips)
    try balance(.shopMoney, .shippingIncome, books.shipping)
    try balance(.shopMoney, .salesTax, books.tax)
    try balance(.shopMoney, .carriage, -books.carriage)
    try balance(.shopMoney, .shopPayable, books.shopOwes)
    let economy = rules.economy
    let cost = economy.price.microunits - economy.grossProfit.microunits
    try balance(
      .shopMoney, .sales,
      (books.tins + books.wholesaleTins) * economy.price.microunits
        + books.wholesaleTins
        * (economy.wholesaleGrossProfit.microunits - economy.grossProfit.microunits))
    try balance(.shopMoney, .costOfGoods, -(books.tins + books.wholesaleTins) * cost)
    for treasury in Treasury.allCases {
      let held = books.holdings[treasury] ?? 0
      try balance(.treasuries, treasury.ledgerAccount, -held)
      try expect(
        .banksAtZero, held >= 0, [], "\(treasury.key) holds \(MicroUSDT(microunits: held))")
    }
    let gas = rules.payouts.gas.microunits * payouts.transactions.values.reduce(0, +)
    try balance(.treasuries, .gas, -gas)
    try balance(.reconciliation, .chainDifference, books.chainDifference)
    try comparePeriods(state.programme.books)
    let totals = state.chips
    let owned = members.values.flatMap(\.chips)
    try expect(
      .vaults,
      totals.issuedByScans == chips.scans && totals.issuedAsBonus == chips.bonus
        && totals.redeemed == chips.redeemed && totals.expired == chips.expired
        && totals.held + totals.vaulted == Int64(owned.count)
        && totals.vaulted == Int64(owned.count { $0.isVaulted }), [],
      "chips: \(totals), not \(chips)")
  }

  /// The last day, month, pool and reconciliation that ended.
  private func comparePeriods(_ kept: ProgrammeBooks) throws(RecountFailure) {
    if let day = kept.days.last {
      let row = books.days[day.date] ?? PlainBooks.Day()
      try expect(
        .budget, same(day.sums, row), [], "\(day.date) has \(day.sums), not \(row)")
      let projected = projection(through: day.date, month: day.date.monthIndex)
      try expect(
        .budget,
        day.projectedBasisPoints == projected.basisPoints && day.status == projected.status, [],
        "\(day.date) is projected at \(day.projectedBasisPoints ?? -1) basis points, not "
          + "\(projected.basisPoints ?? -1)")
    }
    if let month = kept.months.last, let day = kept.days.last, date.day == 1,
      day.date.adding(days: 1) == date
    {
      let sums = self.month(day.date.monthIndex, through: day.date)
      let status = status(Int128(sums.spend), Int128(sums.budget))
      try expect(
        .budget,
        month.budget.microunits == sums.budget && same(month.sums, sums.sums)
          && month.status == status && month.label == day.date.monthLabel
          && month.utilisationBasisPoints
            == (sums.budget > 0
              ? Int64(clamping: Int128(sums.spend) * 10_000 / Int128(sums.budget)) : nil),
        [],
        "\(month.label) has a budget of \(month.budget), not \(MicroUSDT(microunits: sums.budget))")
    }
    try expect(
      .poolShares, kept.pools == books.pools, [],
      "the weekly pool is \(kept.pools.last.map { "\($0)" } ?? "none"), not "
        + "\(books.pools.last.map { "\($0)" } ?? "none")")
    try expect(
      .reconciliation,
      Array(kept.reconciliations.suffix(3)).map(\.row) == books.lastReconciled.map(\.row), [],
      "\(kept.reconciliations.suffix(3)), not \(books.lastReconciled)")
  }

  private func same(_ sums: ProgrammeBooks.Sums, _ row: PlainBooks.Day) -> Bool {
    sums.tinsSold == row.tins && sums.acceptedScans == row.scans
      && sums.grossProfit.microunits == row.profit && sums.spendCash.microunits == row.cash
      && sums.spendAccrual.microunits == row.accrual
  }

  private func comparePayouts(_ kept: ProgrammeBooks) throws(RecountFailure) {
    for line in kept.payouts.lines {
      let (count, total) = (payouts.awards[line.type]?.count ?? 0, payouts.total(line.type))
      try expect(
        .expenses, line.count == Int64(count) && line.total.microunits == total, [],
        "\(line.id): \(line.count) of \(line.total), not \(count) of "
          + "\(MicroUSDT(microunits: total))")
    }
    var (paid, failed, pending) = (PayoutSum(), PayoutSum(), PayoutSum())
    for list in payouts.awards.values {
      for award in list {
        let isFailed = award.slot.flatMap { payouts.slots[$0] }?.status == .failed
        let amount = MicroUSDT(microunits: award.amount)
        if award.isPaid {
          paid.plus(amount)
        } else if isFailed {
          failed.plus(amount)
        } else {
          pending.plus(amount)
        }
      }
    }
    let desk = kept.desk
    try expect(
      .payoutStates, desk.paid == paid && desk.failed == failed && desk.pending == pending, [],
      "\(desk.paid.count) paid, \(desk.pending.count) pending and \(desk.failed.count) failed, not "
        + "\(paid.count), \(pending.count) and \(failed.count)")
    let open = payouts.slots.values.count { $0.status != .paid && $0.status != .failed }
    let waiting = payouts.slots.values.count { $0.status == .waitingForFunds }
    try expect(
      .payoutStates, desk.queue == Int64(open) && desk.waitingForFunds == Int64(waiting), [],
      "\(desk.queue) payouts are open and \(desk.waitingForFunds) wait, not \(open) and \(waiting)")
    for slot in payouts.slots.keys.sorted() {
      try expect(
        .payoutStates, desk.status(slot) == payouts.slots[slot]?.status, [],
        "payout \(slot) is \(desk.status(slot).map { "\($0)" } ?? "forgotten")")
    }
  }
}

extension PayoutSum {
  fileprivate mutating func plus(_ amount: MicroUSDT) {
    count += 1
    self.amount.microunits += amount.microunits
  }
}

extension Reconciliation {
  fileprivate var row: [Int64] {
    [
      time.microseconds, Int64(wallet.rawValue), ledger.microunits, chain.microunits,
      difference.microunits, balanced ? 1 : 0,
    ]
  }
}
