internal import Quantities

/// Puts the scan rewards of one window into runs, none of which crosses a batch or the end of a
/// transaction.
struct RewardRuns {
  /// The rewards of the window.
  private let table: ScanRewardTable
  private let rules: PayoutRules
  /// From which batches are counted.
  private let origin: Instant
  /// Whether members keep wallets, so that an award has to say whose it is.
  private let keepsReceivers: Bool
  /// Members below this number whose awards have to have their own numbers; those of all others may
  /// change places within a transaction.
  private let numbered: UInt32
  private var runs: [AwardRun] = []
  /// The awards of runs that have several whose receivers are known, one run's behind the other's, until
  /// `finish` gives each run its own: one list serves all. It is as long as `room` from the first of them on.
  private var listed: [Award] = []
  /// Scans of the window, and so awards at most.
  private var room = 0
  /// Awards that are listed.
  private var filled = 0
  /// Which runs have awards in the list, and where each one's begin.
  private var lists: [(run: Int, start: Int)] = []
  /// End of the batch that the next reward is likely to be of, and the rewards in it so far.
  private var batch: Instant
  private var inBatch: Int64

  /// - Parameters:
  ///   - origin: From which batches are counted.
  ///   - start: The window's.
  ///   - numbersAll: Whether somebody looks at the number of each award, as whoever reads a journal does.
  init(
    _ table: ScanRewardTable, _ desk: PayoutDesk, _ rules: PayoutRules, origin: Instant,
    from start: Instant, keepsReceivers: Bool, numbersAll: Bool
  ) {
    self.table = table
    self.rules = rules
    self.origin = origin
    self.keepsReceivers = keepsReceivers
    numbered = !keepsReceivers ? 0 : numbersAll ? .max : desk.tracedMembers
    batch = rules.batchEnd(after: start, from: origin)
    inBatch = desk.count(of: .scanReward, batchedAt: batch, from: origin)
  }

  /// Makes room for the runs of so many minutes, and for so many scans. Comes before anything is added.
  mutating func reserve(minutes: Int, scans: Int) {
    runs.reserveCapacity(minutes)
    room = scans
  }

  /// Gives each run its awards. Nothing may be added afterwards.
  ///
  /// - Returns: All runs.
  mutating func finish() -> [AwardRun] {
    var end = filled
    for (run, start) in lists.reversed() {
      runs[run].list(listed[start..<end])
      end = start
    }
    return runs
  }

  /// Whether the rewards of a minute's scans have to be told one by one, in their order: where batches
  /// cut minutes, and where the numbers of some of them matter.
  func needsOrder(_ scans: ArraySlice<AcceptedScan>) -> Bool {
    cutsMinutes || (numbered > 0 && scans.contains { $0.member < numbered })
  }

  /// Whether `needsOrder` is true of any minute.
  var mayNeedOrder: Bool { cutsMinutes || numbered > 0 }

  /// Whether batches cut minutes.
  private var cutsMinutes: Bool {
    let minute = CellRules.minuteMicros
    return rules.batch.microseconds == 0 || rules.batch.microseconds % minute != 0
      || origin.microseconds % minute != 0
  }

  /// Adds the rewards of a minute as one, unless a transaction ends within them.
  ///
  /// - Parameters:
  ///   - scans: The window's, the minute's in any order.
  ///   - start: The minute's.
  /// - Returns: False when they have to be cut.
  mutating func add(
    _ minute: ScanMinute, of scans: [AcceptedScan], at start: Instant
  ) -> Bool {
    let count = Int64(minute.rewarded)
    guard count > 0 else { return true }
    enterBatch(of: start)
    guard inBatch % rules.batchLimit + count <= rules.batchLimit else { return false }
    inBatch += count
    guard keepsReceivers else {
      let amount = MicroUSDT(microunits: minute.rewards)
      runs.append(AwardRun(count: count, amount: amount, at: start, offsets: minute.offsets))
      return true
    }
    append(
      count, minute.rewards, of: scans[minute.places], at: start, offsets: minute.offsets)
    return true
  }

  /// Adds rewards of one minute, with whose they are where members keep wallets.
  ///
  /// - Parameter rewards: Their sum, in micro-USDT.
  private mutating func append(
    _ count: Int64, _ rewards: Int64, of scans: ArraySlice<AcceptedScan>, at start: Instant,
    offsets: Int64
  ) {
    let amount = MicroUSDT(microunits: rewards)
    guard keepsReceivers, count == 1 else {
      if keepsReceivers { list(scans) }
      return runs.append(AwardRun(count: count, amount: amount, at: start, offsets: offsets))
    }
    // Most minutes of a small world have one scan, which needs no list.
    let time = start + TimeSpan(microseconds: offsets)
    let scan = scans.first { table.amount[$0.tier] > .zero }
    runs.append(AwardRun(Award(to: scan?.member ?? 0, amount, at: time)))
  }

  /// Lists the rewards of scans that earn something, for the run to come.
  private mutating func list(_ scans: ArraySlice<AcceptedScan>) {
    lists.append((runs.count, filled))
    if listed.isEmpty {
      listed = Array(repeating: Award(to: 0, .zero, at: .distantPast), count: room)
    }
    invariant(filled + scans.count <= listed.count, "no room for \(scans.count) awards")
    let (amounts, start) = (table.amount, filled)
    filled = listed.withUnsafeMutableBufferPointer { listed in
      amounts.withValues { amounts in
        scans.withUnsafeBufferPointer { scans in
          var place = start
          for scan in scans {
            let amount = scan.value(in: amounts)
            // Written in any case and counted where it is above zero.
            listed[place] = Award(to: scan.member, amount, at: scan.time)
            place &+= amount > .zero ? 1 : 0
          }
          return place
        }
      }
    }
  }

