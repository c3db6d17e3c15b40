internal import Foundation
internal import Synchronization

/// A PostgreSQL server of the tests' own, on a socket in a folder of its own. It ends with the process
/// that began it, however that ends.
package final class PostgresServer: Sendable {
  /// Why something could not be done.
  package struct Failure: Error, CustomStringConvertible {
    package let description: String
  }

  /// Where Debian's newest server is that Pitboss can use; nil where there is none.
  package static let programs: String? = {
    let root = "/usr/lib/postgresql"
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    return versions.compactMap(Int.init).filter { $0 >= 14 }.max().map { "\(root)/\($0)/bin" }
  }()

  /// One server for all tests that do not stop it.
  package static let shared = Result { try PostgresServer() }

  package let folder: String
  /// The input of the shell that ends the server when nobody holds it any more.
  private let life: Mutex<Int>

  /// Makes a server and starts it.
  ///
  /// - Throws: `Failure`.
  package init() throws {
    // The folder holds the server's socket, whose path may have 107 characters at most.
    var template = Array("/tmp/pitboss-pg-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(description: "no folder for a server") }
    let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    self.folder = folder
    life = Mutex(0)
    try Self.shell(
      """
      chmod 755 \(folder) && \(Self.isRoot ? "chown postgres \(folder)" : ":")
      \(Self.program("initdb")) -D \(folder)/data -U postgres -A trust --no-locale -E UTF8 >/dev/null
      """)
    try Self.shell(start())
    // When this process ends, its end of the pipe is closed, and `cat` ends.
    let keeper = popen(
      """
      exec bash -c '\(Self.closing)
      cat >/dev/null
      \(Self.program("pg_ctl")) -D \(folder)/data -m immediate stop >/dev/null 2>&1
      rm -rf \(folder)'
      """, "we")
    life.withLock { $0 = Int(bitPattern: keeper) }
  }

  /// PostgreSQL refuses to run as root.
  private static var isRoot: Bool { getuid() == 0 }

  private static func program(_ name: String) -> String {
    // Whoever waits for a server that hangs would wait for ever.
    "timeout -k 5 120 " + (isRoot ? "runuser -u postgres -- " : "") + "\(programs ?? "")/\(name)"
  }

  /// Closes all files but the first three, in bash. What runs for as long as the tests do would otherwise hold
  /// those that other tests had open when it began: Foundation's `Process` never sees the end of a program
  /// one of whose sockets somebody else has, and a pipe does not end.
  private static let closing =
    "for fd in /proc/self/fd/*; do fd=${fd##*/}; if [ $fd -gt 2 ]; then exec {fd}>&-; fi; done"

  private func start() -> String {
    "bash -c '\(Self.closing); exec \"$@\"' bash \(Self.program("pg_ctl")) "
      + "-D \(folder)/data -l \(folder)/data/log -w "
      + "-o '-c listen_addresses= -c unix_socket_directories=\(folder) -c max_connections=200' "
      + "start >/dev/null"
  }

  /// Starts a server that was stopped.
  package func startAgain() throws { try Self.shell(start()) }

  /// Stops the server as a power cut would: nothing is written that was not.
  package func stopAtOnce() throws {
    try Self.shell("\(Self.program("pg_ctl")) -D \(folder)/data -m immediate stop >/dev/null")
  }

  /// The address of a database.
  package func address(of database: String) -> String {
    "postgres://postgres@/\(database)?host=\(folder)"
  }

  /// Makes an empty database.
  ///
  /// - Returns: Its name.
  package func makeDatabase() throws -> String {
    let name = "t\(UInt64.random(in: .min ... .max))"
    _ = try run("CREATE DATABASE \(name)", in: "postgres")
    return name
  }

  /// Runs SQL.
  ///
  /// - Returns: Its rows, one a line, with | between columns.
  @discardableResult
  package func run(_ sql: String, in database: String) throws -> String {
    let quoted = sql.replacing("'", with: "'\\''")
    return try Self.shell(
      "timeout -k 5 120 \(Self.programs ?? "")/psql -X -q -A -t -v ON_ERROR_STOP=1 -c '\(quoted)'"
        + " '\(address(of: database))' 2>&1")
  }

  /// Runs a command of a program, for two minutes at most, and gives what it said. Foundation's `Process` waits with a run loop, which
  /// tests that run side by side have too few threads for.
  @discardableResult
  private static func shell(_ command: String) throws -> String {
    guard let pipe = popen(command, "re") else { throw Failure(description: "no shell") }
    var said: [UInt8] = []
    var buffer = Array(repeating: UInt8(0), count: 4_096)
    while case let count = fread(&buffer, 1, buffer.count, pipe), count > 0 {
      said += buffer[..<count]
    }
    let text = String(decoding: said, as: UTF8.self).trimmingCharacters(in: .newlines)
    let status = pclose(pipe)
    guard status == 0 else {
      // What `timeout` says of a command that it ended.
      let why = status >> 8 == 124 ? "has not ended in two minutes: " : ""
      throw Failure(description: "\(command): \(why)\(text)")
    }
    return text
  }

  deinit {
    if let keeper = UnsafeMutablePointer<FILE>(bitPattern: life.withLock { $0 }) {
      pclose(keeper)
    }
  }
}
