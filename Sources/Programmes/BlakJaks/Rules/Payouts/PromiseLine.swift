internal import Quantities

/// Promises of one type: in the order of their numbers, and so in that of their instants.
///
/// They are kept in chunks, so that a copy shares all but the last: at a service a state is copied
/// whole while a million of them wait.
struct PromiseLine: Sendable {
  /// A promise without the list of its awards, so that it is copied bit by bit.
  struct Waiting: Sendable, BitwiseCopyable {
    /// The number, within the type, of the first award.
    var number: Int64
    /// By which it is batched.
    var time: Instant
    /// Its place among the promises of all types, in the order in which they were made.
    var sequence: Int64
    var count: Int64
    var amount: MicroUSDT
    /// `AwardRun.time`.
    var start: Instant
    var offsets: Int64
    /// Of one award alone.
    var receiver: UInt32
    var receivers: AwardReceivers
  }

  private static let chunk = 256

  /// The full ones.
  private var chunks: [[Waiting]] = []
  /// The last ones, apart, so that adding one touches one list.
  private var tail: [Waiting] = []
  /// How many of the first chunk are gone.
  private var gone = 0
  private(set) var count = 0
  /// The awards of those with several receivers, one promise's behind the other's, as many of each as it
  /// counts. A service has none: it promises awards one by one.
  private var listed: [Award] = []
  /// How many of these are gone.
  private var listedGone = 0

  /// The first one.
  var first: Waiting? { count > 0 ? self[0] : nil }

  /// The instant of the first one.
  var firstTime: Instant? {
    guard count > 0 else { return nil }
    return chunks.isEmpty ? tail[gone].time : chunks[0][gone].time
  }

  /// One by its place among those that wait.
  subscript(place: Int) -> Waiting {
    let place = gone + place
    let chunk = place / Self.chunk
    return chunk < chunks.count ? chunks[chunk][place % Self.chunk] : tail[place % Self.chunk]
  }

  /// Adds one at the end; where it has several receivers, `list` follows.
  @inline(__always)
  mutating func append(_ waiting: Waiting) {
    if tail.count == Self.chunk { closeChunk() }
    tail.append(waiting)
    count += 1
  }

  private mutating func closeChunk() {
    chunks.append(tail)
    tail = []
    tail.reserveCapacity(Self.chunk)
  }

  /// Adds the awards of the promise that was added last, as many as it counts.
  mutating func list(_ several: ArraySlice<Award>) {
    let count = tail.last?.count ?? 0
    invariant(
      several.count == Int(count), "a promise of \(count) awards lists \(several.count)")
    listed.append(contentsOf: several)
  }

  /// Takes the first ones out for as long as a condition holds.
  ///
  /// - Parameter holds: Shown each with its list of awards, nil where it has none.
  mutating func take<Failure: Error>(
    while holds: (Waiting, ArraySlice<Award>?) throws(Failure) -> Bool
  ) throws(Failure) {
    var goesOn = true
    while goesOn, count > 0 {
      var taken = 0
      defer { dropFirst(taken) }
      goesOn = try show(&taken, while: holds)
    }
  }

  /// Shows the promises of the first chunk, which is held once for all of them.
  ///
  /// - Parameter taken: Counts those for which the condition holds.
  /// - Returns: Whether it holds for all.
  private mutating func show<Failure: Error>(
    _ taken: inout Int, while holds: (Waiting, ArraySlice<Award>?) throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    let chunk = chunks.isEmpty ? tail : chunks[0]
    for place in gone..<chunk.count {
      let waiting = chunk[place]
      let isListed = waiting.receivers == .several
      guard try holds(waiting, isListed ? list(of: waiting) : nil) else { return false }
      if isListed { dropList(of: waiting) }
      taken += 1
    }
    return true
  }

  /// The awards of the first one, which `waiting` is.
  private func list(of waiting: Waiting) -> ArraySlice<Award> {
    guard waiting.receivers == .several else { return [] }
    return listed[listedGone..<listedGone + Int(waiting.count)]
  }

  private mutating func dropList(of waiting: Waiting) {
    guard waiting.receivers == .several else { return }
    listedGone += Int(waiting.count)
    // Moved once for as many as are gone, so that the list is at most as long again as what waits.
    guard listedGone == listed.count || listedGone > max(4_096, listed.count / 2) else { return }
    listed.removeSubrange(..<listedGone)
    listedGone = 0
  }

  /// Drops the first ones, all of one chunk.
  private mutating func dropFirst(_ dropped: Int = 1) {
    gone += dropped
    count -= dropped
    if count == 0 {
      // The memory serves the next promises.
      tail.removeAll(keepingCapacity: true)
      chunks = []
      gone = 0
    } else if gone == Self.chunk {
      chunks.removeFirst()
      gone = 0
    } else if chunks.isEmpty, gone >= Self.chunk / 4, gone >= count {
      // The same: less is moved than is gone.
      tail.removeFirst(gone)
      gone = 0
    }
  }

  /// Takes the first one out with all that it says.
  mutating func popFirst() -> AwardRun? {
    guard let waiting = first else { return nil }
    // A list of its own: as part of this one it would keep all of it.
    let run = AwardRun(waiting, Array(list(of: waiting))[...])
    dropList(of: waiting)
    dropFirst()
    return run
  }

  /// Visits all from a place on, in order.
  func visit<Failure: Error>(
    from start: Int = 0, _ body: (Waiting, AwardRun) throws(Failure) -> Void
  ) throws(Failure) {
    guard start < count else { return }
    var list = listed.count
    for place in start..<count where self[place].receivers == .several {
      list -= Int(self[place].count)
    }
    for place in start..<count {
      let waiting = self[place]
      let own = waiting.receivers == .several ? Int(waiting.count) : 0
      try body(waiting, AwardRun(waiting, listed[list..<list + own]))
      list += own
    }
  }
}
