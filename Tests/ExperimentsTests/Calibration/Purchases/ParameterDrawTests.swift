// Goal: what a fit leaves uncertain travels into a projection, and its bands hold what happens.
// Method: draws against the covariance that they come from; histories of members whose rates are
// known, fitted on their first half and forecast for their second.
import BlakJaks
import EventKernel
import Experiments
import Foundation
import Population
import RewardModel
import TestSupport
import Testing

/// Purchases of a cohort: what a fit sees until the middle, and how many are repeated after it.
private func halves(
  _ law: PurchaseLaw, members: UInt32, seed: UInt64, weeks: Double
) -> (rows: [PurchaseSummary.Row], later: Int) {
  let behaviour = behaviour(law, seed: seed)
  var rows: [PurchaseSummary.Row] = []
  var later = 0
  for member in 0..<members {
    let traits = behaviour.traits(member: member, referred: false)
    var row = PurchaseSummary.Row(repeats: 0, lastWeeks: 0, spanWeeks: weeks)
    var (time, index) = (0.0, UInt32(0))
    while true {
      let draw = behaviour.purchase(member: member, index: index)
      if behaviour.leaves(after: draw, index: index, dropout: traits.dropout) { break }
      time += draw.gap * Double(traits.meanGapWeeks)
      guard time <= 2 * weeks else { break }
      index += 1
      if time <= weeks {
        row.lastWeeks = time
        row.repeats += 1
      } else {
        later += 1
      }
    }
    rows.append(row)
  }
  return (rows, later)
}

@Suite(.tags(.slow)) struct ParameterDrawTests {
  private static let truth = PurchaseLaw(
    model: .mbgNbd, r: 0.525, alpha: 6.183, first: 0.891, second: 1.614)

  @Test("Draws have the mean and the covariance of the fit, in logarithms")
  func moments() throws {
    let fit = try PurchaseFit(
      .mbgNbd, PurchaseSummary(halves(Self.truth, members: 3_000, seed: 4, weeks: 39).rows))
    let draws = try #require(ParameterDraws(fit))
    let covariance = try #require(fit.covariance)
    let count = Double(draws.rows.count)
    #expect(draws.names == ["r", "alpha", "a", "b"] && draws == ParameterDraws(fit))
    let logs = draws.rows.map { $0.map { log($0) } }
    for i in 0..<4 {
      let spread = covariance[i * 4 + i].squareRoot()
      let mean = logs.reduce(0) { $0 + $1[i] } / count
      #expect(abs(mean - log(fit.estimates[i].value)) < 4 * spread / count.squareRoot())
      for j in 0..<4 {
        let other = logs.reduce(0) { $0 + $1[j] } / count
        let seen = logs.reduce(0) { $0 + ($1[i] - mean) * ($1[j] - other) } / count
        let size = (covariance[i * 4 + i] * covariance[j * 4 + j]).squareRoot()
        #expect(abs(seen - covariance[i * 4 + j]) < 4 * size * (2 / count).squareRoot())
      }
    }
    // Rates and their scale go together: drawn alone they would be far less certain.
    #expect(covariance[1] > 0.5 * (covariance[0] * covariance[5]).squareRoot())
  }

  @Test("The second half of 40 histories lies in its 90 % band 32 to 40 times")
  func bands() throws {
    let (members, weeks) = (UInt32(600), 39.0)
    var (inside, fitted) = (0, 0)
    for history in 0..<UInt64(40) {
      let (rows, later) = halves(Self.truth, members: members, seed: 100 + history, weeks: weeks)
      let fit = try PurchaseFit(.mbgNbd, PurchaseSummary(rows))
      guard let draws = ParameterDraws(fit, seed: history) else { continue }
      fitted += 1
      let forecasts = draws.rows.prefix(80).enumerated().map { place, row in
        let law = PurchaseLaw(
          model: .mbgNbd, r: row[0], alpha: row[1], first: row[2], second: row[3])
        return halves(
          law, members: members, seed: 9_000 + history * 100 + UInt64(place), weeks: weeks
        )
        .later
      }.sorted()
      // P5 and P95 of 80 forecasts.
      if forecasts[4] <= later, later <= forecasts[75] { inside += 1 }
    }
    #expect(fitted >= 36, "\(fitted)")
    #expect(
      (Int((Double(fitted) * 0.8).rounded(.down))...fitted).contains(inside),
      "\(inside) of \(fitted)")
    print("holdouts inside their 90 % bands: \(inside) of \(fitted)")
  }
}
