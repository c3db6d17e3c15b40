import BlakJaks
import Quantities
import RewardModel
import Testing

/// A program that commits a journal, with a recount beside it.
struct Recounted {
  private(set) var state: ProgrammeState
  let recount: Recount

  /// - Parameters:
  ///   - rules: By which the program answers.
  ///   - others: By which its journal is recounted; nil for the same rules.
  init(
    _ rules: ProgrammeRules, recountedBy others: ProgrammeRules? = nil, firstDate: CivilDate,
    codes: CodeBook, draws: any DrawSource
  ) throws {
    state = try ProgrammeState(rules: rules, firstDate: firstDate, codes: codes, draws: draws)
    recount = Recount(rules: others ?? rules, firstDate: firstDate, codes: codes, draws: draws)
  }

  /// Commits a request and recounts it; at a midnight the whole state is compared.
  ///
  /// - Parameters:
  ///   - deed: What happens to the state after the request, of which the recount does not hear.
  ///   - told: The answer that the recount is told; nil where it does not hear of the request.
  /// - Throws: `RecountFailure` with the first promise that is broken.
  mutating func take(
    _ request: ProgrammeRequest, at time: Instant,
    deed: (inout ProgrammeState) throws -> Void = { _ in },
    told: (ProgrammeAnswer, ProgrammeState) throws -> ProgrammeAnswer?
  ) throws {
    let answer = try state.commit(request, at: time)
    try deed(&state)
    guard let heard = try told(answer, state) else { return }
    try recount.take(request, at: time, answer: heard, state)
    if request == .turnDay { try recount.compare(state, at: time) }
  }
}

/// Five days of a small program, from a Thursday over a month's end to Monday's midnight: as little
/// as gives each promise something to hold.
///
/// Member 0 is the affiliate of member 1; member 2 lives where rewards are banned. The small prize
/// goes to member 1's third scan and to member 0's second. After member 0's first scan the other
/// prize is drawn, which only member 1 may win.
struct RecountCourse {
  /// A request with its instant.
  struct Entry: Sendable {
    var time: Instant
    var request: ProgrammeRequest
    /// How many equal requests came before it.
    var earlier: Int
  }

  /// The first of those who may be drawn wins.
  struct FirstWins: DrawSource {
    func place(of prize: Prize, dueScan: Int64, below total: UInt64) -> UInt64 { 0 }
  }

  /// An answer that the course does not go on from.
  struct Unexpected: Error { var answer: ProgrammeAnswer }

  static let firstDate = CivilDate(year: 2026, month: 1, day: 29)
  static let codes = CodeBook(key: 1)
  /// Where what the wholesale account has won is paid, on the second day.
  static let wholesaleSlot = 3

  static var rules: ProgrammeRules {
    var rules = ProgrammeRules()
    rules.prizes = [
      Prize(name: "Small", kind: .crypto, amount: .whole(3), every: 3, requiredTier: .standard),
      Prize(
        name: "Drawn", kind: .casino, amount: .whole(1), every: 5, requiredTier: .vip,
        allocation: .draw),
    ]
    rules.tiers.vip = 3
    rules.tiers.floorVip = 4
    rules.guarantee.amount = .whole(10)
    rules.guarantee.afterDays = 3
    rules.guarantee.minimumScans = 2
    rules.chips.enabled = true
    rules.wallet.minimumWithdrawal = MicroUSDT(microunits: 1)
    rules.wholesale.accounts = 1
    rules.wholesale.compEvery = 20
    rules.wholesale.compAmount = .whole(2)
    rules.social.loungeTier = .vip
    rules.bans = [StateBan(state: rules.states[0].code, date: firstDate)]
    return rules
  }

  /// The requests of the five days, under some rules.
  static func journal(_ rules: ProgrammeRules) throws -> [Entry] {
    var course = try RecountCourse(rules)
    try course.run()
    return course.entries
  }

