internal import EventKernel
internal import Population
internal import Quantities

/// Members whose social side runs through the rules, request by request: each message through
/// `Channels`, each translation through a `TranslationCache`, each vote through a `ProposalDesk`.
///
/// `SocialModel` counts what all members do, in law. These few do it, with the same settings: the
/// same rates, places, languages and shares of attempts that are refused. Of the messages that wins
/// and live streams draw they write their part, as many as they are among the living. Their day is
/// played at its end, with their tiers then.
struct SocialSample {
  /// Sums since the run's start.
  struct Sums: Sendable, Codable {
    /// Members of the sample who were there on the last day.
    var members: Int64 = 0
    var messages: Int64 = 0
    var tierLocked: Int64 = 0
    var readOnly: Int64 = 0
    var translations: Int64 = 0
    var translationHits: Int64 = 0
    var votes: Int64 = 0
    var votesRefused: Int64 = 0
  }

  /// One member of the sample and the tier held.
  struct Member: Sendable {
    var number: UInt32
    var tier: Tier
  }

  /// What of a local day concerns everybody.
  struct Day: Sendable, Codable {
    /// Proposals that opened.
    var opened: [ProposalOpening] = []
    /// Milestone comps that were won.
    var wins = 0
    /// Messages that viewers of a live stream started.
    var viewerMessages = 0
    /// How long it is in operational time, in days: what holidays and weekdays make of it.
    var length = 0.0
    /// Members who are there at its end, by tier.
    var living = SIMD4<Int>()
  }

  /// A reader asks for one translation of a message.
  private struct Wish {
    var message: Int64
    var language: Language
  }

  fileprivate struct Ballot: Codable {
    var time: Instant
    var member: UInt32
    var proposal: Int
    var inFavour: Bool
  }

  /// How many members are sampled at most.
  let size: Int
  private let settings: ChatSettings
  private let seed: UInt64
  private let channels: Channels
  private let readOnly: [Channel]
  /// Weights of all channels for writers of one tier.
  private let weights: PerTier<[Double]>
  private let languages: [Double]
  private var cache: TranslationCache
  private var desk: ProposalDesk
  private var ballots: [Ballot] = []
  /// What is asked for on the day that is played.
  private var wishes: [Wish] = []
  private(set) var sums = Sums()

  /// Nil when the scenario samples nobody.
  init?(_ input: WorldInput) {
    let chat = input.population.chat
    guard chat.sampled > 0 else { return nil }
    size = chat.sampled
    settings = chat
    seed = input.seed
    let channels = Channels(rules: input.rules.social)
    self.channels = channels
    readOnly = channels.all.filter(\.isReadOnly)
    var weights = PerTier<[Double]>(repeating: [])
    for tier in Tier.allCases {
      weights[tier] = channels.all.map {
        $0.isReadOnly || $0.requiredTier > tier ? 0 : chat.channels.weight(of: $0.id) ?? 0
      }
    }
    self.weights = weights
    languages = [chat.languages.english, chat.languages.spanish, chat.languages.portuguese]
    cache = TranslationCache(capacity: input.rules.social.translationCache)
    desk = ProposalDesk(rules: input.rules.social)
  }

  /// What changes from day to day.
  struct Saved: Codable {
    fileprivate var cache: TranslationCache
    fileprivate var desk: ProposalDesk
    fileprivate var ballots: [Ballot]
    fileprivate var sums: Sums
  }

  /// What to save after a window, or where to go on.
  var saved: Saved {
    get { Saved(cache: cache, desk: desk, ballots: ballots, sums: sums) }
    set {
      (cache, desk, ballots, sums) = (
        newValue.cache, newValue.desk, newValue.ballots, newValue.sums
      )
    }
  }

  /// Plays a local day.
  ///
  /// - Parameters:
  ///   - day: Its row.
  ///   - end: Its last instant, exclusive.
  ///   - members: Those of the sample who are there at its end.
  ///   - events: What concerns everybody.
  /// - Complexity: O(members + messages).
  mutating func host(day: Int, until end: Instant, _ members: [Member], _ events: Day) {
    sums.members = Int64(members.count)
    for opening in events.opened { open(opening, members) }
    let mean = settings.messagesPerMemberDay * events.length / (1 - settings.branching)
    for member in members {
      var stream = stream(UInt64(day) << 32 | UInt64(member.number))
      for _ in 0..<stream.poisson(mean: mean) { write(member, members, &stream) }
    }
    var stream = stream(1 << 62 | UInt64(day))
    join(ChatPlaces.winID, settings.messagesPerWin * Double(events.wins), events, members, &stream)
    join(ChatPlaces.streamID, Double(events.viewerMessages), events, members, &stream)
    translate(on: day)
    vote(until: end, members)
    _ = desk.close(at: end)
  }

  private func stream(_ entity: UInt64) -> RandomStream {
    RandomStream(seed: seed, purpose: RandomPurpose.socialSample.rawValue, entity: entity)
  }

  /// The sample's part of the messages that something draws to a channel, answers included.
  ///
  /// - Parameter started: By all members, before any answers.
  private mutating func join(
    _ id: String, _ started: Double, _ events: Day, _ members: [Member],
    _ stream: inout RandomStream
  ) {
    guard started > 0, let channel = channels.all.first(where: { $0.id == id && !$0.isReadOnly })
    else { return }
    let writers = members.filter { $0.tier >= channel.requiredTier }
    let living = Tier.allCases.filter { $0 >= channel.requiredTier }
      .reduce(0) { $0 + events.living[Int($1.rawValue)] }
    guard !writers.isEmpty, living > 0 else { return }
    let share = Double(writers.count) / Double(living)
    let mean = min(started / (1 - settings.branching) * share, Self.mostJoined)
    for _ in 0..<stream.poisson(mean: mean) {
      let writer = writers[Int(stream.uniformIndex(below: UInt64(writers.count)))]
      write(writer, in: channel, members, &stream)
    }
  }

