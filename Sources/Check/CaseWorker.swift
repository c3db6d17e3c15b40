internal import Dispatch
package import Foundation
internal import Scenario
internal import Synchronization

/// A process that runs cases one after another, so that one that ends it is a finding and no end.
///
/// It reads a case a line and answers with a line, as JSON.
package final class CaseWorker {
  private let program: URL
  private let arguments: [String]
  private let limit: Double
  private var child: Child?

  private struct Child {
    let process: Process
    let input: FileHandle
    let output: FileHandle
    let errors: URL
  }

  /// - Parameters:
  ///   - program: That runs `serve(_:)` with these arguments.
  ///   - limit: Seconds after which a case is taken for hung.
  package init(program: URL, arguments: [String], limit: Double = 120) {
    self.program = program
    self.arguments = arguments
    self.limit = limit
  }

  deinit { stop() }

  /// Ends the process.
  package func stop() {
    guard let child else { return }
    try? child.input.close()
    child.process.waitUntilExit()
    try? FileManager.default.removeItem(at: child.errors)
    self.child = nil
  }

  /// Runs a case.
  ///
  /// - Throws: Where no process can be started.
  package func run(_ one: Case) throws -> CaseAnswer {
    let child = try self.child ?? start()
    self.child = child
    let line = try JSONEncoder().encode(one) + [0x0A]
    let isOver = Mutex(false)
    let process = child.process
    let guardian = DispatchWorkItem {
      if !isOver.withLock({ $0 }) { kill(process.processIdentifier, SIGKILL) }
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: guardian)
    defer {
      isOver.withLock { $0 = true }
      guardian.cancel()
    }
    try? child.input.write(contentsOf: line)
    if let text = Self.line(from: child.output),
      let answer = try? JSONDecoder().decode(CaseAnswer.self, from: text)
    {
      return answer
    }
    process.waitUntilExit()
    self.child = nil
    return crash(child)
  }

  private func crash(_ child: Child) -> CaseAnswer {
    let said = (try? Data(contentsOf: child.errors)) ?? Data()
    let words = String(decoding: said.suffix(2_000), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    let why = words.first { $0.contains("rror:") || $0.contains("invariant") } ?? words.last
    var answer = CaseAnswer(.crashed)
    let status = child.process.terminationStatus
    answer.broken = CaseAnswer.Broken(
      invariant: "process_survives",
      facts: why ?? "the process ended with signal or status \(status)", time: 0)
    try? FileManager.default.removeItem(at: child.errors)
    return answer
  }

  private func start() throws -> Child {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    let (input, output) = (Pipe(), Pipe())
    let errors = FileManager.default.temporaryDirectory
      .appending(path: "pitboss-check-\(UUID().uuidString)")
    try Data().write(to: errors)
    process.standardInput = input
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: errors)
    var environment = ProcessInfo.processInfo.environment
    for name in environment.keys where name == "PITBOSS_SET" || name == "PITBOSS_SEED" {
      environment[name] = nil
    }
    // A trace of the stack takes seconds, and is not read.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    process.environment = environment
    try process.run()
    try input.fileHandleForReading.close()
    return Child(
      process: process, input: input.fileHandleForWriting, output: output.fileHandleForReading,
      errors: errors)
  }

  /// A line without its end; nil where there is no whole one.
  private static func line(from file: FileHandle) -> Data? {
    var bytes = Data()
    while true {
      let more = file.availableData
      if more.isEmpty { return nil }
      bytes += more
      if more.last == 0x0A { return bytes.dropLast() }
    }
  }

  /// What the process does: answers cases until its input ends.
  package static func serve() throws {
    while let line = readLine(strippingNewline: true) {
      let one = try JSONDecoder().decode(Case.self, from: Data(line.utf8))
      var answer: CaseAnswer
      do {
        answer = try CaseRunner.run(one)
      } catch {
        answer = CaseAnswer(.refused)
        answer.refusal = error.description
      }
      try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(answer) + [0x0A])
    }
  }
}
