internal import Quantities
internal import RewardModel

/// That a service did not keep answering a load: it fell silent and stayed so, or left most requests
/// without an answer.
///
/// Errors of which nobody said how many are too many are a measurement. Of a service that is gone
/// nothing has been measured.
package struct LoadSilence: Sendable, Equatable {
  /// The share of the load's time for which nothing is answered at its end.
  private static let share = 0.1
  /// One slow answer is no silence: so many attempts have to be without one.
  private static let attemptsLeast = 5

  /// Seconds from the start to the beginning of the silence; nil where answers came to the end.
  package let since: Int?
  /// Attempts that were sent in it while sessions were to start.
  package let attempts: Int
  /// Requests that were given up, of how many.
  package let givenUp: Int
  package let offered: Int

  /// Nil where the service kept answering.
  package init?(_ result: LoadResult) {
    let (total, seconds) = (result.measures.total, result.offeredSeconds)
    (givenUp, offered) = (total.givenUp, total.offered)
    // Answers that come after the last start are answers, too.
    let answered = result.measures.seconds.lastIndex { $0.answered > 0 }.map { $0 + 1 } ?? 0
    let silent = seconds.dropFirst(answered)
    let sent = silent.reduce(0) { $0 + $1.sent }
    let isSilent =
      sent >= Self.attemptsLeast && Double(silent.count) >= Self.share * Double(seconds.count)
    (since, attempts) = isSilent ? (answered, sent) : (nil, 0)
    guard isSilent || givenUp * 2 > offered else { return nil }
  }

  /// What was found, a sentence without its period.
  package var words: String {
    let most =
      "\(givenUp.grouped) of \(PageWords.counted(offered, "request", "requests")) had no answer"
    guard let since else { return most }
    let silent =
      since == 0
      ? "no answer came at all"
      : "no answer came after \(PageWords.counted(since, "second", "seconds"))"
    return "\(silent), while \(PageWords.counted(attempts, "attempt was", "attempts were")) sent"
      + (givenUp > 0 ? "; \(most)" : "")
  }
}