  /// Messages that one cause draws on one day at most, as in `SocialModel`.
  private static let mostJoined = 5e6

  /// A member writes where the tier allows.
  private mutating func write(
    _ member: Member, _ members: [Member], _ stream: inout RandomStream
  ) {
    let places = weights[member.tier]
    guard places.contains(where: { $0 > 0 }) else { return }
    write(member, in: channels.all[Self.row(of: stream.uniform(), places)], members, &stream)
  }

  /// A member writes; others try where they may not.
  private mutating func write(
    _ member: Member, in channel: Channel, _ members: [Member], _ stream: inout RandomStream
  ) {
    guard post(by: member.tier, channel) else { return }
    wish(for: sums.messages, &stream)
    let below = members.filter { $0.tier < channel.requiredTier }
    let locked = settings.loungeAttempts / (1 - settings.loungeAttempts)
    if !below.isEmpty {
      for _ in 0..<stream.poisson(mean: locked) {
        let other = below[Int(stream.uniformIndex(below: UInt64(below.count)))]
        _ = post(by: other.tier, channel)
      }
    }
    guard !readOnly.isEmpty else { return }
    for _ in 0..<stream.poisson(mean: settings.readOnlyAttempts / (1 - settings.readOnlyAttempts)) {
      let other = members[Int(stream.uniformIndex(below: UInt64(members.count)))]
      _ = post(by: other.tier, readOnly[Int(stream.uniformIndex(below: UInt64(readOnly.count)))])
    }
  }

  /// One message, as the channels adjudicate it.
  private mutating func post(by tier: Tier, _ channel: Channel) -> Bool {
    do throws(ChannelRefusal) {
      _ = try channels.post(by: tier, channel.id)
      sums.messages += 1
      return true
    } catch {
      switch error {
      case .tierLocked: sums.tierLocked += 1
      case .readOnly: sums.readOnly += 1
      case .unknown(let id): fatalError("the catalog has no channel \(id)")
      }
      return false
    }
  }

  /// The requests for one message's translations.
  private mutating func wish(for message: Int64, _ stream: inout RandomStream) {
    let own = Self.row(of: stream.uniform(), languages)
    for language in Language.allCases where language.index != own {
      for _ in 0..<stream.poisson(mean: settings.translationsPerMessage) {
        wishes.append(Wish(message: message, language: language))
      }
    }
  }

  /// Plays a day's requests for translations through the cache. Readers come all through the day, so that
  /// requests of many messages lie between two of one.
  private mutating func translate(on day: Int) {
    var stream = stream(1 << 61 | UInt64(day))
    let order = wishes.indices.map { (moment: stream.nextUInt64(), place: $0) }
      .sorted { ($0.moment, $0.place) < ($1.moment, $1.place) }
    for (_, place) in order {
      let wish = wishes[place]
      sums.translations += 1
      let found = cache.request(message: wish.message, language: wish.language)
      sums.translationHits += found.isHit ? 1 : 0
    }
    wishes.removeAll(keepingCapacity: true)
  }

  /// A proposal opens: some of the members will vote on it, a few of them twice.
  private mutating func open(_ opening: ProposalOpening, _ members: [Member]) {
    let span = opening.closes - opening.opens
    let number = desk.open(at: opening.opens, for: span)
    for member in members {
      var stream = stream(1 << 63 | UInt64(number) << 32 | UInt64(member.number))
      guard stream.uniform() < settings.proposals.turnout else { continue }
      let inFavour = stream.uniform() < settings.proposals.support
      let first = Double(span.microseconds) * stream.uniform()
      func ballot(_ micros: Double) -> Ballot {
        Ballot(
          time: opening.opens + TimeSpan(microseconds: Int64(micros)), member: member.number,
          proposal: number, inFavour: inFavour)
      }
      ballots.append(ballot(first))
      guard stream.uniform() < settings.proposals.votesAgain else { continue }
      ballots.append(ballot(first + (Double(span.microseconds) - first) * stream.uniform()))
    }
  }

  /// Casts the votes that are due, in the order of their instants; who has left casts none.
  private mutating func vote(until end: Instant, _ members: [Member]) {
    let due = ballots.filter { $0.time < end }.sorted {
      ($0.time, $0.member) < ($1.time, $1.member)
    }
    ballots.removeAll { $0.time < end }
    guard !due.isEmpty else { return }
    let tiers = [UInt32: Tier](uniqueKeysWithValues: members.map { ($0.number, $0.tier) })
    for ballot in due {
      guard let tier = tiers[ballot.member] else { continue }
      do throws(VoteRefusal) {
        try desk.vote(
          ballot.proposal, member: ballot.member, tier: tier, inFavour: ballot.inFavour,
          at: ballot.time)
        sums.votes += 1
      } catch {
        sums.votesRefused += 1
      }
    }
  }

  /// The row in which the running sum of weights passes `place` of the whole; the last with weight
  /// when rounding left it beyond all.
  private static func row(of place: Double, _ weights: [Double]) -> Int {
    var left = place * weights.reduce(0, +)
    for (row, weight) in weights.enumerated() {
      if weight > 0 && left < weight { return row }
      left -= weight
    }
    return weights.lastIndex { $0 > 0 } ?? 0
  }
}
