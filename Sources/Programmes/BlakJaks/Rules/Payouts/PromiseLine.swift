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
  /// The awards of those with several receivers, in their order.
  private var lists: [[Award]] = []
  /// How many of these lists are gone.
  private var listsGone = 0

  /// The first one.
  var first: Waiting? { count > 0 ? self[0] : nil }

  /// One by its place among those that wait.
  subscript(place: Int) -> Waiting {
    let place = gone + place
    let chunk = place / Self.chunk
    return chunk < chunks.count ? chunks[chunk][place % Self.chunk] : tail[place % Self.chunk]
  }

  /// Adds one at the end.
  mutating func append(_ waiting: Waiting, _ run: AwardRun) {
    if tail.count == Self.chunk {
      chunks.append(tail)
      tail = []
    }
    tail.append(waiting)
    if waiting.receivers == .several { lists.append(run.awards) }
    count += 1
  }

  /// Takes the first ones out for as long as a condition holds, which it does for none that has a
  /// list.
  mutating func take<Failure: Error>(
    while holds: (Waiting) throws(Failure) -> Bool
  ) throws(Failure) {
    while count > 0, try holds(self[0]) { dropFirst() }
  }

  private mutating func dropFirst() {
    gone += 1
    count -= 1
    if count == 0 {
      // The memory serves the next promises.
      tail.removeAll(keepingCapacity: true)
      chunks = []
      gone = 0
    } else if gone == Self.chunk {
      chunks.removeFirst()
      gone = 0
    }
  }

  /// Takes the first one out with all that it says.
  mutating func popFirst() -> AwardRun? {
    guard let waiting = first else { return nil }
    var list: [Award] = []
    if waiting.receivers == .several {
      list = lists[listsGone]
      lists[listsGone] = []
      listsGone += 1
      if listsGone == lists.count {
        lists.removeAll()
        listsGone = 0
      }
    }
    dropFirst()
    return AwardRun(waiting, list)
  }

  /// Visits all from a place on, in order.
  func visit<Failure: Error>(
    from start: Int = 0, _ body: (Waiting, AwardRun) throws(Failure) -> Void
  ) throws(Failure) {
    guard start < count else { return }
    var list = lists.count
    for place in start..<count where self[place].receivers == .several { list -= 1 }
    for place in start..<count {
      let waiting = self[place]
      if waiting.receivers == .several {
        try body(waiting, AwardRun(waiting, lists[list]))
        list += 1
      } else {
        try body(waiting, AwardRun(waiting, []))
      }
    }
  }
}
