internal import Quantities
internal import RewardModel

/// What a service keeps in tables of the program, for whoever asks later: rows that a request adds
/// or changes. The state stays the truth; a table only repeats it.
enum ServiceRows {
  /// What has to be known of a state from before a request.
  struct Before {
    fileprivate let ledger: Ledger
    fileprivate let promises: Int
  }

  /// A function and not an initializer, whose arguments are copied.
  static func before(_ state: ProgrammeState) -> Before {
    Before(
      ledger: state.programme.books.ledger, promises: state.programme.books.desk.promises)
  }

  /// Places in `tables`.
  enum Place: Int {
    case member, scan, award, payout, posting, order, movement, line, message, stream, feed
  }

  static let tables: [ServedTable] = [
    table(
      "member", key: ["member"],
      [
        ("member", .whole), ("tier", .choice(Tier.allCases.map(\.key))),
        ("floor", .choice(Tier.allCases.map(\.key))), ("quarter_scans", .whole),
        ("lifetime_scans", .whole), ("comps", .money), ("available", .money), ("pending", .money),
      ]),
    table(
      "scan", key: ["number"],
      [
        ("number", .whole), ("time", .instant), ("member", .whole),
        ("tier", .choice(Tier.allCases.map(\.key))), ("reward", .money), ("product", .text),
      ], indexes: [["member", "number"]]),
    table(
      "award", key: ["type", "number"],
      [
        ("type", .text), ("number", .whole), ("receiver", .whole), ("amount", .money),
        ("time", .instant), ("place", .whole),
      ], indexes: [["receiver", "place"]], optional: ["receiver"]),
    table(
      "payout", key: ["type", "first"],
      [
        ("type", .text), ("first", .whole), ("count", .whole), ("amount", .money),
        ("source", .text), ("status", .text), ("attempts", .whole), ("time", .instant),
      ]),
    table(
      "posting", key: ["request", "account"],
      [("request", .whole), ("account", .text), ("amount", .money)]),
    table(
      "shop_order", key: ["member", "number"],
      [
        ("member", .whole), ("number", .whole), ("tins", .whole), ("subtotal", .money),
        ("shipping", .money), ("tax", .money), ("status", .text), ("time", .instant),
      ]),
    table(
      "movement", key: ["member", "number"],
      [
        ("member", .whole), ("number", .whole), ("time", .instant), ("kind", .text),
        ("amount", .money), ("balance", .money),
      ]),
    table(
      "order_line", key: ["member", "number", "sku"],
      [("member", .whole), ("number", .whole), ("sku", .text), ("tins", .whole)]),
    table(
      "message", key: ["number"],
      [
        ("number", .whole), ("channel", .text), ("time", .instant), ("member", .whole),
        ("author", .text), ("text", .text),
      ], indexes: [["channel", "number"]], optional: ["member"]),
    table(
      "stream", key: ["number"],
      [("number", .whole), ("title", .text), ("start", .instant), ("end", .instant)],
      optional: ["end"]),
    table(
      "feed", key: ["place"],
      [("place", .whole), ("time", .instant), ("kind", .text), ("text", .text)]),
  ]

  private static func table(
    _ name: String, key: [String], _ columns: [(String, FieldKind)], indexes: [[String]] = [],
    optional: [String] = []
  ) -> ServedTable {
    ServedTable(
      TableShape(
        name, key: .columns(key),
        columns: columns.map { name, kind in
          var shape = ColumnShape(name, kind)
          shape.isOptional = optional.contains(name)
          return shape
        }), indexes: indexes)
  }

  /// Of the accounts, in the order of their raw values.
  private static let names = LedgerAccount.allCases.map { "\($0)" }
  /// Of the treasuries and of a payout's states, likewise.
  private static let sources = Treasury.allCases.map { "\($0)" }
  private static let statuses = PayoutStatus.allCases.map { "\($0)" }

  /// What each account holds before the first request.
  static func open(_ state: ProgrammeState, _ changes: inout RowChanges) {
    let ledger = state.programme.books.ledger
    for account in LedgerAccount.allCases where ledger.balance(account) != .zero {
      changes.put(
        .posting,
        [
          .whole(changes.sequence), .text("\(account)"),
          .whole(ledger.balance(account).microunits),
        ])
    }
  }

