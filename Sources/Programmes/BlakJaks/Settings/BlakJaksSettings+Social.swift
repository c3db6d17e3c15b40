internal import Population
internal import Quantities
internal import RewardModel

extension BlakJaksSettings {
  /// How members talk, watch and vote.
  static let social: [Setting<BlakJaksSettings>] = chat + chatWeights + streams + proposals

  static let socialDocs: [String: String] = [
    "rules.social": "Channels, votes and translations.",
    "population.chat": "How members talk, watch and vote.",
    "population.chat.languages":
      "Weights of the languages that messages are written in; only their ratios count.",
    "population.chat.channels":
      "Weights of the channels that members write in; only their ratios count.",
    "population.chat.streams": "The weekly live stream.",
    "population.chat.proposals": "Proposals and their votes.",
  ]

  /// The rules of the social side.
  static let socialRules: [Setting<BlakJaksSettings>] = [
    .tier(
      "rules.social.lounge_tier", \.rules.social.loungeTier,
      .assumed("", "The lowest tier that may read and write in the High Roller Lounge.")),
    .tier(
      "rules.social.voting_tier", \.rules.social.votingTier,
      .assumed("", "The lowest tier that may vote on a proposal.")),
    .integer(
      "rules.social.translation_cache", \.rules.social.translationCache, 1...100_000_000,
      .assumed(
        "translations",
        "Translations that the sample's cache holds at most; with fewer than a day asks for, fewer "
          + "are hits."
      )),
  ]

  private static let chat: [Setting<BlakJaksSettings>] = [
    .flag(
      "population.chat.enabled", \.population.chat.enabled,
      .assumed("", "Whether the social side is simulated.")),
    .decimal(
      "population.chat.messages_per_member_day", \.population.chat.messagesPerMemberDay,
      .atLeast(0, upTo: 10),
      .assumed("messages a day", "Messages that a living member starts, before any answers.")),
    .fraction(
      "population.chat.branching", \.population.chat.branching, most: 0.9,
      .assumed("answers a message", "Mean direct answers to a message.")),
    .duration(
      "population.chat.half_life", \.population.chat.halfLife, .seconds(1) ... .days(7),
      .assumed("", "Half-life of a message's pull on answers.")),
    .decimal(
      "population.chat.messages_per_win", \.population.chat.messagesPerWin,
      .atLeast(0, upTo: 1_000),
      .assumed("messages", "Messages that a win draws directly.")),
    .decimal(
      "population.chat.reactions_per_message", \.population.chat.reactionsPerMessage,
      .atLeast(0, upTo: 100), .assumed("reactions", "Mean reactions to a message.")),
    .decimal(
      "population.chat.translations_per_message", \.population.chat.translationsPerMessage,
      .atLeast(0, upTo: 10),
      .assumed("requests", "Mean requests to translate a message into each other language.")),
    .fraction(
      "population.chat.lounge_attempts", \.population.chat.loungeAttempts, most: 0.95,
      .assumed("of attempts", "Attempts to write in the lounge from below its tier.")),
    .fraction(
      "population.chat.read_only_attempts", \.population.chat.readOnlyAttempts, most: 0.95,
      .assumed("of attempts", "Attempts to write in the read-only channel.")),
    .fraction(
      "population.chat.push_opt_in", \.population.chat.pushOptIn,
      .assumed("of members", "Members who take push notifications.")),
    .integer(
      "population.chat.samples_per_day", \.population.chat.samplesPerDay,
      0...Int128(ActivityFeed.mostOfADay),
      .assumed("messages", "Sample messages kept a local day at most.")),
    .integer(
      "population.chat.sampled", \.population.chat.sampled, 0...100_000,
      .assumed("members", "Members whose messages and votes go through the rules one by one.")),
  ]

