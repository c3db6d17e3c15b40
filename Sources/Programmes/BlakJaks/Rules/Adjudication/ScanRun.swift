internal import Quantities

/// Accepted scans of one member at one instant that leave the member in one tier, concluded together;
/// most often one alone.
struct ScanRun: ScanBatch {
  /// Each of them.
  let scan: AcceptedScan
  /// 1 or more.
  let count: Int64
  /// Of each.
  let reward: MicroUSDT

  var highestTier: Tier { scan.tier }

  /// Each scan is a posting of its own.
  var postings: Int64 { count }

  func rewards() -> [AwardRun] {
    run.map { Array(repeating: $0, count: Int(count)) } ?? []
  }

  func payRewards(_ books: inout ProgrammeBooks) throws(MoneyError) {
    if let run { try books.pay(.scanReward, run, times: count) }
  }

  /// The reward of one of them; nil for none.
  private var run: AwardRun? {
    reward > .zero ? AwardRun(Award(to: scan.member, reward, at: scan.time)) : nil
  }

  func scan(at place: Int) -> AcceptedScan { scan }

  func scans(after place: Int) -> [UInt32: UInt32] {
    let later = Int(count) - 1 - place
    return later > 0 ? [scan.member: UInt32(later)] : [:]
  }

  func forEachReferral(
    _ body: ([UInt32]) throws(MoneyError) -> Void
  ) throws(MoneyError) {
    guard let row = scan.mark.affiliate else { return }
    try body(Array(repeating: row, count: Int(count)))
  }
}
