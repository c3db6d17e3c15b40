internal import CKernel
internal import EventKernel
internal import Population
internal import Quantities

extension Cell {
  /// Ends what ended with the last window, before anybody acts.
  mutating func beginWindow() {
    if let ended = broadcast.endedMonth, shared.hasChips { turnMonth(ended) }
    guard broadcast.bansChanged else { return }
    for index in rows.indices where rows[index].account.hasSignedUp {
      if rows[index].account.suspend(broadcast.bans[extras[index].state]) {
        census.suspend(rows[index].account)
      }
    }
  }

  private mutating func turnMonth(_ ended: ChipLot) {
    let rules = shared.rules.chips
    let bonusLot = rules.bonusLot(ending: ended)
    for index in rows.indices where rows[index].account.hasSignedUp {
      let fits = extras[index].purse.turnMonth(
        rules, ending: ended, bonusLot: bonusLot, isSuspended: rows[index].account.isSuspended,
        &chips)
      guard !fits else { continue }
      tally.chipsOverflowed = true
      tally.events += 1
    }
  }

  /// A member signs up: where they live, what they are like, when they first visit their wallet.
  mutating func beginExtras(
    _ extras: inout MemberExtras, _ row: inout MemberRow, _ member: UInt32, _ shared: CellRules
  ) {
    extras.state = shared.shop.state(of: member)
    row.account.suspendAtSignUp(broadcast.bans[extras.state])
    guard shared.hasVisits else { return }
    extras.traits = shared.wallet.traits(member: member)
    scheduleVisit(&extras, shared.wallet.visit(member: member, index: 0), row.signUp, shared)
  }

  private func scheduleVisit(
    _ extras: inout MemberExtras, _ draw: WalletVisit, _ now: Instant, _ shared: CellRules
  ) {
    let hours = shared.season.operationalHours(at: now)
    extras.nextVisit = shared.season.later(
      hours + draw.gap * shared.wallet.meanGapWeeks * 168, than: now)
    extras.visits += 1
  }

  /// A member looks at wallet and chips: takes the next step with the card, vaults, redeems,
  /// withdraws, pays. Who has left and has nothing to come for does not come again before something is
  /// awarded.
  mutating func visit(
    _ row: inout MemberRow, _ extras: inout MemberExtras, _ member: UInt32, _ now: Instant,
    _ shared: CellRules
  ) {
    let index = extras.visits
    let draw = shared.wallet.visit(member: member, index: index)
    if shared.hasChips { useChips(row, &extras, draw, member, now, shared) }
    stepCard(&extras, member, now)
    if draw.withdraws || draw.spends {
      let payment = shared.wallet.payment(member: member, index: index)
      if draw.withdraws { withdraw(&extras, payment, member, now, shared) }
      if draw.spends { spend(&extras, payment, member, now, shared) }
    }
    let isIdle =
      row.hasLeft && row.course.tinsHeld == 0 && extras.nextDelivery == .distantFuture
      && extras.nextReturn == .distantFuture
    extras.looksNoMore = isIdle && !Self.hasReasonToLook(extras, shared)
    if extras.looksNoMore {
      extras.nextVisit = .distantFuture
    } else {
      scheduleVisit(&extras, draw, now, shared)
    }
  }

  /// Whether a visit can still bring something to who opens no more tins: enough to withdraw, a cent for
  /// a card that is active or on its way, or chips to redeem.
  private static func hasReasonToLook(_ extras: MemberExtras, _ shared: CellRules) -> Bool {
    let wallet = extras.purse.wallet
    if wallet.balance >= shared.rules.wallet.minimumWithdrawal { return true }
    if shared.wallet.paysByCard, wallet.balance.microunits >= WalletBehaviour.centMicro,
      wallet.card == .active || extras.traits.step(after: wallet.card) != nil
    {
      return true
    }
    return shared.hasChips && shared.wallet.redeems(any: extras.purse.vault.count)
  }

  private mutating func useChips(
    _ row: MemberRow, _ extras: inout MemberExtras, _ draw: WalletVisit, _ member: UInt32,
    _ now: Instant, _ shared: CellRules
  ) {
    if draw.redeems {
      let wanted = shared.wallet.chipsToRedeem(of: extras.purse.vault.count)
      if journal.isOn { journal.add(now, member, .redeemChips(member: member, count: wanted)) }
      do {
        let worth = try extras.purse.redeemChips(
          wanted, shared.rules.chips, oldest: broadcast.oldestLot, &chips)
        if worth > .zero {
          tally.comps[row.account.standing.tier] &+= worth.microunits
          beside[UInt16(member - firstMember), default: 0] &+= worth.microunits
          tally.redemptions += 1
          harvest.redemptions.append(ChipRedemption(time: now, member: member, worth: worth))
          creditWallet(&extras, worth, .chipRedemption, member, now, shared)
        }
      } catch {
        tally.overflow.note()
      }
    }
    guard extras.traits.isVaulter else { return }
    if journal.isOn { journal.add(now, member, .vaultChips(member: member)) }
    extras.purse.vaultChips(&chips)
  }

