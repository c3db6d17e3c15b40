// Goal: each promise that a recount holds the program to can be broken, and is then the one that is
// named.
// Method: one short journal keeps every promise. For each promise there is at least one tampering:
// the program goes by another number than the rules say, does something that nobody asked for, or
// is said to have answered otherwise; a request is left out or made twice. All else is as it was.
import BlakJaks
import Quantities
import RewardModel
import Testing

@Suite struct RecountLawTests {
  /// Promises that no tampering can break first, each with the reason.
  private static let unreachable: [RecountLaw: String] = [:]

  /// Commits the journal of the tampering's setting, and answers the promise that is found broken
  /// first; nil where all are kept.
  private func broken(_ tampering: Tampering, isTampered: Bool) throws -> RecountLaw? {
    var rules = RecountCourse.rules
    tampering.setting(&rules)
    let journal = try RecountCourse.journal(rules)
    var (program, recount) = (rules, rules)
    if isTampered {
      tampering.program(&program)
      tampering.recount(&recount)
    }
    var course = try Recounted(
      program, recountedBy: recount, firstDate: RecountCourse.firstDate, codes: RecountCourse.codes,
      draws: RecountCourse.FirstWins())
    do {
      for entry in journal {
        for _ in 0..<(isTampered ? tampering.times(entry) : 1) {
          try course.take(
            entry.request, at: entry.time,
            deed: { state in if isTampered { try tampering.deed(&state, entry) } },
            told: { isTampered ? try tampering.told(entry, $0, $1) : $0 })
        }
      }
    } catch let failure as RecountFailure {
      #expect(!failure.facts.isEmpty)
      return failure.law
    }
    return nil
  }

  @Test("A breach is found and named by the promise that is broken", arguments: Tampering.all)
  func named(tampering: Tampering) throws {
    #expect(try broken(tampering, isTampered: false) == nil, "without the tampering")
    #expect(try broken(tampering, isTampered: true) == tampering.law)
  }

  @Test("Each promise has a breach that names it, or a reason why it has none")
  func complete() {
    let named = Set(Tampering.all.map(\.law))
    for law in RecountLaw.allCases {
      #expect(
        named.contains(law) != (Self.unreachable[law] != nil), "\(law) (\(law.rawValue))")
    }
  }
}

/// One thing that is wrong with a program or with its journal, and the promise that this breaks.
struct Tampering: Sendable, CustomTestStringConvertible {
  typealias Entry = RecountCourse.Entry
  typealias Edit = @Sendable (inout ProgrammeRules) -> Void

  let law: RecountLaw
  let testDescription: String
  /// Changes the rules by which the journal comes about, without a breach.
  var setting: Edit = { _ in }
  /// Changes the rules by which the program answers.
  var program: Edit = { _ in }
  /// Changes the rules by which the journal is recounted.
  var recount: Edit = { _ in }
  /// How often a request is made.
  var times: @Sendable (Entry) -> Int = { _ in 1 }
  /// What happens to the state after a request, of which the recount does not hear.
  var deed: @Sendable (inout ProgrammeState, Entry) throws -> Void = { _, _ in }
  /// What the recount is told for an answer; nil where it does not hear of the request.
  var told: @Sendable (Entry, ProgrammeAnswer, ProgrammeState) throws -> ProgrammeAnswer? = {
    _, answer, _ in answer
  }

  static let all = ofScans + ofMembers + ofPartners + ofMoney + ofPayouts + ofCalendar
}

// MARK: - Ways to tamper

extension Tampering {
  /// The program goes by another number than the rules say.
  private static func program(
    _ law: RecountLaw, _ what: String, in setting: @escaping Edit = { _ in }, _ edit: @escaping Edit
  ) -> Tampering {
    Tampering(law: law, testDescription: what, setting: setting, program: edit)
  }

  /// The first midnight books a microunit from one account to another.
  private static func posting(
    _ law: RecountLaw, _ what: String, _ debit: LedgerAccount, _ credit: LedgerAccount
  ) -> Tampering {
    books(law, what, after: .turnDay, 1) { (books, _) throws(MoneyError) in
      try books.payOut { (_, ledger) throws(MoneyError) in
        try ledger.post(MicroUSDT(microunits: 1), from: debit, to: credit)
      }
    }
  }

  /// After the n-th of equal requests something happens to the books that nobody asked for.
  private static func books(
    _ law: RecountLaw, _ what: String, after request: ProgrammeRequest, _ number: Int,
    _ deed: @escaping @Sendable (inout ProgrammeBooks, Instant) throws(MoneyError) -> Void
  ) -> Tampering {
    Tampering(
      law: law, testDescription: what,
      deed: { state, entry in
        guard entry.request == request, entry.earlier == number - 1 else { return }
        try state.withBooks { (books) throws(MoneyError) in try deed(&books, entry.time) }
      })
  }

