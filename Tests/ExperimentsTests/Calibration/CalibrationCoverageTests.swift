// Goal: the 95 % intervals of a fit hold what generated a history in at least 93 of 100 histories.
// Method: histories of members of the behavior model with known rates, fitted. Those of 500 members
// are short enough for every run of the tests, and so few that the log-likelihood is far from
// quadratic. PITBOSS_COVERAGE=N fits N histories of 2,000 members for each model at CDNOW's and at
// the default rates, or for the one that PITBOSS_COVERAGE_OF names ("BG/NBD, default"), and prints the
// table of Documentation/calibrating.md. All seeds are fixed.

import BlakJaks
import Experiments
import Foundation
import Population
import RewardModel
import TestSupport
import Testing

@Suite(.tags(.slow)) struct CalibrationCoverageTests {
  /// Rates, and the weeks that members are watched: CDNOW's are published, with sign-ups over 12
  /// of 39 weeks; a scenario that sets none has the others, here over a year from the first day on.
  struct Cell: CustomTestStringConvertible {
    var rates: String
    var law: PurchaseLaw
    var weeks: ClosedRange<Double>
    /// Of its first history; each cell has its own members.
    var seed: UInt64 = 0

    var name: String {
      let gaps = law.shape > 1 ? "CNBD-\(law.shape)" : "NBD"
      switch law.model {
      case .bgNbd: return "BG/\(gaps)"
      case .mbgNbd: return "MBG/\(gaps)"
      case .paretoNbd: return "Pareto/NBD"
      }
    }

    var testDescription: String { "\(name), \(rates)" }
  }

  static let cells: [Cell] = {
    let published =
      [
        PurchaseLaw(model: .bgNbd, r: 0.243, alpha: 4.414, first: 0.793, second: 2.426),
        PurchaseLaw(model: .mbgNbd, r: 0.525, alpha: 6.183, first: 0.891, second: 1.614),
        PurchaseLaw(model: .paretoNbd, r: 0.553, alpha: 10.578, first: 0.606, second: 11.669),
        // The same customers with gaps of two phases.
        PurchaseLaw(model: .mbgNbd, r: 0.525, alpha: 3.0915, first: 0.891, second: 1.614, shape: 2),
      ].map { Cell(rates: "CDNOW's", law: $0, weeks: 27...39) }
    let defaults = [
      PurchaseLaw(model: .bgNbd, r: 1.2, alpha: 2.4, first: 0.4, second: 16),
      PurchaseLaw(model: .mbgNbd, r: 1.2, alpha: 2.4, first: 0.4, second: 16),
      PurchaseLaw(model: .paretoNbd, r: 1.2, alpha: 2.4, first: 0.606, second: 11.669),
      PurchaseLaw(model: .mbgNbd, r: 1.2, alpha: 1.2, first: 0.4, second: 16, shape: 2),
    ].map { Cell(rates: "default", law: $0, weeks: 365.0 / 7...365.0 / 7) }
    return (published + defaults).enumerated().map { place, cell in
      var cell = cell
      cell.seed = UInt64(place + 1) * 1_000_000
      return cell
    }
  }()

  private static let environment = ProcessInfo.processInfo.environment
  private static let histories = environment["PITBOSS_COVERAGE"].flatMap(Int.init)
  /// All, or the one that is named.
  private static let asked = cells.filter {
    environment["PITBOSS_COVERAGE_OF"] ?? $0.testDescription == $0.testDescription
  }

  @Test(
    "Intervals of so many histories as PITBOSS_COVERAGE says",
    .enabled(if: histories != nil, "set PITBOSS_COVERAGE=400; it takes half an hour"),
    arguments: asked)
  func table(cell: Cell) throws {
    let coverage = try coverage(cell, histories: try #require(Self.histories), members: 2_000)
    let shares = coverage.shares.map { String(format: "%.3f", $0) }.joined(separator: " | ")
    let open = coverage.open.map(String.init).joined(separator: "/")
    print("| \(cell.rates) | \(cell.name) | \(shares) | \(coverage.fitted) fitted, open \(open)")
    let names = PurchaseLaw.names(cell.law.model)
    for (name, share) in zip(names, coverage.shares) {
      // What three standard errors of so many histories leave open is no finding.
      let noise = 3 * (0.07 * 0.93 / Double(coverage.fitted)).squareRoot()
      #expect(share >= 0.93 - noise, "\(cell.testDescription) \(name): \(share)")
    }
  }

  @Test("Intervals of small histories hold the truth as often as those of large ones")
  func small() throws {
    // By the curvature at the maximum, symmetric in the logarithm, r and b are held by 88 and 89 of
    // 100 of these.
    var cell = Self.cells[1]
    cell.weeks = 39...39
    let coverage = try coverage(cell, histories: 200, members: 500)
    #expect(coverage.fitted >= 190)
    for (name, share) in zip(PurchaseLaw.names(cell.law.model), coverage.shares) {
      #expect(share >= 0.92, "\(name): \(share)")
    }
  }

  private struct Coverage {
    /// By parameter.
    var shares: [Double]
    /// Histories whose search converged.
    var fitted: Int
    /// Intervals without a lower or an upper end, by parameter.
    var open: [Int]
  }

  /// How often the intervals hold the true parameters.
  private func coverage(_ cell: Cell, histories: Int, members: UInt32) throws -> Coverage {
    let fits = try (0..<histories).map { history in
      try PurchaseFit(
        cell.law.model,
        simulatedPurchases(
          cell.law, members: members, seed: cell.seed + UInt64(history), span: cell.weeks),
        shape: cell.law.shape)
    }
    let known = fits.filter { $0.status == .converged }
    func share(_ count: Int) -> Double { Double(count) / Double(known.count) }
    return Coverage(
      shares: cell.law.values.indices.map { place in
        share(
          known.count { fit in
            let estimate = fit.estimates[place]
            return (estimate.low ?? 0) <= cell.law.values[place]
              && cell.law.values[place] <= (estimate.high ?? .infinity)
          })
      }, fitted: known.count,
      open: cell.law.values.indices.map { place in
        known.count { $0.estimates[place].low == nil || $0.estimates[place].high == nil }
      })
  }
}
