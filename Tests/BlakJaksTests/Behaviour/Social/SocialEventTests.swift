import BlakJaks
// Goal: streams and proposals run their course, whatever the window.
// Method: whole runs; counts against expectations at four standard errors; conservation of votes.
import EventKernel
import Foundation
import Population
import Quantities
import Testing

@Suite struct SocialStreamTests {
  @Test(
    "A stream lasts its time, and its report adds up",
    arguments: [TimeSpan.minutes(7), .minutes(10), .hours(1), .hours(24)])
  func reports(window: TimeSpan) throws {
    var run = try SocialRun(days: 70)
    run.settings.messagesPerMemberDay = 0
    run.settings.branching = 0
    run.window = window
    let windows = run.run()
    let starts = windows.compactMap(\.window.streamStarted)
    let reports = windows.compactMap(\.window.streamEnded)
    #expect(starts.count == 10 && reports.map(\.started) == starts)
    var peaks = 0
    var viewerHours = 0.0
    var unique = 0
    for report in reports {
      #expect(report.ended == report.started + .minutes(120))
      #expect(report.uniqueViewers >= report.peakViewers && report.uniqueViewers <= 100_000)
      peaks += report.peakViewers
      viewerHours += report.viewerHours
      unique += report.uniqueViewers
    }
    // 5 % of 100,000 living members, ten times.
    #expect(abs(Double(peaks) - 50_000) < 4 * 50_000.0.squareRoot())
    let curve = ViewerCurve(run.settings.streams)
    #expect(abs(viewerHours - Double(peaks) * curve.viewerHours(toHours: 2)) < 1e-6 * viewerHours)
    let reach = Double(peaks) * curve.reach
    #expect(abs(Double(unique) - reach) < 4 * reach.squareRoot())
    // Two messages a viewer-hour, all of them in the general chat and none elsewhere.
    let messages = reports.reduce(0) { $0 + $1.messages }
    #expect(abs(Double(messages) - 2 * viewerHours) < 4 * (2 * viewerHours).squareRoot())
    #expect(windows.reduce(0) { $0 + $1.window.streamMessages } == messages)
    let chat = run.row("general/general-chat")
    #expect(windows.reduce(0) { $0 + $1.window.messagesByChannel[chat] } == messages)
  }

  @Test func viewersFollowTheCurveAndAreGoneAtTheEnd() throws {
    var run = try SocialRun(days: 7)
    run.window = .minutes(5)
    let windows = run.run()
    let curve = ViewerCurve(run.settings.streams)
    let start = try #require(windows.compactMap(\.window.streamStarted).first)
    let peak = try #require(windows.compactMap(\.window.streamEnded).first).peakViewers
    var watched = 0
    for (end, window) in windows {
      let hours = (end - start).inSeconds / 3_600
      let mean = Double(peak) * curve.share(atHours: hours)
      #expect(abs(Double(window.viewersNow) - mean) <= 4 * mean.squareRoot() + 1e-9, "\(hours)")
      #expect(window.viewersNow <= peak)
      watched += window.viewersNow > 0 ? 1 : 0
    }
    #expect(watched == 23, "the ends of five minutes strictly within two hours")
  }

  @Test func answersToViewersMakeTheChatTwiceAsBusy() throws {
    var run = try SocialRun(days: 140)
    run.settings.messagesPerMemberDay = 0
    let windows = run.run()
    let started = Double(windows.reduce(0) { $0 + $1.window.streamMessages })
    let chat = run.row("general/general-chat")
    let all = Double(windows.reduce(0) { $0 + $1.window.messagesByChannel[chat] })
    // Answers to one message: Borel(1/2) less one, of mean 1 and variance 4.
    #expect(abs(all - 2 * started) < 4 * (4 * started).squareRoot())
  }
}

@Suite struct SocialProposalTests {
  private func run(days: Int, edit: (inout SocialRun) -> Void = { _ in }) throws -> SocialRun {
    var run = try SocialRun(days: days)
    run.settings.messagesPerMemberDay = 0
    run.settings.streams.viewersShare = 0
    run.settings.proposals.perMonth = 20
    run.window = .hours(6)
    edit(&run)
    return run
  }

