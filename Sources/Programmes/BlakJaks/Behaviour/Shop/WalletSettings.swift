package import Quantities

/// What members do with chips, wallet and card, visit by visit.
package struct WalletSettings: Sendable, Equatable {
  /// Whether members visit their wallets at all.
  package var enabled = false
  /// Visits a week of a member, more than 0.
  package var visitsPerWeek = 0.5
  /// Share of members who vault their chips.
  package var vaulters = 0.60
  /// Probability that a visit redeems chips.
  package var redeems = 0.10
  /// Share of the member's chips that such a visit redeems.
  package var redeemShare = BasisPoints(5_000)
  /// Probability that a visit withdraws.
  package var withdraws = 0.15
  /// Share of the available balance that such a visit withdraws.
  package var withdrawShare = BasisPoints(8_000)
  /// Probability that a withdrawal fails on the chain and is reversed.
  package var withdrawalFails = 0.01
  /// Share of members who apply for the card.
  package var wantsCard = 0.30
  /// Share of applicants whose identity check passes.
  package var passesKYC = 0.90
  /// Share of verified members who activate the card.
  package var activates = 0.85
  /// Probability that a visit of a card holder pays with the card.
  package var spends = 0.50
  /// Mean card payment; payments are exponential, in whole cents.
  package var meanSpend = MicroUSDT.whole(20)
  /// Members whose every transaction is recorded, the first ones.
  package var traced = 10

  /// The defaults.
  package init() {}
}
