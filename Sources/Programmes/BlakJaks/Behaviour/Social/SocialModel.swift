internal import EventKernel
internal import Population
package import Quantities

/// The social side of the program, window by window: messages, reactions, translations, live
/// streams, proposals and notifications.
///
/// Everything is counted, in a bounded number of draws a window whatever the number of members;
/// of the messages a few samples are kept. Each channel is a Hawkes process of its own: members'
/// base rate, viewers' messages (general chat) and wins (comp claims) bring messages, and each
/// message brings answers in the same channel. The program announces each stream and each
/// proposal once in its read-only channel.
///
/// Draws are keyed by (seed, purpose, window), so that no window's draws depend on another's.
/// State is O(channels + open proposals).
package struct SocialModel: Sendable {
  /// Entities of the chat purpose after those of the channels.
  private enum Lane {
    static let lockedAttempts: UInt64 = 251
    static let readOnlyAttempts: UInt64 = 252
    static let languages: UInt64 = 253
    static let reactions: UInt64 = 254
    static let notifications: UInt64 = 255
  }

  /// Messages started by one cause in one channel and window at most: beyond any program, and
  /// few enough that every sampler stays within its range.
  private static let mostStarted = 5e6
  /// The largest mean of a Poisson draw.
  private static let largestMean = 1e9

  package let settings: ChatSettings
  private let seed: UInt64
  private let places: ChatPlaces
  private let votingTier: Int
  private let decay: Double
  private let languageShares: [Double]
  private let translation: TranslationDraw
  private var stay: HawkesStay
  private var staySpan: TimeSpan
  private var channels: [HawkesCounter]
  private var streams: StreamModel
  private var proposals: ProposalModel
  private var sampler: ChatSampler

  /// - Parameters:
  ///   - settings: Within the ranges of a validated scenario.
  ///   - channels: What the rulebook allows, in the order of its catalog; at most 250.
  ///   - votingTier: Rank of the lowest tier that votes, 0...3.
  ///   - calendar: The run's local days and clock changes.
  ///   - seed: The run's seed.
  package init(
    _ settings: ChatSettings, channels: [ChannelAccess], votingTier: Int,
    calendar: ProgrammeCalendar, seed: UInt64
  ) {
    invariant(settings.halfLife > .seconds(0), "a half-life is above 0")
    invariant((0...3).contains(votingTier), "a tier's rank lies from 0 to 3")
    self.settings = settings
    self.seed = seed
    self.votingTier = votingTier
    places = ChatPlaces(settings.channels, access: channels)
    decay = Elementary.log(2) / settings.halfLife.inSeconds
    staySpan = .hours(1)
    stay = HawkesStay(seconds: staySpan.inSeconds, decay: decay)
    let weights = settings.languages
    let all = [weights.english, weights.spanish, weights.portuguese]
    let total = all.reduce(0, +)
    invariant(total > 0, "some language has weight")
    languageShares = all.map { $0 / total }
    translation = TranslationDraw(mean: settings.translationsPerMessage)
    self.channels = Array(
      repeating: HawkesCounter(branching: settings.branching), count: channels.count)
    streams = StreamModel(settings.streams, calendar: calendar, seed: seed)
    proposals = ProposalModel(settings.proposals, seed: seed)
    sampler = ChatSampler(perDay: settings.samplesPerDay, calendar: calendar, seed: seed)
  }

  /// Answers to come after the last window, over all channels.
  package var carried: Int { channels.reduce(0) { $0 + $1.carried } }

  /// Proposals whose voting goes on after the last window, in the order of their opening.
  var openProposals: [ProposalModel.Open] { proposals.open }

  /// The live stream that goes on after the last window, which ended at `end`; nil where none does.
  func openStream(at end: Instant) -> StreamReport? { streams.openReport(at: end) }

  /// Moves to the end of the next window and returns what happened in it.
  ///
  /// Windows follow one another without gaps; each `index` is used once.
  ///
  /// - Complexity: O(channels × log(messages) + open proposals).
  package mutating func window(_ input: SocialInput) -> SocialWindow {
    check(input)
    var result = SocialWindow(channels: channels.count)
    let living = input.living.wrappedSum()
    let stream = streams.window(
      index: input.index, start: input.start, end: input.end, living: living)
    result.streamStarted = stream.started
    result.streamEnded = stream.ended
    result.streamMessages = stream.messages
    result.viewersNow = stream.viewersNow
    let voting = proposals.window(
      index: input.index, start: input.start, end: input.end,
      eligible: (votingTier..<4).reduce(0) { $0 + input.living[$1] })
    result.proposalsOpened = voting.opened
    result.proposalsClosed = voting.closed
    result.votes = voting.votes
    post(input, streamMessages: stream.messages, &result)
    refuse(input, &result)
    spread(input, &result)
    result.samples = sampler.window(input, result.messagesByChannel, places, languageShares)
    announce(&result)
    respond(input, &result)
    notify(input, living: living, &result)
    return result
  }

  /// What changes from window to window.
  struct Saved: Codable {
    fileprivate var carried: [Int]
    fileprivate var live: StreamModel.Live?
    fileprivate var proposals: [ProposalModel.Open]
    fileprivate var proposalCount: Int
    fileprivate var sampledDay: Int
    fileprivate var sampled: Int
  }

  /// What to save after a window, or where to go on.
  var saved: Saved {
    get {
      Saved(
        carried: channels.map(\.carried), live: streams.live, proposals: proposals.open,
        proposalCount: proposals.count, sampledDay: sampler.day, sampled: sampler.taken)
    }
    set {
      channels = newValue.carried.map {
        HawkesCounter(branching: settings.branching, carried: $0)
      }
      streams.live = newValue.live
      proposals.open = newValue.proposals
      proposals.count = newValue.proposalCount
      sampler.day = newValue.sampledDay
      sampler.taken = newValue.sampled
    }
  }

  private func check(_ input: SocialInput) {
    invariant(input.end > input.start, "a window takes time")
    invariant(input.index < 1 << 40, "a run has fewer than 2^40 windows")
    invariant(input.rateFactor >= 0 && input.rateFactor < .infinity, "a rate is at least 0")
    invariant(input.wins >= 0, "wins are counted from 0")
    invariant((0..<4).allSatisfy { input.living[$0] >= 0 }, "members are counted from 0")
  }

  private func stream(_ input: SocialInput, _ lane: UInt64, _ purpose: RandomPurpose)
    -> RandomStream
  {
    RandomStream(seed: seed, purpose: purpose.rawValue, entity: input.index << 8 | lane)
  }

  /// Members' messages, channel by channel.
  private mutating func post(
    _ input: SocialInput, streamMessages: Int, _ result: inout SocialWindow
  ) {
    let span = input.end - input.start
    if span != staySpan {
      staySpan = span
      stay = HawkesStay(seconds: span.inSeconds, decay: decay)
    }
    let living = SIMD4<Double>(
      Double(input.living[0]), Double(input.living[1]), Double(input.living[2]),
      Double(input.living[3]))
    let each = settings.messagesPerMemberDay * span.inSeconds / 86_400 * input.rateFactor
    for row in channels.indices where !places.access[row].isReadOnly {
      var draws = stream(input, UInt64(row), .chat)
      let writers = (living * places.shares[row]).sum()
      let own = draws.poisson(mean: min(Self.mostStarted, each * writers))
      let viewers = row == places.streamChat ? min(streamMessages, Int(Self.mostStarted)) : 0
      let pull = row == places.winTalk ? settings.messagesPerWin * Double(input.wins) : 0
      let excited = pull > 0 ? draws.poisson(mean: min(Self.mostStarted, pull)) : 0
      result.messagesByChannel[row] = channels[row].window(
        stay, immigrants: own + viewers, excited: excited, &draws)
    }
  }

  /// Attempts that the channels refuse, as shares of all attempts.
  private func refuse(_ input: SocialInput, _ result: inout SocialWindow) {
    var draws = stream(input, Lane.lockedAttempts, .chat)
    let locked = settings.loungeAttempts / (1 - settings.loungeAttempts)
    var accepted = 0
    for row in channels.indices where places.isLocked(row, for: input.living) {
      accepted += result.messagesByChannel[row]
    }
    result.refusedTierLocked = draws.poisson(mean: min(Self.largestMean, locked * Double(accepted)))
    var readOnlyDraws = stream(input, Lane.readOnlyAttempts, .chat)
    let readOnly = settings.readOnlyAttempts / (1 - settings.readOnlyAttempts)
    guard places.access.contains(where: \.isReadOnly) else { return }
    result.refusedReadOnly = readOnlyDraws.poisson(
      mean: min(Self.largestMean, readOnly * Double(result.messages)))
  }

  /// Splits members' messages by language and counts the translations asked for.
  private func spread(_ input: SocialInput, _ result: inout SocialWindow) {
    var draws = stream(input, Lane.languages, .chat)
    var left = result.messages
    var share = 1.0
    for (row, part) in languageShares.enumerated() {
      let isLast = row == languageShares.count - 1
      let chance = share > 0 ? min(1, part / share) : 0
      let count = isLast ? left : draws.binomial(left, chance)
      result.messagesByLanguage[row] = count
      left -= count
      share = max(0, share - part)
    }
    let rows = result.messagesByLanguage.indices
    for source in rows {
      for target in rows where target != source && result.messagesByLanguage[source] > 0 {
        var asked = stream(input, UInt64(source << 2 | target), .translation)
        let count = translation.requests(messages: result.messagesByLanguage[source], &asked)
        result.translations[target].requests += count.requests
        result.translations[target].misses += count.misses
      }
    }
  }

  /// The program's own messages.
  private func announce(_ result: inout SocialWindow) {
    guard let row = places.announcements else { return }
    result.messagesByChannel[row] +=
      (result.streamStarted == nil ? 0 : 1) + result.proposalsOpened.count
  }

  private func respond(_ input: SocialInput, _ result: inout SocialWindow) {
    var draws = stream(input, Lane.reactions, .chat)
    result.reactions = draws.poisson(
      mean: min(Self.largestMean, settings.reactionsPerMessage * Double(result.messages)))
  }

  private func notify(_ input: SocialInput, living: Int, _ result: inout SocialWindow) {
    var draws = stream(input, Lane.notifications, .chat)
    result.notifications.wins = draws.binomial(input.wins, settings.pushOptIn)
    if result.streamStarted != nil {
      result.notifications.streams = draws.binomial(living, settings.pushOptIn)
    }
    for _ in result.proposalsOpened {
      result.notifications.proposals += draws.binomial(living, settings.pushOptIn)
    }
  }
}
