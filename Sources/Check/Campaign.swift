internal import Foundation
internal import Quantities
internal import Reports
internal import RunStore
internal import Scenario
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
    /// Whether nothing is drawn for its cases.
    package var isAsWritten: Bool
    /// Whether its text can be read only once, as that of a pipe.
    package var isReadOnce: Bool
    /// Kinds of faults that none of its cases can have.
    package var impossible: [String]
    /// How much its cases have of a usual small world, above 0 and at most 1.
    package var worldSize: Double

    init(_ source: CampaignSource) {
      scenario = source.file
      isAsWritten = source.isAsWritten
      isReadOnce = source.isReadOnce
      impossible = source.impossible
      worldSize = source.size
    }

    /// Cases that were run and not refused.
    package var ran: Int64 { cases - refused }
  }

  /// What a campaign came to, whatever ended it.
  package struct Outcome: Sendable {
    /// One for each scenario, in their order.
    package var results: [Result]
    /// Cases that were asked for.
    package var planned: UInt64
    /// Whether it was told to end before all of them were run.
    package var interrupted: Bool
    /// Why it ended early; nil where nothing failed.
    package var failure: CampaignFailure?
  }

  /// A promise that was found broken, and how often.
  package struct Finding: Sendable, Codable {
    package var invariant: String
    package var times: Int64 = 1
    /// The case with the smallest seed.
    package var first: Case
    package var answer: CaseAnswer
    /// The smallest case that still breaks it; nil where none was looked for or found.
    package var smallest: Smallest?
    /// Why no smaller case was found, where one was looked for.
    package var notSmaller: String?
    /// Whether the search for the smallest case was ended before it had tried everything.
    package var mayBeSmaller = false
    /// Commands that show it again, the smallest case first; a report fills them in.
    package var replays: [String] = []
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
      return "pitboss replay \(ShellText.path(file)) --seed \(seed)\(end) --trace"
    }
  }

  /// Scenarios.
  package var sources: [CampaignSource]
  /// Overrides of all cases, each `path=value`.
  package var settings: [String]
  package var seeds: ClosedRange<UInt64>
  package var varies: Bool
  /// Processes, 1 or more.
  package var jobs: Int
  /// Seconds after which no case is begun; nil without end.
  package var budget: Double?
  /// Whether a part of the budget is kept to make what was found small.
  package var shrinks = false
  /// Makes what runs cases, one for each of `jobs`.
  package var worker: @Sendable () -> CaseWorker

  /// A campaign; see the properties.
  package init(
    sources: [CampaignSource], settings: [String], seeds: ClosedRange<UInt64>, varies: Bool,
    jobs: Int, budget: Double?, worker: @escaping @Sendable () -> CaseWorker
  ) {
    self.sources = sources
    self.settings = settings
    self.seeds = seeds
    self.varies = varies
    self.jobs = jobs
    self.budget = budget
    self.worker = worker
  }

  /// Seeds of all scenarios, each with the place of its scenario: all scenarios of a seed before the
  /// next seed, so that a budget cuts them alike.
  private var total: UInt64 { UInt64(sources.count) * (seeds.upperBound - seeds.lowerBound + 1) }

  /// Seconds of a budget in which cases are begun, where the rest is kept to make what was found small:
  /// as long as a search may take for each finding, and a quarter of the budget at most.
  package static func secondsForCases(of budget: Double, found: Int) -> Double {
    budget - min(budget / 4, Double(found) * Shrinker.secondsMost)
  }

  private struct Progress {
    var next: UInt64 = 0
    var done: UInt64 = 0
    var results: [Result]
    /// Whether it was told to end.
    var isStopped = false
    var failure: CampaignFailure?

    /// Broken promises so far.
    var broken: Int { results.reduce(0) { $0 + $1.found.count } }
  }

  /// Runs the cases.
  ///
  /// - Parameters:
  ///   - proceed: Told how many of how many cases are done, and how many promises are broken; false
  ///     ends the campaign.
  /// - Returns: What was found, also where a process fails and ends the campaign.
  package func run(
    proceed: @escaping @Sendable (_ done: UInt64, _ of: UInt64, _ broken: Int) -> Bool
  ) -> Outcome {
    let state = Mutex(Progress(results: sources.map { Result($0) }))
    let began = ContinuousClock.now
    let group = DispatchGroup()
    for _ in 0..<min(UInt64(jobs), total) {
      group.enter()
      let thread = Thread { [self] in
        work(state, since: began, proceed)
        group.leave()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
    group.wait()
    return state.withLock { state in
      Outcome(
        results: state.results, planned: total,
        interrupted: state.isStopped && state.done < total, failure: state.failure)
    }
  }

  private func hasTime(since began: ContinuousClock.Instant, _ broken: Int) -> Bool {
    guard let budget else { return true }
    let seconds = Self.secondsForCases(of: budget, found: shrinks ? broken : 0)
    return (ContinuousClock.now - began) / .seconds(1) < seconds
  }

  private func work(
    _ state: borrowing Mutex<Progress>, since began: ContinuousClock.Instant,
    _ proceed: @Sendable (UInt64, UInt64, Int) -> Bool
  ) {
    let worker = worker()
    defer { worker.stop() }
    while true {
      let place: UInt64? = state.withLock { state in
        guard state.next < total, state.failure == nil, hasTime(since: began, state.broken) else {
          return nil
        }
        state.next += 1
        return state.next - 1
      }
      guard let place else { return }
      let (step, row) = place.quotientAndRemainder(dividingBy: UInt64(sources.count))
      let source = sources[Int(row)]
      let one = Case(
        file: source.file, settings: source.settings + settings, seed: seeds.lowerBound + step,
        varies: varies)
      do {
        let answer = try worker.run(source.whole(one))
        let (done, broken) = state.withLock { state in
          state.results[Int(row)].add(answer, of: one)
          state.done += 1
          return (state.done, state.broken)
        }
        guard proceed(done, total, broken) else { return state.withLock { $0.isStopped = true } }
      } catch {
        // Whoever asks to stop is not told of a worker that did not answer by then.
        let (done, broken) = state.withLock { ($0.done, $0.broken) }
        guard proceed(done, total, broken) else { return state.withLock { $0.isStopped = true } }
        var failure = CampaignFailure("cannot run cases: " + CampaignFailure.words(of: error))
        if (error as? CampaignFailure)?.isOfMemory == true {
          failure = CampaignFailure(
            "seed \(one.seed) of \(one.file): \(CampaignFailure.words(of: error))")
          failure.isOfMemory = true
        }
        state.withLock { $0.failure = $0.failure ?? failure }
      }
    }
  }
}

/// Why a campaign could not go on.
package struct CampaignFailure: Error, Equatable, CustomStringConvertible {
  let words: String
  /// Whether the machine refused the memory that a case needs.
  package var isOfMemory = false
  package var description: String { words }

  /// A failure, in words for people.
  package init(_ words: String) { self.words = words }

  /// Any error, in words for people.
  package static func words(of error: any Error) -> String {
    switch error {
    case let failure as CampaignFailure: failure.words
    case let errors as InputErrors: errors.description
    case let error as CocoaError:
      [error.filePath, SystemWords.of(error)].compactMap { $0 }.joined(separator: ": ")
    default: SystemWords.of(error)
    }
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
    case .failed: break  // The worker throws it.
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
