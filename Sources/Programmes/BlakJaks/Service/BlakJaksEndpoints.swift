internal import Documents
package import Quantities
package import RewardModel

extension BlakJaksMachine {
  package static let tables = ServiceRows.tables

  package static let joinFields = [
    ServedField(
      "state", .text(most: 2), isOptional: true, "Where the member lives, as two letters"),
    ServedField(
      "referral_code", .text(most: 16), isOptional: true, "The id of the member who referred them"),
  ]

  package static let endpoints: [Endpoint<BlakJaksMachine>] = [
    Endpoint(
      .post, "/scans/submit", "Submit the code on a tin",
      fields: [ServedField("code", .text(most: 64), "As it is printed: XXXX-XXXX-XXXX")],
      .submit { call, _ throws(ServedRefusal) in
        Request(.scan(member: try call.who(), code: call.text("code") ?? ""))
      }),
    Endpoint(
      .get, "/scans/recent", "The member's last accepted scans",
      .list(list("scans", .scan, of: "member", by: "number"))),
    Endpoint(
      .get, "/users/me", "The member's standing",
      .ask { call, machine throws(ServedRefusal) in machine.standing(try call.who()) }),
    Endpoint(
      .get, "/users/me/stats", "The member's scans and comps",
      .ask { call, machine throws(ServedRefusal) in machine.stats(try call.who()) }),
    Endpoint(
      .get, "/users/me/wallet", "What the member's wallet holds",
      .ask { call, machine throws(ServedRefusal) in machine.wallet(try call.who()) }),
    Endpoint(
      .get, "/users/me/comps", "What the member was awarded",
      .list(list("awards", .award, of: "receiver", by: "place"))),
    Endpoint(
      .get, "/transactions", "Withdrawals, reversals and card payments of the member",
      .list(list("transactions", .movement, of: "member", by: "number"))),
    Endpoint(
      .post, "/wallet/withdraw", "Withdraw from what is available",
      fields: [ServedField("amount", .money(most: limit), "In USDT")],
      .submit { call, _ throws(ServedRefusal) in
        let amount = MicroUSDT(microunits: call.whole("amount") ?? 0)
        return Request(.withdraw(member: try call.who(), amount: amount))
      }),
    Endpoint(
      .get, "/shop/products", "What the shop sells", access: .anyone,
      .ask { _, machine in machine.products() }),
    Endpoint(
      .post, "/tax/estimate", "What an order would cost", fields: [tins],
      .ask { call, machine throws(ServedRefusal) in try machine.estimate(call) }),
    Endpoint(
      .post, "/orders/create", "Order tins and pay for them", fields: [tins],
      .submit { call, machine throws(ServedRefusal) in
        let member = try call.who()
        return Request(
          .placeOrder(
            member: member, number: machine.state.nextOrder(of: member),
            tins: call.whole("tins") ?? 0))
      }),
    Endpoint(
      .get, "/users/me/orders", "The member's orders",
      .list(list("orders", .order, of: "member", by: "number"))),
    Endpoint(
      .get, "/affiliate/stats", "What the member's referrals brought",
      .ask { call, machine throws(ServedRefusal) in machine.affiliate(try call.who()) }),
    Endpoint(
      .get, "/insights/overview", "The program as anybody may see it", access: .anyone,
      .ask { _, machine in machine.overview() }),
    Endpoint(
      .get, "/insights/treasury", "Wallets, bank accounts and payouts", access: .anyone,
      .ask { _, machine in machine.treasury() }),
    Endpoint(
      .post, "/admin/members", "Sign up members who have no password, for trials",
      access: .administrator, fields: [ServedField("count", .whole(1...1_000), "How many")],
      .submit { call, machine in
        let first = machine.nextMember
        let count = UInt32(call.whole("count") ?? 0)
        return Request(
          steps: (first..<(first + count)).map { .signUp(member: $0, state: nil) }, isBulk: true)
      }),
    Endpoint(
      .get, "/admin/members", "How many members there are", access: .administrator,
      .ask { _, machine in .line([("members", .integer(machine.nextMember))]) }),
    Endpoint(
      .post, "/admin/tins", "Print tins", access: .administrator,
      fields: [ServedField("count", .whole(1...100_000), "How many")],
      .submit { call, machine in
        let count = machine.state.printed(run: 0) + UInt64(call.whole("count") ?? 0)
        return Request(.printTins(run: 0, through: count))
      }),
    Endpoint(
      .get, "/admin/tins", "Codes of printed tins", access: .administrator,
      fields: [
        ServedField("from", .whole(0...(1 << 36)), "The first, counted from 0"),
        ServedField("count", .whole(1...10_000), "How many at most"),
      ], .ask { call, machine in machine.printedCodes(call) }),
    Endpoint(
      .post, "/admin/orders/{member}/{number}/{status}", "Move an order on its way",
      access: .administrator,
      .submit { call, _ throws(ServedRefusal) in
        guard let member = call.path["member"].flatMap({ UInt32($0) }),
          let number = call.path["number"].flatMap({ UInt32($0) }),
          let status = OrderStatus.allCases.first(where: { $0.key == call.path["status"] })
        else { throw ServedRefusal(404, "not found", "no order or status is named so") }
        return Request(.moveOrder(member: member, number: number, to: status))
      }),
  ]

