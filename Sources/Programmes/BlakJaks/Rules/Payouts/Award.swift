package import Quantities
package import RewardModel

/// The id of an award, and its idempotency key: no award is paid twice.
package struct AwardID: Hashable, Sendable, Codable {
  package var type: PayoutType
  /// Within the type, from 1 on, in the order in which awards are made, but for those that nobody looks at:
  /// see `AwardRun.awards`.
  package var number: Int64

  /// The id of an award.
  package init(type: PayoutType, number: Int64) {
    self.type = type
    self.number = number
  }

  /// As answers and tables name it: `match#12`, the type by its `PayoutType.id`.
  package func text(_ prizes: [Prize]) -> String { Self.text(type.id(prizes), number) }

  /// The id of a type's award, the type by its `PayoutType.id`.
  static func text(_ type: String, _ number: Int64) -> String { "\(type)#\(number)" }
}

/// An award with its receiver: 24 bytes. Its number follows from its place.
package struct Award: Hashable, Sendable, BitwiseCopyable, Codable {
  /// The member who gets it.
  package var receiver: UInt32
  package var amount: MicroUSDT
  /// When it was made.
  package var time: Instant

  /// An award to a member.
  package init(to receiver: UInt32, _ amount: MicroUSDT, at time: Instant) {
    self.receiver = receiver
    self.amount = amount
    self.time = time
  }
}

/// An award with its id.
package struct NumberedAward: Sendable, Codable {
  package var id: AwardID
  package var award: Award
}

/// What is known of who receives the awards of a run.
enum AwardReceivers: UInt8, Sendable, BitwiseCopyable {
  /// Nothing, where nobody keeps wallets.
  case unknown
  /// It is one award alone.
  case one
  /// They are more, in a list.
  case several
}

/// Awards of one type that follow one another in number, all of them made in one minute of the
/// clock.
package struct AwardRun: Sendable, Equatable {
  package private(set) var count: Int64
  package private(set) var amount: MicroUSDT
  /// An instant of the minute that is not after any of them.
  package let time: Instant
  /// Microseconds from `time` to each of them, added up.
  package private(set) var offsets: Int64
  /// Who gets it, where it is one award alone and the receiver is known: most are, and need no list.
  private var single: UInt32?
  /// All of them where they are more and the receivers are known.
  private(set) var several: ArraySlice<Award> = []

  /// All of them in the order of their numbers, those whose numbers nobody looks at in any; empty where
  /// nobody keeps wallets.
  package var awards: [Award] { single.map { [Award(to: $0, amount, at: time)] } ?? Array(several) }

  /// Awards whose receivers keep no wallets.
  ///
  /// - Parameters:
  ///   - count: 1 or more.
  ///   - time: Not after any of them.
  ///   - offsets: Microseconds from `time` to each of them, added up.
  package init(count: Int64, amount: MicroUSDT, at time: Instant, offsets: Int64 = 0) {
    self.count = count
    self.amount = amount
    self.time = time
    self.offsets = offsets
  }

  /// One award.
  package init(_ award: Award) {
    count = 1
    amount = award.amount
    time = award.time
    offsets = 0
    single = award.receiver
  }

  /// Awards of one minute, one at least, in their order.
  ///
  /// - Throws: `MoneyError.overflow`.
  init(_ awards: [Award]) throws(MoneyError) {
    self.init(awards[0])
    guard awards.count > 1 else { return }
    for award in awards.dropFirst() {
      amount = try amount.adding(award.amount)
      offsets += (award.time - time).microseconds
    }
    count = Int64(awards.count)
    single = nil
    several = awards[...]
  }

  /// Tells who receives them.
  ///
  /// - Parameter awards: `count` of them, more than one, which come to `amount` and `offsets`: in the order
  ///   of their numbers, those whose numbers nobody looks at in any.
  mutating func list(_ awards: ArraySlice<Award>) { several = awards }

  /// What a promise says, with its awards where they are several.
  init(_ waiting: PromiseLine.Waiting, _ awards: ArraySlice<Award>) {
    count = waiting.count
    amount = waiting.amount
    time = waiting.start
    offsets = waiting.offsets
    if waiting.receivers == .one { single = waiting.receiver }
    several = awards
  }

  /// What is known of who receives them.
  var receivers: AwardReceivers {
    single != nil ? .one : several.isEmpty ? .unknown : .several
  }

  /// Whether somebody below a number is known to receive one of them.
  func isReceived(below number: UInt32) -> Bool {
    if let single { return single < number }
    return several.contains { $0.receiver < number }
  }

  /// Who receives the one award; of no meaning for other runs.
  var receiver: UInt32 { single ?? 0 }

  /// Adds an award at the end.
  ///
  /// - Parameters:
  ///   - award: Of the same minute, not before `time`.
  ///   - keepsReceiver: As for the awards before it.
  /// - Throws: `MoneyError.overflow`.
  package mutating func append(_ award: Award, keepsReceiver: Bool) throws(MoneyError) {
    let sum = try amount.adding(award.amount)
    if keepsReceiver {
      several = awards[...]
      single = nil
      several.append(award)
    }
    amount = sum
    offsets += (award.time - time).microseconds
    count += 1
  }

  /// Takes the first awards out.
  ///
  /// Where single awards are not known, each part has its share of money and offsets.
  ///
  /// - Parameter first: From 1 to below `count`.
  /// - Throws: `MoneyError.overflow`.
  mutating func removeFirst(_ first: Int64) throws(MoneyError) -> AwardRun {
    var part = self
    if several.isEmpty {
      part.amount = try amount.portion(first, of: count)
      part.offsets = Int64(Int128(offsets) * Int128(first) / Int128(count))
    } else {
      part.several = several.prefix(Int(first))
      several.removeFirst(Int(first))
      part.amount = .zero
      part.offsets = 0
      for award in part.several {
        part.amount = try part.amount.adding(award.amount)
        part.offsets += (award.time - time).microseconds
      }
    }
    part.count = first
    count -= first
    amount = try amount.subtracting(part.amount)
    offsets -= part.offsets
    return part
  }

  /// Shares of a pool as awards: one of each whose receiver is known, the others together.
  ///
  /// - Parameters:
  ///   - time: When all of them are made.
  ///   - most: How many are put together at most: as many as a transaction holds, so that the same are
  ///     paid together as would be one by one.
  ///   - owner: Who receives the share of a row; nil where that does not matter.
  /// - Throws: `MoneyError.overflow`.
  package static func runs(
    of shares: [(row: Int, share: MicroUSDT)], at time: Instant, atMost most: Int64,
    owner: (Int) -> UInt32?
  ) throws(MoneyError) -> [AwardRun] {
    var runs: [AwardRun] = []
    // What is put together.
    var (count, amount) = (Int64(0), MicroUSDT.zero)
    func close() {
      if count > 0 { runs.append(AwardRun(count: count, amount: amount, at: time)) }
      (count, amount) = (0, .zero)
    }
    for (row, share) in shares {
      if let receiver = owner(row) {
        close()
        runs.append(AwardRun(Award(to: receiver, share, at: time)))
        continue
      }
      if count >= most { close() }
      amount = try amount.adding(share)
      count += 1
    }
    close()
    return runs
  }

}

