internal import Quantities
internal import RewardModel

extension BlakJaksFaults {
  /// Which rare cases show that a kind of fault happened.
  static let evidence: [String: [String]] = [
    "payout_fails": ["payout_rejected"],
    "payout_answer_lost": ["payout_repeated"],
    "refunds": ["order_taken_back"],
    "bans": ["suspended_scan", "match_of_suspended"],
    "prize_bursts": ["several_prizes_on_one_scan"],
    "short_banks": ["payout_waits_for_funds", "bank_topped_up", "shop_debt_waits"],
    "small_batches": ["batch_full"],
    "guard": ["guard_steps_in"],
    "early_guarantees": ["guarantee"],
    "early_floors": ["floor_reached"],
    "sunset": ["sunset"],
    "affiliate_chips": ["affiliate_chips_expired"],
    "long_run": ["second_quarter_turn"],
    "chips": ["bonus_chip", "chip_expired", "chips_redeemed"],
    "banned_vaults": ["bonus_of_banned"],
    "wholesale": ["wholesale_comp"],
  ]

  /// Reports of a payout's step that come again, and so must change nothing.
  static func echoes(of step: PayoutStep) -> [PayoutStep] {
    switch step {
    case .confirm(let slot): [step, .repeated(slot: slot), .begin(slot: slot), .reject(slot: slot)]
    case .begin, .reject, .resubmit, .batch, .repeated: [step]
    case .forget(let slot): [step, .confirm(slot: slot)]
    }
  }

  /// Requests at the end of what can be written; each is answered or refused.
  static func extremes(_ member: UInt32) -> [ProgrammeRequest] {
    let sku = Catalogue.products[0].sku
    return [
      .withdraw(member: member, amount: MicroUSDT(microunits: .max)),
      .withdraw(member: member, amount: MicroUSDT(microunits: .min)),
      .payByCard(member: member, amount: MicroUSDT(microunits: .max)),
      .redeemChips(member: member, count: .max), .addToCart(member: member, sku: sku, tins: .max),
      .addToCart(member: member, sku: sku, tins: 999),
      .updateCart(member: member, sku: sku, tins: .min),
      .removeFromCart(member: member, sku: "\u{0}"),
      .placeOrder(member: member, number: .max, tins: 0),
      .moveOrder(member: member, number: .max, to: .refunded),
      .orderWholesale(account: .max, tins: 1), .orderWholesale(account: 0, tins: .min),
      .refer(member: member, affiliate: .max), .settleGuarantee(member: .max),
      .signUp(member: member, state: 0), .scan(member: member, code: ""),
      .scan(member: member, code: String(repeating: "A", count: 10_000)),
      .scan(member: member, code: "ＡAAA-AAAA-AAAA"), .scan(member: .max, code: "AAAA-AAAA-AAAA"),
      .post(member: member, channel: "", text: " "),
      .post(member: member, channel: "general/announcements", text: "Hello"),
      .post(member: member, channel: "lounge/vip-chat", text: "Hello"),
      .post(
        member: member, channel: "general/general-chat", text: String(repeating: "é", count: 2_000)),
      .post(
        member: member, channel: "general/general-chat", text: String(repeating: "é", count: 2_001)),
      .payout(.confirm(slot: .max)), .payout(.begin(slot: .min)),
    ]
  }

  /// Requests with amounts and counts at the ends of 64 bits: each is refused in words, or leaves the books in
  /// order.
  static func probes(_ state: ProgrammeState) -> [ProgrammeRequest] {
    let most = MicroUSDT(microunits: .max)
    return [
      .sell(tins: .max), .sell(tins: .min), .orderWholesale(account: 0, tins: .max),
      .placeOrder(member: 0, number: .max, tins: .max), .reverseWithdrawal(member: 0, amount: most),
      .reconcile(chain: [most, most, most]),
      .reconcile(chain: Treasury.wallets.map { _ in MicroUSDT(microunits: .min) }),
    ]
  }
}