  private var entries: [Entry] = []
  private let calendar: ProgrammeCalendar
  private var state: ProgrammeState
  private var time: Instant
  /// Payouts for which the money was lacking; each noon asks for them again.
  private var waiting: [Int] = []

  private init(_ rules: ProgrammeRules) throws {
    calendar = try ProgrammeCalendar(
      zone: "America/New_York", firstDate: Self.firstDate, days: 5)
    time = calendar.start
    state = try ProgrammeState(
      rules: rules, firstDate: Self.firstDate, codes: Self.codes, draws: FirstWins())
  }

  @discardableResult
  private mutating func ask(_ request: ProgrammeRequest) throws -> ProgrammeAnswer {
    let earlier = entries.count { $0.request == request }
    entries.append(Entry(time: time, request: request, earlier: earlier))
    defer { time = time + .seconds(1) }
    return try state.commit(request, at: time)
  }

  private mutating func run() throws {
    for (day, morning) in ProgrammeRules.mornings(calendar).enumerated() {
      time = morning
      try ask(.openMorning)
      try ask(.reconcile(chain: chain(isOff: day == 2)))
      time = morning + .hours(7)
      for slot in waiting { _ = try begin(slot) }
      switch day {
      case 0: try scanAndBuy()
      case 1:
        try payOut()
        try ask(.withdraw(member: 1, amount: MicroUSDT(microunits: 100_000)))
      case 2: try ask(.redeemChips(member: 0, count: 1))
      case 3: for member in UInt32(0)...2 { try ask(.settleGuarantee(member: member)) }
      default: try payOut()
      }
      time = calendar.dayStarts[day + 1]
      try ask(.turnDay)
    }
  }

  private mutating func scanAndBuy() throws {
    try ask(.signUp(member: 0, state: nil))
    try ask(.signUp(member: 1, state: nil))
    try ask(.signUp(member: 2, state: 0))
    try ask(.refer(member: 1, affiliate: 0))
    try ask(.printTins(run: 0, through: 20))
    try ask(.sell(tins: 20))
    try ask(.orderWholesale(account: 0, tins: 25))
    // The third claims a tin once more.
    let scans: [(member: UInt32, tins: Range<UInt64>)] = [
      (2, 0..<1), (1, 0..<4), (1, 0..<1), (0, 4..<6),
    ]
    for (member, tins) in scans {
      for tin in tins {
        try ask(.scan(member: member, code: Self.codes.code(ofSerial: tin).text))
      }
    }
    try ask(.post(member: 1, channel: "lounge/vip-chat", text: "Hello"))
    try ask(.startStream(title: "Friday"))
    try ask(.placeOrder(member: 1, number: 1, tins: 2))
    try ask(.moveOrder(member: 1, number: 1, to: .shipped))
    try ask(.vaultChips(member: 1))
  }

  /// Pays what was promised; the last transaction at the second attempt.
  private mutating func payOut() throws {
    let answer = try ask(.payout(.batch(origin: calendar.start)))
    guard case .payout(.batched(let slots)) = answer else { throw Unexpected(answer: answer) }
    for slot in slots {
      guard try begin(slot) else {
        waiting.append(slot)
        continue
      }
      if slot == slots.last {
        try ask(.payout(.reject(slot: slot)))
        _ = try begin(slot)
      }
      try ask(.payout(.confirm(slot: slot)))
      try ask(.payout(.forget(slot: slot)))
    }
  }

  private mutating func begin(_ slot: Int) throws -> Bool {
    try ask(.payout(.begin(slot: slot))) == .payout(.began(true))
  }

  /// What the wallets hold by the ledger; half of the tolerance more in the first where it is off.
  private func chain(isOff: Bool) -> [MicroUSDT] {
    Treasury.wallets.map { wallet in
      let held = state.programme.books.holding(wallet).microunits
      let isHere = isOff && wallet == .memberWallet
      return MicroUSDT(microunits: held + (isHere ? 5_000_000 : 0))
    }
  }
}
