package import Quantities

/// What the rulebook lets members do on one channel, as the social model needs to know it.
package struct ChannelAccess: Sendable, Equatable {
  /// The channel's id, as in `general/general-chat`.
  package var id: String
  /// Whether only the program itself writes here.
  package var isReadOnly: Bool
  /// Rank of the lowest tier that may write here: 0 the lowest of all, to 3.
  package var lowestTier: Int

  /// One channel; see the properties.
  package init(id: String, isReadOnly: Bool, lowestTier: Int) {
    self.id = id
    self.isReadOnly = isReadOnly
    self.lowestTier = lowestTier
  }
}

/// What the social model needs to know of one window.
package struct SocialInput: Sendable {
  /// Number of the window in the run; names its random streams.
  package var index: UInt64
  package var start: Instant
  /// Exclusive; at most a day and an hour after the start.
  package var end: Instant
  /// Mean operational rate of the window; 1 on average over an ordinary week.
  package var rateFactor: Double
  /// Living members by tier, lowest first.
  package var living: SIMD4<Int>
  /// Crypto comps, casino comps and trips won in the window.
  package var wins: Int

  /// One window; see the properties for units.
  package init(
    index: UInt64, start: Instant, end: Instant, rateFactor: Double, living: SIMD4<Int>, wins: Int
  ) {
    self.index = index
    self.start = start
    self.end = end
    self.rateFactor = rateFactor
    self.living = living
    self.wins = wins
  }
}

/// One message of many, kept to show what the chat was like.
package struct ChatSample: Sendable, Equatable {
  package var time: Instant
  /// Row of the channel.
  package var channel: Int
  package var language: ChatLanguage
  /// Rank of the writer's tier, 0...3.
  package var tier: Int
  /// What it is about: one of the channel's few words.
  package var topic: String
}

/// Push notifications by what they announced.
package struct NotificationCounts: Sendable, Equatable {
  /// To winners.
  package var wins = 0
  /// To everybody, at the start of a stream.
  package var streams = 0
  /// To everybody, at the opening of a proposal.
  package var proposals = 0

  /// All of them.
  package var total: Int { wins + streams + proposals }
}

/// What happened on the social side in one window.
package struct SocialWindow: Sendable, Equatable {
  /// Messages, one row a channel; in a read-only channel the program's own.
  package var messagesByChannel: [Int]
  /// Members' messages, one row a `ChatLanguage`; the program's own are not translated.
  package var messagesByLanguage: [Int]
  /// Attempts to write that a channel's tier refused.
  package var refusedTierLocked = 0
  /// Attempts to write that a read-only channel refused.
  package var refusedReadOnly = 0
  /// Reactions to the window's messages.
  package var reactions = 0
  /// Requests to translate the window's messages, one row a target `ChatLanguage`.
  package var translations: [TranslationCount]
  /// Viewers of a live stream at the window's end.
  package var viewersNow = 0
  /// The start of a stream that began in the window.
  package var streamStarted: Instant?
  /// A stream that ended by the window's end.
  package var streamEnded: StreamReport?
  /// Messages that viewers of the stream started in the window.
  package var streamMessages = 0
  package var proposalsOpened: [ProposalOpening] = []
  package var proposalsClosed: [ProposalClosing] = []
  /// Votes cast in the window.
  package var votes = 0
  package var notifications = NotificationCounts()
  /// Sample messages in order of time.
  package var samples: [ChatSample] = []

  /// A window in which nothing happened.
  package init(channels: Int) {
    messagesByChannel = Array(repeating: 0, count: channels)
    messagesByLanguage = Array(repeating: 0, count: ChatLanguage.allCases.count)
    translations = Array(repeating: TranslationCount(), count: ChatLanguage.allCases.count)
  }

  /// All messages.
  package var messages: Int { messagesByChannel.reduce(0, +) }
}