extension Award: PackedRow {
  /// Receiver, amount and instant.
  package func pack(_ writer: inout PackedWriter) {
    writer.append(receiver)
    writer.append(amount.microunits)
    writer.append(time.microseconds)
  }

  /// What `pack` wrote.
  package init(packed reader: inout PackedReader) throws {
    receiver = try reader.next()
    amount = MicroUSDT(microunits: try reader.next())
    time = Instant(microseconds: try reader.next())
  }
}

extension AwardRun {
  /// Writes it.
  ///
  /// - Parameter start: An instant close to its own.
  func pack(_ writer: inout PackedWriter, after start: Instant) {
    writer.append(count)
    writer.append(amount.microunits)
    writer.append((time - start).microseconds)
    writer.append(offsets)
    single.pack(&writer)
    writer.append(several.count)
    for award in several { award.pack(&writer) }
  }

  /// Reads what `pack` wrote.
  init(packed reader: inout PackedReader, after start: Instant) throws {
    count = try reader.next()
    amount = MicroUSDT(microunits: try reader.next())
    time = start + TimeSpan(microseconds: try reader.next())
    offsets = try reader.next()
    single = try UInt32?(packed: &reader)
    let start = reader.offset
    let listed = try reader.next(UInt32.self)
    guard listed == 0 || Int64(listed) == count else { throw PackedError.outOfRange(offset: start) }
    for _ in 0..<listed { several.append(try Award(packed: &reader)) }
  }
}

/// Awards of one minute of the clock by their number and the sum of their instants.
package struct AwardMinute: Sendable, Equatable, Codable {
  /// The minute's first instant.
  package var start: Instant
  package var count: Int64
  /// Microseconds from `start` to each of them, added up.
  package var offsets: Int64

  /// Awards of the minute that begins at `start`.
  package init(start: Instant, count: Int64, offsets: Int64) {
    self.start = start
    self.count = count
    self.offsets = offsets
  }

  /// The first instant of an instant's minute.
  package static func minute(of time: Instant) -> Instant {
    let length: Int64 = 60_000_000
    let late = time.microseconds % length
    return Instant(microseconds: time.microseconds - (late < 0 ? late + length : late))
  }

  /// The sum of the times that passed from each of them to an instant, in microseconds.
  package func waited(until end: Instant) -> Int64 {
    (end - start).microseconds * count - offsets
  }
}
