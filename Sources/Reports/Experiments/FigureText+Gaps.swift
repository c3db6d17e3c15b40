package import Experiments
internal import RewardModel

extension FigureText {
  /// Why a figure has no mean, and what has a value all the same.
  ///
  /// - Parameters:
  ///   - gaps: Of the figure.
  ///   - isGoal: Whether its mean is to be highest or lowest, so that nothing but another figure
  ///     serves.
  package static func gaps(_ gaps: FigureGaps, isGoal: Bool = false) -> String {
    let id = gaps.figure.id
    let what = "\(id) has no value" + (gaps.seed.map { " in the run of seed \($0)" } ?? "")
    guard gaps.absent == 0, !isGoal else {
      return "\(what); choose a figure that every run has: \(lacks(gaps))"
    }
    return "\(what): \(lacks(gaps)), and a mean that counts them is infinite; ask for a "
      + "percentile, such as p50(\(id)), or a share of runs, as P(\(id) > 1), for which they are over "
      + "any bound"
  }

  /// How many replications have no number and why.
  static func lacks(_ gaps: FigureGaps) -> String {
    var parts: [String] = []
    if gaps.infinite > 0 {
      let verb = gaps.infinite == 1 ? "spends" : "spend"
      parts.append("\(gaps.infinite) of \(gaps.count) runs \(verb) without a budget")
    }
    if gaps.absent > 0 {
      let verb = gaps.absent == 1 ? "does" : "do"
      parts.append("\(gaps.absent) of \(gaps.count) runs \(verb) not have the figure")
    }
    return parts.joined(separator: " and ")
  }
}
