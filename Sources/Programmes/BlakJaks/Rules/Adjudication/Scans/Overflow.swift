/// Remembers that a sum of money left 64 bits, so that whoever adds in a hot loop need not stop
/// for it.
///
/// The sums are of no use once it happened; whoever owns the loop asks at its end and refuses.
package struct Overflow: Sendable, Equatable, BitwiseCopyable, Codable {
  package private(set) var happened = false

  /// Nothing has overflowed yet.
  package init() {}

  /// Adds money in micro-units.
  @inline(__always)
  package mutating func add(_ money: Int64, to sum: inout Int64) {
    let overflow: Bool
    (sum, overflow) = sum.addingReportingOverflow(money)
    happened = happened || overflow
  }

  /// Adds a count of things.
  @inline(__always)
  package mutating func add(_ things: UInt32, to sum: inout UInt32) {
    let overflow: Bool
    (sum, overflow) = sum.addingReportingOverflow(things)
    happened = happened || overflow
  }

  /// Takes over what another one remembers.
  @inline(__always)
  package mutating func merge(_ other: Overflow) { happened = happened || other.happened }

  /// Remembers that something outside failed for lack of range.
  package mutating func note() { happened = true }
}
