// Goal: the 95 % intervals of what is fitted besides purchases hold what generated a history.
// Method: PITBOSS_COVERAGE=N simulates N worlds with known settings through the program, calibrates each
// as the command does, and prints the table of Documentation/calibrating.md. All seeds are fixed.

import BlakJaks
import Experiments
import Foundation
import Population
import RewardModel
import TestSupport
import Testing

@Suite(.tags(.slow)) struct BehaviourCoverageTests {
  private static let histories = ProcessInfo.processInfo.environment["PITBOSS_COVERAGE"]
    .flatMap(Int.init)

  /// 280 days of a market of 2,000 people that turns off.
  ///
  /// - Parameter span: Over how many mean gaps between purchases tins are opened.
  private func world(_ seed: Int, over span: Double) -> String {
    """
    name: known
    seed: \(seed)
    calendar: { start: 2026-02-01, days: 280, zone: UTC }
    population:
      members: 1000
      adoption: { model: bass, p: 0.3, q: 6, market: 2000 }
      purchase: { model: mbg_nbd, r: 1.2, alpha: 2.4, a: 0.4, b: 16, erlang: 1 }
      tins: { per_purchase: 3.5, scanned: 45 %, opened_over: \(span) }
      referral: { affiliates: 20 %, referred: 30 % }
    """
  }

  @Test(
    "Intervals of so many histories as PITBOSS_COVERAGE says",
    .enabled(if: histories != nil, "set PITBOSS_COVERAGE=60; it takes some minutes"),
    arguments: [1.0, 3])
  func table(over span: Double) throws {
    let histories = try #require(Self.histories)
    let standard = SeasonSettings()
    var held: [(name: String, count: Int, of: Int)] = []
    func count(_ name: String, _ holds: Bool) {
      let place = held.firstIndex { $0.name == name } ?? held.count
      if place == held.count { held.append((name, 0, 0)) }
      held[place].count += holds ? 1 : 0
      held[place].of += 1
    }
    for seed in 0..<histories {
      let history = try simulatedHistory(world(1_000 + seed, over: span))
      let sample = try CalibrationSample(history, zone: "UTC")
      var whole = try Calibration(
        history, of: BlakJaksProgramme.self, CalibrationReport(sample, models: [.mbgNbd]),
        source: "h.csv")
      try whole.compare(threads: 1)
      for (estimate, truth) in zip(whole.adoption.bass?.estimates ?? [], [0.3, 6, 2_000]) {
        count(estimate.name, holds(estimate.low, estimate.high, truth))
      }
      if let fit = whole.amounts { count("tins a purchase", fit.mean.contains(3.5)) }
      if let fit = whole.uses {
        count("tins scanned so far", fit.soFar.contains(0.45))
        count("tins scanned", fit.share.contains(0.45))
        if let found = fit.span.estimate { count("opened over", found.contains(span)) }
      }
      if let fit = whole.season {
        for (fitted, pair) in [
          (fit.hours, ("an hour", standard.hours)),
          (fit.weekdays, ("a weekday", standard.weekdays)),
        ] {
          let mean = pair.1.reduce(0, +) / Double(pair.1.count)
          for (weight, truth) in zip(fitted, pair.1) {
            count(pair.0, weight.contains(truth / mean))
          }
        }
      }
      if let fit = whole.referral {
        count("referred", fit.referred.contains(0.3))
        count("refers", fit.refers.contains(0.2))
      }
    }
    for row in held {
      let name = "\(row.name), \(span)"
      print("| \(name) | \(String(format: "%.3f", Double(row.count) / Double(row.of))) |")
      // What is used so far is too little, and is there to show it.
      guard row.name != "tins scanned so far" else { continue }
      let noise = 3 * (0.07 * 0.93 / Double(row.of)).squareRoot()
      #expect(Double(row.count) / Double(row.of) >= 0.93 - noise, "\(row)")
    }
  }
}