  /// Tells of the rows that a request added or changed.
  static func put(
    _ step: ProgrammeRequest, _ answer: ProgrammeAnswer, at time: Instant, _ before: Before,
    _ state: ProgrammeState, _ changes: inout RowChanges
  ) {
    putScan(step, answer, at: time, state, &changes)
    putMembers(step, at: time, state, &changes)
    putAwards(before, state, &changes)
    putPostings(before, state, &changes)
    putPayout(step, answer, at: time, state, &changes)
    putPurse(step, answer, at: time, state, &changes)
    putTalk(step, answer, at: time, state, &changes)
  }

  /// Adds what is told of a request.
  static func put(_ told: [BlakJaksRecord.FeedRow], _ changes: inout RowChanges) {
    for row in told {
      changes.put(
        .feed,
        [.whole(changes.place), .whole(row.time.microseconds), .text(row.kind), .text(row.text)])
    }
  }

  private static func putScan(
    _ step: ProgrammeRequest, _ answer: ProgrammeAnswer, at time: Instant,
    _ state: ProgrammeState, _ changes: inout RowChanges
  ) {
    guard case .scan(let member?, _) = step, case .scan(let scan) = answer,
      scan.outcome == .accepted
    else { return }
    changes.put(
      .scan,
      [
        .whole(state.programme.books.scans), .whole(time.microseconds), .whole(Int64(member)),
        .text(scan.progress.tier.key), .whole(scan.earned.microunits),
        .text(scan.product?.name ?? ""),
      ])
  }

  private static func putMembers(
    _ step: ProgrammeRequest, at time: Instant, _ state: ProgrammeState,
    _ changes: inout RowChanges
  ) {
    let members = state.members
    if members.touchedAll {
      for member in members.accounts.indices where members.accounts[member].hasSignedUp {
        put(UInt32(member), members, &changes)
      }
      return
    }
    var last: UInt32?
    for member in members.touched where member != last {
      put(member, members, &changes)
      last = member
    }
  }

  private static func put(
    _ member: UInt32, _ members: MemberList, _ changes: inout RowChanges
  ) {
    let account = members.accounts[Int(member)]
    let wallet = members.purses[Int(member)].wallet
    changes.put(
      .member,
      [
        .whole(Int64(member)), .text(account.standing.tier.key), .text(account.standing.floor.key),
        .whole(Int64(account.standing.quarterScans)),
        .whole(Int64(account.standing.lifetimeScans)), .whole(account.comps.microunits),
        .whole(wallet.available.microunits), .whole(wallet.pending.microunits),
      ])
  }

  private static func putAwards(
    _ before: Before, _ state: ProgrammeState, _ changes: inout RowChanges
  ) {
    let prizes = state.rules.prizes
    state.programme.books.desk.forEachPromise(after: before.promises) { first, run in
      for (offset, award) in run.awards.enumerated() {
        changes.put(
          .award,
          [
            .text(first.type.id(prizes)), .whole(first.number + Int64(offset)),
            .whole(Int64(award.receiver)), .whole(award.amount.microunits),
            .whole(award.time.microseconds), .whole(changes.place),
          ])
      }
      guard run.awards.isEmpty else { return }
      changes.put(
        .award,
        [
          .text(first.type.id(prizes)), .whole(first.number), .absent,
          .whole(run.amount.microunits), .whole(run.time.microseconds), .whole(changes.place),
        ])
    }
  }

  /// What each account gained or lost by the request; together they are zero.
  private static func putPostings(
    _ before: Before, _ state: ProgrammeState, _ changes: inout RowChanges
  ) {
    state.programme.books.ledger.forEachChange(since: before.ledger) { account, change in
      changes.put(
        .posting, [.whole(changes.sequence), .text(names[account]), .whole(change)])
    }
  }

