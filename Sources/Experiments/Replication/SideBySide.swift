internal import Dispatch
internal import Foundation
internal import Synchronization

/// Work done side by side, its answers added up in the order of the work: the sum does not depend
/// on the number of threads.
enum SideBySide {
  /// How the work ended.
  enum End<Sum, Failure: Error> {
    /// Every piece has its answer.
    case done(Sum)
    /// Somebody asked to stop.
    case stopped
    /// The first failure among the pieces that were begun.
    case failed(place: Int, Failure)
  }

  private struct State<Sum: Sendable, Answer: Sendable, Failure: Error>: Sendable {
    let count: Int
    var sum: Sum
    /// Answers that wait for an earlier one, by place.
    var waiting: [Int: Answer] = [:]
    /// Answers added, which is the place of the next to be added.
    var added = 0
    /// The place of the next piece to be begun.
    var next = 0
    var done = 0
    var failure: (place: Int, cause: Failure)?
    var stopped = false

    /// The place of the next piece; nil when none is to be begun.
    mutating func begin() -> Int? {
      guard !stopped, failure == nil, next < count else { return nil }
      next += 1
      return next - 1
    }

    /// Adds an answer, and those that waited for it, in their order.
    ///
    /// - Returns: How many were added.
    mutating func take(
      _ place: Int, _ answer: Answer, _ add: (inout Sum, Answer) -> Void
    ) -> Int {
      waiting[place] = answer
      let before = added
      while let ready = waiting.removeValue(forKey: added) {
        add(&sum, ready)
        added += 1
      }
      return added - before
    }
  }

  /// Does `count` pieces of work.
  ///
  /// - Parameters:
  ///   - threads: Pieces at a time, 1 or more.
  ///   - window: No piece is begun this far after the first that is not yet added; 1 or more. It
  ///     bounds the answers that wait.
  ///   - start: What the answers are added to.
  ///   - proceed: Asked as pieces end, with how many have; false begins no more.
  ///   - piece: The work, by its place from 0.
  ///   - add: Called with the answers by place, one at a time.
  static func fold<Sum: Sendable, Answer: Sendable, Failure: Error>(
    _ count: Int, threads: Int, window: Int, into start: Sum,
    proceed: @escaping @Sendable (Int) -> Bool,
    piece: @escaping @Sendable (Int) throws(Failure) -> Answer,
    add: @escaping @Sendable (inout Sum, Answer) -> Void
  ) -> End<Sum, Failure> {
    let state = Mutex(State<Sum, Answer, Failure>(count: count, sum: start))
    let places = DispatchSemaphore(value: 0)
    @Sendable func free(_ count: Int) { for _ in 0..<count { places.signal() } }
    free(window)
    @Sendable func work() {
      while true {
        // The thread with the first place that is not added runs, so the wait ends.
        places.wait()
        guard let place = state.withLock({ $0.begin() }) else { return free(1) }
        do throws(Failure) {
          let answer = try piece(place)
          let added = state.withLock { state in
            state.done += 1
            let added = state.take(place, answer, add)
            if !proceed(state.done) { state.stopped = true }
            return added
          }
          free(added)
        } catch {
          state.withLock { state in
            if state.failure.map({ $0.place > place }) ?? true { state.failure = (place, error) }
          }
          // Nothing after it is ever added, and nothing more is begun: let all see that.
          free(1)
        }
      }
    }
    perform(min(threads, max(count, 1)), work)
    let end = state.withLock { $0 }
    if let failure = end.failure { return .failed(place: failure.place, failure.cause) }
    return end.stopped ? .stopped : .done(end.sum)
  }

  /// Calls `work` so many times at once, by this thread and threads of its own: pieces may wait for other
  /// processes, and the threads that all tasks of a process share have to answer meanwhile.
  private static func perform(_ times: Int, _ work: @escaping @Sendable () -> Void) {
    let group = DispatchGroup()
    for _ in 1..<max(times, 1) {
      group.enter()
      Thread {
        work()
        group.leave()
      }.start()
    }
    work()
    group.wait()
  }

  /// Does `count` pieces of work and keeps every answer, in the order of the work.
  ///
  /// Parameters are those of `fold`.
  static func run<Answer: Sendable, Failure: Error>(
    _ count: Int, threads: Int,
    proceed: @escaping @Sendable (Int) -> Bool,
    piece: @escaping @Sendable (Int) throws(Failure) -> Answer
  ) -> End<[Answer], Failure> {
    fold(
      count, threads: threads, window: max(count, 1), into: [], proceed: proceed,
      piece: piece,
      add: { $0.append($1) })
  }
}
