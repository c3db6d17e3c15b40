internal import Foundation
package import Quantities

/// How numbers read in sentences and cells, in a terminal and on a page.
package enum PageWords {
  /// What is shown in place of a value that the run does not model.
  package static let absent = "not in this run"
  /// The same of a service.
  package static let unknown = "not known to a service"

  /// A value in words.
  ///
  /// - Parameter currency: The word behind an amount; nil for columns whose heading has it.
  package static func value(
    _ value: PageValue, _ unit: MeasureUnit, in currency: Currency? = nil
  ) -> String {
    switch value {
    case .none: "–"
    case .notInRun: absent
    case .unknownToService: unknown
    case .text(let text), .verdict(let text, _):
      if case .hash = unit, text.count > 12 { text.prefix(10) + "…" } else { text }
    case .number(let number): words(number, unit, in: currency)
    case .worded(_, let words): words
    }
  }

  /// A number in words.
  ///
  /// - Parameter currency: The word behind an amount; nil for columns whose heading has it.
  package static func words(
    _ number: Int64, _ unit: MeasureUnit, in currency: Currency? = nil
  ) -> String {
    switch unit {
    case .count, .text, .hash: number.grouped
    case .money:
      MicroUSDT(microunits: number).cents + (currency.map { " \($0.code)" } ?? "")
    case .days: number.grouped + " d"
    case .share: percent(number)
    case .duration: duration(number)
    case .instant:
      minute(Instant(microseconds: number), length: 19) + (currency == nil ? "" : " UTC")
    case .flag: number == 0 ? "no" : "yes"
    }
  }

  /// How many there are of something: `1 member`, `2,357 members`.
  package static func counted(
    _ count: some BinaryInteger, _ one: String, _ many: String
  ) -> String {
    "\(count.grouped) \(count == 1 ? one : many)"
  }

  /// What a total is on average, rounded half up: with one decimal below 10.
  ///
  /// - Parameters:
  ///   - total: 0 or more.
  ///   - count: At least 1.
  package static func mean(_ total: Int64, over count: Int64) -> String {
    let tenths = (Int128(total) * 20 + Int128(count)) / (Int128(count) * 2)
    guard tenths >= 100 else { return "\(tenths / 10).\(tenths % 10)" }
    return Int64((Int128(total) * 2 + Int128(count)) / (Int128(count) * 2)).grouped
  }

  /// The first characters of an instant's text, with a blank between date and time: 16 to the
  /// minute, 19 to the second.
  package static func minute(_ instant: Instant, length: Int = 16) -> String {
    String(instant.description.prefix(length)).replacing("T", with: " ")
  }

  /// A time span in the largest unit that it fills (from two of it for minutes and more), with
  /// one decimal, rounded down; `0 s` where it is nothing.
  package static func duration(_ microseconds: Int64) -> String {
    let units: [(name: String, from: Int64, size: Int64)] = [
      ("d", 172_800_000_000, 86_400_000_000), ("h", 7_200_000_000, 3_600_000_000),
      ("min", 120_000_000, 60_000_000), ("s", 1_000_000, 1_000_000), ("ms", 1_000, 1_000),
    ]
    for unit in units where microseconds >= unit.from {
      let tenths = microseconds / (unit.size / 10)
      return "\((tenths / 10).grouped).\(tenths % 10) \(unit.name)"
    }
    return microseconds == 0 ? "0 s" : "\(microseconds.grouped) µs"
  }

  /// `84.21 %`, rounded half up; `–` for nothing.
  package static func percent(_ basisPoints: Int64?, decimals: Int = 1) -> String {
    guard let basisPoints else { return "–" }
    let magnitude = basisPoints.magnitude
    let sign = basisPoints < 0 ? "-" : ""
    switch decimals {
    case 0: return "\(sign)\(((magnitude + 50) / 100).grouped) %"
    case 1:
      let tenths = (magnitude + 5) / 10
      return "\(sign)\((tenths / 10).grouped).\(tenths % 10) %"
    default:
      let rest = magnitude % 100
      return "\(sign)\((magnitude / 100).grouped).\(rest < 10 ? "0" : "")\(rest) %"
    }
  }

  /// A part of a whole with one decimal, rounded half away from zero and once only: 4 of 104 are 385 basis
  /// points, which would read 3.9 %, and 3.8 %. `–` of nothing.
  package static func percent(_ part: Int64, of whole: Int64) -> String {
    guard whole > 0 else { return percent(nil) }
    let tenths = (Int128(part.magnitude) * 2_000 + Int128(whole)) / (Int128(whole) * 2)
    let share = Int64(clamping: tenths * 10)
    return percent(part < 0 ? -share : share)
  }

  /// A share that is judged by bounds: as `percent`, but never on the wrong side of a bound.
  ///
  /// A share whose rounded figure would belong to another status is shown against the bound it
  /// did not cross: `> 100.0 %` of one just above, `< 80.0 %` of one just below.
  ///
  /// - Parameters:
  ///   - basisPoints: The share; nil shows `–`.
  ///   - status: What the exact share was judged to be; nil where nothing was judged.
  ///   - warning: From here on a share is Warning, in basis points.
  ///   - isRoundedUp: Whether that is the next basis point above where it really begins.
  ///   - critical: Above this a share is Critical, in basis points.
  package static func percent(
    _ basisPoints: Int64?, decimals: Int = 1, judged status: HealthStatus?, warning: Int64,
    isRoundedUp: Bool = false, critical: Int64
  ) -> String {
    let text = percent(basisPoints, decimals: decimals)
    guard let basisPoints, let status, abs(basisPoints) < .max / 2 else { return text }
    let grain: Int64 = decimals == 0 ? 100 : decimals == 1 ? 10 : 1
    let half = basisPoints < 0 ? -grain / 2 : grain / 2
    let shown = (basisPoints + half) / grain * grain
    let below = isRoundedUp ? warning - 1 : warning
    // A share just below a bound that is rounded up may be on either side of it.
    if isRoundedUp, basisPoints == below, shown >= below, status != .critical { return text }
    let reads: HealthStatus =
      shown < warning ? .normal : shown <= critical ? .warning : .critical
    guard reads != status else { return text }
    return switch status {
    case .normal: "< " + bound(warning, decimals)
    case .warning:
      reads == .normal ? "≥ " + bound(below, decimals) : "≤ " + bound(critical, decimals)
    case .critical: "> " + bound(critical, decimals)
    }
  }

  /// A bound with the decimals of its share, or with all that it has.
  private static func bound(_ basisPoints: Int64, _ decimals: Int) -> String {
    percent(basisPoints, decimals: basisPoints % 10 == 0 ? max(decimals, 1) : 2)
  }

  /// An amount in whole USDT, rounded half away from zero.
  package static func wholeUSDT(_ amount: MicroUSDT) -> String {
    let half: Int64 = amount < .zero ? -500_000 : 500_000
    return ((amount.microunits &+ half) / 1_000_000).grouped
  }

  /// An amount in USDT with two decimals, for plots.
  package static func usdt(_ microunits: Int128) -> Double {
    (Double(microunits) / 10_000).rounded() / 100
  }

  /// `Jan 2026` for `2026-01`; a text of another form as it is.
  package static func monthName(_ month: String) -> String {
    let names = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    guard month.count == 7, let number = Int(month.suffix(2)), (1...12).contains(number)
    else { return month }
    return "\(names[number - 1]) \(month.prefix(4))"
  }
}

