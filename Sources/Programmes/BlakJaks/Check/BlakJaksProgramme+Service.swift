package import Quantities
package import RewardModel

extension BlakJaksProgramme: CheckedService {
  /// What the members of a world asked for, without what the calendar brings.
  package static func submissions(
    _ frame: RunFrame, _ settings: BlakJaksSettings, limit: Int
  ) throws -> [(time: Instant, request: BlakJaksMachine.Request)] {
    var submissions: [(time: Instant, request: BlakJaksMachine.Request)] = []
    var world = try World(
      WorldInput(frame, settings), threads: 1,
      journal: { entry in
        guard !entry.request.isOfCalendar, submissions.count < limit else { return }
        submissions.append((entry.time, BlakJaksMachine.Request(entry.request)))
      })
    _ = try world.run { _ in submissions.count < limit }
    return submissions
  }

  /// Scans, members, awards, payouts and each account's postings.
  package static func tableSums(_ machine: borrowing BlakJaksMachine) -> [TableSum] {
    let state = machine.state
    let books = state.programme.books
    let members = state.members.accounts.filter(\.hasSignedUp)
    let scanReward = books.payouts[.scanReward]
    var sums = [
      TableSum("scan", is: books.scans), TableSum("scan", "number", is: books.scans.triangle),
      TableSum("scan", "reward", is: scanReward.total.microunits),
      TableSum("member", is: Int64(members.count)),
      TableSum("member", "lifetime_scans", is: books.scans),
      TableSum("member", "comps", is: members.reduce(0) { $0 + $1.comps.microunits }),
      TableSum(
        "member", "available",
        is: state.members.purses.reduce(0) { $0 + $1.wallet.available.microunits }),
      TableSum(
        "member", "pending",
        is: state.members.purses.reduce(0) { $0 + $1.wallet.pending.microunits }),
      TableSum("award", "amount", is: books.desk.awarded.amount.microunits),
      TableSum(
        "payout", "amount", only: ("status", "paid"), is: books.desk.paid.amount.microunits),
      TableSum("posting", "amount", is: 0),
      TableSum("message", is: state.board.messages),
    ]
    for account in LedgerAccount.allCases {
      sums.append(
        TableSum(
          "posting", "amount", only: ("account", "\(account)"),
          is: books.ledger.balance(account).microunits))
    }
    for tier in Tier.allCases {
      sums.append(
        TableSum("member", only: ("tier", tier.key), is: state.members.census.members[tier]))
    }
    return sums
  }
}

extension Int64 {
  /// 1 + 2 + … up to it.
  fileprivate var triangle: Int64 { self * (self + 1) / 2 }
}
