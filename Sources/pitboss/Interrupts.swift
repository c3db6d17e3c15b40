internal import Foundation
internal import Synchronization

/// Ctrl-C and termination: the first asks the run to stop and keep what it has, the second ends
/// the process.
enum Interrupts {
  private static let count = Atomic<Int>(0)

  /// Whether somebody asked to stop.
  static var requested: Bool { count.load(ordering: .relaxed) > 0 }

  /// From here on SIGINT and SIGTERM are requests.
  static func listen() {
    // The parent process may have blocked the signals, and a child inherits that.
    var names = sigset_t()
    sigemptyset(&names)
    sigaddset(&names, SIGINT)
    sigaddset(&names, SIGTERM)
    pthread_sigmask(SIG_UNBLOCK, &names, nil)
    for name in [SIGINT, SIGTERM] {
      signal(name) { _ in
        if Interrupts.count.add(1, ordering: .relaxed).oldValue > 0 { _exit(130) }
      }
    }
  }
}
