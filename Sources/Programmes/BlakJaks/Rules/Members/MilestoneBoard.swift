/// A milestone comp that was just won.
package struct MilestoneAward: Sendable, Equatable, Codable {
  /// Row of the prize in the rules.
  package var prize: Int
  /// The global scan number at which it fell due.
  package var dueScan: Int64
  /// The global scan number at which it was won.
  package var wonScan: Int64

  /// An award of the prize in a row of the rules.
  package init(prize: Int, dueScan: Int64, wonScan: Int64) {
    self.prize = prize
    self.dueScan = dueScan
    self.wonScan = wonScan
  }
}

/// Which milestone prizes are due, waiting and awarded.
///
/// A prize's k-th due number is k × `every`, so the waiting line of a prize needs no list: what is
/// due is ⌊n ÷ every⌋, what waits is that less what was awarded, and the first in the line is
/// (awarded + 1) × every.
package struct MilestoneBoard: Sendable, Codable {
  package let prizes: [Prize]
  /// Awarded so far, one row per prize.
  package private(set) var awarded: [Int64]
  /// Accepted scans so far.
  package private(set) var scans: Int64 = 0
  /// While true, due prizes wait (guard policy).
  package var deferring = false
  /// The next global scan number at which any prize falls due; `Int64.max` without prizes.
  package private(set) var nextDue: Int64 = .max

  /// A board before the first scan.
  package init(prizes: [Prize]) {
    self.prizes = prizes
    awarded = Array(repeating: 0, count: prizes.count)
    updateNextDue()
  }

  /// Due and not yet awarded, for one prize.
  package func waiting(_ prize: Int) -> Int64 { scans / prizes[prize].every - awarded[prize] }

  /// Whether `waiting` is above zero; without a division, as each scan asks for each prize.
  private func isWaiting(_ prize: Int) -> Bool {
    scans >= (awarded[prize] + 1) * prizes[prize].every
  }

  /// The lowest tier whose next scan would decide a waiting prize; nil when a scan that is not
  /// itself due cannot change the board.
  package var lowestWaitingTier: Tier? {
    guard !deferring else { return nil }
    var lowest: Tier?
    for row in prizes.indices where isWaiting(row) {
      lowest = min(lowest ?? .whale, prizes[row].requiredTier)
    }
    return lowest
  }

  /// Counts accepted scans up to a number that is below `nextDue` and that nobody waiting could
  /// have taken.
  package mutating func skip(through scan: Int64) {
    precondition(scan >= scans && scan < nextDue, "a due scan was skipped")
    scans = scan
  }

  /// Counts one accepted scan and hands it what it wins: at most one of each prize.
  ///
  /// - Parameters:
  ///   - scan: Its global number, one more than the last.
  ///   - tier: The member's effective tier after it.
  ///   - awards: Receives what was won, in the order of the prizes.
  package mutating func accept(scan: Int64, tier: Tier, awards: inout [MilestoneAward]) {
    precondition(scan == scans + 1, "scans are counted one by one")
    scans = scan
    if scan >= nextDue { updateNextDue() }
    guard !deferring else { return }
    for row in prizes.indices
    where prizes[row].allocation == .rollForward && tier >= prizes[row].requiredTier {
      if waiting(row) > 0 { awards.append(take(row)) }
    }
  }

  /// Draws winners for every waiting prize that is allotted by draw, after a scan was accepted.
  ///
  /// A draw that finds nobody eligible waits until a member who holds the tier scans.
  ///
  /// - Parameters:
  ///   - tier: The tier of the member who scanned.
  ///   - pick: Given a prize and its due number, a member drawn among those eligible, or nil when
  ///     there is none; the prize then waits on.
  ///   - awards: Receives each award with the member picked.
  package mutating func draw<Member>(
    afterScanOf tier: Tier, pick: (Prize, Int64) -> Member?,
    awards: inout [(MilestoneAward, Member)]
  ) {
    guard !deferring else { return }
    for row in prizes.indices
    where prizes[row].allocation == .draw
      && (tier >= prizes[row].requiredTier || scans % prizes[row].every == 0)
    {
      while waiting(row) > 0 {
        guard let winner = pick(prizes[row], (awarded[row] + 1) * prizes[row].every) else { break }
        awards.append((take(row), winner))
      }
    }
  }

  /// Whether a prize that is allotted by draw is waiting and may be drawn.
  package var hasDrawsWaiting: Bool {
    guard !deferring else { return false }
    return prizes.indices.contains { prizes[$0].allocation == .draw && waiting($0) > 0 }
  }

  private mutating func take(_ row: Int) -> MilestoneAward {
    awarded[row] += 1
    return MilestoneAward(
      prize: row, dueScan: awarded[row] * prizes[row].every, wonScan: scans)
  }

  private mutating func updateNextDue() {
    nextDue = prizes.map { (scans / $0.every + 1) * $0.every }.min() ?? .max
  }

  /// How many milestones `count` scans pass after `start` scans: ⌊(S + n) ÷ k⌋ − ⌊S ÷ k⌋.
  package static func passed(after start: Int64, count: Int64, every: Int64) -> Int64 {
    (start + count) / every - start / every
  }
}
