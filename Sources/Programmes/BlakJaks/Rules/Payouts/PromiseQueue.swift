internal import Quantities
package import RewardModel

/// Awards that are promised and not yet part of a transaction.
struct Promise: Sendable {
  var type: PayoutType
  /// The number, within the type, of the first.
  var number: Int64
  /// By which it is batched; not before that of the type's promise before it.
  var time: Instant
  var run: AwardRun
}

/// Promises of all types, each type in a line of its own: nothing has to be sorted for a batch, in
/// which types come one after another.
struct PromiseQueue: Sendable {
  /// By `PayoutType.place`.
  private var lines: [PromiseLine] = []
  /// The places of lines with promises, in no order: mostly one or two of them all.
  private var held: [Int] = []
  private(set) var count = 0
  /// How many there have ever been.
  private var made: Int64 = 0
  /// The instant of the earliest one; `distantFuture` without promises.
  private var earliestTime = Instant.distantFuture

  /// The earliest instant; nil without promises.
  ///
  /// - Complexity: O(1).
  var earliest: Instant? { count > 0 ? earliestTime : nil }

  /// Adds one at the end of its line.
  ///
  /// - Precondition: Its instant is not before that of the last one of its type.
  mutating func append(_ promise: Promise) {
    _ = append(
      CollectionOfOne(promise.run), of: promise.type, after: promise.number - 1, promise.time)
  }

  /// Adds runs of awards at the end of their line, each a promise.
  ///
  /// - Parameters:
  ///   - number: Of the type's last award before them.
  ///   - latest: The instant of the type's last promise; none of them is batched by an earlier one.
  /// - Returns: The same after them.
  mutating func append(
    _ runs: some Collection<AwardRun>, of type: PayoutType, after number: Int64, _ latest: Instant
  ) -> (number: Int64, latest: Instant) {
    let place = type.place
    while lines.count <= place { lines.append(PromiseLine()) }
    var (number, latest) = (number, latest)
    guard !runs.isEmpty else { return (number, latest) }
    // Taken out for the loop, so that the list of lines is not looked at for each.
    var line = PromiseLine()
    swap(&line, &lines[place])
    for index in runs.indices {
      latest = max(latest, runs[index].time)
      // The earliest of them, as their instants rise.
      if index == runs.startIndex { earliestTime = min(earliestTime, latest) }
      let receivers = runs[index].receivers
      line.append(
        PromiseLine.Waiting(
          number: number + 1, time: latest, sequence: made, count: runs[index].count,
          amount: runs[index].amount, start: runs[index].time, offsets: runs[index].offsets,
          receiver: runs[index].receiver, receivers: receivers))
      if receivers == .several { line.list(runs[index].several) }
      number += runs[index].count
      made += 1
    }
    count += runs.count
    if line.count == runs.count { held.append(place) }
    swap(&line, &lines[place])
    return (number, latest)
  }

  /// Tells of each type that has promises.
  @inline(__always)
  func forEachHeld(_ body: (PayoutType) -> Void) {
    for place in held { body(PayoutType(place: place)) }
  }

  /// The first one of a type.
  func first(of type: PayoutType) -> PromiseLine.Waiting? {
    let place = type.place
    return place < lines.count ? lines[place].first : nil
  }

  /// The instant of the first one of a type.
  func firstTime(of type: PayoutType) -> Instant? {
    let place = type.place
    return place < lines.count ? lines[place].firstTime : nil
  }

  /// The type whose first promise is the earliest of all; of one instant the one that was made first.
  ///
  /// - Complexity: O(types with promises).
  func earliestType() -> PayoutType? {
    var best: (place: Int, first: PromiseLine.Waiting)?
    for place in held {
      guard let first = lines[place].first else { continue }
      if let other = best?.first,
        (other.time, other.sequence) < (first.time, first.sequence)
      {
        continue
      }
      best = (place, first)
    }
    return best.map { PayoutType(place: $0.place) }
  }

  /// Takes the first ones of a type out for as long as a condition holds; `findEarliest` has to follow.
  ///
  /// - Parameter holds: See `PromiseLine.take`.
  mutating func take<Failure: Error>(
    of type: PayoutType,
    while holds: (PromiseLine.Waiting, ArraySlice<Award>?) throws(Failure) -> Bool
  ) throws(Failure) {
    let place = type.place
    guard place < lines.count else { return }
    count -= lines[place].count
    defer {
      count += lines[place].count
      noteEnd(of: place)
    }
    try lines[place].take(while: holds)
  }

