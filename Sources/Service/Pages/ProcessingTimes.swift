internal import Quantities
internal import RewardModel
internal import Synchronization

/// How long the last requests took that changed something, from their arrival to their answer.
final class ProcessingTimes: Sendable {
  private struct Ring: Sendable {
    var micros: [Int64] = []
    var next = 0
  }

  /// Requests that are looked at.
  private static let most = 1_024

  private let ring = Mutex(Ring())

  /// Notes a request.
  func note(_ time: Duration) {
    let micros = Int64(time.seconds * 1e6)
    ring.withLock { ring in
      if ring.micros.count < Self.most {
        ring.micros.append(micros)
      } else {
        ring.micros[ring.next] = micros
        ring.next = (ring.next + 1) % Self.most
      }
    }
  }

  /// What is known now.
  ///
  /// - Parameter waiting: Requests that wait for the writer.
  func measures(waiting: Int) -> ServiceMeasures {
    let micros = ring.withLock { $0.micros }.sorted()
    var measures = ServiceMeasures()
    measures.waiting = waiting
    guard !micros.isEmpty else { return measures }
    measures.processingMean = TimeSpan(
      microseconds: micros.reduce(0, +) / Int64(micros.count))
    measures.processingP95 = TimeSpan(microseconds: micros[(micros.count * 95 + 99) / 100 - 1])
    return measures
  }
}