  /// More than anybody can own, so that sums stay in their range.
  private static let limit = MicroUSDT(microunits: 1_000_000_000_000_000)
  private static let tins = ServedField("tins", .whole(1...1_000), "How many")

  private static func list(
    _ name: String, _ place: ServiceRows.Place, of member: String, by newest: String
  ) -> RowList {
    let shape = ServiceRows.tables[place.rawValue].shape
    return RowList(
      name, table: place.rawValue, member: member, newest: newest,
      columns: shape.columns.map(\.name).filter { $0 != member && $0 != "place" })
  }

  /// A sign-up, and the referral where somebody referred them.
  package func join(_ call: ServedCall) throws(ServedRefusal) -> Request {
    let member = nextMember
    var state: UInt8?
    if let code = call.text("state") {
      guard let row = states.index(of: code) else {
        throw ServedRefusal(409, "unknown state", "no state of the program is \(code)")
      }
      state = row
    }
    var request = Request(.signUp(member: member, state: state))
    guard let code = call.text("referral_code") else { return request }
    let digits = code.split(separator: "-").dropFirst().first.flatMap { UInt32($0) }
    guard let digits, digits >= 1, self.state.members.knows(digits - 1) else {
      throw ServedRefusal(409, "unknown referral code", "no member has the code \(code)")
    }
    request.steps.append(.refer(member: member, affiliate: digits - 1))
    return request
  }
}

// MARK: - Answers

extension BlakJaksMachine {
  /// What a client gets for a request.
  func reply(to step: ProgrammeRequest, _ answer: ProgrammeAnswer) -> ServedReply {
    switch answer {
    case .scan(let scan): return ServedReply(status: 200, body: Array(scan.json.utf8))
    case .refused(let refusal):
      return ServedRefusal(409, "refused", refusal.sentence).reply
    case .amount(let amount): return ServedReply(body: .line([("amount", .usdt(amount))]))
    case .order(let amounts):
      var members: [(String, JSONText)] = []
      if case .placeOrder(_, let number, _) = step { members.append(("number", .integer(number))) }
      members += Self.members(of: amounts)
      return ServedReply(status: members.count > 5 ? 201 : 200, body: .line(members))
    case .done, .transfers, .payout: break
    }
    switch step {
    case .signUp(let member, _):
      return ServedReply(status: 201, body: standing(member))
    case .printTins(let run, _):
      return ServedReply(body: .line([("printed", .integer(state.printed(run: run)))]))
    default: return ServedReply(body: .line([]))
    }
  }

  private static func members(of order: OrderAmounts) -> [(String, JSONText)] {
    [
      ("tins", .integer(order.tins)), ("subtotal", .usdt(order.subtotal)),
      ("shipping", .usdt(order.shipping)), ("tax", .usdt(order.tax)),
      (
        "total",
        .usdt(
          MicroUSDT(
            microunits: order.subtotal.microunits &+ order.shipping.microunits
              &+ order.tax.microunits))
      ),
    ]
  }

  fileprivate func standing(_ member: UInt32) -> JSONText {
    let standing = state.members.account(of: member).standing
    let id = memberID(sequence: Int(member) + 1, tier: standing.tier)
    return .line([
      ("member", .integer(member)), ("member_id", .string(id)),
      ("tier", .string(standing.tier.key)), ("floor", .string(standing.floor.key)),
      ("referral_code", .string(id)),
      ("suspended", .bool(state.members.account(of: member).isSuspended)),
    ])
  }

  fileprivate func stats(_ member: UInt32) -> JSONText {
    let account = state.members.account(of: member)
    let progress = ScanAnswer.Progress(account.standing, state.rules.tiers)
    return .line([
      ("scans_this_quarter", .integer(account.standing.quarterScans)),
      ("scans_ever", .integer(account.standing.lifetimeScans)),
      ("comps", .usdt(account.comps)), ("tier", .string(account.standing.tier.key)),
      ("next_tier", progress.next.map { .string($0.key) } ?? .null),
      ("scans_needed", .integer(progress.scansNeeded)),
      ("gold_chips", .integer(state.members.purses[Int(member)].vault.count)),
    ])
  }

  fileprivate func wallet(_ member: UInt32) -> JSONText {
    let wallet = state.members.purses[Int(member)].wallet
    return .line([
      ("balance", .usdt(wallet.balance)), ("available", .usdt(wallet.available)),
      ("pending", .usdt(wallet.pending)), ("transactions", .integer(wallet.transactions)),
      ("card", .string("\(wallet.card)")),
    ])
  }

