internal import Quantities
package import RewardModel

extension BlakJaksMachine {
  /// The calendar's steps, payouts and what is due to members; everything else is asked for.
  package static func isOwn(_ request: Request) -> Bool {
    switch request.steps.first {
    case .turnDay, .openMorning, .reconcile, .payout, .settleGuarantee: true
    default: false
    }
  }

  /// The first step of a request for one member is to sign them up.
  package static func joined(by request: Request) -> UInt32? {
    guard !request.isBulk, case .signUp(let member, _)? = request.steps.first else { return nil }
    return member
  }

  /// Scans, members, what was awarded by kind, and what became of it.
  package var figures: [MachineFigure] {
    let books = state.programme.books
    let desk = books.desk
    func spent(_ account: LedgerAccount) -> MicroUSDT {
      // An expense is a debit.
      MicroUSDT(microunits: -books.ledger.balance(account).microunits)
    }
    var figures = [
      MachineFigure("Accepted scans", count: books.scans),
      MachineFigure("Members", count: Int64(nextMember)),
    ]
    figures += Tier.allCases.map {
      MachineFigure("Members who are \($0.name)", count: Int64(state.members.census.members[$0]))
    }
    figures += [
      MachineFigure("Scan rewards", spent(.expenseScanReward)),
      MachineFigure("Crypto comps", spent(.expenseCrypto)),
      MachineFigure("Casino comps", spent(.expenseCasino)),
      MachineFigure("Trips", spent(.expenseTrip)),
      MachineFigure("Guarantees", spent(.expenseGuarantee)),
      MachineFigure("Affiliate matches", spent(.expenseMatch)),
      MachineFigure("Affiliate pools", spent(.expensePool)),
      MachineFigure("Chips redeemed", spent(.expenseChips)),
      MachineFigure("Awards", count: desk.awarded.count),
      MachineFigure("Awarded", desk.awarded.amount),
      MachineFigure("Paid", desk.paid.amount),
      MachineFigure("Pending", desk.pending.amount),
      MachineFigure("Failed", desk.failed.amount),
    ]
    return figures
  }
}
