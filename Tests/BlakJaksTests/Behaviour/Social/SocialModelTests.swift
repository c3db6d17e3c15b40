import BlakJaks
// Goal: the social side brings the messages, refusals, streams, votes and notifications that its
// settings name, the same for the same seed, and keeps to the rulebook.
// Method: long runs of windows over a constant membership, totals against expectations at four
// standard errors; every sample message put to the rulebook's own channels.
import EventKernel
import Foundation
import Population
import Quantities
import Testing

/// Windows of a run over the rulebook's channels.
struct SocialRun {
  let channels = Channels(rules: SocialRules())
  let calendar: ProgrammeCalendar
  var settings = ChatSettings()
  var seed: UInt64 = 1
  var living = SIMD4(60_000, 25_000, 10_000, 5_000)
  var winsPerWindow = 0
  var window = TimeSpan.hours(1)
  var rateFactor = 1.0

  init(days: Int) throws {
    calendar = try ProgrammeCalendar(
      zone: "America/New_York", firstDate: CivilDate("2026-01-01")!, days: days)
    settings.enabled = true
  }

  var model: SocialModel {
    SocialModel(
      settings,
      channels: channels.all.map {
        ChannelAccess(
          id: $0.id, isReadOnly: $0.isReadOnly, lowestTier: Int($0.requiredTier.rawValue))
      }, votingTier: 0, calendar: calendar, seed: seed)
  }

  /// All windows, each with its end.
  func run() -> [(end: Instant, window: SocialWindow)] {
    var model = model
    var found: [(end: Instant, window: SocialWindow)] = []
    var start = calendar.start
    var index: UInt64 = 0
    while start < calendar.end {
      let end = min(start + window, calendar.end)
      let input = SocialInput(
        index: index, start: start, end: end, rateFactor: rateFactor, living: living,
        wins: winsPerWindow)
      found.append((end, model.window(input)))
      start = end
      index += 1
    }
    return found
  }

  func row(_ id: String) -> Int { channels.index(of: id)! }

  /// Without streams and proposals, so that only members and wins bring messages.
  mutating func quieten() {
    settings.streams.viewersShare = 0
    settings.proposals.perMonth = 0
  }
}

private func total(_ windows: [(end: Instant, window: SocialWindow)], _ part: (SocialWindow) -> Int)
  -> Int
{
  windows.reduce(0) { $0 + part($1.window) }
}

private func near(_ found: Int, _ mean: Double, dispersion: Double = 1) -> Bool {
  abs(Double(found) - mean) < 4 * (mean * dispersion).squareRoot() + 1e-9
}

@Suite struct SocialModelTests {
  @Test func theSameSeedIsTheSameRunAndAnotherIsNot() throws {
    var run = try SocialRun(days: 10)
    run.winsPerWindow = 2
    let first = run.run().map(\.window)
    #expect(run.run().map(\.window) == first)
    run.seed = 2
    #expect(run.run().map(\.window) != first)
  }

