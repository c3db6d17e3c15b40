internal import Foundation
internal import Synchronization

/// One started command that answers requests, with the group of all processes that it starts.
final class WorkerProcess: Sendable {
  private let id: pid_t
  private let input: Int32
  private let output: Int32
  /// What is still to be written, in its order.
  private let outbox = Mutex(Data())
  private let writing = Mutex(false)

  /// No process can be started.
  struct Failure: Error {
    var reason: String
  }

  /// One is started at a time: a child that took another's pipe along would keep it open.
  private static let starting = Mutex(())

  /// Starts a command by the shell, in a group of its own, so that Ctrl-C reaches only who started it.
  init(_ command: String) throws(Failure) {
    let (code, id, input, output) = Self.starting.withLock { _ in Self.start(command) }
    self.id = id
    self.input = input
    self.output = output
    if code != 0 { throw Failure(reason: String(cString: strerror(code))) }
  }

  private static func start(
    _ command: String
  ) -> (code: Int32, id: pid_t, input: Int32, output: Int32) {
    var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard pipe(&input) == 0, pipe(&output) == 0 else { return (errno, 0, input[1], output[0]) }
    for end in [input[1], output[0]] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var standard = sigset_t()
    sigemptyset(&standard)
    for name in [SIGINT, SIGTERM, SIGPIPE] { sigaddset(&standard, name) }
    posix_spawnattr_setsigdefault(&attributes, &standard)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGDEF))
    // The child's own ends have their copies by then.
    for end in [input[0], output[1]] { posix_spawn_file_actions_addclose(&actions, end) }
    let words: [UnsafeMutablePointer<CChar>?] =
      [strdup("sh"), strdup("-c"), strdup(command), nil]
    var started: pid_t = 0
    let code = posix_spawn(&started, "/bin/sh", &actions, &attributes, words, environ)
    for word in words { free(word) }
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    close(input[0])
    close(output[1])
    return (code, started, input[1], output[0])
  }

  deinit {
    close(input)
    close(output)
  }

  /// What it writes.
  func lines() -> LineReader { LineReader(output, limit: 1 << 30) }

  /// Appends to what is to be written; `flush` writes it.
  func post(_ bytes: Data) { outbox.withLock { $0 += bytes } }

  /// Writes what was posted, in its order. A process that takes nothing is noticed by whoever reads
  /// its answers.
  func flush() {
    writing.withLock { isBroken in
      while true {
        let bytes = outbox.withLock { bytes in
          defer { bytes = Data() }
          return bytes
        }
        if bytes.isEmpty { return }
        if !isBroken { isBroken = !writeAll(bytes, to: input) }
      }
    }
  }

  /// Ends it and all that it started.
  func kill(_ signal: Int32 = SIGKILL) { _ = Foundation.kill(-id, signal) }

  /// Waits for its end, and kills it with all that it started where that takes too long.
  ///
  /// - Parameter seconds: How long one whose output has ended may take; nil where it need not be killed.
  /// - Returns: How it ended, for people.
  func end(within seconds: Double? = nil) -> String {
    var wasKilled = false
    if let seconds {
      wasKilled = !ends(within: seconds)
      kill()
    }
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    if wasKilled, signal == SIGKILL {
      return "closed its output and did not end, so it was killed"
    }
    return signal == 0 ? "ended with status \(status >> 8 & 0xFF)" : "ended with signal \(signal)"
  }

  /// Whether it ends by itself; its status is still to be asked for, so its number is nobody else's.
  private func ends(within seconds: Double) -> Bool {
    let until = ContinuousClock.now + .seconds(seconds)
    while true {
      var end = siginfo_t()
      if waitid(P_PID, id_t(id), &end, WEXITED | WNOHANG | WNOWAIT) == 0, end.si_signo == SIGCHLD {
        return true
      }
      guard ContinuousClock.now < until else { return false }
      Thread.sleep(forTimeInterval: 0.01)
    }
  }
}
