internal import Quantities

extension ProgrammeState {
  /// Commits what concerns one member's wallet or chips.
  mutating func commitPurse(
    _ request: ProgrammeRequest, at time: Instant
  ) throws(MoneyError) -> ProgrammeAnswer {
    let member: UInt32
    switch request {
    case .vaultChips(let one), .redeemChips(let one, _),
      .withdraw(let one, _),
      .reverseWithdrawal(let one, _), .payByCard(let one, _), .moveCard(let one, _):
      member = one
    default: fatalError("\(request) is not about a wallet or chips")
    }
    guard members.knows(member) else { return .refused(.unknownMember(member)) }
    let place = Int(member)
    members.touch(member)
    do {
      switch request {
      case .vaultChips: members.purses[place].vaultChips(&chips)
      case .redeemChips(_, let count):
        let oldest = ChipLot(monthOf: programme.books.date)
        let worth = try members.purses[place].redeemChips(
          count, rules.chips, oldest: oldest, &chips)
        try programme.books.pay(.chipRedemption, total: worth, at: time, to: member)
        try members.credit(worth, .chipRedemption, to: member, at: time)
        return .amount(worth)
      case .withdraw(_, let amount):
        try members.purses[place].wallet.withdraw(amount, rules.wallet)
        return .amount(amount)
      case .reverseWithdrawal(_, let amount):
        guard amount > .zero else { return .refused(.wallet(.notPositive(amount))) }
        try members.purses[place].wallet.reverseWithdrawal(amount)
        return .amount(amount)
      case .payByCard(_, let amount):
        try members.purses[place].wallet.spend(amount)
        return .amount(amount)
      case .moveCard(_, let next): try members.purses[place].wallet.moveCard(to: next)
      default: break
      }
      return .done
    } catch let refusal as WalletRefusal {
      return .refused(.wallet(refusal))
    } catch let error as MoneyError {
      throw error
    } catch { fatalError("a wallet refused for an unknown reason: \(error)") }
  }
}
