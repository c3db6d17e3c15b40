internal import Dispatch
internal import Experiments
internal import Foundation

/// What a pool's workers have to do and have done; its pool guards it.
struct PoolState {
  /// One worker that was started.
  struct Link {
    let process: WorkerProcess
    /// Its place among the workers; one that is started again takes the place of the one before.
    let slot: Int
    /// Whether it said of what build it is.
    var isReady = false
    var isForeign = false
    /// Why it was given up before it ended; nil where it was not.
    var why: String?
    var heard = ContinuousClock.now
    /// Requests that it has, in their order.
    var held: [Int] = []
    /// Digests of the scenarios that it has.
    var texts: Set<String> = []
  }

  /// What a request came to.
  typealias Outcome = Result<ReplicationAnswer, RemoteFailure>

  /// One request.
  private struct Job {
    let request: ReplicationRequest
    let text: WorkerInput.Text
    let answered: DispatchSemaphore
    /// Links that have it.
    var holders: Set<Int> = []
    /// Workers that were lost with it.
    var losses = 0
    var outcome: Outcome?
    /// Whether whoever asked has its answer, or wants none.
    var isForgotten = false
  }

  var links: [Int: Link] = [:]
  /// Times that the worker of each place was lost since its last answer.
  var losses: [Int]
  /// Places that are not filled again.
  var isLost: [Bool]
  var isBegun = false
  var isOver = false
  private(set) var failure: WorkersFailure?
  private var jobs: [Int: Job] = [:]
  /// Requests that nobody has.
  private var waiting: [Int] = []
  private var started = 0
  private var asked = 0
  /// Answers to requests that several workers have had.
  private var doubles: [Int: (seed: UInt64, outcome: Outcome)] = [:]

  init(_ settings: WorkerPool.Settings) {
    losses = [Int](repeating: 0, count: settings.count)
    isLost = [Bool](repeating: false, count: settings.count)
  }

  // MARK: - Requests

  /// Takes a request.
  ///
  /// - Parameter answered: Signaled once there is an outcome, or a failure.
  /// - Returns: Its name.
  mutating func add(
    _ request: ReplicationRequest, _ text: WorkerInput.Text, _ answered: DispatchSemaphore
  ) -> Int {
    asked += 1
    jobs[asked] = Job(request: request, text: text, answered: answered)
    waiting.append(asked)
    return asked
  }

  /// What a request came to; nobody asks for it again.
  mutating func outcome(_ id: Int) -> Outcome? {
    let outcome = jobs[id]?.outcome
    forget(id)
    return outcome
  }

  /// Nobody wants the answer any more.
  mutating func forget(_ id: Int) {
    waiting.removeAll { $0 == id }
    jobs[id]?.isForgotten = true
    tidy(id)
  }

  private mutating func tidy(_ id: Int) {
    if let job = jobs[id], job.isForgotten, job.holders.isEmpty { jobs[id] = nil }
  }

  /// Gives what waits to workers that can take it, those with the least first.
  ///
  /// - Returns: Whose messages are to be written.
  mutating func handOut() -> [WorkerProcess] {
    var touched: Set<Int> = []
    while let id = waiting.first, let link = idlest(WorkerPool.ahead) {
      waiting.removeFirst()
      give(id, to: link)
      touched.insert(link)
    }
    // What only stands behind another's work is done at once by one that has none.
    while waiting.isEmpty, let link = idlest(1), let (id, from) = standing() {
      give(id, to: link)
      links[from]?.process.post(WorkerLines.line(WorkerInput(drop: id)))
      touched.formUnion([link, from])
    }
    return touched.compactMap { links[$0]?.process }
  }

  /// The ready worker with the fewest requests, fewer than so many.
  private func idlest(_ most: Int) -> Int? {
    links.filter { $0.value.isReady && $0.value.held.count < most }
      .min { ($0.value.held.count, $0.key) < ($1.value.held.count, $1.key) }?.key
  }

