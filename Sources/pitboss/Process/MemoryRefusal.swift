internal import Foundation

/// Says that memory was refused where a process has a limit of it.
///
/// The standard library ends the process with a trap when it gets no memory. Where `ulimit -v` or
/// `ulimit -d` limits the process, a trap right after a refusal, or after most of the limit is used,
/// becomes a message and exit code 71; any other trap is left to whoever handled it before.
enum MemoryRefusal {
  // Unsafe, because a handler of signals may take no lock: `listen` writes these three once, before
  // it installs the handlers and before any other thread starts; afterwards they are only read.
  /// The smaller of the limits in bytes; 0 without one.
  nonisolated(unsafe) private static var limit = 0
  /// What handled each signal before; see above.
  nonisolated(unsafe) private static var earlier: [sigaction] = []
  private static let names = [SIGILL, SIGTRAP, SIGABRT, SIGSEGV, SIGBUS]
  /// What is said, made beforehand as a handler may not allocate; see above.
  nonisolated(unsafe) private static var message: [UInt8] = []
  #if os(Linux)
    private static let resources = [RLIMIT_AS, RLIMIT_DATA].map {
      __rlimit_resource_t($0.rawValue)
    }
  #else
    private static let resources = [RLIMIT_AS, RLIMIT_DATA]
  #endif

  /// From here on a trap for lack of memory ends the process with 71.
  static func listen() {
    let limits = resources.compactMap { resource -> Int? in
      var limit = rlimit()
      guard getrlimit(resource, &limit) == 0 else { return nil }
      return Int(exactly: limit.rlim_cur)
    }
    guard let least = limits.min() else { return }
    limit = least
    message = Array(
      ("\npitboss: memory was refused at the limit of \(least / 1_048_576) MiB; raise it with "
        + "'ulimit -v', or lower the number of members or --threads\n").utf8)
    earlier = names.map { name in
      var action = sigaction()
      var before = sigaction()
      #if os(Linux)
        action.__sigaction_handler.sa_handler = { MemoryRefusal.handle($0) }
      #else
        action.__sigaction_u.__sa_handler = { MemoryRefusal.handle($0) }
      #endif
      // A stack that overflowed has no room for the handler.
      action.sa_flags = SA_ONSTACK
      sigaction(name, &action, &before)
      return before
    }
  }

  /// Only calls what may be called in a handler of signals.
  private static func handle(_ name: Int32) {
    // One piece that is larger than the limit is refused while nearly all of the limit is free; the
    // thread that asked for it is the one that the trap stopped.
    let wasRefused = errno == ENOMEM
    let size = limit / 3 * 2
    let place = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    if wasRefused || place == MAP_FAILED {
      _ = message.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
      _exit(71)
    }
    munmap(place, size)
    for (place, other) in names.enumerated() where other == name {
      sigaction(name, &earlier[place], nil)
    }
  }
}
