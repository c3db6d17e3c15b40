internal import Foundation
internal import Synchronization

/// Ctrl-C, termination and a terminal that is closed: the first asks the run to stop and keep what
/// it has, a second Ctrl-C or termination ends the process.
enum Interrupts {
  private static let count = Atomic<Int>(0)
  private static let isHungUp = Atomic<Bool>(false)

  /// Whether somebody asked to stop.
  static var requested: Bool {
    count.load(ordering: .relaxed) > 0 || isHungUp.load(ordering: .relaxed)
  }

  /// From here on SIGINT and SIGTERM are requests; so is SIGHUP, unless it is ignored as by nohup.
  static func listen() {
    // The parent process may have blocked the signals, and a child inherits that.
    var names = sigset_t()
    sigemptyset(&names)
    for name in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&names, name) }
    pthread_sigmask(SIG_UNBLOCK, &names, nil)
    for name in [SIGINT, SIGTERM] {
      signal(name) { _ in
        if Interrupts.count.add(1, ordering: .relaxed).oldValue > 0 { _exit(130) }
      }
    }
    // The shell of a terminal that closes and the system may both send one, and the system SIGTERM
    // after it: no number of them is the first of two requests, or the second.
    let earlier = signal(SIGHUP) { _ in Interrupts.isHungUp.store(true, ordering: .relaxed) }
    if unsafeBitCast(earlier, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
      signal(SIGHUP, SIG_IGN)
    }
  }
}
