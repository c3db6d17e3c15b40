internal import Quantities
internal import RewardModel

/// Requests and answers in words.
enum Story {
  /// A member's number as people count, from 1 on.
  static func number(_ member: UInt32) -> UInt64 { UInt64(member) + 1 }

  /// What was asked and what came of it.
  static func line(
    _ request: ProgrammeRequest, _ answer: ProgrammeAnswer, _ prizes: [Prize]
  ) -> String {
    "\(words(request)): \(words(answer, prizes))"
  }

  private static func words(_ request: ProgrammeRequest) -> String {
    let who = request.member.map { "member \(number($0))" } ?? "somebody"
    return switch request {
    case .signUp: "\(who) signs up"
    case .refer(_, let affiliate): "\(who) counts for member \(number(affiliate))"
    case .settleGuarantee: "\(who)'s guarantee is due"
    case .printTins(let run, let count): "run \(run) has printed \(count) tins"
    case .scan(_, let code): "\(who) submits \(code.prefix(40))"
    case .scanTin: "\(who) scans a tin"
    case .sell(let tins): tins < 0 ? "\(tins.magnitude) tins come back" : "\(tins) tins are sold"
    case .orderWholesale(let account, let tins): "account \(number(account)) orders \(tins) tins"
    case .addToCart(_, let sku, let tins): "\(who) puts \(tins) of \(sku) into the cart"
    case .updateCart(_, let sku, let tins): "\(who) makes it \(tins) of \(sku)"
    case .removeFromCart(_, let sku): "\(who) takes \(sku) out of the cart"
    case .orderCart(_, let number): "\(who) orders the cart as order \(number)"
    case .placeOrder(_, let number, let tins): "\(who) orders \(tins) tins as order \(number)"
    case .moveOrder(_, let number, let next): "\(who)'s order \(number) becomes \(next.key)"
    case .vaultChips: "\(who) vaults all chips"
    case .redeemChips(_, let count): "\(who) redeems \(count) chips"
    case .withdraw(_, let amount): "\(who) withdraws \(amount)"
    case .reverseWithdrawal(_, let amount): "\(who) gets a withdrawal of \(amount) back"
    case .payByCard(_, let amount): "\(who) pays \(amount) by card"
    case .moveCard(_, let next): "\(who)'s card becomes \(next.key)"
    case .post(let member, let channel, _):
      "\(member == nil ? "the program" : who) writes in \(channel)"
    case .startStream: "a stream begins"
    case .endStream: "the stream ends"
    case .turnDay: "midnight"
    case .openMorning: "the morning begins"
    case .reconcile(let chain): "the chain shows \(chain.map { "\($0)" }.joined(separator: ", "))"
    case .payout(let step): "payout \(words(step))"
    }
  }

  private static func words(_ step: PayoutStep) -> String {
    switch step {
    case .batch: "batch"
    case .begin(let slot): "\(slot) is submitted"
    case .reject(let slot): "\(slot) fails"
    case .confirm(let slot): "\(slot) is confirmed"
    case .resubmit(let slot): "\(slot) is submitted anew"
    case .repeated(let slot): "\(slot) is repeated"
    case .forget(let slot): "\(slot) is forgotten"
    }
  }

  private static func words(_ answer: ProgrammeAnswer, _ prizes: [Prize]) -> String {
    switch answer {
    case .done: "done"
    case .scan(let scan):
      ([scan.outcome.key]
        + (scan.outcome == .accepted ? ["earns \(scan.earned)", scan.progress.tier.name] : [])
        + scan.milestones.map { "wins \($0.prize) number \($0.dueScan)" })
        .joined(separator: ", ")
    case .amount(let amount): "\(amount)"
    case .order(let amounts), .cartOrder(let amounts, _):
      "\(amounts.tins) tins for \(amounts.total)"
    case .message(let number): "message \(number)"
    case .stream(let stream): "stream \(stream.number)"
    case .transfers(let list):
      list.isEmpty
        ? "nothing moves on the chain"
        : list.map { "\($0.wallet.key) \($0.amount)" }.joined(separator: ", ")
    case .payout(let reply):
      switch reply {
      case .done: "done"
      case .batched(let slots): slots.isEmpty ? "nothing" : "payouts \(slots)"
      case .began(let hasMoney): hasMoney ? "on its way" : "waits for money"
      case .retries(let wait?): "again after \(SettingValue.duration(wait).text)"
      case .retries(nil): "given up"
      }
    case .refused(let refusal): "refused, \(refusal.sentence)"
    }
  }

  /// What moved in the ledger, account by account.
  static func money(from before: Ledger, to after: Ledger) -> String {
    var changes: [String] = []
    after.forEachChange(since: before) { place, change in
      let account = LedgerAccount.allCases[place]
      changes.append("\(account.key) \(change > 0 ? "+" : "")\(MicroUSDT(microunits: change))")
    }
    return changes.joined(separator: ", ")
  }
}
