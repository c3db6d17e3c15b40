internal import Quantities
package import RewardModel

/// Awards that are promised and not yet part of a transaction.
struct Promise: Sendable {
  var type: PayoutType
  /// The number, within the type, of the first.
  var number: Int64
  /// By which it is batched.
  var time: Instant
  var run: AwardRun
}

/// Promises in the order in which they were made, or of their instants once that was asked for.
///
/// They stand in chunks, so that a copy shares all but the last: at a service a state is copied
/// whole while a million of them wait.
struct PromiseQueue: Sendable {
  private static let chunk = 256

  /// All but the first and the last are full.
  private var chunks: [[Promise]] = []
  /// How many of the first chunk are gone.
  private var gone = 0
  private(set) var count = 0
  private var isSorted = true
  /// The instant of the last one.
  private var lastTime = Instant.distantPast
  /// The instant of the earliest one; `distantFuture` without promises.
  private var earliestTime = Instant.distantFuture

  /// The first one.
  var first: Promise? { count > 0 ? chunks[0][gone] : nil }

  /// Adds one at the end.
  mutating func append(_ promise: Promise) {
    if promise.time < lastTime { isSorted = false }
    lastTime = promise.time
    earliestTime = min(earliestTime, promise.time)
    if chunks.isEmpty || chunks[chunks.count - 1].count == Self.chunk { chunks.append([]) }
    chunks[chunks.count - 1].append(promise)
    count += 1
  }

  /// Visits all but the first so many, in order.
  func visit<Failure: Error>(
    after dropped: Int = 0, _ body: (Promise) throws(Failure) -> Void
  ) throws(Failure) {
    var skipped = gone + dropped
    for chunk in chunks {
      if skipped >= chunk.count {
        skipped -= chunk.count
        continue
      }
      for place in skipped..<chunk.count { try body(chunk[place]) }
      skipped = 0
    }
  }

  /// The earliest instant; nil without promises.
  ///
  /// - Complexity: O(1).
  var earliest: Instant? { count > 0 ? earliestTime : nil }

  /// Puts them in the order of their instants; of one instant the first one made is first.
  mutating func sort() {
    guard !isSorted else { return }
    // By place where instants are equal. Times and places are sorted, not what they belong to.
    var order: [(time: Instant, place: Int)] = []
    order.reserveCapacity(count)
    for (chunk, promises) in chunks.enumerated() {
      for place in (chunk == 0 ? gone : 0)..<promises.count {
        order.append((promises[place].time, chunk * Self.chunk + place))
      }
    }
    order.sort { $0.time < $1.time || ($0.time == $1.time && $0.place < $1.place) }
    let before = chunks
    self = PromiseQueue()
    for (_, place) in order { append(before[place / Self.chunk][place % Self.chunk]) }
  }

  /// Takes the first one out; nil without one, or where a condition does not hold for it.
  ///
  /// - Precondition: They are in the order of their instants.
  mutating func popFirst(where holds: (Promise) -> Bool) -> Promise? {
    precondition(isSorted, "promises are taken in the order of their instants")
    guard let promise = first, holds(promise) else { return nil }
    gone += 1
    count -= 1
    if gone == Self.chunk || count == 0 { dropChunk() }
    earliestTime = first?.time ?? .distantFuture
    return promise
  }

  private mutating func dropChunk() {
    chunks.removeFirst()
    gone = 0
    guard count == 0 else { return }
    isSorted = true
    lastTime = .distantPast
  }
}

extension PromiseQueue: Codable {
  private struct Saved: Codable {
    @Packed var promises: [Promise]
    var isSorted: Bool
  }

  init(from decoder: any Decoder) throws {
    let saved = try Saved(from: decoder)
    for promise in saved.promises { append(promise) }
    isSorted = isSorted && saved.isSorted
  }

  func encode(to encoder: any Encoder) throws {
    var all: [Promise] = []
    all.reserveCapacity(count)
    visit { promise in all.append(promise) }
    try Saved(promises: all, isSorted: isSorted).encode(to: encoder)
  }
}

extension Promise: PackedRow {
  func pack(_ writer: inout PackedWriter) {
    type.pack(&writer)
    writer.append(number)
    writer.append(time.microseconds)
    // Most are batched by the instant at which they were made.
    run.pack(&writer, after: time)
  }

  init(packed reader: inout PackedReader) throws {
    type = try PayoutType(packed: &reader)
    number = try reader.next()
    time = Instant(microseconds: try reader.next())
    run = try AwardRun(packed: &reader, after: time)
  }
}

extension PayoutType: PackedRow {
  /// Its place among those that are not prizes, or behind them the prize's row.
  package func pack(_ writer: inout PackedWriter) {
    if case .prize(let row) = self {
      writer.append(Self.fixed.count + row)
    } else {
      writer.append(Self.fixed.firstIndex(of: self) ?? 0)
    }
  }

  /// What `pack` wrote.
  package init(packed reader: inout PackedReader) throws {
    let place = try reader.next(UInt32.self)
    self = place < Self.fixed.count ? Self.fixed[Int(place)] : .prize(Int(place) - Self.fixed.count)
  }
}
