internal import Dispatch
internal import Foundation
internal import Synchronization

/// Ctrl-C, termination and a terminal that is closed: the first asks the command to stop and keep what
/// it has, a second Ctrl-C or termination ends the process unless there are results to keep.
enum Interrupts {
  /// What a command finishes before it stops, where that takes so long that people are told.
  enum Work: Int {
    case nothing, replications, cases
  }

  /// Nanoseconds within which several signals are one request: `timeout` sends its signal to the process
  /// and then to the whole group, and a script that passes Ctrl-C on sends one that came already.
  private static let pauseNanos = 500_000_000

  /// When the first request came, in nanoseconds of the monotonic clock; 0 where none did.
  private static let first = Atomic<Int>(0)
  private static let isHungUp = Atomic<Bool>(false)
  private static let work = Atomic<Int>(0)
  /// Whether a second request leaves time to write results, and when it came.
  private static let keepsResults = Atomic<Bool>(false)
  private static let second = Atomic<Int>(0)

  /// Whether somebody asked to stop.
  static var requested: Bool {
    first.load(ordering: .relaxed) > 0 || isHungUp.load(ordering: .relaxed)
  }

  /// Whether somebody asked twice: what was measured is then written without anything that takes long.
  static var isUrgent: Bool { second.load(ordering: .relaxed) > 0 }

  /// From here on there is something to keep: the second request does not end the process, the third
  /// does.
  static func keepResults() { keepsResults.store(true, ordering: .relaxed) }

  /// From here on SIGINT and SIGTERM end the process with 130 and a message. It is for the time in which
  /// a command has nothing to keep, and in which it may wait for what it reads.
  static func end() {
    unblock()
    for name in [SIGINT, SIGTERM] {
      signal(name) { _ in
        Interrupts.say("pitboss: interrupted; nothing was written\n")
        _exit(130)
      }
    }
  }

  /// From here on SIGINT and SIGTERM are requests; so is SIGHUP, unless it is ignored as by nohup.
  ///
  /// - Parameter work: What is finished after the first request, for the message that says so.
  static func listen(finishing work: Work = .nothing) {
    self.work.store(work.rawValue, ordering: .relaxed)
    unblock()
    for name in [SIGINT, SIGTERM] { signal(name) { _ in Interrupts.take() } }
    // The shell of a terminal that closes and the system may both send one, and the system SIGTERM
    // after it: no number of them is the first of two requests, or the second.
    let earlier = signal(SIGHUP) { _ in Interrupts.isHungUp.store(true, ordering: .relaxed) }
    if unsafeBitCast(earlier, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(SIGHUP, SIG_IGN)
    }
  }

  /// The parent process may have blocked the signals, and a child inherits that.
  private static func unblock() {
    var names = sigset_t()
    sigemptyset(&names)
    for name in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&names, name) }
    pthread_sigmask(SIG_UNBLOCK, &names, nil)
  }

  // MARK: - In a signal's handler: nothing that allocates or locks

  private static func take() {
    // A call of `clock_gettime`, which a handler may make.
    let now = Int(DispatchTime.now().uptimeNanoseconds)
    let (isFirst, began) = first.compareExchange(
      expected: 0, desired: now, ordering: .relaxed)
    guard isFirst else {
      guard now - began >= pauseNanos else { return }
      guard keepsResults.load(ordering: .relaxed) else { _exit(130) }
      let (isSecond, asked) = second.compareExchange(
        expected: 0, desired: now, ordering: .relaxed)
      if !isSecond, now - asked >= pauseNanos { _exit(130) }
      return
    }
    switch Work(rawValue: work.load(ordering: .relaxed)) {
    case .replications: say("pitboss: stopping; the replications under way are finished first\n")
    case .cases: say("pitboss: stopping; the cases under way are finished first\n")
    case .nothing, nil: break
    }
  }

  private static func say(_ words: StaticString) {
    let kept = errno
    if ProgressLine.isShown { _ = write(STDERR_FILENO, "\r\u{1B}[J" as StaticString) }
    _ = write(STDERR_FILENO, words)
    errno = kept
  }

  private static func write(_ stream: Int32, _ words: StaticString) -> Int {
    Foundation.write(stream, words.utf8Start, words.utf8CodeUnitCount)
  }
}