  /// One step of the card funnel a visit: applied, then verified or refused, then active.
  private mutating func stepCard(
    _ extras: inout MemberExtras, _ member: UInt32, _ now: Instant
  ) {
    guard let next = extras.traits.step(after: extras.purse.wallet.card) else { return }
    if journal.isOn { journal.add(now, member, .moveCard(member: member, to: next)) }
    do {
      try extras.purse.wallet.moveCard(to: next)
    } catch { fatalError("the card funnel has no step to \(next): \(error)") }
    switch next {
    case .applied: tally.wallet.applied += 1
    case .verified: tally.wallet.verified += 1
    case .refused: tally.wallet.refused += 1
    case .active: tally.wallet.activated += 1
    case .none: break
    }
  }

  private mutating func withdraw(
    _ extras: inout MemberExtras, _ payment: WalletPayment, _ member: UInt32, _ now: Instant,
    _ shared: CellRules
  ) {
    guard let amount = try? shared.wallet.withdrawal(of: extras.purse.wallet.available) else {
      return
    }
    if journal.isOn { journal.add(now, member, .withdraw(member: member, amount: amount)) }
    // Too little to withdraw is a refusal like any other: nothing happens.
    guard (try? extras.purse.wallet.withdraw(amount, shared.rules.wallet)) != nil else { return }
    let failed = payment.withdrawalFails
    note(extras, .withdrawal, -amount.microunits, member, now, shared, failed: failed)
    if failed {
      if journal.isOn {
        journal.add(now, member, .reverseWithdrawal(member: member, amount: amount))
      }
      do {
        try extras.purse.wallet.reverseWithdrawal(amount)
      } catch { fatalError("what left a wallet does not fit back: \(error)") }
      tally.wallet.withdrawalsFailed += 1
      note(extras, .reversal, amount.microunits, member, now, shared)
      return
    }
    tally.wallet.withdrawals += 1
    walletTotal -= amount.microunits
    tally.overflow.add(amount.microunits, to: &tally.wallet.withdrawn)
  }

  private mutating func spend(
    _ extras: inout MemberExtras, _ payment: WalletPayment, _ member: UInt32, _ now: Instant,
    _ shared: CellRules
  ) {
    let amount = shared.wallet.spend(payment, of: extras.purse.wallet.available)
    if journal.isOn { journal.add(now, member, .payByCard(member: member, amount: amount)) }
    guard (try? extras.purse.wallet.spend(amount)) != nil else { return }
    tally.wallet.payments += 1
    walletTotal -= amount.microunits
    tally.overflow.add(amount.microunits, to: &tally.wallet.spent)
    note(extras, .cardPayment, -amount.microunits, member, now, shared)
  }

  /// Credits an award to a wallet, pending until its payout is confirmed.
  mutating func creditWallet(
    _ extras: inout MemberExtras, _ amount: MicroUSDT, _ kind: CreditKind,
    _ member: UInt32, _ now: Instant, _ shared: CellRules
  ) {
    guard amount > .zero else { return }
    do {
      try extras.purse.credit(amount)
    } catch {
      tally.overflow.note()
      return
    }
    tally.overflow.add(amount.microunits, to: &walletTotal)
    walletPending &+= amount.microunits
    note(extras, .credit(kind), amount.microunits, member, now, shared)
  }

  @inline(__always)
  private mutating func note(
    _ extras: MemberExtras, _ kind: TransactionNote.Kind, _ amount: Int64, _ member: UInt32,
    _ now: Instant, _ shared: CellRules, failed: Bool = false
  ) {
    guard shared.hasVisits, shared.wallet.isTraced(member) else { return }
    notes.append(
      TransactionNote(
        time: now, member: member, kind: kind, amount: amount,
        number: extras.purse.wallet.transactions, failed: failed))
  }

  /// Credits what the house awarded to a member's wallet, where there are wallets.
  ///
  /// Who has left and looks at the wallet no more learns of it at the window's end, and comes again.
  ///
  /// - Parameter end: That of the window in which it was awarded.
  mutating func award(
    _ amount: MicroUSDT, _ kind: CreditKind, to index: Int, at now: Instant, toldAt end: Instant
  ) {
    guard shared.hasExtras else { return }
    let member = firstMember + UInt32(index)
    creditWallet(&extras[index], amount, kind, member, now, shared)
    guard extras[index].looksNoMore, amount > .zero else { return }
    extras[index].looksNoMore = false
    let draw = shared.wallet.visit(member: member, index: extras[index].visits)
    scheduleVisit(&extras[index], draw, end, shared)
    plan(index)
  }

  /// Enters a trip into what a member was given; the other prizes are in the account.
  mutating func noteTrip(_ amount: MicroUSDT, to index: Int) {
    beside[UInt16(index), default: 0] &+= amount.microunits
  }

  /// Asks for the memory of a member's extras, where there are any.
  func askForExtras(_ index: Int) {
    if let extras = extras.baseAddress { ck_prefetch_far(extras + index) }
  }

  /// Makes a credit of a member's wallet available, where members look at their wallets.
  @inline(__always)
  mutating func release(_ amount: MicroUSDT, to index: Int) {
    guard shared.hasVisits else { return }
    extras[index].purse.wallet.release(amount)
    walletPending -= amount.microunits
  }
}