  private static let chatWeights: [Setting<BlakJaksSettings>] = [
    .decimal(
      "population.chat.languages.en", \.population.chat.languages.english,
      .above(0, upTo: 1_000), .assumed("", "Weight of English.")),
    chatWeight("languages.es", \.population.chat.languages.spanish, "Spanish"),
    chatWeight("languages.pt", \.population.chat.languages.portuguese, "Portuguese"),
    .decimal(
      "population.chat.channels.general_chat", \.population.chat.channels.generalChat,
      .above(0, upTo: 1_000), .assumed("", "Weight of #general-chat.")),
    chatWeight(
      "channels.introductions", \.population.chat.channels.introductions, "#introductions"),
    chatWeight("channels.vip_chat", \.population.chat.channels.vipChat, "#vip-chat"),
    chatWeight(
      "channels.exclusive_deals", \.population.chat.channels.exclusiveDeals, "#exclusive-deals"),
    chatWeight("channels.comp_claims", \.population.chat.channels.compClaims, "#comp-claims"),
    chatWeight("channels.wallet_talk", \.population.chat.channels.walletTalk, "#wallet-talk"),
    chatWeight("channels.trading_tips", \.population.chat.channels.tradingTips, "#trading-tips"),
    chatWeight("channels.proposals", \.population.chat.channels.proposals, "#proposals"),
    chatWeight("channels.voting", \.population.chat.channels.voting, "#voting"),
  ]

  private static func chatWeight(
    _ key: String, _ place: any Setting<BlakJaksSettings>.Place<Double>, _ name: String
  ) -> Setting<BlakJaksSettings> {
    .decimal(
      "population.chat.\(key)", place, .atLeast(0, upTo: 1_000),
      .assumed("", "Weight of \(name)."))
  }

  private static let streams: [Setting<BlakJaksSettings>] = [
    .integer(
      "population.chat.streams.weekday", \.population.chat.streams.weekday, 0...6,
      .assumed("", "Local weekday of the stream, 0 (Monday) to 6 (Sunday).")),
    .integer(
      "population.chat.streams.hour", \.population.chat.streams.hour, 0...23,
      .assumed("o'clock", "Local hour at which it starts.")),
    .duration(
      "population.chat.streams.length", \.population.chat.streams.length,
      .minutes(1) ... .hours(24), .assumed("", "How long it lasts.")),
    .fraction(
      "population.chat.streams.viewers_share", \.population.chat.streams.viewersShare,
      .assumed("of living members", "Viewers at the peak.")),
    .decimal(
      "population.chat.streams.chat_boost", \.population.chat.streams.chatBoost,
      .atLeast(0, upTo: 100),
      .assumed("messages a viewer-hour", "Messages that viewers start, before any answers.")),
    .duration(
      "population.chat.streams.ramp", \.population.chat.streams.ramp, .seconds(0) ... .hours(24),
      .assumed("", "Time in which the audience gathers.")),
    .duration(
      "population.chat.streams.half_life", \.population.chat.streams.halfLife,
      .minutes(1) ... .days(7), .assumed("", "Half-life of the audience from its peak on.")),
    .duration(
      "population.chat.streams.stay", \.population.chat.streams.stay,
      .seconds(1) ... .hours(24),
      .assumed("", "Mean time that one viewer stays; the shorter, the more different viewers come.")
    ),
  ]

  private static let proposals: [Setting<BlakJaksSettings>] = [
    .decimal(
      "population.chat.proposals.per_month", \.population.chat.proposals.perMonth,
      .atLeast(0, upTo: 100), .assumed("proposals", "Proposals opened a month.")),
    .days(
      "population.chat.proposals.voting", \.population.chat.proposals.votingDays, 1...30,
      .assumed("", "How long a proposal is open for votes, in days of 24 hours.")),
    .fraction(
      "population.chat.proposals.turnout", \.population.chat.proposals.turnout,
      .assumed("of those entitled", "Members who vote on a proposal.")),
    .fraction(
      "population.chat.proposals.support", \.population.chat.proposals.support,
      .assumed("of votes", "Votes in favor, averaged over proposals.")),
    .fraction(
      "population.chat.proposals.votes_again", \.population.chat.proposals.votesAgain,
      .assumed("of sampled voters", "Voters who try to vote a second time.")),
  ]
}