  /// A request that stands behind another, with the one worker that has it.
  private func standing() -> (id: Int, link: Int)? {
    for (key, link) in links where link.held.count > 1 {
      if let id = link.held.dropFirst().first(where: {
        jobs[$0]?.holders.count == 1 && jobs[$0]?.outcome == nil
      }) {
        return (id, key)
      }
    }
    return nil
  }

  private mutating func give(_ id: Int, to link: Int) {
    guard let job = jobs[id] else { return }
    if links[link]?.texts.insert(job.text.digest).inserted == true {
      links[link]?.process.post(WorkerLines.line(WorkerInput(scenario: job.text)))
    }
    // One that was silent hears of it from now on.
    if links[link]?.held.isEmpty == true { links[link]?.heard = .now }
    links[link]?.held.append(id)
    jobs[id]?.holders.insert(link)
    let request = WorkerInput.Request(job.request, id: id, scenario: job.text.digest)
    links[link]?.process.post(WorkerLines.line(WorkerInput(request: request)))
  }

  // MARK: - Answers

  /// Takes an answer. One that comes twice has to be the same.
  mutating func settle(_ id: Int, _ link: Int, _ outcome: Outcome) {
    if let slot = links[link]?.slot { losses[slot] = 0 }
    if let other = doubles[id], !Self.agree(other.outcome, outcome) {
      fail(
        WorkersFailure(
          "two workers answered the replication of seed \(other.seed) differently; one of their "
            + "machines computes wrongly, or has other libraries", isUnequal: true))
    }
    if let job = jobs[id], job.outcome == nil {
      if job.holders.count > 1 || job.losses > 0 { doubles[id] = (job.request.seed, outcome) }
      waiting.removeAll { $0 == id }
      jobs[id]?.outcome = outcome
      job.answered.signal()
    }
    release(id, link)
  }

  private static func agree(_ one: Outcome, _ other: Outcome) -> Bool {
    switch (one, other) {
    case (.success(let one), .success(let other)): one.agrees(with: other)
    case (.failure(let one), .failure(let other)): one.description == other.description
    default: false
    }
  }

  /// A worker does not have a request any more.
  mutating func release(_ id: Int, _ link: Int) {
    links[link]?.held.removeAll { $0 == id }
    jobs[id]?.holders.remove(link)
    // Whoever else had it may have been lost before this one dropped it.
    if let job = jobs[id], job.outcome == nil, job.holders.isEmpty, !job.isForgotten,
      !waiting.contains(id)
    {
      waiting.insert(id, at: 0)
    }
    tidy(id)
  }

  // MARK: - Workers

  /// Takes a worker that was started.
  ///
  /// - Returns: Its name.
  mutating func connect(_ process: WorkerProcess, _ slot: Int) -> Int {
    started += 1
    links[started] = Link(process: process, slot: slot)
    return started
  }

  /// Takes what a lost worker had away from it, for others.
  mutating func disconnect(_ link: Int, _ why: String) {
    guard let held = links.removeValue(forKey: link)?.held else { return }
    for id in held.reversed() {
      jobs[id]?.holders.remove(link)
      guard let job = jobs[id], job.outcome == nil, !job.isForgotten else {
        tidy(id)
        continue
      }
      jobs[id]?.losses += 1
      if job.losses + 1 > WorkerPool.restarts {
        fail(
          WorkersFailure(
            "\(job.losses + 1) workers were lost with the replication of seed \(job.request.seed), "
              + "the last one \(why); see how much memory it takes"))
      }
      if job.holders.isEmpty { waiting.insert(id, at: 0) }
    }
  }

  /// Nothing is answered any more.
  mutating func fail(_ failure: WorkersFailure) {
    if self.failure == nil { self.failure = failure }
    waiting = []
    for job in jobs.values where job.outcome == nil { job.answered.signal() }
  }
}
