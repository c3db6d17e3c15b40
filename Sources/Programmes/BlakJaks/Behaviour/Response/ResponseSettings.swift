package import Quantities

/// How members respond to what the program gives, as one scenario sets it. By default they do not.
///
/// None of it has been measured for this program: every number is an assumption. See
/// `MemberResponse` for the formulas and their sources.
package struct ResponseSettings: Sendable, Equatable {
  /// Elasticity of the purchase rate to the value of a tin; 0 or more.
  package var purchase = 0.0
  /// Elasticity of the share of tins that are scanned to the value of a tin; 0 or more.
  package var scan = 0.0
  /// The value of a tin at which members behave as the other settings say; nil takes that of the
  /// program's default rules.
  package var referenceValue: MicroUSDT?
  /// Elasticity of sign-ups to the guarantee; 0 or more.
  package var adoption = 0.0
  /// The guarantee at which as many sign up as the other settings say; nil takes that of the
  /// program's default rules.
  package var referenceGuarantee: MicroUSDT?
  /// The least that a rate or share falls to, as a factor on it; more than 0, at most 1.
  package var least = 0.5
  /// The most that it rises to, as a factor on it; 1 or more.
  package var most = 2.0
  /// By how much a member buys more often after winning a milestone comp: 0.2 is a fifth more.
  package var uplift = 0.0
  /// How long that lasts, counted from the local midnight after the win.
  package var upliftLasts = TimeSpan.days(28)
  /// Probability that a member whose tier falls when the quarter turns stops buying.
  package var lapse = 0.0

  /// Whether what members expect moves how much they buy and scan, or how many sign up.
  package var followsValue: Bool { purchase != 0 || scan != 0 || adoption != 0 }

  /// Whether what happens to a member during the run moves how much that member buys.
  package var followsEvents: Bool { uplift != 0 || lapse != 0 }

  /// Whether members respond to anything.
  package var isOn: Bool { followsValue || followsEvents }

  /// The defaults.
  package init() {}
}