  @Test func proposalsOpenAtTheirRateAndCloseAfterTheVoting() throws {
    let run = try run(days: 300)
    let windows = run.run()
    let opened = windows.flatMap(\.window.proposalsOpened)
    let closed = windows.flatMap(\.window.proposalsClosed)
    let expected = 20 * 300 / 30.436875
    #expect(abs(Double(opened.count) - expected) < 4 * expected.squareRoot())
    #expect(opened.map(\.number) == Array(1...opened.count))
    for (end, window) in windows {
      for proposal in window.proposalsOpened {
        #expect(proposal.opens >= end - .hours(6) && proposal.opens < end)
        #expect(proposal.closes == proposal.opens + .days(7))
        #expect(proposal.eligible == 100_000)
      }
      for proposal in window.proposalsClosed {
        #expect(proposal.closes > end - .hours(6) && proposal.closes <= end)
      }
    }
    // Those that would close after the run's end stay open.
    let due = opened.filter { $0.closes <= run.calendar.end }
    #expect(closed.map(\.number) == due.map(\.number))
    #expect(due.count < opened.count)
  }

  @Test func turnoutAndSupportFollowTheirSettings() throws {
    let windows = try run(days: 300).run()
    let closed = windows.flatMap(\.window.proposalsClosed)
    let votes = closed.reduce(0) { $0 + $1.inFavour + $1.against }
    let mean = 10_000 * Double(closed.count)
    #expect(abs(Double(votes) - mean) < 4 * (mean * 0.9).squareRoot())
    for proposal in closed {
      #expect(abs(proposal.turnout - 0.10) < 4 * 0.00095 + 0.0005)
    }
    let shares = closed.map { Double($0.inFavour) / Double($0.inFavour + $0.against) }
    let average = shares.reduce(0, +) / Double(shares.count)
    // Beta(6, 4): standard deviation √(0.24 ÷ 11).
    #expect(abs(average - 0.6) < 4 * 0.148 / Double(shares.count).squareRoot())
    #expect(shares.contains { $0 < 0.5 } && shares.contains { $0 > 0.7 })
  }

  @Test func votesOfTheWindowsAreThoseOfTheResults() throws {
    let run = try run(days: 60) { $0.settings.proposals.perMonth = 1 }
    let windows = run.run()
    let closed = windows.flatMap(\.window.proposalsClosed)
    let opened = windows.flatMap(\.window.proposalsOpened)
    try #require(!closed.isEmpty && closed.count <= opened.count)
    let cast = windows.reduce(0) { $0 + $1.window.votes }
    let counted = closed.reduce(0) { $0 + $1.inFavour + $1.against }
    if closed.count == opened.count { #expect(cast == counted) } else { #expect(cast >= counted) }
  }

  @Test("Everybody votes once at full turnout and nobody at none", arguments: [0.0, 1.0])
  func extremes(turnout: Double) throws {
    let run = try run(days: 60) {
      $0.settings.proposals.turnout = turnout
      $0.settings.proposals.support = turnout
      $0.living = SIMD4(700, 200, 90, 7)
    }
    let closed = run.run().flatMap(\.window.proposalsClosed)
    #expect(!closed.isEmpty)
    for proposal in closed {
      #expect(proposal.inFavour == Int(turnout) * 997 && proposal.against == 0)
    }
  }

  @Test func onlyEntitledTiersVote() throws {
    let run = try run(days: 30)
    var model = SocialModel(
      run.settings, channels: [], votingTier: 2, calendar: run.calendar, seed: 1)
    let window = model.window(
      SocialInput(
        index: 0, start: run.calendar.start, end: run.calendar.start + .hours(24), rateFactor: 1,
        living: SIMD4(1, 10, 100, 1_000), wins: 0))
    let opened = window.proposalsOpened
    #expect(!opened.isEmpty)
    #expect(opened.allSatisfy { $0.eligible == 1_100 })
  }
}
