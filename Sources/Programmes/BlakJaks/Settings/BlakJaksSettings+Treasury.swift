internal import Population
internal import Quantities
internal import RewardModel

extension BlakJaksSettings {
  static let treasury: [Setting<BlakJaksSettings>] = [
    .money(
      "rules.treasury.opening.member_wallet", \.rules.treasury.opening.memberWallet,
      .assumed("USDT", "What the member wallet holds at the start.")),
    .money(
      "rules.treasury.opening.affiliate_wallet", \.rules.treasury.opening.affiliateWallet,
      .assumed("USDT", "What the affiliate wallet holds at the start.")),
    .money(
      "rules.treasury.opening.wholesale_wallet", \.rules.treasury.opening.wholesaleWallet,
      .assumed("USDT", "What the wholesale wallet holds at the start.")),
    .money(
      "rules.treasury.opening.operating_bank", \.rules.treasury.opening.operatingBank,
      .assumed("USDT", "What the Operating account holds at the start.")),
    .money(
      "rules.treasury.opening.reserve_bank", \.rules.treasury.opening.reserveBank,
      .assumed("USDT", "What the Reserve account holds at the start.")),
    .money(
      "rules.treasury.opening.comp_pool_bank", \.rules.treasury.opening.compPoolBank,
      .assumed("USDT", "What the Comp Pool account holds at the start.")),
    .integer(
      "rules.treasury.cover_days", \.rules.treasury.coverDays, 0...366,
      .assumed("days", "Sweeps fill wallets up to what is owed and this many days' payouts.")),
    .money(
      "rules.treasury.float", \.rules.treasury.float,
      .assumed("USDT", "What sweeps leave in the Operating account, for refunds and shipping.")),
    .flag(
      "rules.treasury.operating_backs", \.rules.treasury.operatingBacks,
      .assumed(
        "",
        "Whether Operating makes up what the Comp Pool account is short of in a sweep; if not, the "
          + "account keeps what it has for casino comps until it can pay them.")),
    .money(
      "rules.treasury.tolerance", \.rules.treasury.tolerance,
      .given("USDT", "Largest difference of chain and ledger that is balanced.")),
    .flag(
      "rules.treasury.books_differences", \.rules.treasury.booksDifferences,
      .assumed("", "Whether a difference found one morning is booked on the next.")),
  ]

  static let pipeline: [Setting<BlakJaksSettings>] = [
    .duration(
      "rules.payouts.batch", \.rules.payouts.batch, .seconds(0) ... .days(1),
      .assumed("", "Awards are collected over this time; 0s pays each at once.")),
    .integer(
      "rules.payouts.batch_limit", \.rules.payouts.batchLimit, 1...1_000_000,
      .assumed("awards", "The most awards in one transaction.")),
    .integer(
      "rules.payouts.workers", \.rules.payouts.workers, 1...10_000,
      .assumed("workers", "Workers that submit transactions.")),
    .duration(
      "rules.payouts.service", \.rules.payouts.service, .seconds(0) ... .days(1),
      .assumed("", "Mean time that a worker takes to submit one, exponential.")),
    .duration(
      "rules.payouts.confirmation", \.rules.payouts.confirmation, .seconds(0) ... .days(30),
      .assumed("", "Mean time from submission to confirmation, exponential.")),
    .fraction(
      "rules.payouts.failure", \.rules.payouts.failure,
      .assumed("of attempts", "Attempts that fail.")),
    .integer(
      "rules.payouts.retries", \.rules.payouts.retries, 0...20,
      .assumed("retries", "Attempts after the first before a person has to step in.")),
    .duration(
      "rules.payouts.backoff", \.rules.payouts.backoff, .seconds(0) ... .hours(1),
      .assumed("", "Wait before the first retry; each further one is twice as long.")),
    .money(
      "rules.payouts.gas", \.rules.payouts.gas,
      .assumed("USDT", "Network fee of one transaction on the chain.")),
    .duration(
      "rules.payouts.review", \.rules.payouts.review, .seconds(0) ... .days(366),
      .assumed("", "How long until a person submits a failed payout again; 0s is never.")),
  ]

  static let faults: [Setting<BlakJaksSettings>] = [
    .fraction(
      "faults.chain.unbooked_fee", \.faults.chain.unbookedFee,
      .assumed("of payouts", "The network takes a fee that nobody books.")),
    .money(
      "faults.chain.extra_fee", \.faults.chain.extraFee, .assumed("USDT", "That fee.")),
    .fraction(
      "faults.chain.failed", \.faults.chain.failed,
      .assumed("of payouts", "Booked as paid, but reverted on the chain.")),
    .fraction(
      "faults.chain.duplicated", \.faults.chain.duplicated,
      .assumed("of payouts", "Executed twice on the chain.")),
    .fraction(
      "faults.chain.late", \.faults.chain.late,
      .assumed("of payouts", "Executed later than booked.")),
    .duration(
      "faults.chain.late_by", \.faults.chain.lateBy, .seconds(0) ... .days(30),
      .assumed("", "By how much later.")),
    .fraction(
      "faults.payouts.lost_response", \.faults.payouts.lostResponse,
      .assumed("of attempts", "Attempts that went through and are repeated all the same.")),
    .records(
      "faults.payouts.outages", \.faults.payouts.outages,
      blank: PayoutOutage(date: CivilDate(dayNumber: 0)), fields: outageFields, count: 0...100,
      .assumed("", "Times in which attempts to submit a payout wait for their end, or fail.")),
  ]

  static let outageFields: [Setting<PayoutOutage>] = [
    .date("date", \.date, .assumed("", "The local date on which it begins.")).needed,
    .integer("hour", \.hour, 0...23, .assumed("", "The local hour at which it begins.")),
    .duration("lasts", \.lasts, .seconds(1) ... .days(366), .assumed("", "How long it lasts.")),
    .choice("kind", \.kind, .assumed("", "Whether workers halt or attempts are rejected.")),
  ]
}
