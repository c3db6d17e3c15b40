package import Foundation
internal import Synchronization

/// A program that was started, in a group of its own with all that it starts, so that Ctrl-C reaches only
/// who started it.
package final class ChildProcess: Sendable {
  /// How a process ended.
  package struct Exit: Sendable, Equatable {
    /// The signal that ended it; nil where it ended by itself.
    package var signal: Int32?
    /// What it returned; 0 where a signal ended it.
    package var status: Int32
  }

  /// No process can be started.
  package struct Failure: Error {
    package var reason: String
  }

  /// Its number, and that of its group.
  package let id: pid_t
  /// What it reads from this descriptor's other end; -1 once it is closed.
  private let input: Mutex<Int32>
  /// What it writes is read from here.
  package let output: Int32
  private let exit = Mutex<Exit?>(nil)

  /// One is started at a time: a child that took another's pipe along would keep it open.
  private static let starting = Mutex(())

  /// Starts a program, which ends by SIGHUP, SIGINT, SIGTERM and SIGPIPE also where this process does not.
  ///
  /// - Parameters:
  ///   - words: Its path, and its arguments.
  ///   - environment: Its variables; this process's where there are none.
  ///   - errors: The file that receives what it says on standard error; where this process says it, too,
  ///     where there is none.
  package init(
    _ words: [String], environment: [String: String]? = nil, errors: String? = nil
  ) throws(Failure) {
    let own = Self.starting.withLock { _ in Self.start(words, environment, errors) }
    guard own.code == 0 else {
      for end in [own.input, own.output] where end >= 0 { _ = close(end) }
      throw Failure(reason: String(cString: strerror(own.code)))
    }
    input = Mutex(own.input)
    (id, output) = (own.id, own.output)
  }

  private static func start(
    _ words: [String], _ environment: [String: String]?, _ errors: String?
  ) -> (code: Int32, id: pid_t, input: Int32, output: Int32) {
    var (input, output): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard pipe(&input) == 0 else { return (errno, 0, -1, -1) }
    guard pipe(&output) == 0 else {
      let code = errno
      _ = close(input[0])
      return (code, 0, input[1], -1)
    }
    for end in [input[1], output[0]] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO)
    if let errors {
      let how = O_WRONLY | O_CREAT | O_TRUNC
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, how, 0o600)
    }
    // The child's own ends have their copies by then.
    for end in [input[0], output[1]] { posix_spawn_file_actions_addclose(&actions, end) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    var standard = sigset_t()
    sigemptyset(&standard)
    for name in [SIGHUP, SIGINT, SIGTERM, SIGPIPE] { sigaddset(&standard, name) }
    posix_spawnattr_setsigdefault(&attributes, &standard)
    // Threads of queues let no signals through, which a child would not either.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = [POSIX_SPAWN_SETPGROUP, POSIX_SPAWN_SETSIGDEF, POSIX_SPAWN_SETSIGMASK]
    posix_spawnattr_setflags(&attributes, flags.reduce(0) { $0 | Int16($1) })
    let arguments = words.map { strdup($0) } + [nil]
    let variables = environment.map { $0.map { strdup("\($0)=\($1)") } + [nil] }
    var started: pid_t = 0
    let path = words.first ?? ""
    let code =
      variables.map { posix_spawn(&started, path, &actions, &attributes, arguments, $0) }
      ?? posix_spawn(&started, path, &actions, &attributes, arguments, environ)
    for text in arguments + (variables ?? []) { free(text) }
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
    close(input[0])
    close(output[1])
    return (code, started, input[1], output[0])
  }

  deinit {
    closeInput()
    close(output)
  }

  /// Writes to its standard input.
  ///
  /// - Returns: False where it takes nothing any more.
  package func write(_ bytes: Data) -> Bool {
    input.withLock { $0 >= 0 && writeAll(bytes, to: $0) }
  }

  /// Ends its standard input.
  package func closeInput() {
    input.withLock { input in
      if input >= 0 { _ = close(input) }
      input = -1
    }
  }

  /// Ends it and all that it started, unless `wait` has seen its end: its number may be another's then.
  package func kill(_ signal: Int32 = SIGKILL) {
    exit.withLock { exit in
      if exit == nil { _ = Foundation.kill(-id, signal) }
    }
  }

  /// Waits for its end.
  package func wait() -> Exit {
    // Meanwhile it can be killed; its number is its own until its status is asked for.
    var end = siginfo_t()
    while waitid(P_PID, id_t(id), &end, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    return exit.withLock { exit in
      if let exit { return exit }
      var status: Int32 = 0
      while waitpid(id, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7F
      let ended = Exit(
        signal: signal == 0 ? nil : signal, status: signal == 0 ? status >> 8 & 0xFF : 0)
      exit = ended
      return ended
    }
  }

  /// Waits for its end, and kills it with all that it started where that takes too long.
  ///
  /// - Returns: How it ended, and whether it had to be killed.
  package func end(within seconds: Double) -> (exit: Exit, wasKilled: Bool) {
    let ended = ends(within: seconds)
    kill()
    let exit = wait()
    return (exit, !ended && exit.signal == SIGKILL)
  }

  /// Whether it ends by itself; its status is still to be asked for, so its number is nobody else's.
  private func ends(within seconds: Double) -> Bool {
    if exit.withLock({ $0 }) != nil { return true }
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
