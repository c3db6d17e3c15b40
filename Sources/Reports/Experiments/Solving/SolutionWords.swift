package import Experiments
internal import Foundation
internal import Quantities
internal import RewardModel
internal import Scenario

/// What a search for a setting found, in words that its text and its page share.
package enum SolutionWords {
  /// Contradictions that are spelled out.
  private static let shownContradictions = 3

  /// What was sought.
  package static func headline(_ solution: Solution) -> String {
    "\(solution.objective.text) by \(solution.axis.path)"
  }

  /// What is measured: of a percentile the share of runs that decides on it.
  static func measured(_ objective: Objective) -> String {
    guard objective.isPercentile,
      case .probability(.figure(_, let sign, let bound)) = objective.measure,
      let figure = objective.figure
    else { return objective.text }
    let place = sign == .more ? "above" : "at or above"
    let limit = objective.comparison.wantsLess ? "at most" : "at least"
    return "share of runs \(place) \(FigureText.value(bound, figure.unit)) "
      + "(\(limit) \(percent(objective.bound)))"
  }

  /// A share as it was meant: `5 %`.
  private static func percent(_ share: Double) -> String {
    "\(Int((share * 100).rounded())) %"
  }

  /// The head of the column of figures.
  static func column(_ solution: Solution) -> String {
    solution.objective.isPercentile ? "Share of runs" : "Figure"
  }

  /// What is known of the answer, each with its label; without an answer only what is measured.
  package static func facts(_ solution: Solution) -> [(label: String, words: String)] {
    let axis = solution.axis
    var facts: [(label: String, words: String)] = []
    if solution.objective.isPercentile {
      facts.append(("Measured", measured(solution.objective)))
    }
    guard case .found(let answer) = solution.search.outcome else { return facts }
    facts.append(("Answer", "\(axis.text(answer.x)), the last value shown to hold"))
    let limit =
      answer.limit.map {
        "it stops holding between \(axis.text(answer.x)) and \(axis.text($0.x))"
      } ?? "no value tried was shown not to hold"
    facts.append(("Interval", limit))
    let source = answer.isConfirmed ? " by fresh seeds" : ""
    facts.append(("There", figure(answer.figure, solution) + source + level(answer.figure)))
    if answer.isConfirmed {
      facts.append(
        (
          "Confirmed",
          "that it holds at \(axis.text(answer.x)), "
            + (answer.isShown
              ? "by the whole interval of fresh seeds"
              : "by the estimate of fresh seeds, not by their whole interval")
            + "; not where it stops holding"
        ))
    }
    let beyond = answer.neighbour
    facts.append(
      (
        "Beyond",
        "\(axis.text(beyond.x)): \(verdict(beyond, solution)), "
          + figure(beyond.confirmation ?? beyond.figure, solution)
      ))
    let contradicted = solution.search.points.count { $0.isContradicted }
    if contradicted > 0 {
      facts.append(
        (
          "Passed",
          "fresh seeds contradicted \(contradicted == 1 ? "a value" : "\(contradicted) values")"
            + " before the answer"
        ))
    }
    return facts
  }

  private static func level(_ figure: EstimatedInterval) -> String {
    String(format: ", interval at %.1f %%", figure.level * 100)
  }

  /// Why there is no answer, and what to do about it; nil when there is one.
  package static func problem(_ solution: Solution) -> String? {
    switch solution.search.outcome {
    case .found: return nil
    case .everywhereFeasible:
      return "The condition holds at all \(tried(solution)); the values between them were not run. "
        + "Widen the range to find where it ends."
    case .nowhereFeasible:
      return
        "The condition holds at none of the \(tried(solution)); the values between them were not "
        + "run. Widen the range, or adjust another setting."
    case .notMonotone:
      return "The figure changes direction within the range; search a part of it in which it "
        + "only rises or only falls."
    case .notConfirmed:
      return "Fresh seeds contradicted every value that seemed to hold; allow more replications "
        + "with --most."
    case .notShown, nil:
      let points = solution.search.points
      func count(_ verdict: RootVerdict) -> Int { points.count { $0.verdict == verdict } }
      let parts = [
        (count(.feasible), "holds"), (count(.infeasible), "does not hold"),
        (count(.undecided), "is undecided"),
      ].filter { $0.0 > 0 }.map { "\($0.1) at \($0.0)" }
      let list =
        parts.count == 1
        ? parts[0]
        : parts.dropLast().joined(separator: ", ")
          + " and \(parts.last ?? "")"
      return "So few replications do not show where the condition ends: it \(list) of the "
        + "\(points.count) values tried. Allow more with --most."
    }
  }

  /// How many values were tried, and over what: `13 values tried from 0 to 8`.
  private static func tried(_ solution: Solution) -> String {
    let values = solution.search.points.map(\.x)
    guard let low = values.min(), let high = values.max() else { return "0 values tried" }
    return "\(values.count) values tried from \(solution.axis.text(low)) to "
      + solution.axis.text(high)
  }

  /// Pairs of points that say that the figure does not only rise or fall.
  static func contradictions(_ solution: Solution) -> [String] {
    let pairs = solution.search.contradictions
    var lines = pairs.prefix(shownContradictions).map { pair in
      let both = [pair.lower, pair.upper].map {
        "\(solution.axis.text($0.x)) (\(ends($0.figure, solution)))"
      }
      return "the figures at \(both[0]) and \(both[1]) contradict a figure that only "
        + "rises or only falls across the range."
    }
    if pairs.count > shownContradictions {
      lines.append("\(pairs.count - shownContradictions) more pairs contradict it.")
    }
    return lines
  }

  /// What became of a point.
  static func verdict(_ point: RootPoint, _ solution: Solution) -> String {
    if point.x == solution.answer { return "the answer" }
    if point.isContradicted { return "contradicted by fresh seeds" }
    switch point.verdict {
    case .feasible:
      return solution.search.isTooClose(point.x) ? "holds, but too close to be sure" : "holds"
    case .infeasible: return "does not hold"
    case .undecided: return "undecided"
    }
  }

  /// A point's value, its figure with both ends, and its replications.
  static func cells(_ point: RootPoint, _ solution: Solution) -> [String] {
    [
      solution.axis.text(point.x), value(point.figure.estimate, solution),
      point.figure.low.map { value($0, solution) } ?? "–",
      point.figure.high.map { value($0, solution) } ?? "–", String(point.figure.count),
    ]
  }

  static func value(_ value: Double, _ solution: Solution) -> String {
    ConstrainedText.value(value, solution.objective)
  }

  /// An estimate with its interval.
  static func ends(_ figure: EstimatedInterval, _ solution: Solution) -> String {
    let text = value(figure.estimate, solution)
    guard let low = figure.low, let high = figure.high else { return text }
    // Equal values have an interval without width; what supports it is their number.
    if low == high { return "\(text), the same in each of \(figure.count.grouped) replications" }
    return "\(text) (\(value(low, solution)) to \(value(high, solution)))"
  }

  private static func figure(_ figure: EstimatedInterval, _ solution: Solution) -> String {
    let ends = ends(figure, solution)
    if figure.low == figure.high { return ends }
    // A share of replications and the mean of a share may both be in percent.
    return solution.objective.isProbability
      ? "\(ends) of \(figure.count.grouped) replications"
      : "mean \(ends) over \(figure.count.grouped) replications"
  }
}