  private static func putPayout(
    _ step: ProgrammeRequest, _ answer: ProgrammeAnswer, at time: Instant,
    _ state: ProgrammeState, _ changes: inout RowChanges
  ) {
    guard case .payout(let step) = step, case .payout(let reply) = answer else { return }
    let slots: [Int] =
      switch (step, reply) {
      case (.batch, .batched(let slots)): slots
      case (.begin(let slot), _), (.reject(let slot), _), (.confirm(let slot), _),
        (.resubmit(let slot), _):
        [slot]
      default: []
      }
    for slot in slots {
      let payout = state.programme.books.desk[slot]
      changes.put(
        .payout,
        [
          .text(payout.type.id(state.rules.prizes)), .whole(payout.firstAward),
          .whole(payout.count), .whole(payout.amount.microunits),
          .text(sources[payout.source.rawValue]), .text(statuses[Int(payout.status.rawValue)]),
          .whole(Int64(payout.attempts)), .whole(time.microseconds),
        ])
    }
  }

  private static func putPurse(
    _ step: ProgrammeRequest, _ answer: ProgrammeAnswer, at time: Instant,
    _ state: ProgrammeState, _ changes: inout RowChanges
  ) {
    func move(_ member: UInt32, _ kind: String, _ sign: Int64, _ asked: MicroUSDT) {
      // What was refused may be no amount that has an opposite.
      guard case .amount = answer else { return }
      let amount = sign * asked.microunits
      let wallet = state.members.purses[Int(member)].wallet
      changes.put(
        .movement,
        [
          .whole(Int64(member)), .whole(Int64(wallet.transactions)), .whole(time.microseconds),
          .text(kind), .whole(amount), .whole(wallet.balance.microunits),
        ])
    }
    switch step {
    case .withdraw(let member, let amount): move(member, "withdrawal", -1, amount)
    case .reverseWithdrawal(let member, let amount): move(member, "reversal", 1, amount)
    case .payByCard(let member, let amount): move(member, "card_payment", -1, amount)
    case .placeOrder(let member, let number, _):
      guard case .order(let amounts) = answer else { return }
      put(amounts, member, number, .processing, at: time, &changes)
    case .orderCart(let member, let number):
      guard case .cartOrder(let amounts, let cart) = answer else { return }
      put(amounts, member, number, .processing, at: time, &changes)
      for line in cart.lines {
        changes.put(
          .line,
          [
            .whole(Int64(member)), .whole(Int64(number)), .text(line.product.sku),
            .whole(Int64(line.tins)),
          ])
      }
    case .moveOrder(let member, let number, let status):
      guard case .order(let amounts) = answer else { return }
      put(amounts, member, number, status, at: time, &changes)
    default: break
    }
  }

  private static func putTalk(
    _ step: ProgrammeRequest, _ answer: ProgrammeAnswer, at time: Instant,
    _ state: ProgrammeState, _ changes: inout RowChanges
  ) {
    switch (step, answer) {
    case (.post(let member, let channel, let text), .message(let number)):
      let author = member.map {
        memberID(sequence: Int($0) + 1, tier: state.members.account(of: $0).standing.tier)
      }
      changes.put(
        .message,
        [
          .whole(number), .text(channel), .whole(time.microseconds),
          member.map { .whole(Int64($0)) } ?? .absent, .text(author ?? "program"), .text(text),
        ])
    case (.startStream, .stream(let stream)), (.endStream, .stream(let stream)):
      let isOver = step == .endStream
      changes.put(
        .stream,
        [
          .whole(stream.number), .text(stream.title), .whole(stream.started.microseconds),
          isOver ? .whole(time.microseconds) : .absent,
        ])
    default: break
    }
  }

  private static func put(
    _ order: OrderAmounts, _ member: UInt32, _ number: UInt32, _ status: OrderStatus,
    at time: Instant, _ changes: inout RowChanges
  ) {
    changes.put(
      .order,
      [
        .whole(Int64(member)), .whole(Int64(number)), .whole(order.tins),
        .whole(order.subtotal.microunits), .whole(order.shipping.microunits),
        .whole(order.tax.microunits), .text(status.key), .whole(time.microseconds),
      ])
  }
}

extension RowChanges {
  /// The place of the next row among all rows, ascending.
  fileprivate var place: Int64 { sequence << 20 | Int64(count & 0xF_FFFF) }

  fileprivate mutating func put(_ table: ServiceRows.Place, _ values: [FieldValue]) {
    put(table.rawValue, values)
  }
}
