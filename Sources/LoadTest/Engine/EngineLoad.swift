internal import EventKernel
package import RewardModel

/// Puts the rules of a program under load, in process: one thread commits requests one by one.
package struct EngineLoad<Engine: StressedEngine> {
  private let engine: Engine
  private let clock = WallClock()

  /// - Parameter engine: With 1 or more requests, none of which is committed.
  package init(_ engine: Engine) { self.engine = engine }

  /// Commits all requests as fast as it goes, once.
  ///
  /// - Returns: How long it took, and the engine as the requests have left it.
  /// - Throws: What the rules or their invariants throw.
  package func round() throws -> (round: EngineRound, engine: Engine) {
    var machine = engine
    var answers = AnswerCounts()
    // Percentiles are counted afterwards: a request may take less time than to count it.
    var times = [Int64](repeating: 0, count: engine.count)
    let worked = clock.processorTime()
    let begin = clock.now()
    var last = begin
    for place in times.indices {
      answers.add(try machine.commit(place))
      let now = clock.now()
      times[place] = now - last
      last = now
    }
    let processor = clock.processorTime() - worked
    try machine.check()
    var kinds = Engine.kinds.map { KindTimes(kind: $0) }
    for (place, time) in times.enumerated() { kinds[engine.kind(at: place)].add(time) }
    let round = EngineRound(
      seconds: Double(last - begin) / 1e9, processorSeconds: Double(processor) / 1e9,
      answers: answers, kinds: kinds.filter { $0.count > 0 })
    return (round, machine)
  }

  /// Commits requests at the instants of arrivals: the last ones, to a program that those before
  /// them have filled. When there are more arrivals than requests, all are committed, and begin again
  /// with a program that is new.
  ///
  /// - Parameter proceed: Asked before each request; false ends the run there.
  /// - Returns: How it went, and the last engine as its requests have left it.
  /// - Throws: What the rules or their invariants throw.
  package func paced(
    _ arrivals: Arrivals, proceed: () -> Bool = { true }
  ) throws -> (rate: PacedRate, engine: Engine) {
    var machine = engine
    // Those that are used up are kept, as to release one takes time.
    var used: [Engine] = []
    var next = max(engine.count - arrivals.starts.count, 0)
    for place in 0..<next { _ = try machine.commit(place) }
    var answers = AnswerCounts()
    let times = try Pacer(clock).run(arrivals, proceed: proceed) { _ in
      if next == engine.count {
        used.append(machine)
        machine = engine
        next = 0
      }
      answers.add(try machine.commit(next))
      next += 1
    }
    try machine.check()
    return (PacedRate(arrivals, times, answers), machine)
  }
}

/// Requests by what became of them.
package struct AnswerCounts: Sendable, Equatable {
  package private(set) var accepted = 0
  package private(set) var done = 0
  package private(set) var refused = 0

  /// No requests.
  package init() {}

  /// Counts one.
  package mutating func add(_ answer: StressAnswer) {
    switch answer {
    case .accepted: accepted += 1
    case .done: done += 1
    case .refused: refused += 1
    }
  }

  /// All of them.
  package var total: Int { accepted + done + refused }
}

/// How long the requests of one kind took.
package struct KindTimes: Sendable {
  package let kind: String
  package private(set) var recorder = LatencyRecorder()
  /// In all.
  package private(set) var nanoseconds: Int64 = 0

  /// A kind without requests.
  package init(kind: String) { self.kind = kind }

  package var count: Int { recorder.count }

  /// Counts a request.
  package mutating func add(_ time: Int64) {
    recorder.record(time)
    nanoseconds += time
  }

  /// Counts the requests of another round.
  package mutating func add(_ other: KindTimes) {
    recorder.add(other.recorder)
    nanoseconds += other.nanoseconds
  }
}

/// All requests, once, as fast as it went.
package struct EngineRound: Sendable {
  package let seconds: Double
  /// For how many of them the thread had a processor; the rest went to others on the machine.
  package let processorSeconds: Double
  package let answers: AnswerCounts
  /// Those that occurred, in the order of the engine.
  package let kinds: [KindTimes]

  /// Requests a second.
  package var rate: Double { Double(answers.total) / seconds }
  /// Accepted requests a second.
  package var acceptedRate: Double { Double(answers.accepted) / seconds }
  /// Accepted requests a second of the processor.
  package var acceptedProcessorRate: Double { Double(answers.accepted) / processorSeconds }
  /// Requests a second of the processor.
  package var processorRate: Double { Double(answers.total) / processorSeconds }
}

/// How one given rate went.
package struct PacedRate: Sendable {
  /// Requests a second that were offered.
  package let rate: Double
  /// For how long.
  package let seconds: Double
  package let times: PacedTimes
  package let answers: AnswerCounts
  /// From the intended start to the answer; nil where nothing was sent.
  package let latency: LatencySummary?
  /// From the real start to the answer.
  package let service: LatencySummary?
  /// How late the clock was; nil where no request was waited for.
  package let timer: LatencySummary?

  fileprivate init(_ arrivals: Arrivals, _ times: PacedTimes, _ answers: AnswerCounts) {
    rate = arrivals.rate
    seconds = arrivals.seconds
    self.times = times
    self.answers = answers
    func summary(_ durations: [Int64]) -> LatencySummary? {
      var recorder = LatencyRecorder()
      for duration in durations { recorder.record(duration) }
      return recorder.summary
    }
    latency = summary(times.latency)
    service = summary(times.service)
    timer = summary(times.timer)
  }

  /// Requests a second that were answered.
  package var achieved: Double { Double(times.sent) / times.elapsed }
  /// Accepted requests a second.
  package var acceptedRate: Double { Double(answers.accepted) / times.elapsed }
}
