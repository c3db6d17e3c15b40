internal import Quantities

/// One accepted scan, concluded alone.
struct SingleScan: ScanBatch {
  let scan: AcceptedScan
  let reward: MicroUSDT

  var count: Int64 { 1 }
  var highestTier: Tier { scan.tier }

  func payRewards(_ books: inout ProgrammeBooks) throws(MoneyError) {
    try books.pay(.scanReward, total: reward, at: scan.time, to: scan.member)
  }

  func scan(at place: Int) -> AcceptedScan { scan }

  func scans(after place: Int) -> [UInt32: UInt32] { [:] }

  func forEachReferral(
    _ body: ([UInt32]) throws(MoneyError) -> Void
  ) throws(MoneyError) {
    if let row = scan.mark.affiliate { try body([row]) }
  }
}
