// Goal: the share that is used in the end is the share so far over what simulated members have used of
// theirs, at most 1, with an interval of what is known of both.
// Method: histories and simulated members by hand, against closed forms.
import BlakJaks
import Foundation
import Testing

@testable import Experiments

@Suite struct UseFitTests {
  /// Members who buy some things at once, and use some of them a while later.
  private func made(_ members: [(bought: Int, used: Int)], afterHours hours: Double) -> MadeHistory
  {
    var made = MadeHistory()
    for (number, member) in members.enumerated() {
      made.add(.purchase, number, hours: 1, amount: member.bought)
      made.add(.scan, number, hours: 1 + hours, amount: member.used)
    }
    return made
  }

  private func fit(_ members: [(bought: Int, used: Int)]) throws -> UseFit {
    try UseFit(made(members, afterHours: 30).observed(untilDay: 9))
  }

  private func simulated(
    _ members: [(bought: Int, used: Int)], afterHours hours: Double = 30
  ) -> UseCounts {
    var counts = UseCounts(BlakJaksProgramme.history)
    for row in made(members, afterHours: hours).rows { counts.add(row) }
    return counts
  }

  /// Half of them use everything, half of them half of it.
  private let members = (0..<40).map { (bought: 4, used: $0 % 2 == 0 ? 4 : 2) }
  private let alike = [(bought: 10, used: 9), (bought: 10, used: 9)]
  private let unlike = [(bought: 10, used: 10), (bought: 10, used: 8)]

  @Test("Simulated members without noise stretch the interval so far")
  func stretched() throws {
    var fit = try fit(members)
    let soFar = fit.soFar
    let (low, high) = (try #require(soFar.low), try #require(soFar.high))
    // Squares of 40 ones over 160 things, by 39 degrees of freedom.
    #expect(abs(fit.standardError - (40.0 * 40 / 39).squareRoot() / 160) < 1e-12)
    let error = fit.standardError
    fit.compare(with: simulated(alike), share: 1)
    #expect(fit.completeness == 0.9 && fit.objection == nil)
    #expect(abs(fit.share.estimate - 0.75 / 0.9) < 1e-12)
    #expect(abs(try #require(fit.share.low) - low / 0.9) < 1e-12)
    #expect(abs(try #require(fit.share.high) - high / 0.9) < 1e-12)
    #expect(abs(fit.standardError - error / 0.9) < 1e-12)
  }

  @Test("The noise of simulated members widens the interval by squares")
  func noise() throws {
    var fit = try fit(members)
    let (low, error) = (try #require(fit.soFar.low), fit.standardError)
    fit.compare(with: simulated(unlike), share: 1)
    // Their ratio is 0.9 with a standard error of 0.1.
    let noise = 0.75 / 0.9 / 9
    func root(_ one: Double, _ other: Double) -> Double { (one * one + other * other).squareRoot() }
    #expect(abs(fit.standardError - root(error / 0.9, noise)) < 1e-12)
    let reach = root((0.75 - low) / 0.9, 1.959_963_985 * noise)
    #expect(abs(try #require(fit.share.low) - (0.75 / 0.9 - reach)) < 1e-12)
    #expect(fit.share.high == 1)
  }

  @Test("What is not known of the time of use widens the share, which moves with it")
  func probed() throws {
    var history = MadeHistory()
    for (number, member) in members.enumerated() {
      history.add(.purchase, number, hours: 1, amount: member.bought)
      // 30 hours on average over all that is used.
      history.add(.scan, number, hours: member.used == 4 ? 29 : 35, amount: member.used)
    }
    var fit = try UseFit(history.observed(untilDay: 9))
    #expect(fit.wrong == nil, "nothing was simulated yet")
    let moved = fit.moveSpan(after: simulated(alike))
    #expect(!moved)
    fit.compare(with: simulated(alike), share: 1)
    let (share, error, spread) = (fit.share, fit.standardError, fit.span.spread)
    let wrong = try #require(fit.wrong)
    let ratio = try #require(wrong.span.estimate).estimate
    #expect(spread > 0 && abs(log(ratio) - max(spread, 0.05)) < 1e-9)
    // Days go with the span, and members have used 0.81 of it instead of 0.9.
    let late = [(bought: 100, used: 81), (bought: 100, used: 81)]
    fit.probe(wrong, simulated(late, afterHours: 30 * ratio), share: 1)
    let more = share.estimate * log(0.9).magnitude / log(ratio) * spread
    #expect(fit.share.estimate == share.estimate)
    #expect(abs(fit.standardError - (error * error + more * more).squareRoot()) < 1e-4)
    #expect(abs(fit.correlation - more / fit.standardError) < 1e-3 && fit.correlation > 0.1)
    let reach = (share.estimate - (try #require(share.low)), 1.959_963_985 * more)
    let low = share.estimate - (reach.0 * reach.0 + reach.1 * reach.1).squareRoot()
    #expect(abs(try #require(fit.share.low) - low) < 1e-3)
    // Another simulation begins anew.
    fit.compare(with: simulated(alike), share: 1)
    #expect(fit.share == share && fit.correlation == 0)
  }

  @Test("Who used more than simulated members would have uses all, in a narrow interval")
  func capped() throws {
    var fit = try fit((0..<400).map { (bought: 4, used: $0 % 50 == 0 ? 3 : 4) })
    let low = try #require(fit.soFar.low)
    fit.compare(with: simulated(alike), share: 1)
    #expect(fit.objection == nil && fit.completeness == 0.9)
    #expect(fit.share.estimate == 1 && fit.share.high == 1)
    #expect(abs(try #require(fit.share.low) - (1 - (fit.soFar.estimate - low) / 0.9)) < 1e-12)
    #expect(fit.share.low.map { $0 > 0.98 } == true && fit.standardError < 0.003)
  }

  @Test("A share just below 1 has an interval as narrow as its error")
  func nearlyAll() throws {
    var fit = try fit((0..<400).map { (bought: 10, used: $0 % 50 == 0 ? 8 : 9) })
    fit.compare(with: simulated(alike), share: 1)
    #expect(fit.share.estimate < 1 && fit.share.estimate > 0.99)
    #expect(fit.share.low.map { fit.share.estimate - $0 < 3 * fit.standardError } == true)
  }

  @Test("A comparison takes nothing over from the one before")
  func afresh() throws {
    let fresh = try fit(members)
    var (once, twice) = (fresh, fresh)
    let late = simulated(alike, afterHours: 24 * 40)
    once.compare(with: simulated(alike), share: 1)
    twice.compare(with: late, share: 1)
    #expect(twice.objection != nil && twice.completeness == nil && twice.share == twice.soFar)
    twice.compare(with: simulated(alike), share: 1)
    #expect(twice.objection == nil && twice.completeness == 0.9 && twice == once)
    once.compare(with: late, share: 1)
    #expect(once.objection != nil && once.completeness == nil && once.share == once.soFar)
    #expect(once.standardError == fresh.standardError)
    once.compare(with: UseCounts(BlakJaksProgramme.history), share: 1)
    #expect(once == fresh && once.objection == nil && once.simulatedDays == nil)
  }
}
