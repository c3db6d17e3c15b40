/// A currency that a programme counts its money in.
package struct Currency: Hashable, Sendable {
  /// The word behind an amount.
  package let code: String

  /// A currency by its word.
  package init(_ code: String) { self.code = code }

  package static let usdt = Currency("USDT")
  package static let usd = Currency("USD")
}
