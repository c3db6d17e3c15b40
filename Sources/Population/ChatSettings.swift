public import Quantities

/// How members talk, watch and vote.
///
/// Rates are a mean over the week; the window's demand factor follows the clock.
public struct ChatSettings: Sendable, Equatable {
  /// Whether the social side is simulated at all.
  public var enabled = false
  /// Messages that a living member starts a day, before any answers: with a branching ratio n
  /// there are 1 ÷ (1 − n) times as many in all.
  public var messagesPerMemberDay = 0.02
  /// Mean number of direct answers to a message (branching ratio of the Hawkes process), below 1.
  public var branching = 0.5
  /// Half-life of a message's pull on answers.
  public var halfLife = Span.seconds(35)
  /// Mean number of messages that a win draws directly, before any answers to them.
  public var messagesPerWin = 3.0
  /// Mean reactions to a message.
  public var reactionsPerMessage = 1.5
  /// Mean requests to translate a message, for each language other than its own.
  public var translationsPerMessage = 0.3
  /// Share of the attempts to write in a tier-locked channel that come from below the tier.
  public var loungeAttempts = 0.05
  /// Share of all attempts to write that go to a read-only channel.
  public var readOnlyAttempts = 0.01
  /// Share of members who take push notifications.
  public var pushOptIn = 0.6
  /// Sample messages kept a local day at most.
  public var samplesPerDay = 20
  public var languages = LanguageWeights()
  public var channels = ChannelWeights()
  public var streams = StreamSettings()
  public var proposals = ProposalSettings()

  /// The defaults.
  public init() {}
}

/// Weights of the languages that messages are written in; only their ratios count.
public struct LanguageWeights: Sendable, Equatable {
  /// More than 0.
  public var english = 0.70
  public var spanish = 0.20
  public var portuguese = 0.10

  /// The defaults.
  public init() {}
}

/// Where members write, by channel; only the ratios of the weights count.
///
/// A member spreads messages over the channels that are open to its tier.
public struct ChannelWeights: Sendable, Equatable {
  /// More than 0.
  public var generalChat = 0.40
  public var introductions = 0.06
  public var vipChat = 0.08
  public var exclusiveDeals = 0.04
  public var compClaims = 0.14
  public var walletTalk = 0.08
  public var tradingTips = 0.10
  public var proposals = 0.05
  public var voting = 0.05

  /// The defaults.
  public init() {}
}

/// The weekly live stream.
public struct StreamSettings: Sendable, Equatable {
  /// Local weekday, 0 (Monday) to 6 (Sunday).
  public var weekday = 4
  /// Local hour of its start, 0 to 23.
  public var hour = 20
  /// How long it lasts.
  public var length = Span.minutes(120)
  /// Viewers at the peak as a share of the living members at the start.
  public var viewersShare = 0.05
  /// Messages that viewers start an hour of viewing, before any answers.
  public var chatBoost = 2.0
  /// Time in which the audience gathers, evenly.
  public var ramp = Span.minutes(15)
  /// Half-life of the audience from the peak on.
  public var halfLife = Span.minutes(90)
  /// Mean time that one viewer stays.
  public var stay = Span.minutes(40)

  /// The defaults.
  public init() {}
}

/// Proposals and their votes.
public struct ProposalSettings: Sendable, Equatable {
  /// Proposals opened a month of 30.436875 days on average.
  public var perMonth = 2.0
  /// Days of 24 hours that the voting lasts.
  public var votingDays: Int64 = 7
  /// Share of those entitled at the opening who vote.
  public var turnout = 0.10
  /// Share of the votes in favour, averaged over proposals.
  public var support = 0.6

  /// The defaults.
  public init() {}
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
