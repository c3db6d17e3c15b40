/// What a load has shown.
package struct LoadMeasures: Sendable {
  /// Sessions that started, by journey.
  package internal(set) var sessions: [Int]
  /// By step.
  package internal(set) var steps: [StepMeasure]
  /// Second by second, from the beginning on.
  package internal(set) var seconds: [LoadSecond] = []
  /// How late sessions were started: the generator's own delay.
  package internal(set) var lag = LatencyRecorder()
  /// Sessions that started more than `PacedTimes.tolerance` late.
  package internal(set) var late = 0
  /// Sessions that were never started, as the run was over.
  package internal(set) var unsent = 0
  /// Those of them that were not due yet, as the run ended early.
  package internal(set) var notDue = 0
  /// Sessions that had not ended when the run was over.
  package internal(set) var unfinished = 0
  /// Sessions that ended at once, as their member could not join.
  package internal(set) var withoutAccount = 0
  /// Scans for which there was no code.
  package internal(set) var codesMissing = 0
  /// Seconds from the first start until the load was over, the wait for late answers included.
  package internal(set) var elapsed = 0.0
  /// For how long the generator's thread had a processor.
  package internal(set) var processorSeconds = 0.0
  /// Connections made, the most requests under way at once, and bytes of answers.
  package internal(set) var connects = 0
  package internal(set) var mostUnderWay = 0
  package internal(set) var bytes: Int64 = 0
  /// When it began, in seconds since 1970.
  package internal(set) var started = 0.0
  /// Requests without an answer when somebody ended it, or a missed threshold did.
  package var unanswered: Int { steps.reduce(0) { $0 + $1.unanswered } }
  /// Whether somebody ended it before its time.
  package internal(set) var wasInterrupted = false
  /// Whether it was ended at a missed threshold.
  package internal(set) var wasAborted = false
  /// What was acknowledged, where that is kept.
  package internal(set) var acknowledged: [Acknowledgement] = []
  /// What the keys of its requests begin with.
  package internal(set) var key = ""
  /// How the thresholds came out.
  package internal(set) var thresholds: [ThresholdResult] = []

  /// Sessions under way.
  var open = 0
  /// The second that is going on.
  var current = LoadSecond(second: 0)
  /// Sessions begun of seconds that are still to come: what is due is begun before a second is finished.
  private var early: [Int: Int] = [:]
  /// The same by step, those without attempts among them.
  private var currentSteps: [StepSecond]
  /// Latencies in it, of all and by step.
  private var latest = LatencyRecorder(isCoarse: true)
  private var latestSteps: [LatencyRecorder]

  /// Nothing measured, of so many journeys and steps.
  package init(journeys: Int, steps: Int) {
    sessions = Array(repeating: 0, count: journeys)
    self.steps = Array(repeating: StepMeasure(), count: steps)
    currentSteps = (0..<steps).map { StepSecond(step: $0) }
    latestSteps = Array(repeating: LatencyRecorder(isCoarse: true), count: steps)
  }

  /// Counts an attempt that was answered.
  ///
  /// - Parameters:
  ///   - latency: Nanoseconds from the intended start.
  ///   - service: Nanoseconds from the real start.
  ///   - inTime: Whether sessions were still to start.
  mutating func answered(
    _ step: Int, refused: Bool, latency: Int64, service: Int64, inTime: Bool
  ) {
    if inTime { steps[step].answeredInTime += 1 }
    if refused {
      steps[step].refused += 1
      current.refused += 1
      currentSteps[step].refused += 1
    } else {
      steps[step].done += 1
      current.done += 1
      currentSteps[step].done += 1
    }
    steps[step].latency.record(latency)
    steps[step].service.record(service)
    latest.record(latency)
    latestSteps[step].record(latency)
  }

  /// Counts an attempt that brought nothing.
  mutating func failed(_ step: Int, _ kind: LoadErrorKind) {
    steps[step].errors[kind.rawValue] += 1
    current.errors += 1
    currentSteps[step].errors += 1
    if current.errorKinds.isEmpty {
      current.errorKinds = Array(repeating: 0, count: LoadErrorKind.allCases.count)
    }
    current.errorKinds[kind.rawValue] += 1
  }

  /// Counts a request that nobody waits for any more.
  ///
  /// - Parameters:
  ///   - kind: How its last attempt failed.
  ///   - latency: Nanoseconds from the intended start.
  mutating func gaveUp(_ step: Int, after kind: LoadErrorKind, latency: Int64) {
    steps[step].givenUp += 1
    if !kind.isAnswer { steps[step].unheard += 1 }
    steps[step].lost.record(latency)
  }

  /// Whether anything has happened in the second that goes on, or it is the only one.
  var isInSecond: Bool {
    current != LoadSecond(second: current.second) || seconds.isEmpty || !early.isEmpty
  }

  /// Counts a session in the second in which it was to begin, however late it does.
  mutating func begun(in second: Int) {
    if second == current.second {
      current.sessions += 1
    } else if seconds.indices.contains(second) {
      seconds[second].sessions += 1
    } else {
      early[second, default: 0] += 1
    }
  }

  mutating func finishSecond(underWay: Int, waiting: Int) {
    current.median = latest.percentile(50)
    current.p99 = latest.percentile(99)
    current.underWay = underWay
    current.waiting = waiting
    for step in currentSteps.indices
    where currentSteps[step].answered + currentSteps[step].errors > 0 {
      currentSteps[step].median = latestSteps[step].percentile(50)
      currentSteps[step].p99 = latestSteps[step].percentile(99)
      current.steps.append(currentSteps[step])
      currentSteps[step] = StepSecond(step: step)
      latestSteps[step].clear()
    }
    seconds.append(current)
    current = LoadSecond(second: current.second + 1)
    current.sessions = early.removeValue(forKey: current.second) ?? 0
    latest.clear()
  }

  /// The seconds without the part of one at the end, whose counts are not those of a second; all of
  /// them where there is no whole one.
  package var wholeSeconds: [LoadSecond] {
    let whole = seconds.filter { Double($0.second + 1) <= elapsed }
    return whole.isEmpty ? seconds : whole
  }

  /// All steps together.
  package var total: StepMeasure {
    steps.reduce(into: StepMeasure()) { $0.add($1) }
  }

  /// Answers of a step a second while sessions were to start: those that end what began come after it,
  /// and so does their time.
  ///
  /// - Parameter seconds: For how long sessions were to start.
  package func answersPerSecond(_ step: StepMeasure, of seconds: Double) -> Double {
    Double(step.answeredInTime) / max(min(elapsed, seconds), 1e-9)
  }

  /// Sessions that were meant to start.
  package var scheduled: Int { sessions.reduce(0, +) + unsent }

  /// Sessions that were due before it ended.
  package var due: Int { scheduled - notDue }

  /// The share of sessions that were due and started late or never.
  package var missedShare: Double {
    due == 0 ? 0 : Double(late + unsent - notDue) / Double(due)
  }

  /// Whether somebody ended it before its time, or a missed threshold did.
  package var endedEarly: Bool { wasInterrupted || wasAborted }

  /// Whether the generator offered what it was asked to; where it did not, its figures say nothing
  /// about the service.
  package var wasOffered: Bool { missedShare <= PacedTimes.lateShare }
}

/// A request that a service has said is done.
package struct Acknowledgement: Sendable, Equatable {
  /// Its number, the last part of its key.
  package var serial: UInt32
  /// Of status and body.
  package var digest: UInt64

  /// FNV-1a with 64 bits (Fowler, Noll, Vo; RFC 9923): fast, and nobody here wants to deceive it.
  package static func digest(_ status: Int, _ body: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    add(UInt8(truncatingIfNeeded: status >> 8))
    add(UInt8(truncatingIfNeeded: status))
    for byte in body { add(byte) }
    return hash
  }
}

/// How a load goes.
package struct LoadProgress: Sendable {
  /// Seconds since the beginning.
  package var elapsed: Double
  /// Seconds for which sessions start.
  package var seconds: Double
  /// The last whole second; nil in the first one.
  package var second: LoadSecond?
  /// Sessions under way.
  package var open: Int
  /// Requests under way, and those that wait for a connection.
  package var underWay: Int
  package var waiting: Int
  /// Whether no more sessions start.
  package var isDraining: Bool
}
