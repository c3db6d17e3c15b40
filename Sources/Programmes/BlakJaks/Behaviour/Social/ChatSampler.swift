internal import EventKernel
internal import Population
internal import Quantities

/// Keeps a few sample messages of each local day, spread over it.
///
/// By a window's end at most the day's elapsed share of the samples, rounded up, has been taken;
/// what a quiet window leaves is free for later ones of the same day.
struct ChatSampler: Sendable {
  private let perDay: Int
  private let calendar: ProgrammeCalendar
  private let seed: UInt64
  /// The day that samples were taken of last, and how many.
  var day = -1
  var taken = 0

  init(perDay: Int, calendar: ProgrammeCalendar, seed: UInt64) {
    invariant(perDay >= 0, "samples are counted from 0")
    self.perDay = perDay
    self.calendar = calendar
    self.seed = seed
  }

  /// Draws the window's samples from its messages.
  ///
  /// - Parameters:
  ///   - messages: Members' messages, one row a channel.
  ///   - languageShares: One row a `ChatLanguage`, summing to 1.
  /// - Returns: In order of time.
  mutating func window(
    _ input: SocialInput, _ messages: [Int], _ places: ChatPlaces, _ languageShares: [Double]
  ) -> [ChatSample] {
    let row = calendar.dayIndex(of: input.start)
    if row != day {
      day = row
      taken = 0
    }
    let total = messages.reduce(0, +)
    let dayStart = calendar.dayStarts[row]
    let dayLength = (calendar.dayStarts[row + 1] - dayStart).inSeconds
    let passed = min(1, (input.end - dayStart).inSeconds / dayLength)
    let quota = Int((Double(perDay) * passed).rounded(.up))
    let count = min(total, max(0, quota - taken))
    guard count > 0 else { return [] }
    taken += count
    var stream = RandomStream(
      seed: seed, purpose: RandomPurpose.chatSample.rawValue, entity: input.index)
    let length = UInt64((input.end - input.start).microseconds)
    let times = (0..<count).map { _ in stream.uniformIndex(below: length) }.sorted()
    return times.map { time in
      let channel = Self.row(of: stream.uniformIndex(below: UInt64(total)), messages)
      let topics = places.topics(channel)
      let writers = (0..<4).map { places.shares[channel][$0] * Double(input.living[$0]) }
      return ChatSample(
        time: input.start + TimeSpan(microseconds: Int64(time)), channel: channel,
        language: ChatLanguage.allCases[Self.row(of: stream.uniform(), languageShares)],
        tier: Self.row(of: stream.uniform() * writers.reduce(0, +), writers),
        topic: topics[Int(stream.uniformIndex(below: UInt64(topics.count)))])
    }
  }

  /// The row in which the running count passes `place`, which is below the sum.
  private static func row(of place: UInt64, _ counts: [Int]) -> Int {
    var left = Int(place)
    for (row, count) in counts.enumerated() {
      if left < count { return row }
      left -= count
    }
    return counts.count - 1
  }

  /// The row in which the running sum of weights passes `place`; the last with weight when
  /// rounding left it beyond all.
  private static func row(of place: Double, _ weights: [Double]) -> Int {
    var left = place
    for (row, weight) in weights.enumerated() {
      if weight > 0 && left < weight { return row }
      left -= weight
    }
    return weights.lastIndex { $0 > 0 } ?? 0
  }
}
