internal import Population
internal import Quantities
internal import RewardModel

/// The social side of a run: what the model draws, summed up, and beside it a sample of members who
/// go through the rules. Messages are counted and sampled, never kept one by one.
struct SocialDesk {
  /// Sums since the run's start.
  struct Sums: Sendable, Codable {
    var messages: Int64 = 0
    var refused: Int64 = 0
    var reactions: Int64 = 0
    var translations: Int64 = 0
    var translationHits: Int64 = 0
    var streams: Int64 = 0
    var proposals: Int64 = 0
    var votes: Int64 = 0
    var notifications: Int64 = 0
  }

  private var model: SocialModel
  private let channels: [Channel]
  private(set) var sums = Sums()
  private var byChannel: [Int64]
  private var peakViewers: Int64 = 0
  private var opened: [Int: Instant] = [:]
  private var sample: SocialSample?
  /// What the sample takes part in, since the last midnight.
  private var today = SocialSample.Day()

  /// Nil when the scenario has no chat.
  init?(_ input: WorldInput) {
    guard input.population.chat.enabled else { return nil }
    let rules = input.rules.social
    channels = Channels(rules: rules).all
    sample = SocialSample(input)
    byChannel = Array(repeating: 0, count: channels.count)
    model = SocialModel(
      input.population.chat,
      channels: channels.map {
        ChannelAccess(
          id: $0.id, isReadOnly: $0.isReadOnly, lowestTier: Int($0.requiredTier.rawValue))
      }, votingTier: Int(rules.votingTier.rawValue), calendar: input.calendar, seed: input.seed)
  }

  /// What changes from window to window.
  struct Saved: Codable {
    fileprivate var model: SocialModel.Saved
    fileprivate var sums: Sums
    fileprivate var byChannel: [Int64]
    fileprivate var peakViewers: Int64
    fileprivate var opened: [Int: Instant]
    fileprivate var sample: SocialSample.Saved?
    fileprivate var today: SocialSample.Day
  }

  /// What to save after a window, or where to go on.
  var saved: Saved {
    get {
      Saved(
        model: model.saved, sums: sums, byChannel: byChannel, peakViewers: peakViewers,
        opened: opened, sample: sample?.saved, today: today)
    }
    set {
      model.saved = newValue.model
      sums = newValue.sums
      byChannel = newValue.byChannel
      peakViewers = newValue.peakViewers
      opened = newValue.opened
      if let saved = newValue.sample { sample?.saved = saved }
      today = newValue.today
    }
  }

  /// Draws an hour and enters it.
  mutating func host(_ input: SocialInput, _ chronicle: inout Chronicle) {
    let window = model.window(input)
    today.wins += input.wins
    today.viewerMessages += window.streamMessages
    today.length += (input.end - input.start).inSeconds / 86_400 * input.rateFactor
    sums.messages += Int64(window.messages)
    sums.refused += Int64(window.refusedTierLocked + window.refusedReadOnly)
    sums.reactions += Int64(window.reactions)
    for count in window.translations {
      sums.translations += Int64(count.requests)
      sums.translationHits += Int64(count.hits)
    }
    sums.votes += Int64(window.votes)
    sums.notifications += Int64(window.notifications.total)
    for (row, count) in window.messagesByChannel.enumerated() { byChannel[row] += Int64(count) }
    peakViewers = max(peakViewers, Int64(window.viewersNow))
    // Of a stream that goes on, the most viewers may have been within the hour.
    if let live = model.openStream(at: input.end) {
      peakViewers = max(peakViewers, Int64(live.peakViewers))
    }
    if let started = window.streamStarted {
      sums.streams += 1
      chronicle.dashboard.feed.tell(started, "stream", "a live stream began")
    }
    if let ended = window.streamEnded { enter(ended, &chronicle) }
    enterProposals(window, &chronicle)
    for sample in window.samples {
      let name = channels[sample.channel].name
      chronicle.dashboard.feed.tell(
        sample.time, "message", "\(name): \(sample.topic) (\(sample.language.code))")
    }
  }

