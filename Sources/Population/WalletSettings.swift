public import Quantities

/// What members do with chips, wallet and card, visit by visit.
public struct WalletSettings: Sendable, Equatable {
  /// Whether members visit their wallets at all.
  public var enabled = false
  /// Visits a week of a member, more than 0.
  public var visitsPerWeek = 0.5
  /// Share of members who vault their chips.
  public var vaulters = 0.60
  /// Probability that a visit redeems chips.
  public var redeems = 0.10
  /// Share of the member's chips that such a visit redeems.
  public var redeemShare = BasisPoints(5_000)
  /// Probability that a visit withdraws.
  public var withdraws = 0.15
  /// Share of the available balance that such a visit withdraws.
  public var withdrawShare = BasisPoints(8_000)
  /// Probability that a withdrawal fails on the chain and is reversed.
  public var withdrawalFails = 0.01
  /// Share of members who apply for the card.
  public var wantsCard = 0.30
  /// Share of applicants whose identity check passes.
  public var passesKYC = 0.90
  /// Share of verified members who activate the card.
  public var activates = 0.85
  /// Probability that a visit of a card holder pays with the card.
  public var spends = 0.50
  /// Mean card payment; payments are exponential, in whole cents.
  public var meanSpend = MicroUSDT.whole(20)
  /// Members whose every transaction is recorded, the first ones.
  public var traced = 10

  /// The defaults.
  public init() {}
}