  /// A request is made another number of times.
  private static func asked(
    _ law: RecountLaw, _ what: String, in setting: @escaping Edit = { _ in },
    _ times: @escaping @Sendable (Entry) -> Int
  ) -> Tampering {
    Tampering(law: law, testDescription: what, setting: setting, times: times)
  }

  /// The recount is told another answer, or nil, nothing.
  private static func told(
    _ law: RecountLaw, _ what: String,
    _ told: @escaping @Sendable (Entry, ProgrammeAnswer, ProgrammeState) throws -> ProgrammeAnswer?
  ) -> Tampering {
    Tampering(law: law, testDescription: what, told: told)
  }

  /// Whatever is spent is too much.
  private static func critical(_ rules: inout ProgrammeRules) {
    rules.health.warning = BasisPoints(1)
    rules.health.critical = BasisPoints(1)
  }
}

// MARK: - The table

extension Tampering {
  private static let ofScans: [Tampering] = [
    told(.answers, "a sign-up is refused though it was not") { entry, answer, _ in
      if case .signUp(let member, _) = entry.request { return .refused(.alreadySignedUp(member)) }
      return answer
    },
    told(.answers, "a reward has no id") { _, answer, state in
      guard case .scan(let scan) = answer, scan.outcome == .accepted else { return answer }
      return .scan(
        try ScanAnswer(
          .accepted, product: scan.product, standing: state.members.account(of: 1).standing,
          rules: state.rules, reward: scan.earned))
    },
    told(.codesOnce, "a code that was redeemed is accepted once more") { entry, answer, state in
      guard case .scan(let member?, _) = entry.request, entry.earlier == 1 else { return answer }
      return .scan(
        try ScanAnswer(
          .accepted, product: nil, standing: state.members.account(of: member).standing,
          rules: state.rules, reward: .zero))
    },
    told(.scansGapless, "a scan has a number and no request") { entry, answer, _ in
      if case .scan(.some(0), _) = entry.request { nil } else { answer }
    },
    books(.scansGapless, "a scan is counted without a number", after: .turnDay, 1) {
      (books, _) throws(MoneyError) in try books.count(scans: 1)
    },
    program(.rewards, "the base is higher") { $0.scanReward.base = .whole(1) },
    program(.rewards, "a VIP's scan pays more") {
      $0.scanReward.multiplier.vip = BasisPoints(13_000)
    },
    program(.tiers, "VIP takes one scan more") { $0.tiers.vip = 4 },
    program(.prizesInOrder, "a prize is due a scan later") { $0.prizes[0].every = 4 },
    program(.prizesToTier, "a prize goes to a member below its tier") {
      $0.prizes[1].requiredTier = .standard
    },
    program(.suspension, "a member who is banned earns") { $0.bans = [] },
  ]

  private static let ofMembers: [Tampering] = [
    program(.comps, "a prize counts for no guarantee") { $0.prizes[1].kind = .trip },
    program(.guaranteeOnce, "a guarantee pays more") { $0.guarantee.amount = .whole(11) },
    asked(.guaranteeNotMissing, "nobody looks at the guarantees") { entry in
      if case .settleGuarantee = entry.request { 0 } else { 1 }
    },
    program(.wallets, "a withdrawal is refused for its amount") {
      $0.wallet.minimumWithdrawal = .whole(5)
    },
    told(.wallets, "a withdrawal has no request") { entry, answer, _ in
      if case .withdraw = entry.request { nil } else { answer }
    },
    program(.vaults, "a scan gives two chips") { $0.chips.perScan = 2 },
    program(.vaults, "a chip is worth more") { $0.chips.value = .whole(1) },
    told(.orders, "an order that shipped is refused") { entry, answer, _ in
      if case .moveOrder = entry.request { return .refused(.text) }
      return answer
    },
    told(.answers, "a stream has another number") { entry, answer, _ in
      guard case .startStream = entry.request, case .stream(var stream) = answer else {
        return answer
      }
      stream.number += 1
      return .stream(stream)
    },
    told(.channels, "a stream has no request") { entry, answer, _ in
      if case .startStream = entry.request { nil } else { answer }
    },
    program(.channels, "the lounge is closed to a VIP") { $0.social.loungeTier = .highRoller },
  ]