  @Test(
    "Messages come at the base rate and their answers, whatever the window",
    arguments: [TimeSpan.minutes(10), .hours(1), .hours(24)])
  func rate(window: TimeSpan) throws {
    var run = try SocialRun(days: 10)
    run.quieten()
    run.window = window
    run.rateFactor = 1.5
    let windows = run.run()
    // 100,000 members × 0.02 a day × 10 days × 1.5, twice by answers; clusters of second moment 8
    // and mean 2 give a dispersion of 4.
    #expect(near(total(windows, \.messages), 60_000, dispersion: 4))
    // The lounge has 0.12 of the weight: the 85 % below its tier spread over the other 0.88.
    let each = 100_000 * 0.02 * 10 * 1.5 * 2
    let talk = each * 0.40 * (0.85 / 0.88 + 0.15)
    #expect(
      near(
        total(windows) { $0.messagesByChannel[run.row("general/general-chat")] }, talk,
        dispersion: 4))
    let lounge = each * 0.15 * 0.12
    #expect(
      near(
        total(windows) {
          $0.messagesByChannel[run.row("lounge/vip-chat")]
            + $0.messagesByChannel[run.row("lounge/exclusive-deals")]
        }, lounge, dispersion: 4))
  }

  @Test func winsAreTalkedAboutWhereCompsAreClaimed() throws {
    var quiet = try SocialRun(days: 20)
    quiet.quieten()
    var loud = quiet
    loud.winsPerWindow = 5
    let before = quiet.run()
    let after = loud.run()
    let claims = quiet.row("comps/comp-claims")
    for row in quiet.channels.all.indices where row != claims {
      // The other channels keep their luck.
      #expect(
        before.map(\.window.messagesByChannel[row]) == after.map(\.window.messagesByChannel[row]))
    }
    let wins = Double(5 * after.count)
    let gained =
      total(after) { $0.messagesByChannel[claims] } - total(before) { $0.messagesByChannel[claims] }
    // Both totals vary: wins bring 6 messages each, and members about as many as they did.
    let own = Double(total(before) { $0.messagesByChannel[claims] })
    #expect(abs(Double(gained) - 6 * wins) < 4 * (4 * (6 * wins + 2 * own)).squareRoot())
    #expect(near(total(after, \.notifications.wins), 0.6 * wins))
  }

  @Test(
    "In a short window most answers are still to come, by the half-life of a message's pull",
    arguments: [TimeSpan.seconds(9), .seconds(35), .seconds(36), .minutes(10)])
  func shortWindow(halfLife: TimeSpan) throws {
    var run = try SocialRun(days: 1)
    run.quieten()
    run.settings.messagesPerMemberDay = 0
    run.settings.halfLife = halfLife
    var model = run.model
    let wins = 1_000_000.0
    let input = SocialInput(
      index: 0, start: run.calendar.start, end: run.calendar.start + .seconds(5), rateFactor: 1,
      living: run.living, wins: Int(wins))
    let messages = model.window(input).messages
    // Answers renew half of the pull that decays, so that of the 6 messages a win draws in the end
    // 1 − (1 − exp(−x)) ÷ x fall into the window, x = 5 ln 2 ÷ half-life ÷ 2.
    let x = 5 * log(2.0) / halfLife.inSeconds / 2
    let mean = 6 * wins * (1 + expm1(-x) / x)
    // At most one message in sixteen is answered within the window.
    #expect(near(messages, mean, dispersion: 1.2), "\(messages), \(mean)")
    // Carried is what has not come of the 3 that a win draws directly, and of half an answer to
    // each message that came.
    #expect(near(model.carried, 3 * wins + mean / 2 - mean), "\(model.carried)")
  }

  @Test func theLoungeStaysEmptyWithoutItsTierAndKnocksAreAShareOfAttempts() throws {
    var run = try SocialRun(days: 10)
    run.quieten()
    let lounge = run.channels.all.indices.filter { run.channels.all[$0].group == .lounge }
    var below = run
    below.living = SIMD4(90_000, 10_000, 0, 0)
    let none = below.run()
    #expect(total(none) { window in lounge.reduce(0) { $0 + window.messagesByChannel[$1] } } == 0)
    #expect(total(none, \.refusedTierLocked) == 0)
    var above = run
    above.living = SIMD4(0, 0, 80_000, 20_000)
    let all = above.run()
    #expect(total(all) { window in lounge.reduce(0) { $0 + window.messagesByChannel[$1] } } > 0)
    #expect(total(all, \.refusedTierLocked) == 0, "nobody is below the tier")
    run.living = SIMD4(10_000, 0, 80_000, 10_000)
    let mixed = run.run()
    let accepted = total(mixed) { window in
      lounge.reduce(0) { $0 + window.messagesByChannel[$1] }
    }
    #expect(near(total(mixed, \.refusedTierLocked), Double(accepted) / 19))
    #expect(near(total(mixed, \.refusedReadOnly), Double(total(mixed, \.messages)) / 99))
  }

  @Test func onlyTheProgrammeWritesAnnouncements() throws {
    var run = try SocialRun(days: 90)
    run.settings.proposals.perMonth = 20
    let windows = run.run()
    let announced = total(windows) { $0.messagesByChannel[run.row("general/announcements")] }
    let streams = windows.count { $0.window.streamStarted != nil }
    let proposals = total(windows) { $0.proposalsOpened.count }
    #expect(streams == 13 && proposals > 20)
    #expect(announced == streams + proposals)
    #expect(near(total(windows, \.notifications.streams), 0.6 * 100_000 * 13))
    #expect(
      near(total(windows, \.notifications.proposals), 0.6 * 100_000 * Double(proposals)))
  }

  @Test func languagesReactionsAndTranslationsFollowTheirShares() throws {
    let run = try SocialRun(days: 30)
    let windows = run.run()
    let members = total(windows) { $0.messagesByLanguage.reduce(0, +) }
    let announced = total(windows) { $0.messagesByChannel[run.row("general/announcements")] }
    #expect(members == total(windows, \.messages) - announced)
    for (row, share) in [0.7, 0.2, 0.1].enumerated() {
      #expect(near(total(windows) { $0.messagesByLanguage[row] }, share * Double(members)))
      // Asked for by readers of this language: messages of the two others.
      let foreign = members - total(windows) { $0.messagesByLanguage[row] }
      let count = total(windows) { $0.translations[row].requests }
      #expect(near(count, 0.3 * Double(foreign)))
      let misses = total(windows) { $0.translations[row].misses }
      #expect(near(misses, -expm1(-0.3) * Double(foreign)))
    }
    #expect(near(total(windows, \.reactions), 1.5 * Double(members + announced)))
  }

  @Test func samplesAreFewSpreadOverTheDayAndAllowedByTheRulebook() throws {
    let run = try SocialRun(days: 14)
    var perDay = Array(repeating: 0, count: 14)
    var lastTime = Instant.distantPast
    var tiers: Set<Int> = []
    for (end, window) in run.run() {
      for sample in window.samples {
        #expect(sample.time >= lastTime && sample.time < end && sample.time >= end - .hours(1))
        lastTime = sample.time
        let tier = try #require(Tier(rawValue: UInt8(sample.tier)))
        let id = run.channels.all[sample.channel].id
        #expect(throws: Never.self) { try run.channels.post(by: tier, id) }
        #expect(window.messagesByChannel[sample.channel] > 0)
        #expect(!sample.topic.isEmpty && sample.topic != "message")
        perDay[run.calendar.dayIndex(of: sample.time)] += 1
        tiers.insert(sample.tier)
      }
      #expect(window.samples.count <= 2)
    }
    #expect(perDay == Array(repeating: 20, count: 14))
    #expect(tiers == [0, 1, 2, 3])
  }

  @Test func anEmptyProgrammeIsSilent() throws {
    var run = try SocialRun(days: 14)
    run.living = SIMD4(repeating: 0)
    run.settings.proposals.perMonth = 0
    for (_, window) in run.run() {
      // The stream takes place, and nobody watches it.
      #expect(window.messages == (window.streamStarted == nil ? 0 : 1))
      #expect(window.viewersNow == 0 && window.votes == 0 && window.samples.isEmpty)
      #expect(window.notifications.total == 0)
      #expect(window.streamEnded.map { $0.uniqueViewers == 0 } ?? true)
    }
  }

  @Test func everyChannelThatMembersWriteToHasAWeightAndTopics() throws {
    for channel in Channels(rules: SocialRules()).all {
      let weight = ChannelWeights().weight(of: channel.id)
      if channel.isReadOnly { #expect(weight == nil) } else { #expect((weight ?? 0) > 0) }
    }
    #expect(ChannelWeights().weight(of: "general/elsewhere") == nil)
    #expect(ChatLanguage.allCases.map(\.code) == Language.allCases.map(\.rawValue))
    #expect(ChatLanguage.allCases.map(\.rawValue) == Language.allCases.map(\.index))
  }

  @Test func extremeSettingsStayWithinEverySampler() throws {
    var run = try SocialRun(days: 2)
    run.window = .hours(24)
    run.living = SIMD4(repeating: 20_000_000)
    run.rateFactor = 1_000
    run.winsPerWindow = 10_000_000
    run.settings.messagesPerMemberDay = 10
    run.settings.branching = 0.9
    run.settings.messagesPerWin = 1_000
    run.settings.reactionsPerMessage = 100
    run.settings.translationsPerMessage = 10
    run.settings.streams.viewersShare = 1
    run.settings.streams.chatBoost = 100
    run.settings.proposals.perMonth = 100
    let windows = run.run()
    #expect(windows.allSatisfy { $0.window.messages > 0 })
  }
}
