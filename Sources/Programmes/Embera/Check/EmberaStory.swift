internal import Quantities
internal import RewardModel

/// Requests and answers in words.
enum EmberaStory {
  /// A member's number as people count, from 1 on.
  static func number(_ member: UInt32) -> UInt64 { UInt64(member) + 1 }

  /// What was asked and what came of it.
  static func line(_ request: EmberaRequest, _ answer: EmberaAnswer) -> String {
    "\(words(request)): \(words(answer))"
  }

  /// What was asked.
  static func words(_ request: EmberaRequest) -> String {
    let who = request.member.map { "member \(number($0))" } ?? "somebody"
    return switch request {
    case .signUp: "somebody signs up"
    case .order(_, let channel, let entry, let contents):
      "\(who) orders \(words(contents)), entry \(entry) of \(words(channel))"
    case .redeem(_, let channel, let entry, let offer):
      "\(who) redeems '\(offer.prefix(40))', entry \(entry) of \(words(channel))"
    case .closeMonth(let isComplete): isComplete ? "the month closes" : "part of a month closes"
    case .challenge(_, let channel): "\(who) asks for a challenge on \(words(channel))"
    case .signIn(_, let channel, let counter):
      "\(who) answers a challenge on \(words(channel)) with counter \(counter)"
    }
  }

  private static func words(_ channel: EntryChannel) -> String {
    switch channel {
    case .firstDevice: "the first device"
    case .secondDevice: "the second device"
    case .subscription: "the subscription"
    }
  }

  private static func words(_ contents: OrderContents) -> String {
    switch contents {
    case .items(let items): "\(items.count) lines"
    case .bags(let bags): "\(bags.count) bags"
    case .amount(let amount): "for \(amount)"
    }
  }

  private static func words(_ answer: EmberaAnswer) -> String {
    switch answer {
    case .signedUp(let member): "member \(number(member))"
    case .ordered(let amounts, let points, let balance, let tier):
      "\(amounts.subtotal), earns \(points), holds \(balance), \(tier.label)"
    case .redeemed(let range, let balance):
      "takes the points \(range.first) to \(range.first + range.count - 1), leaves \(balance)"
    case .repeated: "answered before"
    case .closed(let close):
      "\(close.outstanding) points outstanding, \(close.valuation.net) owed at cost, a contract "
        + "liability of \(close.valuation.contractLiability)"
    case .challenged: "a challenge"
    case .signedIn(let end): "signed in until \(end)"
    case .refused(let refusal): "refused, \(words(refusal))"
    }
  }

  private static func words(_ refusal: EmberaRefusal) -> String {
    switch refusal {
    case .unknownMember: "no such member"
    case .unknownState: "no such state"
    case .clock: "its time is before that of the last request"
    case .order(.empty): "an order has at least one bag and an amount above zero"
    case .order(.quantity): "an order has 1 to 1,000 of each product, in at most 1,000 lines"
    case .order(.interval): "no subscription has that interval"
    case .order(.amount): "the amount is above a billion dollars"
    case .entry(.balance): "the balance does not cover the offer"
    case .entry(.gap): "an earlier entry of the device has not come yet"
    case .entry(.offer): "no such offer"
    case .passkey(.expired): "the challenge has expired"
    case .passkey(.used): "the challenge was used before, or never issued"
    case .passkey(.counter): "the passkey's counter did not rise"
    }
  }

  /// What moved in the ledger, account by account.
  static func money(from before: EmberaLedger, to after: EmberaLedger) -> String {
    EmberaAccount.allCases.compactMap { account in
      let change = after.balance(account).microunits - before.balance(account).microunits
      guard change != 0 else { return nil }
      return "\(account.key) \(change > 0 ? "+" : "")\(MicroUSDT(microunits: change))"
    }.joined(separator: ", ")
  }
}