  private static let ofPartners: [Tampering] = [
    program(.floors, "a floor takes one scan more") { $0.tiers.floorVip = 5 },
    program(.match, "a match is a smaller share") { $0.affiliates.match = BasisPoints(2_000) },
    program(.affiliateChips, "a referred scan gives two chips") { $0.affiliates.chipsPerScan = 2 },
    // The fifth morning is Monday's.
    books(.poolShares, "a weekly pool is shared again", after: .openMorning, 5) {
      (books, time) throws(MoneyError) in _ = try books.payWeeklyPool(at: time)
    },
    program(.wholesale, "an account's chips take fewer tins") { $0.wholesale.tinsPerChip = 5 },
    program(.sunset, "the doors close at one scan") {
      $0.sunset.threshold = 1
      $0.sunset.checks = 1
    },
  ]

  private static let ofMoney: [Tampering] = [
    program(.poolAccrual, "a pool has a larger share") {
      $0.compPool.wholesaleShare = BasisPoints(300)
    },
    posting(.poolAccrual, "a pool pays another", .compPool, .operating),
    program(.budget, "a month has its warning at once") { $0.health.warning = BasisPoints(1) },
    program(
      .guardPolicy, "prizes do not wait while the budget is critical",
      in: {
        critical(&$0)
        $0.guardPolicy.policy = .deferMilestones
      }, { $0.guardPolicy.policy = .none }),
    program(
      .guardPolicy, "the guard leaves more of a reward",
      in: {
        critical(&$0)
        $0.guardPolicy.policy = .scaleScanReward
      }, { $0.guardPolicy.factor = BasisPoints(6_000) }),
    // Nobody gets that far.
    program(.guardPolicy, "a Whale's scan earns more") {
      $0.scanReward.multiplier.whale = BasisPoints(25_000)
    },
    posting(.expenses, "a match is booked as a pool", .expenseMatch, .expensePool),
    posting(.payables, "a member's debt becomes an affiliate's", .memberPayable, .affiliatePayable),
    program(.treasuries, "a transaction costs more gas") {
      $0.payouts.gas = MicroUSDT(microunits: 20_000)
    },
    posting(.treasuries, "a bank pays another", .bankReserve, .bankOperating),
    // Both agree, so that no other promise is broken.
    Tampering(
      law: .banksAtZero, testDescription: "a bank begins below zero",
      program: { $0.treasury.opening.reserveBank = MicroUSDT(microunits: -1) },
      recount: { $0.treasury.opening.reserveBank = MicroUSDT(microunits: -1) }),
    program(.shopMoney, "an order's shipping is cheaper") {
      $0.shop.shipping = MicroUSDT(microunits: 1_990_000)
    },
    posting(.shopMoney, "sales tax is kept", .salesTax, .shippingIncome),
    program(.reconciliation, "a small difference alerts") { $0.treasury.tolerance = .whole(1) },
    posting(
      .reconciliation, "a difference is booked that was not there", .equity, .chainDifference),
  ]

  private static let ofPayouts: [Tampering] = [
    told(.paidOnce, "a payout is given out twice") { _, answer, _ in
      guard case .payout(.batched(let slots)) = answer else { return answer }
      return .payout(.batched(slots: slots + slots))
    },
    books(.paidOnce, "an award is promised twice", after: .openMorning, 2) {
      (books, time) throws(MoneyError) in
      try books.payOut { (desk, _) throws(MoneyError) in
        try desk.award(.match, AwardRun(Award(to: 0, .whole(1), at: time)))
      }
    },
    program(.payoutStates, "a payout waits longer for its next attempt") {
      $0.payouts.backoff = .minutes(1)
    },
    told(.payoutStates, "a confirmed payout has begun") { entry, answer, _ in
      if case .payout(.confirm) = entry.request { .payout(.began(true)) } else { answer }
    },
    told(.payoutStates, "a payout is paid without a confirmation") { entry, answer, _ in
      if case .payout(.confirm) = entry.request { nil } else { answer }
    },
    asked(
      .waiting, "a payout that waits for money is not tried again",
      in: {
        $0.treasury.opening.wholesaleWallet = .zero
        $0.treasury.opening.operatingBank = .zero
      },
      { entry in
        let isRetry =
          entry.request == .payout(.begin(slot: RecountCourse.wholesaleSlot)) && entry.earlier > 0
        return isRetry ? 0 : 1
      }),
  ]

  private static let ofCalendar: [Tampering] = [
    asked(.calendar, "a day has no morning") {
      $0.request == .openMorning && $0.earlier == 0 ? 0 : 1
    },
    asked(.calendar, "a day has two mornings") {
      $0.request == .openMorning && $0.earlier == 0 ? 2 : 1
    },
  ]
}
