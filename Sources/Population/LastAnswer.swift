internal import Synchronization

/// What was worked out last, and from what: all replications of an experiment ask for the same, and for
/// a run of a few members it is a part of its time that counts.
package final class LastAnswer<Source: Equatable & Sendable, Answer: Sendable>: Sendable {
  private let last = Mutex<(source: Source, answer: Answer)?>(nil)

  /// Nothing is known yet.
  package init() {}

  /// The answer, worked out anew only where the source is another one than the last time.
  package func of(_ source: Source, _ work: () -> Answer) -> Answer {
    if let known = last.withLock({ $0 }), known.source == source { return known.answer }
    let answer = work()
    last.withLock { $0 = (source, answer) }
    return answer
  }
}
