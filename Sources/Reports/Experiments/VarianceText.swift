internal import Experiments
internal import Foundation

/// What variance reduction did, in words.
enum VarianceText {
  /// A gain as people read it: how many plain replications one is worth.
  static func times(_ gain: Double?) -> String {
    guard let gain else { return "–" }
    return gain >= 1_000 ? "> 1,000 ×" : String(format: "%.1f ×", gain)
  }

  /// What was tried and what came of it; nothing where nothing was.
  static func lines(_ projection: Projection) -> [String] {
    let reduced = projection.figures.compactMap(\.reduced)
    guard !reduced.isEmpty else { return [] }
    var lines = [
      "Gain: how many times as many plain replications would give the same ±."
    ]
    let used = reduced.count { $0.usesControls }
    if reduced.contains(where: { $0.controlGain != nil }) {
      lines.append(
        "Controls (purchases and tins, whose expectation is known) make \(used) of "
          + "\(projection.figures.count) means more precise.")
    }
    let gain = projection.trial.gain.map { "\(times($0))" } ?? "none"
    switch projection.trial.verdict {
    case .off, .tooFew: break
    case .on: lines.append("All replications ran in antithetic pairs.")
    case .helped:
      lines.append(
        "Antithetic pairs: gain \(gain) on \(PairTrial.size) pairs for utilisation, so gone on with."
      )
    case .noHelp:
      lines.append(
        "Antithetic pairs: gain \(gain) on \(PairTrial.size) pairs for utilisation, so not gone "
          + "on with.")
    }
    return lines
  }
}
