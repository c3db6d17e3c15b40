internal import Foundation

/// Standard streams and resource limits as a shell leaves them.
enum StandardStreams {
  /// Makes the process safe to run with closed streams and with limits on files and memory.
  ///
  /// - A closed stream is taken by `/dev/null`, so that no file that is opened later gets its
  ///   number and receives messages.
  /// - A file beyond the limit of `ulimit -f` is an error of `write` like any other, not a signal.
  static func prepare() {
    for (stream, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (2, O_RDONLY)]
    where fcntl(stream, F_GETFD) == -1 {
      // The lowest free number is the stream's. It is open the wrong way round: whoever uses it
      // still learns that it was closed.
      _ = open("/dev/null", mode)
    }
    signal(SIGXFSZ, SIG_IGN)
    MemoryRefusal.listen()
  }

  /// Writes to standard error. When that is closed or full, nobody can be told.
  static func complain(_ text: String) { _ = write(text, to: STDERR_FILENO) }

  /// Writes to standard output.
  ///
  /// - Returns: Why it cannot be written to, in words; nil where all is written.
  static func answer(_ text: String) -> String? {
    guard let cause = write(text, to: STDOUT_FILENO) else { return nil }
    return cause == EBADF ? "it is closed" : String(cString: strerror(cause))
  }

  /// Writes all of a text.
  ///
  /// - Returns: The error's number; nil where all is written.
  private static func write(_ text: String, to stream: Int32) -> Int32? {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let wrote = bytes.withUnsafeBytes { Foundation.write(stream, $0.baseAddress, $0.count) }
      if wrote < 0, errno == EINTR { continue }
      guard wrote > 0 else { return wrote < 0 ? errno : EIO }
      bytes = bytes.dropFirst(wrote)
    }
    return nil
  }
}
