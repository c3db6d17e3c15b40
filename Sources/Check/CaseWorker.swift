internal import Dispatch
package import Foundation
internal import Scenario
internal import Synchronization
internal import Workers

/// A process that runs cases one after another, so that one that ends it is a finding and no end.
///
/// It reads a case a line and answers with a line, as JSON.
package final class CaseWorker {
  /// Seconds after which a process is ended that neither answers nor notices that its case hangs (see
  /// `CaseWatch`): one that was stopped, say, or whose machine is gone.
  package static let lost = 3_600.0
  /// Seconds in which a process ends that gives no answer any more.
  private static let lastSeconds = 0.5

  private let program: URL
  private let arguments: [String]
  private let limit: Double
  /// Whether it runs `pitboss worker`, which may be elsewhere and sees no files.
  private let isElsewhere: Bool
  private var child: Child?

  private struct Child {
    let process: Process
    let input: FileHandle
    let output: FileHandle
    let errors: URL
    /// That its folders in memory have in their names.
    let mark: String
    let lines = Lines()
  }

  /// What was read of a process and is not yet used.
  private final class Lines {
    var bytes = Data()
  }

  /// A worker that a command of the shell starts, `pitboss worker` somewhere.
  ///
  /// A case that ends it is run once more, for what ended may have been its machine.
  ///
  /// - Parameter limit: Seconds after which a process is taken for lost that does not answer.
  package convenience init(command: String, limit: Double = lost) {
    self.init(
      program: URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", command], limit: limit,
      isElsewhere: true)
  }

  /// - Parameters:
  ///   - program: That runs `serve(_:)` with these arguments.
  ///   - limit: Seconds after which a process is taken for lost that does not answer.
  package convenience init(program: URL, arguments: [String], limit: Double = lost) {
    self.init(program: program, arguments: arguments, limit: limit, isElsewhere: false)
  }

  private init(program: URL, arguments: [String], limit: Double, isElsewhere: Bool) {
    self.program = program
    self.arguments = arguments
    self.limit = limit
    self.isElsewhere = isElsewhere
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
  /// - Throws: Where no process can be started, where what was started is not a worker of this build, and
  ///   where the worker's machine cannot run the case.
  package func run(_ one: Case) throws -> CaseAnswer {
    guard isElsewhere else { return try answer(one) }
    var one = one
    if one.text == nil { one.text = try String(contentsOfFile: one.file, encoding: .utf8) }
    let answer = try answer(one)
    return answer.verdict == .crashed ? try self.answer(one) : answer
  }

  private func answer(_ one: Case) throws -> CaseAnswer {
    let child = try self.child ?? start()
    self.child = child
    let text = try JSONEncoder().encode(one)
    let line = isElsewhere ? CheckLines.line(String(decoding: text, as: UTF8.self)) : text + [0x0A]
    // It has a group of its own, with all that it started.
    let isOver = Mutex(false)
    let isLate = Mutex(false)
    let process = child.process
    let guardian = DispatchWorkItem {
      guard !isOver.withLock({ $0 }) else { return }
      isLate.withLock { $0 = true }
      kill(-process.processIdentifier, SIGKILL)
    }
    DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: guardian)
    defer {
      isOver.withLock { $0 = true }
      guardian.cancel()
    }
    try? child.input.write(contentsOf: line)
    let reply = try reply(of: child)
    if let reply, let answer = try? JSONDecoder().decode(CaseAnswer.self, from: reply) {
      if answer.verdict == .failed {
        throw CampaignFailure(answer.refusal ?? "a worker could not go on")
      }
      return answer
    }
    let wasKilled = end(child)
    self.child = nil
    if isLate.withLock({ $0 }) {
      return crash(child, "no answer within \(Int(limit)) s, so the process was ended")
    }
    let isMute = reply == nil
    return crash(
      child, wasKilled ? (isMute ? Self.mute : "the process wrote what is not an answer") : nil)
  }

  /// What is said of a process that had to be killed.
  private static let mute = "the process closed its output and did not end, so it was killed"

  /// Waits for the end of a process that gives no answer, and kills one that goes on.
  ///
  /// - Returns: Whether it was killed.
  private func end(_ child: Child) -> Bool {
    let process = child.process
    let until = ContinuousClock.now + .seconds(Self.lastSeconds)
    while process.isRunning, ContinuousClock.now < until { Thread.sleep(forTimeInterval: 0.01) }
    let goesOn = process.isRunning
    if goesOn { kill(-process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    return goesOn && process.terminationReason == .uncaughtSignal
      && process.terminationStatus == SIGKILL
  }

  /// - Parameter killed: Why it was killed; nil where it ended by itself.
  private func crash(_ child: Child, _ killed: String?) -> CaseAnswer {
    let said = (try? Data(contentsOf: child.errors)) ?? Data()
    let words = String(decoding: said.suffix(2_000), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    var why = words.first { $0.contains("rror:") || $0.contains("invariant") } ?? words.last
    let status = child.process.terminationStatus
    let isSignal = child.process.terminationReason == .uncaughtSignal
    if status == CaseWatch.status { why = words.last }
    var answer = CaseAnswer(.crashed)
    answer.broken = CaseAnswer.Broken(
      invariant: "process_survives",
      facts: killed ?? why ?? "the process ended with \(isSignal ? "signal" : "status") \(status)",
      time: 0)
    try? FileManager.default.removeItem(at: child.errors)
    ScratchMemory.clear(child.mark)
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
    let mark = UUID().uuidString
    environment[ScratchMemory.variable] = mark
    process.environment = environment
    try process.run()
    try input.fileHandleForReading.close()
    let child = Child(
      process: process, input: input.fileHandleForWriting, output: output.fileHandleForReading,
      errors: errors, mark: mark)
    if isElsewhere { try greet(child) }
    return child
  }

  /// Waits for the first line of a worker that may be elsewhere.
  private func greet(_ child: Child) throws {
    let reply = Self.line(from: child).map { CheckLines.reply($0) }
    guard reply != .ready else { return }
    let wasKilled = end(child)
    let said = crash(child, wasKilled ? Self.mute : nil).broken?.facts ?? ""
    guard case .unusable(let why)? = reply else {
      throw CampaignFailure("a worker gave no first line: \(said)")
    }
    throw CampaignFailure("a worker \(why)")
  }

  /// The line that answers a case; nil where the process ends without one.
  private func reply(of child: Child) throws -> Data? {
    guard isElsewhere else { return Self.line(from: child) }
    while let line = Self.line(from: child) {
      switch CheckLines.reply(line) {
      case .checked(let text): return Data(text.utf8)
      case .alive, .ready: continue
      case .unusable(let why):
        kill(-child.process.processIdentifier, SIGKILL)
        throw CampaignFailure("a worker \(why)")
      }
    }
    return nil
  }

  /// A line without its end; nil where there is no whole one.
  private static func line(from child: Child) -> Data? {
    while true {
      if let end = child.lines.bytes.firstIndex(of: 0x0A) {
        defer { child.lines.bytes = Data(child.lines.bytes[(end + 1)...]) }
        return Data(child.lines.bytes[..<end])
      }
      let more = child.output.availableData
      if more.isEmpty { return nil }
      child.lines.bytes += more
    }
  }

  /// Runs a case for a worker.
  ///
  /// - Returns: The answer, as it is read by `run`.
  package static func answer(_ text: String) -> String {
    var answer: CaseAnswer
    do {
      let one = try JSONDecoder().decode(Case.self, from: Data(text.utf8))
      answer = try CaseWatch.over { try CaseRunner.run(one) }
    } catch let errors as InputErrors {
      answer = CaseAnswer(errors.kind == .content ? .refused : .failed)
      answer.refusal = errors.description
    } catch {
      answer = CaseAnswer(.failed)
      answer.refusal = "a case cannot be read: \(error)"
    }
    // Texts and whole numbers can always be encoded.
    return String(decoding: (try? JSONEncoder().encode(answer)) ?? Data(), as: UTF8.self)
  }

  /// What the process does: answers cases until its input ends.
  package static func serve() throws {
    while let line = readLine(strippingNewline: true) {
      try FileHandle.standardOutput.write(contentsOf: Data("\(answer(line))\n".utf8))
    }
  }
}
