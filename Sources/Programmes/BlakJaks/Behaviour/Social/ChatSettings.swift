package import Quantities

/// How members talk, watch and vote.
///
/// Rates are a mean over the week; the window's demand factor follows the clock.
package struct ChatSettings: Sendable, Equatable {
  /// Whether the social side is simulated at all.
  package var enabled = false
  /// Messages that a living member starts a day, before any answers: with a branching ratio n
  /// there are 1 ÷ (1 − n) times as many in all.
  package var messagesPerMemberDay = 0.02
  /// Mean number of direct answers to a message (branching ratio of the Hawkes process), below 1.
  package var branching = 0.5
  /// Half-life of a message's pull on answers.
  package var halfLife = TimeSpan.seconds(35)
  /// Mean number of messages that a win draws directly, before any answers to them.
  package var messagesPerWin = 3.0
  /// Mean reactions to a message.
  package var reactionsPerMessage = 1.5
  /// Mean requests to translate a message, for each language other than its own.
  package var translationsPerMessage = 0.3
  /// Share of the attempts to write in a tier-locked channel that come from below the tier.
  package var loungeAttempts = 0.05
  /// Share of all attempts to write that go to a read-only channel.
  package var readOnlyAttempts = 0.01
  /// Share of members who take push notifications.
  package var pushOptIn = 0.6
  /// Sample messages kept a local day at most.
  package var samplesPerDay = 20
  /// Members, the first to sign up, whose messages, translations and votes go through the rules
  /// one by one.
  package var sampled = 500
  package var languages = LanguageWeights()
  package var channels = ChannelWeights()
  package var streams = StreamSettings()
  package var proposals = ProposalSettings()

  /// The defaults.
  package init() {}
}

/// Weights of the languages that messages are written in; only their ratios count.
package struct LanguageWeights: Sendable, Equatable {
  /// More than 0.
  package var english = 0.70
  package var spanish = 0.20
  package var portuguese = 0.10
}

/// Where members write, by channel; only the ratios of the weights count.
///
/// A member spreads messages over the channels that are open to its tier.
package struct ChannelWeights: Sendable, Equatable {
  /// More than 0.
  package var generalChat = 0.40
  package var introductions = 0.06
  package var vipChat = 0.08
  package var exclusiveDeals = 0.04
  package var compClaims = 0.14
  package var walletTalk = 0.08
  package var tradingTips = 0.10
  package var proposals = 0.05
  package var voting = 0.05

  /// The defaults.
  package init() {}
}

/// The weekly live stream.
package struct StreamSettings: Sendable, Equatable {
  /// Local weekday, 0 (Monday) to 6 (Sunday).
  package var weekday = 4
  /// Local hour of its start, 0 to 23.
  package var hour = 20
  /// How long it lasts.
  package var length = TimeSpan.minutes(120)
  /// Viewers at the peak as a share of the living members at the start.
  package var viewersShare = 0.05
  /// Messages that viewers start an hour of viewing, before any answers.
  package var chatBoost = 2.0
  /// Time in which the audience gathers, evenly.
  package var ramp = TimeSpan.minutes(15)
  /// Half-life of the audience from the peak on.
  package var halfLife = TimeSpan.minutes(90)
  /// Mean time that one viewer stays.
  package var stay = TimeSpan.minutes(40)

  /// The defaults.
  package init() {}
}

/// Proposals and their votes.
package struct ProposalSettings: Sendable, Equatable {
  /// Proposals opened a month of 30.436875 days on average.
  package var perMonth = 2.0
  /// Days of 24 hours that the voting lasts.
  package var votingDays: Int64 = 7
  /// Share of those entitled at the opening who vote.
  package var turnout = 0.10
  /// Share of the votes in favor, averaged over proposals.
  package var support = 0.6
  /// Share of the sampled voters who try to vote a second time.
  package var votesAgain = 0.02
}

/// A language that members write in. The raw value is its row in tables.
package enum ChatLanguage: Int, CaseIterable, Sendable {
  case english, spanish, portuguese

  /// The code in exports: `en`, `es`, `pt`.
  package var code: String {
    switch self {
    case .english: "en"
    case .spanish: "es"
    case .portuguese: "pt"
    }
  }
}
