internal import Quantities
internal import RewardModel

/// That a service did not keep answering a load: it fell silent and stayed so, or left most requests
/// without an answer.
///
/// An error is an answer, too: errors of which nobody said how many are too many are a measurement. Of
/// a service that is gone nothing has been measured.
package struct LoadSilence: Sendable, Equatable {
  /// The share of the load's time for which nothing is answered at its end.
  private static let share = 0.1
  /// One slow answer is no silence: so many attempts have to be without one.
  private static let attemptsLeast = 5

  /// Seconds from the start to the beginning of the silence; nil where answers came to the end.
  package let since: Int?
  /// Attempts that were sent in it.
  package let attempts: Int
  /// Requests that were given up without any answer, of how many.
  package let unheard: Int
  package let offered: Int

  /// Nil where the service kept answering.
  ///
  /// - Parameter length: For how many seconds sessions were to start.
  package init?(_ measures: LoadMeasures, of length: Double) {
    let total = measures.total
    let seconds = LoadShape.offered(measures.seconds, of: length, elapsed: measures.elapsed)
    (unheard, offered) = (total.unheard, total.offered)
    // Answers that come after the last start are answers, too.
    let heard = measures.seconds.lastIndex { $0.isHeard }.map { $0 + 1 } ?? 0
    let silent = seconds.dropFirst(heard)
    let sent = silent.reduce(0) { $0 + $1.sent }
    let isSilent =
      sent >= Self.attemptsLeast && Double(silent.count) >= Self.share * Double(seconds.count)
    // A load that ended itself waited for no answer: one that failed to come has to be among them.
    let lost = zip(LoadErrorKind.allCases, total.errors).contains { !$0.isAnswer && $1 > 0 }
    let isTold = isSilent && (lost || !measures.endedEarly)
    let all = measures.seconds.dropFirst(heard).reduce(0) { $0 + $1.sent }
    (since, attempts) = isTold ? (heard, all) : (nil, 0)
    guard isTold || unheard * 2 > offered else { return nil }
  }

  /// Nil where the service kept answering.
  package init?(_ result: LoadResult) { self.init(result.measures, of: result.shape.seconds) }

  /// What was found, a sentence without its period.
  package var words: String {
    let most =
      "\(unheard.grouped) of \(PageWords.counted(offered, "request", "requests")) had no answer"
    guard let since else { return most }
    let silent =
      switch since {
      case 0: "at all"
      case 1: "after the first second"
      default: "after the first \(since.grouped) seconds"
      }
    let sent = PageWords.counted(attempts, "attempt was", "attempts were")
    return "no answer came \(silent), while \(sent) sent"
      + (unheard > 0 ? "; \(most)" : "")
  }
}
