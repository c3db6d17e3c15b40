internal import ArgumentParser
internal import Foundation

/// Files that this process may have open at once; a connection is one.
enum OpenFiles {
  /// What a command needs besides connections: streams, databases, threads' own queues, workers.
  private static let least = 64
  /// What most commands never reach.
  private static let plenty = 1_024

  /// Raises the limit as far as the system lets us, and says where it is.
  static func most() -> Int { raised(to: .max) }

  /// Makes room for what every command needs. Libraries that find none left end the process without a
  /// word, so that too little is said before anything begins.
  ///
  /// - Throws: `ExitStatus.ioFailed` where the system lets this process have too few.
  static func prepare() throws {
    let limit = raised(to: plenty)
    guard limit < least else { return }
    complain(
      "pitboss: \(limit) files at once are all that this process may have open, and it takes \(least); "
        + "raise the limit, as in 'ulimit -n \(plenty)'")
    throw ExitStatus.ioFailed
  }

  /// Raises the limit where it is below a number.
  ///
  /// - Returns: Where it is then.
  private static func raised(to wanted: Int) -> Int {
    var limit = rlimit()
    let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
    guard getrlimit(resource, &limit) == 0 else { return wanted }
    let goal = min(limit.rlim_max, rlim_t(wanted))
    if limit.rlim_cur < goal {
      limit.rlim_cur = goal
      setrlimit(resource, &limit)
      getrlimit(resource, &limit)
    }
    return Int(clamping: limit.rlim_cur)
  }
}
