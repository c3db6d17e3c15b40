package import Quantities

extension ProgrammeBooks {
  /// The sums of one day or month.
  package struct Sums: Sendable, Equatable, Codable {
    package var tinsSold: Int64 = 0
    package var acceptedScans: Int64 = 0
    package var grossProfit = MicroUSDT.zero
    /// Charges to the comp pool when they are paid.
    package var spendCash = MicroUSDT.zero
    /// The same with trips replaced by their reserve.
    package var spendAccrual = MicroUSDT.zero
  }

  /// One closed day.
  package struct Day: Sendable, Equatable, Codable {
    package var date: CivilDate
    package var sums: Sums
    /// The month's projection at the day's end; nil without a budget.
    package var projectedBasisPoints: Int64?
    package var status: BudgetStatus?
  }

  /// One closed month.
  package struct Month: Sendable, Equatable, Codable {
    /// `YYYY-MM`.
    package var label: String
    package var sums: Sums
    package var budget: MicroUSDT
    package var utilisationBasisPoints: Int64?
    package var status: BudgetStatus?
  }

  /// One weekly pool.
  package struct Pool: Sendable, Equatable, Codable {
    package var time: Instant
    package var pool: MicroUSDT
    package var chips: Int64
    package var holders: Int64
    package var paid: MicroUSDT
    package var carry: MicroUSDT
  }
}
