/// Referrals.
public struct ReferralSettings: Sendable, Equatable {
  /// Share of members who refer others.
  public var affiliates = 0.10
  /// Share of sign-ups that were referred by one of them.
  public var referred = 0.15
  /// Factor on a referred member's dropout: 0.82 is 18 % less often.
  public var dropoutFactor = 0.82

  /// The defaults.
  public init() {}
}
