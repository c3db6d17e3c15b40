package import Foundation
internal import Scenario
internal import Workers

/// A process that runs cases one after another, so that one that ends it is a finding and no end.
///
/// It reads a case a line and answers with a line, as JSON.
package final class CaseWorker {
  /// Seconds after which a process is ended that neither answers nor notices that its case hangs (see
  /// `CaseWatch`): one that was stopped, say, or whose machine is gone.
  package static let lost = 3_600.0
  /// Seconds after which a worker elsewhere is lost that says nothing: it says every second that it is there.
  package static let silence = 60.0
  /// Seconds in which a process ends that gives no answer any more.
  private static let lastSeconds = 0.5
  /// The status of a process whose machine refused it memory.
  private static let memoryRefused: Int32 = 71
  /// Bytes of a line, at most.
  private static let longestLine = 1 << 26

  private let program: URL
  private let arguments: [String]
  private let limit: Double
  /// Of a worker that runs `pitboss worker`, which may be elsewhere and sees no files: see `silence`; nil of others.
  private let silence: Double?
  private var child: Child?
  /// By which of the signals that ask a process to end the last one ended; nil where it ended otherwise.
  private var signal: Int32?

  private struct Child {
    let process: ChildProcess
    let errors: URL
    /// That its folders in memory have in their names.
    let mark: String
    let lines: Lines
  }

  /// What a process writes, line by line.
  private final class Lines {
    var reader: LineReader

    init(_ process: ChildProcess) {
      reader = LineReader(process.output, limit: CaseWorker.longestLine)
    }
  }

  /// A worker that a command of the shell starts, `pitboss worker` somewhere.
  ///
  /// A case that ends it is run once more, for what ended may have been its machine.
  ///
  /// - Parameter silence: Seconds after which a worker is taken for lost that says nothing.
  package convenience init(command: String, silence: Double = silence) {
    self.init(
      program: URL(fileURLWithPath: "/bin/sh"), arguments: ["-c", command], limit: Self.lost,
      silence: silence)
  }

  /// - Parameters:
  ///   - program: That runs `serve(_:)` with these arguments.
  ///   - limit: Seconds after which a process is taken for lost that does not answer.
  package convenience init(program: URL, arguments: [String], limit: Double = lost) {
    self.init(program: program, arguments: arguments, limit: limit, silence: nil)
  }

  private init(program: URL, arguments: [String], limit: Double, silence: Double?) {
    self.program = program
    self.arguments = arguments
    self.limit = limit
    self.silence = silence
  }

  deinit { stop() }

  /// Ends the process. One that goes on without its input, which is all that it has to end by, is killed.
  package func stop() {
    guard let child else { return }
    child.process.closeInput()
    _ = child.process.end(within: Self.lastSeconds)
    try? FileManager.default.removeItem(at: child.errors)
    self.child = nil
  }

  /// Runs a case.
  ///
  /// - Throws: Where no process can be started, where what was started is not a worker of this build, and
  ///   where the worker's machine cannot run the case.
  package func run(_ one: Case) throws -> CaseAnswer {
    guard silence != nil else { return try answer(one) }
    var one = one
    if one.text == nil { one.text = try String(contentsOfFile: one.file, encoding: .utf8) }
    let answer = try answer(one)
    guard answer.verdict == .crashed else { return answer }
    let again = try self.answer(one)
    // Twice in a row: whoever does so does not want it to go on.
    if again.verdict == .crashed, let signal { throw CampaignFailure(Self.asked(by: signal)) }
    return again
  }

  private func answer(_ one: Case) throws -> CaseAnswer {
    let child = try self.child ?? start()
    self.child = child
    let text = try JSONEncoder().encode(one)
    let isElsewhere = silence != nil
    let line = isElsewhere ? CheckLines.line(String(decoding: text, as: UTF8.self)) : text + [0x0A]
    let guardian = ProcessGuardian(of: child.process, answers: limit, speaks: silence)
    defer { guardian.dismiss() }
    // One that takes nothing any more is noticed by its answer, which does not come.
    _ = child.process.write(line)
    let reply = try reply(of: child, guardian)
    if let reply, let answer = try? JSONDecoder().decode(CaseAnswer.self, from: reply) {
      if answer.verdict == .failed {
        throw CampaignFailure(answer.refusal ?? "a worker could not go on")
      }
      return answer
    }
    let wasKilled = child.process.end(within: Self.lastSeconds).wasKilled
    self.child = nil
    if let why = guardian.why { return try crash(child, why) }
    let isMute = reply == nil
    return try crash(
      child,
      wasKilled ? (isMute ? Self.mute(child) : "the process wrote what is not an answer") : nil)
  }

  /// What is said of a process that had to be killed.
  private static func mute(_ child: Child) -> String {
    child.lines.reader.wasTooLong
      ? "the process wrote a line without an end, so it was killed"
      : "the process closed its output and did not end, so it was killed"
  }

  /// A case that ended its process.
  ///
  /// - Parameter killed: Why it was killed; nil where it ended by itself.
  /// - Throws: Where somebody asked it to end, or its machine refused memory: that is no finding.
  private func crash(_ child: Child, _ killed: String?) throws(CampaignFailure) -> CaseAnswer {
    let said = (try? Data(contentsOf: child.errors)) ?? Data()
    let words = String(decoding: said.suffix(2_000), as: UTF8.self)
      .split(separator: "\n").map(String.init)
    var why = words.first { $0.contains("rror:") || $0.contains("invariant") } ?? words.last
    let exit = child.process.wait()
    if exit.signal == nil, exit.status == CaseWatch.status { why = words.last }
    defer {
      try? FileManager.default.removeItem(at: child.errors)
      ScratchMemory.clear(child.mark)
    }
    // A shell tells of a signal by a status.
    signal = [SIGHUP, SIGINT, SIGTERM].first {
      killed == nil && (exit.signal == $0 || exit.status == 128 + $0)
    }
    // Elsewhere a machine that is needed for something else asks so, and the case runs once more.
    if let signal, silence == nil { throw CampaignFailure(Self.asked(by: signal)) }
    // Near a limit of memory any trap looks like a refusal, unless it says what it is.
    let isTrap = words.contains { $0.contains("Fatal error") || $0.contains("invariant") }
    if killed == nil, exit.signal == nil, exit.status == Self.memoryRefused, !isTrap {
      var failure = CampaignFailure(
        (words.last ?? "memory was refused").replacing("pitboss: ", with: ""))
      failure.isOfMemory = true
      throw failure
    }
    var answer = CaseAnswer(.crashed)
    answer.broken = CaseAnswer.Broken(
      invariant: "process_survives",
      facts: killed ?? why
        ?? "the process ended with \(exit.signal.map { "signal \($0)" } ?? "status \(exit.status)")",
      time: 0)
    return answer
  }

  private static func asked(by signal: Int32) -> String {
    "a process for cases was ended by signal \(signal)"
  }

  private func start() throws -> Child {
    let errors = FileManager.default.temporaryDirectory
      .appending(path: "pitboss-check-\(UUID().uuidString)")
    var environment = ProcessInfo.processInfo.environment
    for name in environment.keys where name == "PITBOSS_SET" || name == "PITBOSS_SEED" {
      environment[name] = nil
    }
    // A trace of the stack takes seconds, and is not read.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    let mark = UUID().uuidString
    environment[ScratchMemory.variable] = mark
    let process: ChildProcess
    do throws(ChildProcess.Failure) {
      process = try ChildProcess(
        [program.path] + arguments, environment: environment, errors: errors.path)
    } catch {
      throw CampaignFailure("a process for cases cannot be started: \(error.reason)")
    }
    let child = Child(process: process, errors: errors, mark: mark, lines: Lines(process))
    if silence != nil { try greet(child) }
    return child
  }

  /// Waits for the first line of a worker that may be elsewhere.
  private func greet(_ child: Child) throws {
    let guardian = ProcessGuardian(of: child.process, answers: limit, speaks: silence)
    defer { guardian.dismiss() }
    let reply = Self.line(from: child).map { CheckLines.reply($0) }
    guard reply != .ready else { return }
    let wasKilled = child.process.end(within: Self.lastSeconds).wasKilled
    let killed = guardian.why ?? (wasKilled ? Self.mute(child) : nil)
    let said = try crash(child, killed).broken?.facts ?? ""
    guard case .unusable(let why)? = reply else {
      throw CampaignFailure("a worker gave no first line: \(said)")
    }
    throw CampaignFailure("a worker \(why)")
  }

  /// The line that answers a case; nil where the process ends without one.
  private func reply(of child: Child, _ guardian: ProcessGuardian) throws -> Data? {
    guard silence != nil else { return Self.line(from: child) }
    while let line = Self.line(from: child) {
      guardian.hear()
      switch CheckLines.reply(line) {
      case .checked(let text): return Data(text.utf8)
      case .alive, .ready: continue
      case .unusable(let why):
        child.process.kill()
        throw CampaignFailure("a worker \(why)")
      }
    }
    return nil
  }

  /// A line without its end; nil where there is no whole one, and where one is too long.
  private static func line(from child: Child) -> Data? {
    child.lines.reader.next().map { Data($0) }
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
