package import Population

extension PurchaseSettings {
  /// How members buy and leave.
  ///
  /// - Parameter open: What null does in place of the gamma distribution's parameters, as in
  ///   `takes it from tins`.
  package static func catalog(open: String) -> [Setting<PurchaseSettings>] {
    [
      .choice(
        "model", \.model,
        .assumed("", "Buy-till-you-die model of purchases and leaving.")),
      .optionalDecimal(
        "r", \.r, .above(0, upTo: 10_000),
        .assumed("", "Shape of the purchase rates; null \(open).")),
      .optionalDecimal(
        "alpha", \.alpha, .above(0, upTo: 1_000_000),
        .assumed(
          "weeks",
          "Rate parameter of the purchase rates as published, of the steps of a gap; null \(open).")
      ),
      .decimal(
        "a", \.a, .above(0, upTo: 10_000),
        .assumed("", "First beta parameter of leaving (bg_nbd, mbg_nbd).")),
      .decimal(
        "b", \.b, .above(0, upTo: 10_000),
        .assumed("", "Second beta parameter of leaving (bg_nbd, mbg_nbd).")),
      .decimal(
        "s", \.s, .above(0, upTo: 10_000),
        .assumed("", "Shape of the dropout rates (pareto_nbd).")),
      .decimal(
        "beta", \.beta, .above(0, upTo: 1_000_000),
        .assumed("weeks", "Rate parameter of the dropout rates (pareto_nbd).")),
      .integer(
        "erlang", \.erlang, 1...100,
        .assumed("", "Shape of the gaps between purchases; 1 is a Poisson process.")),
    ]
  }
}
