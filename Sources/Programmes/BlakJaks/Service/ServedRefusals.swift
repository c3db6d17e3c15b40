internal import Quantities
internal import RewardModel

extension RequestRefusal {
  /// What a client gets for it.
  var served: ServedRefusal {
    switch self {
    case .sunset: ServedRefusal(409, "sunset", sentence)
    case .channel(.unknown): ServedRefusal(404, "not found", sentence)
    case .channel(let refusal): ServedRefusal(403, refusal.key, sentence)
    case .cart(.unknownProduct), .cart(.notInCart): ServedRefusal(404, "not found", sentence)
    default: ServedRefusal(409, "refused", sentence)
    }
  }

  /// What is said to a client, and in stories.
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
    case .cart(let refusal): refusal.sentence
    case .emptyCart: "the cart is empty; add something, or say how many tins"
    case .channel(let refusal): refusal.sentence
    case .text: "the text is blank, or longer than \(MessageBoard.textMaximum) characters"
    case .streamIsOn: "a live stream is on; end it first"
    case .noStream: "no live stream is on"
    case .payoutStep: "no payout is ready for that step"
    }
  }
}

extension WalletRefusal {
  /// What is said to a client.
  fileprivate var sentence: String {
    switch self {
    case .notPositive: "the amount has to be more than zero"
    case .insufficient(let available, _): "only \(available.cents) USDT are available"
    case .belowMinimum(let minimum, _): "the minimum is \(minimum.cents) USDT"
    case .noActiveCard: "the member has no active card"
    case .cardStep(let from, let to): "a card that is \(from) cannot become \(to)"
    }
  }
}

extension CartRefusal {
  /// What is said to a client.
  fileprivate var sentence: String {
    switch self {
    case .unknownProduct: "the shop has no product with that sku"
    case .noTins: "a line of a cart has at least one tin; to delete a line, use remove"
    case .tooManyTins: "a cart holds at most \(Cart.tinsMaximum) tins"
    case .notInCart(let product): "\(product.name) is not in the cart"
    }
  }
}

extension ChannelRefusal {
  /// What is said to a client.
  fileprivate var sentence: String {
    switch self {
    case .unknown: "no channel has that name"
    case .tierLocked(_, let required): "this channel is for \(required.name) and higher"
    case .readOnly: "only the program itself writes in this channel"
    }
  }
}
