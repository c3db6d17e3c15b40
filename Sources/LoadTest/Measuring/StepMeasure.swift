/// What became of the requests of one kind.
package struct StepMeasure: Sendable {
  /// Requests of members, without attempts after the first.
  package internal(set) var offered = 0
  /// Attempts that were sent, those after the first included.
  package internal(set) var sent = 0
  /// Attempts that were answered well.
  package internal(set) var done = 0
  /// Attempts that a rule of the program refused.
  package internal(set) var refused = 0
  /// Attempts that brought nothing, by `LoadErrorKind`.
  package internal(set) var errors = [Int](repeating: 0, count: LoadErrorKind.allCases.count)
  /// Attempts after the first.
  package internal(set) var retries = 0
  /// Attempts that were sent again at once, as the service had closed a kept connection before it had
  /// taken them: counted once in `sent`.
  package internal(set) var resent = 0
  /// Requests that were given up after the last attempt.
  package internal(set) var givenUp = 0
  /// Requests among them whose last attempt the service did not answer, not even by an error.
  package internal(set) var unheard = 0
  /// Requests without an answer when somebody ended the load, or a missed threshold did.
  package internal(set) var unanswered = 0
  /// Answers that came while sessions were to start.
  package internal(set) var answeredInTime = 0
  /// From the intended start to the answer, of each request that was answered; attempts before it
  /// and the waits between them are in it.
  package internal(set) var latency = LatencyRecorder()
  /// From the real start of the attempt that was answered to its answer.
  package internal(set) var service = LatencyRecorder()
  /// From the intended start to the end of hope, of each request that was given up or had no answer
  /// when the load was over.
  package internal(set) var lost = LatencyRecorder()

  /// Nothing measured.
  package init() {}

  /// Attempts that were answered, well or by a refusal.
  package var answered: Int { done + refused }

  /// Attempts that brought nothing.
  package var failed: Int { errors.reduce(0, +) }

  /// Requests that have no answer, and so are in no percentile of the latency.
  package var withoutAnswer: Int { givenUp + unanswered }

  /// Errors as a share of all attempts that ended, 0...1.
  package var errorShare: Double {
    answered + failed == 0 ? 0 : Double(failed) / Double(answered + failed)
  }

  /// Counts what another measure counted.
  package mutating func add(_ other: StepMeasure) {
    offered += other.offered
    sent += other.sent
    done += other.done
    refused += other.refused
    for place in errors.indices { errors[place] += other.errors[place] }
    retries += other.retries
    resent += other.resent
    givenUp += other.givenUp
    unheard += other.unheard
    unanswered += other.unanswered
    answeredInTime += other.answeredInTime
    lost.add(other.lost)
    latency.add(other.latency)
    service.add(other.service)
  }
}

/// What happened in one second of a load.
package struct LoadSecond: Sendable, Equatable {
  /// Seconds from the beginning to its start.
  package var second: Int
  /// Sessions that were meant to start in it.
  package var sessions = 0
  /// Attempts that were sent in it.
  package var sent = 0
  /// Attempts that ended in it.
  package var done = 0
  package var refused = 0
  package var errors = 0
  /// Nanoseconds, of those answered in it, within a hundredth; 0 without any.
  package var median: Int64 = 0
  package var p99: Int64 = 0
  /// Requests under way, and waiting for a connection, at its end.
  package var underWay = 0
  package var waiting = 0
  /// Errors by `LoadErrorKind`; empty without any.
  package var errorKinds: [Int] = []
  /// Steps of which attempts ended in it, in the program's order.
  package var steps: [StepSecond] = []

  /// A second in which nothing has happened yet.
  package init(second: Int) { self.second = second }

  /// Attempts that were answered in it, well or by a refusal.
  package var answered: Int { done + refused }

  /// Whether the service answered any attempt in it, be it by an error.
  package var isHeard: Bool {
    answered > 0 || zip(LoadErrorKind.allCases, errorKinds).contains { $0.isAnswer && $1 > 0 }
  }
}

/// What became of the requests of one kind in one second.
package struct StepSecond: Sendable, Equatable {
  /// An index into the program's steps.
  package var step: Int
  /// Attempts that ended in it.
  package var done = 0
  package var refused = 0
  package var errors = 0
  /// Nanoseconds, of those answered in it, within a hundredth; 0 without any.
  package var median: Int64 = 0
  package var p99: Int64 = 0

  /// A step of which nothing has ended yet.
  package init(step: Int) { self.step = step }

  /// Attempts that were answered in it, well or by a refusal.
  package var answered: Int { done + refused }
}
