package import Quantities

/// Accepted scans of one instant in the order in which they were made, to be concluded together: the tins of
/// many customers, where a history knows days only.
///
/// Their rewards are of one batch, as they are of one instant, and become runs as long as a transaction.
package struct GatheredScans: ScanBatch {
  /// Scans of one member, one after another, that leave the member in one tier.
  private struct Run: BitwiseCopyable {
    /// Each of them.
    var scan: AcceptedScan
    /// 1 or more.
    var count: Int64
    /// Of each.
    var reward: MicroUSDT
  }

  private var runs: [Run] = []
  /// How many they are.
  package private(set) var count: Int64 = 0
  /// Their instant; of no meaning where there are none.
  var time: Instant { runs.last?.scan.time ?? .distantPast }
  /// The highest tier after any of them.
  package private(set) var highestTier = Tier.standard
  private var isReferred = false
  /// The run that was looked at last, and the place of its first scan.
  private var latest = (run: 0, start: 0)

  /// None yet.
  package init() {}

  /// Adds scans of one member behind the others.
  ///
  /// - Parameters:
  ///   - scan: Each of them, at the instant of the others.
  ///   - count: How many they are, 1 or more.
  ///   - reward: Of each.
  mutating func add(_ scan: AcceptedScan, _ count: Int64, reward: MicroUSDT) {
    runs.append(Run(scan: scan, count: count, reward: reward))
    self.count += count
    if scan.tier > highestTier { highestTier = scan.tier }
    if scan.mark.affiliate != nil { isReferred = true }
  }

  /// Forgets them; their memory serves the next ones.
  mutating func removeAll() {
    runs.removeAll(keepingCapacity: true)
    (count, highestTier, isReferred) = (0, .standard, false)
    latest = (0, 0)
  }

  /// Each scan is a posting of its own.
  package var postings: Int64 { count }

  /// The scan rewards above zero, in runs of so many at most: what a transaction holds, as a run in which
  /// several end is copied for each of them.
  private func rewards(atMost most: Int64) throws(MoneyError) -> [AwardRun] {
    var (runs, awards) = ([AwardRun](), [Award]())
    var waiting = count
    for run in self.runs {
      waiting -= run.count
      guard run.reward > .zero else { continue }
      let award = Award(to: run.scan.member, run.reward, at: run.scan.time)
      for left in stride(from: run.count, to: 0, by: -1) {
        if awards.isEmpty { awards.reserveCapacity(Int(min(most, left + waiting))) }
        awards.append(award)
        guard awards.count == most else { continue }
        runs.append(try AwardRun(awards))
        // Its list is the run's now.
        awards = []
      }
    }
    if !awards.isEmpty { runs.append(try AwardRun(awards)) }
    return runs
  }

  /// Pays them together.
  package func payRewards(_ books: inout ProgrammeBooks) throws(MoneyError) {
    let runs = try rewards(atMost: books.rules.payouts.fullTransaction)
    try books.pay(.scanReward, runs, postings: runs.reduce(0) { $0 + $1.count })
  }

  /// A scan by its place, found from the one that was asked for last.
  package mutating func scan(at place: Int) -> AcceptedScan {
    if place < latest.start { latest = (0, 0) }
    while place >= latest.start + Int(runs[latest.run].count) {
      latest = (latest.run + 1, latest.start + Int(runs[latest.run].count))
    }
    return runs[latest.run].scan
  }

  /// How many scans of each member come behind a place.
  package mutating func scans(after place: Int) -> [UInt32: UInt32] {
    _ = scan(at: place)
    var counts: [UInt32: UInt32] = [:]
    let rest = latest.start + Int(runs[latest.run].count) - 1 - place
    if rest > 0 { counts[runs[latest.run].scan.member] = UInt32(rest) }
    for run in runs[(latest.run + 1)...] {
      counts[run.scan.member, default: 0] += UInt32(run.count)
    }
    return counts
  }

  /// Hands over the affiliate rows of all scans by referred members, as one list.
  package func forEachReferral(
    _ body: ([UInt32]) throws(MoneyError) -> Void
  ) throws(MoneyError) {
    guard isReferred else { return }
    var rows: [UInt32] = []
    for run in runs {
      guard let row = run.scan.mark.affiliate else { continue }
      for _ in 0..<run.count { rows.append(row) }
    }
    try body(rows)
  }
}
