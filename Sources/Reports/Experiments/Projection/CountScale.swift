internal import Foundation
internal import Quantities

/// An axis for counts of very different size that also has a place for none: powers of ten, and 0
/// one power below the smallest.
struct CountScale {
  /// The power of ten of the lowest tick above 0.
  private let lowest: Double
  private let highest: Double

  init(_ counts: [Double]) {
    let some = counts.filter { $0 > 0 }
    lowest = log10(some.min() ?? 1).rounded(.down)
    highest = max(lowest, log10(some.max() ?? 1).rounded(.up))
  }

  /// Where a count is on the axis.
  func place(_ count: Double) -> Double { count > 0 ? log10(count) : lowest - 1 }

  /// 0 and the powers of ten.
  var ticks: [(place: Double, text: String)] {
    [(lowest - 1, "0")]
      + stride(from: lowest, through: highest, by: 1).map { power in
        let text =
          power >= 0
          ? Int64(pow(10, min(power, 15))).grouped
          : String(format: "%.\(min(Int(-power), 15))f", pow(10, power))
        return (power, text)
      }
  }
}
