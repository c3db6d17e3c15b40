package import Quantities

/// A sales tax rate in thousandths of a percent, since states levy rates such as 6.875 %.
package struct TaxRate: Hashable, Comparable, Sendable, BitwiseCopyable, Codable {
  /// Thousandths of a percent: 6,875 is 6.875 %, 100,000 is the whole.
  package var thousandths: Int64

  /// Makes a rate from thousandths of a percent, 0 or more.
  package init(_ thousandths: Int64) { self.thousandths = thousandths }

  /// No tax.
  package static var zero: TaxRate { TaxRate(0) }

  /// The lower rate comes first.
  package static func < (a: TaxRate, b: TaxRate) -> Bool { a.thousandths < b.thousandths }

  /// The tax on an amount, rounded down to a micro-USDT as every share is.
  ///
  /// - Throws: `MoneyError.overflow` when it leaves 64 bits.
  package func tax(on amount: MicroUSDT) throws(MoneyError) -> MicroUSDT {
    try amount.portion(thousandths, of: 100_000)
  }
}
