package import Population

extension AdoptionSettings {
  /// How sign-ups are spread over a run.
  package static let catalog: [Setting<AdoptionSettings>] = [
    .choice(
      "model", \.model,
      .assumed("", "How sign-ups are spread over the run.")),
    .decimal(
      "p", \.innovation, .above(0, upTo: 10),
      .sourced("a year", "Bass coefficient of innovation.")),
    .decimal(
      "q", \.imitation, .atLeast(0, upTo: 100),
      .sourced("a year", "Bass coefficient of imitation.")),
    .optionalInteger(
      "market", \.market, 1...10_000_000_000,
      .assumed("people", "Bass market; null lets `members` sign up by the run's end.")),
    .integers(
      "monthly", \.monthly, 0...Int128(AdoptionSettings.membersMaximum),
      count: 0...122,
      .assumed(
        "sign-ups",
        "Sign-ups of each calendar month for plan; the last one repeats. A month that the run's end "
          + "cuts has its share by days.")),
    .decimal(
      "per_day", \.perDay, .above(0, upTo: 10_000_000),
      .assumed("sign-ups a day", "Arrival rate for rate.")),
  ]
}
