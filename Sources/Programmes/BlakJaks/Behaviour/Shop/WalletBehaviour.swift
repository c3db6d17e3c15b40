internal import EventKernel
internal import Population
package import Quantities

/// What a member is like where chips, wallet and card are concerned.
package struct WalletTraits: Hashable, Sendable, BitwiseCopyable {
  /// Vaults chips at each visit.
  package var isVaulter: Bool
  /// Applies for the card.
  package var wantsCard: Bool
  /// Would pass the identity check.
  package var passesKYC: Bool
  /// Would activate the card once verified.
  package var activates: Bool

  /// What the member does about the card at a visit; nil where there is nothing to do.
  func step(after card: CardState) -> CardState? {
    switch card {
    case .none where wantsCard: .applied
    case .applied: passesKYC ? .verified : .refused
    case .verified where activates: .active
    default: nil
    }
  }
}

/// Everything random about one visit to the wallet, but the amounts.
package struct WalletVisit: Hashable, Sendable, BitwiseCopyable {
  /// Time to the next visit in units of the mean gap; exponential, its mean is 1.
  package var gap: Double
  /// Redeems chips.
  package var redeems: Bool
  /// Withdraws.
  package var withdraws: Bool
  /// Pays with the card, if it is active.
  package var spends: Bool
}

/// What one visit that withdraws or spends draws in addition.
package struct WalletPayment: Hashable, Sendable, BitwiseCopyable {
  /// The card payment that the member would make: whole cents, not yet capped.
  package var spend: MicroUSDT
  /// Whether a withdrawal of this visit fails on the chain.
  package var withdrawalFails: Bool
}

/// How members use chips, wallet and card: pure functions of (seed, member, index of the visit).
package final class WalletBehaviour: Sendable {
  private static let blocksPerVisit: UInt32 = 2
  static let centMicro: Int64 = 10_000

  package let settings: WalletSettings
  package let seed: UInt64
  private let meanSpendCents: Double

  /// - Parameters:
  ///   - settings: Within the ranges of a validated scenario.
  ///   - seed: The run's seed.
  package init(_ settings: WalletSettings, seed: UInt64) {
    self.settings = settings
    self.seed = seed
    meanSpendCents = Double(settings.meanSpend.microunits) / Double(WalletBehaviour.centMicro)
  }

  /// Mean weeks of operational time between the visits of one member.
  package var meanGapWeeks: Double { 1 / settings.visitsPerWeek }

  /// What a member is like. One block.
  package func traits(member: UInt32) -> WalletTraits {
    let words = block(.walletTraits, member, 0)
    return WalletTraits(
      isVaulter: Self.happens(settings.vaulters, words[0]),
      wantsCard: Self.happens(settings.wantsCard, words[1]),
      passesKYC: Self.happens(settings.passesKYC, words[2]),
      activates: Self.happens(settings.activates, words[3]))
  }

  /// One visit's draws. One block.
  ///
  /// - Parameters:
  ///   - member: Whose wallet it is.
  ///   - index: 0 for the sign-up, which is not a visit: only its `gap` counts and leads to the
  ///     first visit, of index 1.
  package func visit(member: UInt32, index: UInt32) -> WalletVisit {
    let words = block(.walletVisit, member, index &* WalletBehaviour.blocksPerVisit)
    return WalletVisit(
      gap: -Elementary.log(RandomStream.uniform(words[0])),
      redeems: Self.happens(settings.redeems, words[1]),
      withdraws: Self.happens(settings.withdraws, words[2]),
      spends: Self.happens(settings.spends, words[3]))
  }

  /// The amounts and the fate of a visit that withdraws or spends. One block more.
  ///
  /// An exponential amount is rounded up to whole cents, so that a payment is at least one cent.
  ///
  /// - Parameters:
  ///   - member: Whose wallet it is.
  ///   - index: Of the visit, as for `visit(member:index:)`.
  package func payment(member: UInt32, index: UInt32) -> WalletPayment {
    let words = block(.walletVisit, member, index &* WalletBehaviour.blocksPerVisit &+ 1)
    let cents = (-Elementary.log(RandomStream.uniform(words[0])) * meanSpendCents).rounded(.up)
    return WalletPayment(
      spend: MicroUSDT(microunits: Int64(cents) * WalletBehaviour.centMicro),
      withdrawalFails: Self.happens(settings.withdrawalFails, words[1]))
  }

  /// How many of a member's chips a redeeming visit redeems, rounded down.
  package func chipsToRedeem(of chips: UInt32) -> UInt32 {
    UInt32(UInt64(chips) * UInt64(settings.redeemShare.rawValue) / 10_000)
  }

  /// Whether a visit may redeem any of a member's chips.
  package func redeems(any chips: UInt32) -> Bool {
    settings.redeems > .zero && chipsToRedeem(of: chips) > 0
  }

  /// Whether a visit may pay by card.
  package var paysByCard: Bool { settings.spends > .zero }

  /// How much of what is available a withdrawing visit takes, rounded down.
  ///
  /// - Parameter available: Zero or more.
  /// - Throws: `MoneyError.overflow` never, as the share is at most the whole.
  package func withdrawal(of available: MicroUSDT) throws(MoneyError) -> MicroUSDT {
    try available.share(settings.withdrawShare)
  }

  /// A card payment capped by what is available, in whole cents; zero when not a cent is.
  ///
  /// - Parameters:
  ///   - payment: The draws of the visit.
  ///   - available: Zero or more.
  package func spend(_ payment: WalletPayment, of available: MicroUSDT) -> MicroUSDT {
    let cents = available.microunits / WalletBehaviour.centMicro
    return min(payment.spend, MicroUSDT(microunits: cents * WalletBehaviour.centMicro))
  }

  /// Whether every transaction of a member is recorded.
  package func isTraced(_ member: UInt32) -> Bool { Int(member) < traced }

  /// Members of whom each transaction is recorded, the first ones by number.
  package var traced: Int { settings.traced }

  private func block(_ purpose: RandomPurpose, _ member: UInt32, _ counter: UInt32)
    -> SIMD4<UInt32>
  {
    var stream = RandomStream(
      seed: seed, purpose: purpose.rawValue, entity: UInt64(member), counter: counter)
    return stream.nextBlock()
  }

  /// Whether a uniform 32-bit word falls below a probability; monotone in it.
  private static func happens(_ probability: Double, _ word: UInt32) -> Bool {
    UInt64(word) < UInt64(probability * 0x1p32)
  }
}
