internal import Foundation
package import Quantities
package import RewardModel
internal import Synchronization

/// The one writer of a service: takes what has gathered, commits it in order, makes it durable in
/// one transaction, and only then answers (group commit).
///
/// A thread of its own owns the state. Nobody else sees it but through `ask`, which waits its turn,
/// so that an answer never shows what a crash could take back. Source of the scheme: DeWitt et al.
/// 1984, doi:10.1145/602259.602261.
///
/// Whoever has waited for too long, as the database or the disk does not answer, is told so
/// (`ServiceError.late`), while the writer goes on with what it has taken. A stop that has a limit is
/// over at that limit, whatever the writer is at (`ServiceEngine+Stop`).
package final class ServiceEngine<Machine: ProgrammeMachine>: Sendable {
  /// What the writer gets to do.
  enum Job: Sendable {
    case submit(Submission)
    case ask(@Sendable (borrowing Machine) -> Void, orElse: @Sendable (ServiceError) -> Void)

    var changesSomething: Bool {
      if case .submit = self { true } else { false }
    }

    /// Answers that it was not done, or that nobody knows.
    func refuse(_ error: ServiceError) {
      switch self {
      case .submit(let submission): submission.answer(.failure(error))
      case .ask(_, let orElse): orElse(error)
      }
    }
  }

  /// A job, and since when somebody waits for it.
  struct Waiting: Sendable {
    var job: Job
    var since = ContinuousClock.now
  }

  /// Makes a request of the state as it is when its turn comes, and takes the answer.
  package struct Submission: Sendable {
    /// What the client calls it; nil where it may be done twice.
    package var key: String?
    /// A digest of what was sent with the key.
    package var digest: Int64
    package var account: ServiceAccount?
    package var make: @Sendable (borrowing Machine) throws(ServedRefusal) -> Machine.Request
    package var answer: @Sendable (Result<ServedReply, ServiceError>) -> Void

    /// A submission; see the properties.
    package init(
      key: String? = nil, digest: Int64 = 0, account: ServiceAccount? = nil,
      make: @escaping @Sendable (borrowing Machine) throws(ServedRefusal) -> Machine.Request,
      answer: @escaping @Sendable (Result<ServedReply, ServiceError>) -> Void
    ) {
      self.key = key
      self.digest = digest
      self.account = account
      self.make = make
      self.answer = answer
    }
  }

  struct Inbox: Sendable {
    /// What the writer has not taken yet, the oldest first.
    var jobs: [Waiting] = []
    /// What the writer is at, but for the oldest ones that were told that it takes too long.
    var taken: ArraySlice<Waiting> = []
    /// How many requests of clients the writer is at, those that were told so as well.
    var begun = 0
    /// Since when the writer has been at it; nil where it waits for work.
    var busySince: ContinuousClock.Instant?
    var isClosed = false
    /// When a stop has to be over; nil without a limit.
    var stopLimit: StopLimit?
    /// How the writer ended, or was left; nil before that.
    var end: WriterEnd?
    var failure: String?
    /// Those who wait for a failure; nil once the writer takes nothing more.
    var watchers: [AsyncStream<String>.Continuation]? = []
  }

  let inbox = Mutex(Inbox())
  let wake = DispatchSemaphore(value: 0)
  let ended = DispatchSemaphore(value: 0)
  /// Of the store's folder: let go once the writer has ended, even where a stop has left it.
  private let lock: FolderLock?
  private let clock: any ServiceClock
  /// The instant that the state has come to.
  private let reached: Mutex<Instant>
  private let store: any ServiceStore
  /// What the writer has done, for whoever watches.
  package let metrics = EngineMetrics()
  /// Most jobs that wait; more are refused.
  private let capacity: Int
  /// Seconds after which somebody is told that the writer takes too long.
  let answerSeconds: Double

  /// Starts the writer.
  ///
  /// - Parameters:
  ///   - writer: The state and what it has still to do.
  ///   - capacity: Most jobs that wait, 1 or more.
  ///   - answerSeconds: For how long somebody waits for an answer, about; above 0.
  ///   - lock: Kept until the writer has ended.
  package init(
    _ writer: ServiceWriter<Machine>, store: any ServiceStore, clock: any ServiceClock,
    capacity: Int = 16_384, answerSeconds: Double = 45, lock: FolderLock? = nil
  ) {
    self.store = store
    self.lock = lock
    self.clock = clock
    self.capacity = capacity
    self.answerSeconds = answerSeconds
    reached = Mutex(writer.time)
    let box = Mutex<ServiceWriter<Machine>?>(writer)
    let thread = Thread { [self] in
      guard var writer = box.withLock({ $0.take() }) else { return }
      let watch = watchWaits()
      run(&writer)
      tellWatchers()
      // A state may still be on its way into the folder, which is another's as soon as it is let go.
      writer.finish()
      watch.cancel()
      inbox.withLock { if $0.end == nil { $0.end = .whole } }
      // Whoever waits for the end may take the folder at once, while this thread still holds the engine.
      lock?.release()
      ended.signal()
    }
    thread.name = "writer"
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Hands in a request. Its answer comes when it is durable.
  ///
  /// - Throws: `ServiceError.full` or `.closed`; the answer then never comes.
  package func submit(_ submission: Submission) throws(ServiceError) {
    try add(.submit(submission))
  }

  /// Reads the state, in turn.
  ///
  /// - Parameters:
  ///   - body: Gets the state, all of which is durable.
  ///   - orElse: Called instead where the writer stops before, or takes too long.
  /// - Throws: `ServiceError.full` or `.closed`; neither is then called.
  package func ask(
    _ body: @escaping @Sendable (borrowing Machine) -> Void,
    orElse: @escaping @Sendable (ServiceError) -> Void = { _ in }
  ) throws(ServiceError) {
    try add(.ask(body, orElse: orElse))
  }

  private func add(_ job: Job) throws(ServiceError) {
    let refusal: ServiceError? = inbox.withLock { inbox in
      guard !inbox.isClosed, inbox.failure == nil else { return .closed }
      guard inbox.jobs.count < capacity else { return .full }
      inbox.jobs.append(Waiting(job: job))
      return nil
    }
    if let refusal {
      if refusal == .full { metrics.countRefused() }
      throw refusal
    }
    wake.signal()
  }

  /// The service's time: what its clock shows, and never less than the state's last instant. Of
  /// services that share a store, one may have a clock that is behind the others'.
  package var now: Instant { max(clock.now, reached.withLock { $0 }) }

  /// The clock's seconds a second of the wall clock.
  package var speed: Double { clock.speed }

  /// Lets the writer look at the clock, which somebody moved.
  package func tick() { wake.signal() }

  /// Why the writer stopped by itself; nil while all is well.
  package var failure: String? { inbox.withLock { $0.failure } }

  /// Why the writer stops by itself, once it does and what was handed in is answered; ends with the
  /// writer.
  package var failures: AsyncStream<String> {
    let (stream, watcher) = AsyncStream<String>.makeStream()
    let (waits, failure) = inbox.withLock { inbox in
      guard inbox.failure == nil, inbox.watchers != nil else { return (false, inbox.failure) }
      inbox.watchers?.append(watcher)
      return (true, nil)
    }
    if !waits { Self.tell([watcher], failure) }
    return stream
  }

  /// Tells those who wait for a failure of one, or that the writer takes nothing more.
  private func tellWatchers() {
    let (watchers, failure) = inbox.withLock { inbox in
      defer { inbox.watchers = nil }
      return (inbox.watchers, inbox.failure)
    }
    Self.tell(watchers ?? [], failure)
  }

  private static func tell(_ watchers: [AsyncStream<String>.Continuation], _ failure: String?) {
    for watcher in watchers {
      if let failure { watcher.yield(failure) }
      watcher.finish()
    }
  }

  /// How many jobs wait.
  package var waiting: Int { inbox.withLock { $0.jobs.count } }

  /// For how many seconds the writer has been at what it does now; 0 where it waits for work. More than
  /// a few say that the database or the disk does not answer.
  package var busySeconds: Double {
    inbox.withLock { $0.busySince }.map { (ContinuousClock.now - $0).seconds } ?? 0
  }

  // MARK: - The writer's thread

  /// Seconds between two looks at what others wrote, where nobody asks.
  private static var looksEvery: Double { 0.25 }
  /// Turns that may be lost one after another before the writer gives up.
  private static var mostLostTurns: Int { 8 }

  private func run(_ writer: inout ServiceWriter<Machine>) {
    // A shared store is asked at once who leads.
    if store.isShared { wake.signal() }
    while true {
      waitForWork(writer.nextDue)
      let (taken, isClosed) = inbox.withLock { inbox in
        inbox.taken = inbox.jobs[...]
        inbox.begun = inbox.jobs.count { $0.job.changesSomething }
        inbox.jobs.removeAll(keepingCapacity: true)
        inbox.busySince = .now
        return (inbox.taken, inbox.isClosed)
      }
      let jobs = taken.map(\.job)
      do {
        try work(jobs, &writer)
        inbox.withLock { $0.busySince = nil }
      } catch {
        store.leave()
        inbox.withLock { $0.failure = "\(error)" }
        return refuseAll()
      }
      if isClosed, jobs.isEmpty { return store.leave() }
      if isClosed { wake.signal() }
    }
  }

  private func waitForWork(_ nextDue: Instant) {
    // What is far away is waited for in parts, as the clock may be set meanwhile.
    var seconds = clock.wait(until: nextDue).map { min(max($0, 0.000_5), 3_600) }
    if store.isShared { seconds = min(seconds ?? .infinity, Self.looksEvery) }
    if let seconds { _ = wake.wait(timeout: .now() + seconds) } else { wake.wait() }
    // One look serves all who signalled meanwhile.
    while wake.wait(timeout: .now()) == .success {}
  }

  private func work(_ jobs: [Job], _ writer: inout ServiceWriter<Machine>) throws {
    for _ in 0..<Self.mostLostTurns {
      do {
        return needsTurn(jobs, writer) ? try write(jobs, &writer) : try read(jobs, &writer)
      } catch is LostTurn {
        // Nobody was answered: all of it is done again, on what the store has.
        try writer.rebuild(at: clock.now)
      } catch PostgresError.lost {
        try writer.rebuild(at: clock.now)
      }
    }
    throw ServiceError.lostTurns(Self.mostLostTurns)
  }

  /// Whether something may have to be written. A shared store is asked who leads as well, now and then
  /// until this process does.
  private func needsTurn(_ jobs: [Job], _ writer: ServiceWriter<Machine>) -> Bool {
    let asksForLead = !writer.leads && writer.sinceTurn >= Self.looksEvery
    guard store.isShared, !asksForLead, !writer.isDue(at: clock.now) else { return true }
    return jobs.contains { $0.changesSomething }
  }

  private func read(_ jobs: [Job], _ writer: inout ServiceWriter<Machine>) throws {
    metrics.count(followed: try writer.catchUp())
    reach(writer.time)
    answer(Array(repeating: nil, count: jobs.count), writer)
  }

  private func write(_ jobs: [Job], _ writer: inout ServiceWriter<Machine>) throws {
    let started = ContinuousClock.now
    metrics.count(followed: try writer.takeTurn(at: clock.now))
    let taken = ContinuousClock.now
    try writer.takeDue(through: clock.now)
    let due = ContinuousClock.now
    try writer.lookUp(
      keys: jobs.compactMap { job in
        if case .submit(let submission) = job { submission.key } else { nil }
      })
    let looked = ContinuousClock.now
    let replies = try jobs.map { job -> ServedReply? in
      guard case .submit(let submission) = job else { return nil }
      return try writer.commit(
        key: submission.key, digest: submission.digest, account: submission.account,
        at: clock.now, submission.make)
    }
    let committed = ContinuousClock.now
    let batch = try writer.flush()
    if batch > 0 {
      metrics.count(
        batch: batch, rules: (due - taken) + (committed - looked),
        disk: (taken - started) + (looked - due) + (ContinuousClock.now - committed))
    }
    reach(writer.time)
    answer(replies, writer)
    writer.keepStateIfDue()
    if batch > 0 { store.tidy() }
    metrics.count(writerSeconds: Self.processorSeconds)
  }

  /// Whoever is told of the state is told no earlier time than its last instant.
  private func reach(_ time: Instant) { reached.withLock { $0 = max($0, time) } }

  /// For how long this thread had a processor.
  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Answers what was taken, but for those who were told that it took too long.
  ///
  /// - Parameter replies: By the places of what was taken; nil for what only asks.
  private func answer(_ replies: [ServedReply?], _ writer: borrowing ServiceWriter<Machine>) {
    let taken = inbox.withLock { inbox in
      defer { (inbox.taken, inbox.begun) = ([], 0) }
      return inbox.taken
    }
    for (waiting, reply) in zip(taken, replies.suffix(taken.count)) {
      if case .submit(let submission) = waiting.job, let reply {
        submission.answer(.success(reply))
      }
    }
    for case .ask(let body, _) in taken.map(\.job) { writer.ask(body) }
  }

  /// Nobody waits for an answer that cannot come. A transaction whose end a disk did not confirm may be on it.
  private func refuseAll() {
    let (taken, waiting) = inbox.withLock { inbox in
      defer { (inbox.taken, inbox.begun, inbox.jobs, inbox.busySince) = ([], 0, [], nil) }
      return (inbox.taken, inbox.jobs)
    }
    for one in taken { one.job.refuse(one.job.changesSomething ? .unwritten : .closed) }
    for one in waiting { one.job.refuse(.closed) }
  }

  /// Looks from another thread for those who have waited too long: the writer's is what they wait for.
  private func watchWaits() -> any DispatchSourceTimer {
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "waits"))
    let every = min(answerSeconds / 4, 0.5)
    timer.setEventHandler { [weak self] in
      self?.refuseLate()
      self?.endStopInTime()
    }
    timer.schedule(deadline: .now() + every, repeating: every)
    timer.resume()
    return timer
  }

  private func refuseLate() {
    let limit = ContinuousClock.now - .seconds(answerSeconds)
    let (begun, waiting) = inbox.withLock { inbox in
      let begun = inbox.taken.prefix { $0.since < limit }
      inbox.taken.removeFirst(begun.count)
      let waiting = inbox.jobs.prefix { $0.since < limit }
      inbox.jobs.removeFirst(waiting.count)
      return (begun, waiting)
    }
    let seconds = Int(answerSeconds.rounded(.up))
    for one in begun {
      one.job.refuse(.late(seconds: seconds, mayBeDone: one.job.changesSomething))
    }
    for one in waiting { one.job.refuse(.late(seconds: seconds, mayBeDone: false)) }
  }
}
