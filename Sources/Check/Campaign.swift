internal import Foundation
internal import Quantities
internal import Reports
internal import Synchronization

/// Many cases: each scenario with each seed, by several processes.
package struct Campaign: Sendable {
  /// What a scenario's cases came to.
  package struct Result: Sendable, Codable {
    package var scenario: String
    package var programme = ""
    package var cases: Int64 = 0
    package var passed: Int64 = 0
    package var refused: Int64 = 0
    package var events: Int64 = 0
    package var requests: Int64 = 0
    package var faults: [String: Int64] = [:]
    package var seen: [String: Int64] = [:]
    /// The first reason why a case was refused.
    package var refusal: String?
    /// The first case by which each promise was found broken.
    package var found: [Finding] = []

    init(_ scenario: String) { self.scenario = scenario }
  }

  /// A promise that was found broken, and how often.
  package struct Finding: Sendable, Codable {
    package var invariant: String
    package var times: Int64 = 1
    /// The case with the smallest seed.
    package var first: Case
    package var answer: CaseAnswer
    /// The smallest case that still breaks it; nil where none was looked for.
    package var smallest: Smallest?
  }

  /// The smallest case that still fails.
  package struct Smallest: Sendable, Codable {
    /// The scenario's file that fails by itself.
    package var file: String
    package var seed: UInt64
    /// Microseconds since 1970 just after the promise was found broken; nil where only the whole case
    /// shows it.
    package var until: Int64?
    package var broken: CaseAnswer.Broken
    /// How many cases it took.
    package var attempts: Int

    /// A case; see the properties.
    package init(
      file: String, seed: UInt64, until: Int64?, broken: CaseAnswer.Broken, attempts: Int
    ) {
      self.file = file
      self.seed = seed
      self.until = until
      self.broken = broken
      self.attempts = attempts
    }

    /// The command that shows it, with its story.
    package var replay: String {
      let end = until.map { " --until \(Instant(microseconds: $0))" } ?? ""
      return "pitboss replay \(ShellText.word(file)) --seed \(seed)\(end) --trace"
    }
  }

  /// Scenario files.
  package var files: [String]
  package var settings: [String]
  package var seeds: ClosedRange<UInt64>
  package var varies: Bool
  /// Processes, 1 or more.
  package var jobs: Int
  /// Seconds after which no case is begun; nil without end.
  package var budget: Double?
  /// Makes what runs cases, one for each of `jobs`.
  package var worker: @Sendable () -> CaseWorker

  /// A campaign; see the properties.
  package init(
    files: [String], settings: [String], seeds: ClosedRange<UInt64>, varies: Bool, jobs: Int,
    budget: Double?, worker: @escaping @Sendable () -> CaseWorker
  ) {
    self.files = files
    self.settings = settings
    self.seeds = seeds
    self.varies = varies
    self.jobs = jobs
    self.budget = budget
    self.worker = worker
  }

  /// Seeds of all scenarios, each with the place of its scenario: all scenarios of a seed before the
  /// next seed, so that a budget cuts them alike.
  private var total: UInt64 { UInt64(files.count) * (seeds.upperBound - seeds.lowerBound + 1) }

  private struct Progress {
    var next: UInt64 = 0
    var done: UInt64 = 0
    var results: [Result]
    var failure: String?
  }

  /// Runs the cases.
  ///
  /// - Parameters:
  ///   - proceed: Told how many of how many cases are done, and how many promises are broken; false
  ///     ends the campaign.
  /// - Returns: One for each scenario, in their order.
  /// - Throws: `CampaignFailure` where no process can be started.
  package func run(
    proceed: @escaping @Sendable (_ done: UInt64, _ of: UInt64, _ broken: Int) -> Bool
  ) throws -> [Result] {
    let state = Mutex(Progress(results: files.map { Result($0) }))
    let end = budget.map { Date(timeIntervalSinceNow: $0) }
    let group = DispatchGroup()
    for _ in 0..<min(UInt64(jobs), total) {
      group.enter()
      let thread = Thread { [self] in
        work(state, until: end, proceed)
        group.leave()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    group.wait()
    return try state.withLock { state in
      if let failure = state.failure { throw CampaignFailure(words: failure) }
      return state.results
    }
  }

  private func work(
    _ state: borrowing Mutex<Progress>, until end: Date?,
    _ proceed: @Sendable (UInt64, UInt64, Int) -> Bool
  ) {
    let worker = worker()
    defer { worker.stop() }
    while end.map({ $0 > Date() }) ?? true {
      let place: UInt64? = state.withLock { state in
        guard state.next < total, state.failure == nil else { return nil }
        state.next += 1
        return state.next - 1
      }
      guard let place else { return }
      let (step, row) = place.quotientAndRemainder(dividingBy: UInt64(files.count))
      let one = Case(
        file: files[Int(row)], settings: settings, seed: seeds.lowerBound + step, varies: varies)
      do {
        let answer = try worker.run(one)
        let (done, broken) = state.withLock { state in
          state.results[Int(row)].add(answer, of: one)
          state.done += 1
          return (state.done, state.results.reduce(0) { $0 + $1.found.count })
        }
        guard proceed(done, total, broken) else { return }
      } catch {
        state.withLock { $0.failure = "cannot run cases: " + CampaignFailure.words(of: error) }
      }
    }
  }
}

/// Why a campaign could not go on.
package struct CampaignFailure: Error, CustomStringConvertible {
  let words: String
  package var description: String { words }

  static func words(of error: any Error) -> String {
    (error as? CampaignFailure)?.words ?? error.localizedDescription
  }
}

extension Campaign.Result {
  mutating func add(_ answer: CaseAnswer, of one: Case) {
    cases += 1
    if !answer.programme.isEmpty { programme = answer.programme }
    events += answer.events
    requests += answer.requests
    faults.merge(answer.faults) { $0 + $1 }
    seen.merge(answer.seen) { $0 + $1 }
    switch answer.verdict {
    case .passed: passed += 1
    case .refused:
      refused += 1
      if refusal == nil { refusal = answer.refusal }
    case .violated, .crashed:
      guard let broken = answer.broken else { return }
      if let place = found.firstIndex(where: { $0.invariant == broken.invariant }) {
        found[place].times += 1
        if one.seed < found[place].first.seed {
          found[place].first = one
          found[place].answer = answer
        }
      } else {
        found.append(Campaign.Finding(invariant: broken.invariant, first: one, answer: answer))
      }
    }
  }
}
