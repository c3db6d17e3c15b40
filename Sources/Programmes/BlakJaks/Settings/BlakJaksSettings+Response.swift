internal import Quantities
internal import RewardModel

extension BlakJaksSettings {
  /// How members respond to what the program gives.
  static let response: [Setting<BlakJaksSettings>] = [
    .decimal(
      "population.response.purchase", \.population.response.purchase, .atLeast(0, upTo: 5),
      .assumed(
        "", "Elasticity of how often members buy to what a tin is worth; 0 turns it off.")),
    .decimal(
      "population.response.scan", \.population.response.scan, .atLeast(0, upTo: 5),
      .assumed(
        "", "Elasticity of the share of tins scanned to what a tin is worth; 0 turns it off.")),
    .optionalMoney(
      "population.response.reference_value", \.population.response.referenceValue, from: 1,
      .assumed(
        "USDT a tin",
        "What a tin is worth where members buy and scan as the other settings say; null takes that "
          + "of the default rules.")),
    .decimal(
      "population.response.adoption", \.population.response.adoption, .atLeast(0, upTo: 5),
      .assumed("", "Elasticity of sign-ups to the guarantee; 0 turns it off.")),
    .optionalMoney(
      "population.response.reference_guarantee", \.population.response.referenceGuarantee,
      from: 1,
      .assumed(
        "USDT",
        "The guarantee at which as many sign up as the other settings say; null takes that of the "
          + "default rules.")),
    .decimal(
      "population.response.least", \.population.response.least, .above(0, upTo: 1),
      .assumed("", "The least factor on purchases, scans or sign-ups, however little is given.")),
    .decimal(
      "population.response.most", \.population.response.most, .atLeast(1, upTo: 10),
      .assumed("", "The largest factor on purchases, scans or sign-ups, however much is given.")),
    .fraction(
      "population.response.win.uplift", \.population.response.uplift, most: 10,
      .assumed("of purchases", "How much more often a member buys after a milestone comp.")),
    .duration(
      "population.response.win.lasts", \.population.response.upliftLasts,
      .hours(1) ... .days(366),
      .assumed("", "How long that lasts, from the midnight after the win on.")),
    .fraction(
      "population.response.lapse", \.population.response.lapse,
      .assumed(
        "of members", "Members who stop buying when a quarter turns and their tier falls.")),
  ]
}