/// Sums and shares of what pages show, which stop at the bounds of their numbers.
package enum PageSums {
  /// A part of a whole in basis points, rounded half up; nil of nothing.
  package static func share(_ part: Int64, of whole: Int64) -> Int64? {
    guard whole > 0 else { return nil }
    return Int64(clamping: (Int128(part) * 20_000 + Int128(whole)) / (Int128(whole) * 2))
  }

  /// The parts of a whole in basis points, rounded so that they add up to 10,000: each is rounded
  /// down, and what is missing goes to those that lost most, the first of equals.
  ///
  /// - Parameters:
  ///   - parts: 0 or more each; a negative one makes all nil.
  ///   - grain: In what steps shares are shown, in basis points; 10 for one decimal.
  /// - Returns: One share a part; nil of nothing.
  /// - Complexity: O(n log n).
  package static func shares(of parts: [Int64], grain: Int64 = 1) -> [Int64?] {
    let whole = parts.reduce(Int128(0)) { $0 + Int128($1) }
    guard whole > 0, parts.allSatisfy({ $0 >= 0 }) else { return parts.map { _ in nil } }
    let steps = Int128(10_000 / grain)
    var shares = parts.map { Int128($0) * steps / whole }
    let missing = Int(steps - shares.reduce(0, +))
    let order = parts.indices.sorted {
      let (one, two) = (Int128(parts[$0]) * steps % whole, Int128(parts[$1]) * steps % whole)
      return one == two ? $0 < $1 : one > two
    }
    for row in order.prefix(missing) { shares[row] += 1 }
    return shares.map { Int64($0) * grain }
  }

  /// A sum that stops at the bounds of money, which no stored run reaches.
  package static func sum(_ amounts: [MicroUSDT]) -> MicroUSDT {
    let wide = amounts.reduce(Int128(0)) { $0 + Int128($1.microunits) }
    return MicroUSDT(microunits: Int64(clamping: wide))
  }

  /// The difference of two amounts, held at the ends of what an amount can be.
  package static func difference(_ amount: MicroUSDT, _ other: MicroUSDT) -> MicroUSDT {
    MicroUSDT(microunits: Int64(clamping: Int128(amount.microunits) - Int128(other.microunits)))
  }

  /// Running sums in USDT with two decimals, for plots.
  package static func cumulated(_ amounts: [MicroUSDT]) -> [Double] {
    var sum = Int128(0)
    return amounts.map { amount in
      sum += Int128(amount.microunits)
      return PageWords.usdt(sum)
    }
  }
}
