internal import EventKernel
internal import Experiments
internal import Foundation
internal import Quantities
package import Reports
internal import RewardModel

/// What the page shows besides the settings, as of one moment.
package struct StudioPicture: Encodable, Sendable {
  /// One variant.
  package struct Side: Encodable, Sendable {
    package var name: String
    /// Nil before the first replication.
    package var picture: ProjectionPicture?
    /// Why no more replications are run.
    package var failure: String?
  }

  /// A setting in which the variants differ.
  package struct Difference: Encodable, Sendable, Equatable {
    package var path: String
    package var a: String
    package var b: String
  }

  /// One figure of both variants, the same luck for both.
  package struct Pair: Encodable, Sendable, Equatable {
    package var title: String
    package var a: String
    package var b: String
    /// A − B with the half-width of its 95 % interval.
    package var difference: String
    /// What the interval says: higher, lower, same, not shown yet.
    package var verdict: String
  }

  /// What both variants say together.
  package struct Comparison: Encodable, Sendable, Equatable {
    package var settings: [Difference]
    /// In how many replications both were run.
    package var pairs: Int
    /// What A costs more or less, in one sentence.
    package var headline: String
    package var rows: [Pair]
  }

  /// Grows with everything that changes what is shown.
  package var version = 0
  /// The state of the settings that A is of.
  package var revision = 0
  /// Whether replications are still to come.
  package var isRunning = false
  /// Replications of a variant at most.
  package var limit = 0
  package var a: Side
  package var b: Side?
  package var comparison: Comparison?
  package var search: StudioSearch?
}

extension StudioPicture.Comparison {
  /// Figures shown at most: the first two, and those that differ.
  private static let rowsMaximum = 14

  /// Compares the replications that both variants have.
  init(_ a: StudioVariant, _ b: StudioVariant) {
    settings = ScenarioComparison.differences(a.scenario, b.scenario).map {
      StudioPicture.Difference(path: $0.path, a: $0.first, b: $0.second)
    }
    pairs = min(a.sum.count, b.sum.count)
    rows = []
    let measured = a.sum.fold.measured
    let choices = measured.catalog.choices
    var seen: Set<String> = []
    let ids = ([choices.cost, choices.utilisation, choices.spend] + choices.projection)
      .filter { seen.insert($0).inserted }
    var named: [(figure: FigureDescription, pair: PairedComparison)] = []
    for id in ids {
      guard let figure = measured.catalog.figure(id), let here = measured.row(of: id),
        let there = b.sum.fold.measured.row(of: id),
        let pair = Self.pair(
          a.sum.figures.map { $0[here] }, b.sum.figures.map { $0[there] })
      else { continue }
      named.append((figure, pair))
    }
    headline = "One more replication, and the difference has an interval."
    guard let family = try? ComparisonFamily(named.map(\.pair)) else { return }
    let currency = measured.catalog.currency.code
    for (place, (figure, pair)) in named.enumerated() {
      let verdict = family.verdicts[place]
      let half = family.intervals[place].halfWidth
      if figure.id == choices.cost {
        headline = Self.headline(pair, half, verdict, currency, pairs)
      }
      guard place < 2 || verdict.isReal && rows.count < Self.rowsMaximum else { continue }
      rows.append(
        Self.row(
          figure.title, figure.unit, pair, half, verdict))
    }
    let broke = Self.pair(
      a.sum.broke.map { $0.map { $0 ? 1 : 0 } }, b.sum.broke.map { $0.map { $0 ? 1 : 0 } })
    if let broke {
      rows.insert(
        Self.row(
          "Chance that a month closes Critical", .share, broke, broke.difference.halfWidth,
          broke.verdict), at: min(1, rows.count))
    }
  }

  /// The pairs that have a value on both sides; nil with fewer than two.
  private static func pair(_ a: [Double?], _ b: [Double?]) -> PairedComparison? {
    let both = zip(a, b).compactMap { a, b in a.flatMap { a in b.map { (a, $0) } } }
    return try? PairedComparison(baseline: both.map(\.1), variant: both.map(\.0))
  }

  private static func row(
    _ title: String, _ unit: MeasureUnit, _ pair: PairedComparison, _ half: Double,
    _ verdict: ComparisonVerdict
  ) -> StudioPicture.Pair {
    let mean = pair.difference.mean
    let size =
      unit == .share
      ? FigureText.differenceSpread(abs(mean), unit) : FigureText.value(abs(mean), unit)
    let difference =
      verdict == .identical
      ? "0"
      : "\(mean < 0 ? "-" : "+")\(size)"
        + (pair.isConstant ? " in every pair" : " ± " + FigureText.differenceSpread(half, unit))
    return StudioPicture.Pair(
      title: title, a: FigureText.value(pair.variantMean, unit),
      b: FigureText.value(pair.baselineMean, unit), difference: difference,
      verdict: words(verdict))
  }

  private static func words(_ verdict: ComparisonVerdict) -> String {
    switch verdict {
    case .higher: "higher"
    case .lower: "lower"
    case .identical: "same"
    case .notShown: "not shown yet"
    }
  }

  private static func headline(
    _ pair: PairedComparison, _ half: Double, _ verdict: ComparisonVerdict, _ currency: String,
    _ pairs: Int
  ) -> String {
    let luck = "in \(pairs.grouped) replications with the same luck"
    guard verdict != .identical else { return "A and B cost the same \(luck)." }
    let mean = pair.difference.mean
    let words =
      "A costs \(FigureText.money(abs(mean))) \(currency) \(mean < 0 ? "less" : "more") than B, "
      + (pair.isConstant ? "by as much in every pair, " : "± \(FigureText.money(half)), ") + luck
    return words + (verdict.isReal ? "." : ": not shown to differ yet.")
  }
}
