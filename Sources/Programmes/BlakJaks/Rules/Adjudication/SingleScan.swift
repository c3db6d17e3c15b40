internal import Quantities

/// One accepted scan, concluded alone.
struct SingleScan: ScanBatch {
  let scan: AcceptedScan
  let reward: MicroUSDT

  var count: Int64 { 1 }
  var highestTier: Tier { scan.tier }

  func rewards() -> [AwardRun] { run.map { [$0] } ?? [] }

  func payRewards(_ books: inout ProgrammeBooks) throws(MoneyError) {
    if let run { try books.pay(.scanReward, run) }
  }

  private var run: AwardRun? {
    reward > .zero ? AwardRun(Award(to: scan.member, reward, at: scan.time)) : nil
  }

  func scan(at place: Int) -> AcceptedScan { scan }

  func scans(after place: Int) -> [UInt32: UInt32] { [:] }

  func forEachReferral(
    _ body: ([UInt32]) throws(MoneyError) -> Void
  ) throws(MoneyError) {
    if let row = scan.mark.affiliate { try body([row]) }
  }
}
