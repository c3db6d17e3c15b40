internal import Quantities

/// A transaction that is being put together.
struct PayoutDraft {
  let type: PayoutType
  /// The number of the first award.
  let first: Int64
  private(set) var count: Int64 = 0
  private(set) var amount = MicroUSDT.zero
  /// As in `Payout`.
  private(set) var minutes: [AwardMinute]
  private(set) var awards: [Award] = []
  /// The end of the last minute.
  private var minuteEnd = Instant.distantPast

  /// One without awards.
  ///
  /// - Parameter memory: An empty list, whose memory the minutes use.
  init(_ type: PayoutType, first: Int64, memory: consuming [AwardMinute]) {
    self.type = type
    self.first = first
    minutes = memory
  }

  /// Makes a payout of it, which takes its lists, in the place of one that is no more.
  mutating func finish(from source: Treasury, in payout: inout Payout) {
    payout.type = type
    payout.firstAward = first
    payout.count = count
    payout.amount = amount
    payout.source = source
    payout.attempts = 0
    payout.status = .queued
    swap(&payout.minutes, &minutes)
    swap(&payout.awards, &awards)
  }

  /// Adds a promise that follows in number.
  ///
  /// - Parameter list: Its awards where they are several; else nil.
  /// - Throws: `MoneyError.overflow`.
  mutating func add(
    _ waiting: PromiseLine.Waiting, _ list: ArraySlice<Award>?
  ) throws(MoneyError) {
    switch waiting.receivers {
    case .unknown: break
    case .one:
      reserve()
      awards.append(Award(to: waiting.receiver, waiting.amount, at: waiting.start))
    case .several:
      reserve()
      awards += list ?? []
    }
    try add(
      waiting.count, waiting.amount, at: waiting.start, offsets: waiting.offsets)
  }

  /// Adds awards that follow in number.
  ///
  /// - Throws: `MoneyError.overflow`.
  mutating func add(_ run: AwardRun) throws(MoneyError) {
    let own = run.awards
    if !own.isEmpty {
      reserve()
      awards += own
    }
    try add(run.count, run.amount, at: run.time, offsets: run.offsets)
  }

  /// Makes room for the awards of a batch behind its first, so that the list does not move with each few
  /// of them. Many transactions have one award.
  private mutating func reserve() {
    if !awards.isEmpty, awards.capacity < 64 { awards.reserveCapacity(64) }
  }

  private mutating func add(
    _ count: Int64, _ amount: MicroUSDT, at time: Instant, offsets: Int64
  ) throws(MoneyError) {
    self.amount = try self.amount.adding(amount)
    self.count += count
    let last = minutes.count - 1
    if last >= 0, time < minuteEnd, time >= minutes[last].start {
      minutes[last].count += count
      minutes[last].offsets += offsets + (time - minutes[last].start).microseconds * count
      return
    }
    // Mostly the minute that follows, which is found without a division.
    let late = UInt64(bitPattern: time.microseconds &- minuteEnd.microseconds)
    let start = late < 60_000_000 ? minuteEnd : AwardMinute.minute(of: time)
    minuteEnd = start + .minutes(1)
    // As many as a batch has by default.
    if minutes.isEmpty, minutes.capacity < 10 { minutes.reserveCapacity(10) }
    minutes.append(
      AwardMinute(
        start: start, count: count, offsets: offsets + (time - start).microseconds * count))
  }
}
