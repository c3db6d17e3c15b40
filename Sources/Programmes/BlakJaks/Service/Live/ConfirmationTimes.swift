internal import Quantities
internal import RewardModel

/// How long the awards took that were paid within the last day, or the last ones of them: those of
/// one transaction that were made in one minute together.
struct ConfirmationTimes: Sendable, Equatable, Codable {
  private struct Row: Sendable, Equatable, PackedRow {
    var time: Instant
    var count: Int64
    /// Microseconds that its awards took on average.
    var fromAward: Int64
    /// Microseconds from its submission.
    var fromSubmission: Int64

    init(time: Instant, count: Int64, fromAward: Int64, fromSubmission: Int64) {
      self.time = time
      self.count = count
      self.fromAward = fromAward
      self.fromSubmission = fromSubmission
    }

    init(packed reader: inout PackedReader) throws {
      time = Instant(microseconds: try reader.next())
      count = try reader.next()
      fromAward = try reader.next()
      fromSubmission = try reader.next()
    }

    func pack(_ writer: inout PackedWriter) {
      for number in [time.microseconds, count, fromAward, fromSubmission] { writer.append(number) }
    }
  }

  /// Rows that are kept at most: more than a day of three types has in batches of ten minutes.
  private static let most = 5_000

  @Packed private var rows: [Row] = []
  /// When workers took up transactions that are under way, in microseconds since 1970, by slot.
  @PackedSorted private var submitted: [Int64: Int64] = [:]

  /// A worker takes up a transaction.
  mutating func begin(_ slot: Int, at time: Instant) {
    submitted[Int64(slot)] = time.microseconds
  }

  /// A transaction is confirmed.
  ///
  /// - Parameter instant: When the worker had submitted it; where nobody knows, it is taken for
  ///   submitted when the worker took it up.
  mutating func confirm(
    _ slot: Int, _ payout: Payout, submitted instant: Instant?, at time: Instant
  ) {
    let begun =
      submitted.removeValue(forKey: Int64(slot)).map { Instant(microseconds: $0) } ?? time
    // A journal that somebody changed may say any instant.
    let sent = instant.map { min(max($0, begun), time) } ?? begun
    for minute in payout.minutes where minute.count > 0 {
      rows.append(
        Row(
          time: time, count: minute.count, fromAward: minute.waited(until: time) / minute.count,
          fromSubmission: (time - sent).microseconds))
    }
    if rows.count >= 2 * Self.most { rows.removeFirst(rows.count - Self.most) }
  }

  /// What was confirmed within 24 hours before an instant.
  ///
  /// - Complexity: O(rows log rows).
  func times(
    at now: Instant
  ) -> (fromAward: ConfirmedPayouts.Times, fromSubmission: ConfirmedPayouts.Times) {
    let recent = rows.suffix(Self.most).filter { $0.time > now - .days(1) }
    return (
      Self.times(recent.map { ($0.count, $0.fromAward) }),
      Self.times(recent.map { ($0.count, $0.fromSubmission) })
    )
  }

  private static func times(_ rows: [(count: Int64, micros: Int64)]) -> ConfirmedPayouts.Times {
    let count = rows.reduce(0) { $0 + $1.count }
    guard count > 0 else { return (nil, nil) }
    let sum = rows.reduce(Int128(0)) { $0 + Int128($1.micros) * Int128($1.count) }
    var left = (count * 95 + 99) / 100
    let at95 = rows.sorted { $0.micros < $1.micros }.first { row in
      left -= row.count
      return left <= 0
    }
    return (
      TimeSpan(microseconds: Int64(clamping: sum / Int128(count))),
      at95.map { TimeSpan(microseconds: $0.micros) }
    )
  }
}