  fileprivate func products() -> JSONText {
    .array(
      Catalogue.products.map {
        .line([
          ("sku", .string($0.sku)), ("name", .string($0.name)),
          ("price", .usdt(state.rules.economy.price)),
        ])
      })
  }

  fileprivate func estimate(_ call: ServedCall) throws(ServedRefusal) -> JSONText {
    let tins = call.whole("tins") ?? 0
    let home = call.member.flatMap { state.members.states[Int($0)] }
    do throws(MoneyError) {
      let totals = try state.rules.shop.totals(
        tins: tins, price: state.rules.economy.price, tax: home.map { states.tax(for: $0) } ?? .zero
      )
      return .line(
        Self.members(
          of: try OrderAmounts(
            tins: tins, totals: totals, grossProfit: state.rules.economy.grossProfit)))
    } catch {
      throw ServedRefusal(422, "too much", "the order's price is out of range")
    }
  }

  fileprivate func affiliate(_ member: UInt32) -> JSONText {
    let row = state.members.owners.firstIndex(of: member)
    let books = state.programme.books
    return .line([
      ("referred_scans", .integer(row.map { books.affiliates.referredScans(Int($0)) } ?? 0)),
      ("chips", .integer(row.map { books.affiliates.chips(Int($0)) } ?? 0)),
      ("doors_open", .bool(!state.programme.sunset.isActive)),
    ])
  }

  fileprivate func overview() -> JSONText {
    let books = state.programme.books
    let next = state.programme.board.prizes.map { prize in
      let done = state.programme.board.scans % prize.every
      return JSONText.line([
        ("prize", .string(prize.name)), ("amount", .usdt(prize.amount)),
        ("away", .integer(prize.every - done)),
      ])
    }
    return .object([
      ("scans", .integer(books.scans)), ("members", .integer(nextMember)),
      ("tiers", .line(Tier.allCases.map { ($0.key, .integer(state.members.census.members[$0])) })),
      ("budget_health", books.health.map { .string("\($0)") } ?? .null),
      ("next_milestones", .array(next)),
    ])
  }

  fileprivate func treasury() -> JSONText {
    let desk = state.programme.books.desk
    let ledger = state.programme.books.ledger
    func sum(_ sum: PayoutSum) -> JSONText {
      .line([("count", .integer(sum.count)), ("amount", .usdt(sum.amount))])
    }
    return .object([
      ("treasuries", .line(Treasury.allCases.map { ("\($0)", .usdt(ledger.holding($0))) })),
      (
        "payouts",
        .object([
          ("awarded", sum(desk.awarded)), ("pending", sum(desk.pending)), ("paid", sum(desk.paid)),
          ("failed", sum(desk.failed)), ("queue", .integer(desk.queue)),
        ])
      ),
    ])
  }

  fileprivate func printedCodes(_ call: ServedCall) -> JSONText {
    let printed = Int64(clamping: state.printed(run: 0))
    let from = call.whole("from") ?? 0
    let through = min(from + (call.whole("count") ?? 0), printed)
    return .line([
      ("printed", .integer(printed)),
      (
        "codes",
        .array(
          (from..<max(through, from)).map {
            .string(codes.code(ofSerial: UInt64($0)).text)
          })
      ),
    ])
  }
}

extension JSONText {
  /// USDT with at least two decimals and no grouping: `-1234.50`.
  fileprivate static func usdt(_ amount: MicroUSDT) -> JSONText {
    .number(amount.formatted(minimumDecimals: 2).filter { $0 != "," })
  }
}

extension RequestRefusal {
  /// What is said to a client.
  var sentence: String {
    switch self {
    case .unknownMember: "no such member"
    case .alreadySignedUp: "that member has signed up before"
    case .sunset: "the program takes no new referrals"
    case .unknownOrder: "no such order, or it is settled"
    case .orderExists: "that order was placed before"
    case .orderStep(let from, let to): "an order that is \(from.key) cannot become \(to.key)"
    case .unknownAccount: "no such wholesale account"
    case .tins(let tins): "\(tins) tins cannot be ordered"
    case .wallet(let refusal): refusal.sentence
    case .payoutStep: "no payout is where that step begins"
    }
  }
}

extension WalletRefusal {
  /// What is said to a client.
  fileprivate var sentence: String {
    switch self {
    case .notPositive: "the amount has to be more than zero"
    case .insufficient(let available, _): "only \(available.cents) USDT are available"
    case .belowMinimum(let minimum, _): "the least amount is \(minimum.cents) USDT"
    case .noActiveCard: "there is no active card"
    case .cardStep(let from, let to): "a card that is \(from) cannot become \(to)"
    }
  }
}

extension BlakJaksProgramme: ServedProgramme {
  /// A machine with the rules of the settings; what is simulated of a scenario does not matter.
  package static func machine(
    _ frame: RunFrame, _ settings: BlakJaksSettings, secret: UInt64, start: Instant,
    saved: SavedMachine?
  ) throws -> BlakJaksMachine {
    try BlakJaksMachine(frame, settings.rules, secret: secret, start: start, saved: saved)
  }
}
