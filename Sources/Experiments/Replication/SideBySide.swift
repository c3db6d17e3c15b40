internal import Dispatch
internal import Synchronization

/// Work done side by side, its answers in the order of the work: they do not depend on the number
/// of threads.
enum SideBySide<Answer: Sendable, Failure: Error> {
  /// Every piece has its answer.
  case done([Answer])
  /// Somebody asked to stop.
  case stopped
  /// The failure that stands first among the pieces that were begun.
  case failed(place: Int, Failure)

  private struct State: Sendable {
    var answers: [Answer?]
    var next = 0
    var done = 0
    var failure: (place: Int, cause: Failure)?
    var stopped = false
  }

  /// Does `count` pieces of work.
  ///
  /// - Parameters:
  ///   - threads: Pieces at a time, 1 or more.
  ///   - proceed: Asked as pieces end, with how many have; false begins no more.
  ///   - piece: The work, by its place from 0.
  static func run(
    _ count: Int, threads: Int, proceed: @escaping @Sendable (Int) -> Bool,
    piece: @escaping @Sendable (Int) throws(Failure) -> Answer
  ) -> SideBySide {
    let state = Mutex(State(answers: Array(repeating: nil, count: count)))
    DispatchQueue.concurrentPerform(iterations: min(threads, max(count, 1))) { _ in
      while let place = state.withLock({ begin(&$0) }) {
        do throws(Failure) {
          let answer = try piece(place)
          state.withLock { state in
            state.answers[place] = answer
            state.done += 1
            if !proceed(state.done) { state.stopped = true }
          }
        } catch {
          state.withLock { state in
            if state.failure.map({ $0.place > place }) ?? true { state.failure = (place, error) }
          }
        }
      }
    }
    let end = state.withLock { $0 }
    if let failure = end.failure { return .failed(place: failure.place, failure.cause) }
    return end.stopped ? .stopped : .done(end.answers.compactMap(\.self))
  }

  /// The place of the next piece; nil when none is to be begun.
  private static func begin(_ state: inout State) -> Int? {
    guard !state.stopped, state.failure == nil, state.next < state.answers.count else {
      return nil
    }
    state.next += 1
    return state.next - 1
  }
}
