/// A state that members live in.
package struct StateRecord: Sendable, Equatable, Codable {
  /// Two capital letters, unique among the states.
  package var code: String
  /// Share of members who live there, relative to the other states' weights; 0 or more.
  package var weight: Int64
  /// General sales tax rate, levied on the goods of an order.
  package var tax: TaxRate

  /// - Parameters:
  ///   - code: Two capital letters.
  ///   - weight: Relative to the other states', 0 or more.
  ///   - tax: Levied on the goods of an order.
  package init(code: String, weight: Int64, tax: TaxRate) {
    self.code = code
    self.weight = weight
    self.tax = tax
  }
}
