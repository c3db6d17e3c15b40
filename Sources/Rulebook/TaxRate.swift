public import Quantities

/// A sales tax rate in thousandths of a percent, since states levy rates such as 6.875 %.
public struct TaxRate: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Thousandths of a percent: 6,875 is 6.875 %, 100,000 is the whole.
  public var thousandths: Int64

  /// Makes a rate from thousandths of a percent, 0 or more.
  @inlinable
  public init(_ thousandths: Int64) { self.thousandths = thousandths }

  /// No tax.
  @inlinable public static var zero: TaxRate { TaxRate(0) }

  @inlinable
  public static func < (a: TaxRate, b: TaxRate) -> Bool { a.thousandths < b.thousandths }

  /// The tax on an amount, rounded down to a micro-USDT as every share is.
  ///
  /// - Throws: `MoneyError.overflow` when it leaves 64 bits.
  public func tax(on amount: MicroUSDT) throws(MoneyError) -> MicroUSDT {
    try amount.portion(thousandths, of: 100_000)
  }
}
