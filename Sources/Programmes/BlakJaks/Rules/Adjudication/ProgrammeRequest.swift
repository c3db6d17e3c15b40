package import Quantities

/// Everything that can happen to the programme. With its instant it is an entry of a journal.
///
/// Members, orders and accounts are numbers that whoever drives the programme gives out.
package enum ProgrammeRequest: Sendable, Equatable, Codable {
  /// Somebody of age signs up, living in a state by its row in the rules; nil where nobody knows.
  case signUp(member: UInt32, state: UInt8?)
  /// A member counts for an affiliate from now on.
  case refer(member: UInt32, affiliate: UInt32)
  /// A member's guarantee is looked at; due `GuaranteeRules.due` after the sign-up.
  case settleGuarantee(member: UInt32)

  /// The press has printed a run's tins up to a number; fewer than before is no news.
  case printTins(run: UInt32, through: UInt64)
  /// A member, or somebody who is none, submits a code.
  case scan(member: UInt32?, code: String)
  /// A member scans a tin whose code was checked elsewhere, as a history tells it.
  case scanTin(member: UInt32)
  /// Tins are sold in retail.
  case sell(tins: Int64)
  /// A wholesale account orders.
  case orderWholesale(account: UInt32, tins: Int64)

  /// A member puts tins of a product into the cart.
  case addToCart(member: UInt32, sku: String, tins: Int64)
  /// A member sets the tins of a product in the cart.
  case updateCart(member: UInt32, sku: String, tins: Int64)
  /// A member takes a product out of the cart.
  case removeFromCart(member: UInt32, sku: String)
  /// A member orders what is in the cart and pays; the cart is then empty.
  case orderCart(member: UInt32, number: UInt32)
  /// A member orders in the shop and pays; the cart does not matter.
  case placeOrder(member: UInt32, number: UInt32, tins: Int64)
  /// An order ships, is delivered, called off or given back.
  case moveOrder(member: UInt32, number: UInt32, to: OrderStatus)

  /// A member vaults all chips that are held.
  case vaultChips(member: UInt32)
  /// A member redeems chips, or as many as there are.
  case redeemChips(member: UInt32, count: UInt32)
  case withdraw(member: UInt32, amount: MicroUSDT)
  /// A withdrawal failed on the chain.
  case reverseWithdrawal(member: UInt32, amount: MicroUSDT)
  case payByCard(member: UInt32, amount: MicroUSDT)
  case moveCard(member: UInt32, to: CardState)

  /// A member writes in a channel; nil where the programme itself does.
  case post(member: UInt32?, channel: String, text: String)
  /// A live stream begins.
  case startStream(title: String)
  /// The live stream ends.
  case endStream

  /// The local day ends; the instant is the next one's first.
  case turnDay
  /// The programme's morning: weekly pool, sunset check, sweep.
  case openMorning
  /// The wallets' balances as the chain shows them, in the order of `Treasury.wallets`.
  case reconcile(chain: [MicroUSDT])
  /// Something happened to a payout.
  case payout(PayoutStep)
}

/// What the programme answers to a request.
package enum ProgrammeAnswer: Sendable, Equatable, Codable {
  case done
  case scan(ScanAnswer)
  /// What the request paid or moved: a top-up, chips redeemed, a withdrawal.
  case amount(MicroUSDT)
  case order(OrderAmounts)
  /// A cart was ordered.
  case cartOrder(OrderAmounts, Cart)
  /// The number of a message, from 1 on.
  case message(Int64)
  /// A live stream that began or ended.
  case stream(MessageBoard.LiveStream)
  /// What is to be moved on the chain.
  case transfers([ChainTransfer])
  case payout(PayoutReply)
  case refused(RequestRefusal)
}

/// Why the programme did nothing. Its state is unchanged.
package enum RequestRefusal: Error, Sendable, Equatable, Codable {
  case unknownMember(UInt32)
  case alreadySignedUp(UInt32)
  /// The sunset engine has closed the doors to new referrals.
  case sunset
  case unknownOrder(member: UInt32, number: UInt32)
  case orderExists(member: UInt32, number: UInt32)
  case orderStep(from: OrderStatus, to: OrderStatus)
  case unknownAccount(UInt32)
  /// A number of tins that is not above zero.
  case tins(Int64)
  case wallet(WalletRefusal)
  case cart(CartRefusal)
  /// There is nothing in the cart to be ordered.
  case emptyCart
  case channel(ChannelRefusal)
  /// A text that nobody can read: blank, or longer than `MessageBoard.textMaximum`.
  case text
  /// There is one live stream at a time.
  case streamIsOn
  case noStream
  /// No payout is where the step begins.
  case payoutStep(PayoutStep)
}

/// Why the programme cannot go on: a bound of its arithmetic or of the model.
package enum CommitError: Error, Sendable, Equatable, CustomStringConvertible {
  case money(MoneyError)
  case limit(RunLimit)

  package var description: String {
    switch self {
    case .money(let error): "\(error)"
    case .limit(let limit): "\(limit)"
    }
  }
}