  /// Takes the first one of a type out; `findEarliest` has to follow.
  mutating func popFirst(of type: PayoutType) -> AwardRun? {
    guard let run = lines[type.place].popFirst() else { return nil }
    count -= 1
    noteEnd(of: type.place)
    return run
  }

  /// Notes where a line has come to its end.
  private mutating func noteEnd(of place: Int) {
    guard lines[place].count == 0, let entry = held.firstIndex(of: place) else { return }
    held.swapAt(entry, held.count - 1)
    held.removeLast()
  }

  /// Finds the earliest instant after promises were taken out.
  ///
  /// - Complexity: O(types with promises).
  mutating func findEarliest() {
    earliestTime = .distantFuture
    for place in held {
      if let first = lines[place].firstTime { earliestTime = min(earliestTime, first) }
    }
  }

  /// Awards of a type that are batched by an instant of an interval.
  ///
  /// - Complexity: O(promises of the type since the interval's start).
  func count(of type: PayoutType, in times: Range<Instant>) -> Int64 {
    let place = type.place
    guard place < lines.count else { return 0 }
    var sum: Int64 = 0
    var index = lines[place].count
    while index > 0 {
      index -= 1
      let waiting = lines[place][index]
      guard waiting.time >= times.lowerBound else { break }
      if waiting.time < times.upperBound { sum += waiting.count }
    }
    return sum
  }

  /// Visits all of them, type by type.
  func visitTypes<Failure: Error>(
    _ body: (Promise) throws(Failure) -> Void
  ) throws(Failure) {
    for place in lines.indices {
      let type = PayoutType(place: place)
      try lines[place].visit { (waiting, run) throws(Failure) in
        try body(Promise(type: type, number: waiting.number, time: waiting.time, run: run))
      }
    }
  }

  /// Visits all but the first so many, in the order in which they were made.
  ///
  /// - Complexity: O(m × (types + log m)), where m is how many are visited.
  func visit(after dropped: Int = 0, _ body: (Promise) -> Void) {
    // The last ones are found from the ends of the lines.
    var starts = lines.map(\.count)
    for _ in 0..<max(count - dropped, 0) {
      var last: (place: Int, sequence: Int64)?
      for place in lines.indices where starts[place] > 0 {
        let sequence = lines[place][starts[place] - 1].sequence
        if sequence > last?.sequence ?? -1 { last = (place, sequence) }
      }
      if let last { starts[last.place] -= 1 }
    }
    for (_, promise) in listed(from: starts).sorted(by: { $0.sequence < $1.sequence }) {
      body(promise)
    }
  }

  /// All from a place of each line on, with their places among all that were made.
  private func listed(from starts: [Int]) -> [(sequence: Int64, promise: Promise)] {
    var all: [(sequence: Int64, promise: Promise)] = []
    for place in lines.indices {
      let type = PayoutType(place: place)
      lines[place].visit(from: starts[place]) { waiting, run in
        all.append(
          (
            waiting.sequence,
            Promise(type: type, number: waiting.number, time: waiting.time, run: run)
          ))
      }
    }
    return all
  }
}

extension PromiseQueue: Codable {
  private struct Saved: Codable {
    @Packed var promises: [Promise]
  }

  init(from decoder: any Decoder) throws {
    for promise in try Saved(from: decoder).promises {
      let place = promise.type.place
      if place < lines.count, lines[place].count > 0,
        lines[place][lines[place].count - 1].time > promise.time
      {
        throw DecodingError.dataCorrupted(
          DecodingError.Context(
            codingPath: decoder.codingPath, debugDescription: "promises of a type out of order"))
      }
      append(promise)
    }
  }

  /// Saves them in the order of their instants, so that equal queues are saved equally.
  func encode(to encoder: any Encoder) throws {
    let all = listed(from: lines.map { _ in 0 }).sorted {
      ($0.promise.time, $0.sequence) < ($1.promise.time, $1.sequence)
    }
    try Saved(promises: all.map(\.promise)).encode(to: encoder)
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
  package func pack(_ writer: inout PackedWriter) { writer.append(place) }

  /// What `pack` wrote.
  package init(packed reader: inout PackedReader) throws {
    let start = reader.offset
    let place = try reader.next(UInt32.self)
    // Far beyond the prizes of any rules.
    guard place < 65_536 else { throw PackedError.outOfRange(offset: start) }
    self.init(place: Int(place))
  }
}