  /// How many members the sample has at most.
  var sampleSize: Int { sample?.size ?? 0 }

  /// Plays the sample's day at its end.
  mutating func hostSample(
    day: Int, until end: Instant, living: SIMD4<Int>, _ members: [SocialSample.Member]
  ) {
    today.living = living
    sample?.host(day: day, until: end, members, today)
    today = SocialSample.Day()
  }

  private mutating func enter(_ report: StreamReport, _ chronicle: inout Chronicle) {
    peakViewers = max(peakViewers, Int64(report.peakViewers))
    list(report, &chronicle)
  }

  private func list(_ report: StreamReport, _ chronicle: inout Chronicle) {
    chronicle.streams.append(
      BlakJaksRecord.StreamRow(
        start: report.started, end: report.ended, peakViewers: Int64(report.peakViewers),
        uniqueViewers: Int64(report.uniqueViewers), messages: Int64(report.messages)))
  }

  private mutating func enterProposals(_ window: SocialWindow, _ chronicle: inout Chronicle) {
    for proposal in window.proposalsOpened {
      sums.proposals += 1
      opened[proposal.number] = proposal.opens
      today.opened.append(proposal)
      chronicle.dashboard.feed.tell(
        proposal.opens, "proposal", "proposal \(proposal.number) opened")
    }
    for proposal in window.proposalsClosed {
      let tally = ProposalTally(
        inFavour: Int64(proposal.inFavour), against: Int64(proposal.against))
      chronicle.proposals.append(
        BlakJaksRecord.ProposalRow(
          opened: opened.removeValue(forKey: proposal.number) ?? proposal.closes,
          closed: proposal.closes, votesFor: Int64(proposal.inFavour),
          votesAgainst: Int64(proposal.against), eligible: Int64(proposal.eligible),
          passed: tally.passes))
    }
  }

  /// Enters the live stream that is still on at the run's end, as far as it came, and the proposals
  /// that are still open then, with their votes so far.
  ///
  /// - Parameter end: Of the last hour that was drawn.
  func close(_ chronicle: inout Chronicle, at end: Instant) {
    if let live = model.openStream(at: end) { list(live, &chronicle) }
    for proposal in model.openProposals {
      chronicle.proposals.append(
        BlakJaksRecord.ProposalRow(
          opened: proposal.opening.opens, closed: nil, votesFor: Int64(proposal.inFavour),
          votesAgainst: Int64(proposal.against), eligible: Int64(proposal.opening.eligible),
          passed: false))
    }
    invariant(Int64(chronicle.streams.count) == sums.streams, "each stream that began has a row")
    invariant(
      Int64(chronicle.proposals.count) == sums.proposals, "each proposal that opened has a row")
  }

  /// Enters the day's figures.
  mutating func enterDay(_ table: inout SeriesTable) {
    for (name, count) in [
      ("messages", sums.messages), ("refused", sums.refused), ("reactions", sums.reactions),
      ("translations", sums.translations), ("translation_hits", sums.translationHits),
      ("streams", sums.streams), ("viewers_peak", peakViewers), ("proposals", sums.proposals),
      ("votes", sums.votes), ("notifications", sums.notifications),
    ] {
      table.set("social.\(name)", count)
    }
    if let sums = sample?.sums {
      for (name, count) in [
        ("members", sums.members), ("messages", sums.messages), ("tier_locked", sums.tierLocked),
        ("read_only", sums.readOnly), ("translations", sums.translations),
        ("translation_hits", sums.translationHits), ("votes", sums.votes),
        ("votes_refused", sums.votesRefused),
      ] {
        table.set("social.sample.\(name)", count)
      }
    }
    for (row, channel) in channels.enumerated() {
      table.set("social.messages.\(channel.id)", byChannel[row])
    }
  }
}
