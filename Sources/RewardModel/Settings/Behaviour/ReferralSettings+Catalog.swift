package import Population

extension ReferralSettings {
  /// Who refers, and who is referred.
  package static let catalog: [Setting<ReferralSettings>] = [
    .fraction(
      "affiliates", \.affiliates,
      .assumed("of members", "Members who refer others.")),
    .fraction(
      "referred", \.referred,
      .assumed("of sign-ups", "Sign-ups that one of them referred.")),
    .decimal(
      "dropout_factor", \.dropoutFactor,
      .atLeast(0, upTo: 100), .sourced("", "Factor on a referred member's dropout.")),
  ]
}