  /// Adds the rewards of a minute's scans, in their order, one by one.
  ///
  /// - Throws: `MoneyError.overflow`.
  mutating func add(detailed scans: ArraySlice<AcceptedScan>) throws(MoneyError) {
    guard keepsReceivers, !cutsMinutes, let first = scans.first else {
      for scan in scans { try add(scan) }
      return
    }
    enterBatch(of: first.time)
    // A division for each award would take longer than all else.
    var inTransaction = inBatch % rules.batchLimit
    var awards: [Award] = []
    awards.reserveCapacity(scans.count)
    for scan in scans {
      let reward = table.amount[scan.tier]
      guard reward > .zero else { continue }
      if inTransaction == rules.batchLimit { inTransaction = 0 }
      if inTransaction == 0, !awards.isEmpty {
        runs.append(try AwardRun(awards))
        awards = []
      }
      awards.append(Award(to: scan.member, reward, at: scan.time))
      inTransaction += 1
      inBatch += 1
    }
    if !awards.isEmpty { runs.append(try AwardRun(awards)) }
  }

  /// Adds the reward of one scan.
  ///
  /// - Throws: `MoneyError.overflow`.
  private mutating func add(_ scan: AcceptedScan) throws(MoneyError) {
    let reward = table.amount[scan.tier]
    guard reward > .zero else { return }
    let isSameBatch = enterBatch(of: scan.time)
    let continues =
      isSameBatch && rules.batch.microseconds > 0 && inBatch % rules.batchLimit != 0
      && runs.last.map { AwardMinute.minute(of: $0.time) == AwardMinute.minute(of: scan.time) }
        ?? false
    let award = Award(to: scan.member, reward, at: scan.time)
    inBatch += 1
    if continues {
      try runs[runs.count - 1].append(award, keepsReceiver: keepsReceivers)
    } else {
      runs.append(
        keepsReceivers ? AwardRun(award) : AwardRun(count: 1, amount: reward, at: scan.time))
    }
  }

  /// Adds the rewards of one minute's scans, within which one transaction ends or more.
  ///
  /// - Parameters:
  ///   - scans: Those of a window, of which the minute's are left in another order.
  ///   - minute: The minute, with one scan at least.
  ///   - spans: Memory for them.
  /// - Throws: `MoneyError.overflow`.
  mutating func add(
    cutting scans: inout [AcceptedScan], of minute: ScanMinute, _ spans: inout ScanSpans
  ) throws(MoneyError) {
    let places = minute.places
    let start = AwardMinute.minute(of: scans[places.lowerBound].time)
    enterBatch(of: start)
    let first = Int(rules.batchLimit - inBatch % rules.batchLimit)
    let count = scans.withUnsafeMutableBufferPointer {
      divide(
        UnsafeMutableBufferPointer(rebasing: $0[places]), at: first,
        allPay: minute.rewarded == minute.scans, &spans)
    }
    var done = 0
    while done < count {
      let part = min(done == 0 ? first : Int(rules.batchLimit), count - done)
      let begin = places.lowerBound + done
      try append(scans[begin..<begin + part], from: start)
      inBatch += Int64(part)
      done += part
    }
  }

  /// Puts a minute's scans that earn something in front, those of each transaction before those of the next.
  ///
  /// - Parameters:
  ///   - first: How many are of the first transaction, one at least.
  ///   - allPay: Whether all of them earn something.
  /// - Returns: How many earn something.
  private func divide(
    _ scans: UnsafeMutableBufferPointer<AcceptedScan>, at first: Int, allPay: Bool,
    _ spans: inout ScanSpans
  ) -> Int {
    // One bit for each tier whose scans earn something.
    let paying = Tier.allCases.reduce(UInt8(0)) {
      $0 | (table.amount[$1] > .zero ? 1 << $1.rawValue : 0)
    }
    let count = allPay ? scans.count : scans.gather { paying &>> $0.tier.rawValue & 1 != 0 }
    let earning = UnsafeMutableBufferPointer(rebasing: scans[..<count])
    spans.spread(earning)
    for place in stride(from: first, to: count, by: Int(rules.batchLimit)) {
      spans.settle(place, of: earning)
    }
    return count
  }

  /// Adds the rewards of one or more scans of the minute that begins at `start`, all of which earn
  /// something.
  private mutating func append(
    _ scans: ArraySlice<AcceptedScan>, from start: Instant
  ) throws(MoneyError) {
    var (sums, overflow) = (ScanMinute(scans: Int32(scans.count)), Overflow())
    // From the minute's own start, so that the sum of times stays small.
    scans.withUnsafeBufferPointer { sums.sum($0, from: start.microseconds, table, &overflow) }
    let first = scans.reduce(Instant.distantFuture) { min($0, $1.time) }
    guard !overflow.happened else { throw .overflow("the rewards of one minute") }
    let count = Int64(scans.count)
    append(
      count, sums.rewards, of: scans, at: first,
      offsets: sums.offsets - (first - start).microseconds * count)
  }

  /// - Returns: Whether the last reward was of the same batch.
  @discardableResult
  private mutating func enterBatch(of time: Instant) -> Bool {
    // Mostly: without the division that finds where batches end.
    if time < batch, time >= batch - rules.batch { return true }
    let end = rules.batchEnd(after: time, from: origin)
    guard end != batch else { return true }
    batch = end
    inBatch = 0
    return false
  }
}
