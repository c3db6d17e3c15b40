internal import Documents
package import Quantities
package import RewardModel

extension BlakJaksMachine {
  /// What a client gets for a request.
  func reply(to step: ProgrammeRequest, _ answer: ProgrammeAnswer) -> ServedReply {
    switch answer {
    case .scan(let scan): return ServedReply(status: 200, body: Array(scan.json.utf8))
    case .refused(let refusal): return refusal.served.reply
    case .amount(let amount): return ServedReply(body: .line([("amount", .usdt(amount))]))
    case .order(let amounts):
      guard case .placeOrder(_, let number, _) = step else {
        return ServedReply(body: .line(Self.members(of: amounts)))
      }
      return ServedReply(
        status: 201, body: .line([("number", .integer(number))] + Self.members(of: amounts)))
    case .cartOrder(let amounts, let cart):
      guard case .orderCart(_, let number) = step else { break }
      return ServedReply(
        status: 201,
        body: .line(
          [("number", .integer(number)), ("lines", lines(of: cart))] + Self.members(of: amounts)))
    case .message(let number):
      return ServedReply(status: 201, body: .line([("number", .integer(number))]))
    case .stream(let stream): return ServedReply(body: Self.json(stream))
    case .done, .transfers, .payout: break
    }
    switch step {
    case .signUp(let member, _):
      return ServedReply(status: 201, body: standing(member))
    case .addToCart(let member, _, _), .updateCart(let member, _, _),
      .removeFromCart(let member, _):
      return ServedReply(body: cart(of: member))
    case .printTins(let run, _):
      return ServedReply(body: .line([("printed", .integer(state.printed(run: run)))]))
    default: return ServedReply(body: .line([]))
    }
  }

  static func members(of order: OrderAmounts) -> [(String, JSONText)] {
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

  /// The code by which others say who referred them: the member's id.
  func referralCode(of member: UInt32) -> String {
    memberID(
      sequence: Int(member) + 1, tier: state.members.account(of: member).standing.tier)
  }

  func standing(_ member: UInt32) -> JSONText {
    let standing = state.members.account(of: member).standing
    let id = referralCode(of: member)
    return .line([
      ("member", .integer(member)), ("member_id", .string(id)),
      ("tier", .string(standing.tier.key)), ("floor", .string(standing.floor.key)),
      ("referral_code", .string(id)),
      ("suspended", .bool(state.members.account(of: member).isSuspended)),
    ])
  }

  func stats(_ member: UInt32) -> JSONText {
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

  func wallet(_ member: UInt32) -> JSONText {
    let wallet = state.members.purses[Int(member)].wallet
    return .line([
      ("balance", .usdt(wallet.balance)), ("available", .usdt(wallet.available)),
      ("pending", .usdt(wallet.pending)), ("transactions", .integer(wallet.transactions)),
      ("card", .string("\(wallet.card)")),
    ])
  }

  func affiliate(_ member: UInt32) -> JSONText {
    let row = state.members.owners.firstIndex(of: member)
    let books = state.programme.books
    return .line([
      ("referred_scans", .integer(row.map { books.affiliates.referredScans(Int($0)) } ?? 0)),
      ("chips", .integer(row.map { books.affiliates.chips(Int($0)) } ?? 0)),
      ("doors_open", .bool(!state.programme.sunset.isActive)),
    ])
  }

  func printedCodes(_ call: ServedCall) -> JSONText {
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
  static func usdt(_ amount: MicroUSDT) -> JSONText {
    .number(amount.formatted(minimumDecimals: 2).filter { $0 != "," })
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
