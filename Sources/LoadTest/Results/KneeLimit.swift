internal import Foundation
internal import Quantities
internal import RewardModel

/// What is known of why a search for the knee went no higher, in words.
struct KneeLimit {
  /// A thread that works for so much of the time has none to spare.
  private static let full = 0.9

  /// The lowest rate above the knee that was missed or not offered.
  private let point: KneeSearch.Point
  private let processors: Int

  /// Nil where every rate was offered and met.
  init?(_ result: KneeResult) {
    let knee = result.search.knee ?? 0
    let failed = result.search.points.filter {
      $0.rate > knee && !($0.isMet && $0.isOffered) && $0.silence == nil
    }
    guard let point = failed.min(by: { $0.rate < $1.rate }) else { return nil }
    self.point = point
    processors = result.processors
  }

  /// Sentences: what happened, and how busy generator and service were.
  var words: String {
    let rate = "At \(KneeText.number(point.rate)) sessions a second "
    let measures = point.measures
    guard point.isOffered else {
      let busy = measures.processorSeconds / max(measures.elapsed, 1e-9)
      let late = measures.lag.summary.map {
        " (p99 \(DurationText.short($0.p99)), max \(DurationText.short($0.greatest)) late)"
      }
      let why =
        busy >= Self.full
        ? "Its thread had no time left: send from a faster machine, or several of them."
        : "Its thread had time left, so it was kept waiting for a processor, as by the service on the "
          + "same machine, or by other work."
      return rate + "the generator gave first: \(LoadVerdict.percent(measures.missedShare)) of the "
        + "sessions started more than 10 ms late or not at all\(late ?? ""). \(generator) \(why) "
        + service + " What the service carries at that rate is not known."
    }
    let missed = measures.thresholds.filter { !$0.isMet }.map { result in
      result.threshold.text
        + (result.value.map { " (\(LoadVerdict.value($0, result.threshold.metric)))" } ?? "")
    }
    return rate + (missed.isEmpty ? "the conditions were" : missed.joined(separator: " and "))
      + " missed. \(generator) \(service)"
  }

  private var generator: String {
    "The generator took \(share(point.measures.processorSeconds)) of one of "
      + PageWords.counted(processors, "processor", "processors") + "."
  }

  private var service: String {
    guard let work = point.work else { return "The service does not say how busy it was." }
    let rest = work.processor.map { "; the rest of it took \(share($0)) of one processor" }
    return "The service's writer was busy for \(share(work.writing)) of the time\(rest ?? "")."
  }

  private func share(_ seconds: Double) -> String {
    String(format: "%.0f %%", seconds / max(point.measures.elapsed, 1e-9) * 100)
  }
}
