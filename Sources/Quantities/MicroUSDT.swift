/// An exact amount of USDT in micro-units (1 USDT = 1,000,000), signed 64-bit.
///
/// Sums that leave the range are refused, never wrapped. Shares multiply first in 128 bits and
/// then round down, so that the remainder stays with the payer.
public struct MicroUSDT: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// The amount in millionths of a USDT.
  public var microunits: Int64

  /// Makes an amount from millionths of a USDT.
  @inlinable
  public init(microunits: Int64) { self.microunits = microunits }

  /// Nothing.
  @inlinable public static var zero: MicroUSDT { MicroUSDT(microunits: 0) }

  /// A whole number of USDT. Stops the process beyond ±9.2 × 10¹² USDT; for literals.
  @inlinable
  public static func whole(_ usdt: Int64) -> MicroUSDT { MicroUSDT(microunits: usdt * 1_000_000) }

  @inlinable
  public static func < (a: MicroUSDT, b: MicroUSDT) -> Bool { a.microunits < b.microunits }

  /// - Throws: `MoneyError.overflow` when the sum leaves `Int64`.
  @inlinable
  public func adding(_ other: MicroUSDT) throws(MoneyError) -> MicroUSDT {
    let (sum, overflow) = microunits.addingReportingOverflow(other.microunits)
    guard !overflow else { throw .overflow("\(self) + \(other)") }
    return MicroUSDT(microunits: sum)
  }

  /// - Throws: `MoneyError.overflow` when the difference leaves `Int64`.
  @inlinable
  public func subtracting(_ other: MicroUSDT) throws(MoneyError) -> MicroUSDT {
    let (difference, overflow) = microunits.subtractingReportingOverflow(other.microunits)
    guard !overflow else { throw .overflow("\(self) - \(other)") }
    return MicroUSDT(microunits: difference)
  }

  /// - Throws: `MoneyError.overflow` when the product leaves `Int64`.
  @inlinable
  public func multiplied(by factor: Int64) throws(MoneyError) -> MicroUSDT {
    let (product, overflow) = microunits.multipliedReportingOverflow(by: factor)
    guard !overflow else { throw .overflow("\(self) × \(factor)") }
    return MicroUSDT(microunits: product)
  }

  /// This amount × `numerator` ÷ `denominator`, multiplied in 128 bits, then rounded down.
  ///
  /// - Parameters:
  ///   - numerator: Zero or more.
  ///   - denominator: More than zero.
  /// - Throws: `MoneyError.overflow` when the answer leaves `Int64`.
  public func portion(_ numerator: Int64, of denominator: Int64) throws(MoneyError) -> MicroUSDT {
    precondition(denominator > 0, "portion of nothing")
    let (small, isWide) = microunits.multipliedReportingOverflow(by: numerator)
    if !isWide {
      let quotient = small / denominator
      return MicroUSDT(microunits: small % denominator < 0 ? quotient - 1 : quotient)
    }
    let product = microunits.multipliedFullWidth(by: numerator)
    // Mostly the answer still fits 64 bits: wider divisions take much longer.
    if product.high >= 0, product.high < denominator {
      let (quotient, _) = denominator.magnitude.dividingFullWidth(
        (high: product.high.magnitude, low: product.low))
      if let exact = Int64(exactly: quotient) { return MicroUSDT(microunits: exact) }
    }
    let wide = Int128(product.high) << 64 | Int128(product.low)
    var quotient = wide / Int128(denominator)
    if wide % Int128(denominator) < 0 { quotient -= 1 }
    guard let exact = Int64(exactly: quotient) else {
      throw .overflow("\(self) × \(numerator) ÷ \(denominator)")
    }
    return MicroUSDT(microunits: exact)
  }

  /// A share of this amount in basis points, rounded down.
  ///
  /// - Throws: `MoneyError.overflow` when the answer leaves `Int64`.
  @inlinable
  public func share(_ share: BasisPoints) throws(MoneyError) -> MicroUSDT {
    let (product, isWide) = microunits.multipliedReportingOverflow(by: share.rawValue)
    // Nearly always: 64 bits hold the shares of 900 million USDT.
    guard isWide || product < 0 else { return MicroUSDT(microunits: product / 10_000) }
    return try portion(share.rawValue, of: 10_000)
  }
}

/// Why an amount of money could not be computed.
public enum MoneyError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The operation named left the range of ±9,223,372,036,854.775807 USDT.
  case overflow(String)

  public var description: String {
    switch self {
    case .overflow(let operation):
      "money overflow: \(operation) leaves the range of ±9,223,372,036,854 USDT"
    }
  }
}

/// A ratio in hundredths of a percent: 10,000 is the whole.
public struct BasisPoints: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Hundredths of a percent.
  public var rawValue: Int64

  /// Makes a ratio from hundredths of a percent.
  @inlinable
  public init(_ rawValue: Int64) { self.rawValue = rawValue }

  @inlinable
  public static func < (a: BasisPoints, b: BasisPoints) -> Bool { a.rawValue < b.rawValue }
}

extension MicroUSDT: CustomStringConvertible {
  /// The amount with grouped whole part and at least two decimals: `-1,234.50`.
  public var description: String { formatted(minimumDecimals: 2) }

  /// The amount with a grouped whole part; trailing zeros beyond `minimumDecimals` are dropped.
  ///
  /// - Parameter minimumDecimals: 0...6.
  public func formatted(minimumDecimals: Int) -> String {
    let magnitude = microunits.magnitude
    var decimals = String(magnitude % 1_000_000)
    decimals = String(repeating: "0", count: 6 - decimals.count) + decimals
    while decimals.count > minimumDecimals && decimals.last == "0" { decimals.removeLast() }
    let whole = (magnitude / 1_000_000).grouped
    return (microunits < 0 ? "-" : "") + whole + (decimals.isEmpty ? "" : "." + decimals)
  }

  /// The amount rounded half away from zero to whole cents, grouped: `1,234.57`. For people.
  public var cents: String {
    let rounded = (microunits.magnitude + 5_000) / 10_000
    let fraction = rounded % 100
    return (microunits < 0 && rounded > 0 ? "-" : "") + (rounded / 100).grouped
      + (fraction < 10 ? ".0" : ".") + String(fraction)
  }
}

extension BinaryInteger {
  /// Decimal digits in groups of three: `-1,234,567`.
  public var grouped: String {
    let digits = String(magnitude).utf8
    let isNegative = self < 0
    let commas = (digits.count - 1) / 3
    return String(unsafeUninitializedCapacity: 1 + digits.count + commas) { bytes in
      var end = 0
      func add(_ byte: UInt8) {
        bytes[end] = byte
        end += 1
      }
      if isNegative { add(UInt8(ascii: "-")) }
      for (place, digit) in digits.enumerated() {
        if place > 0 && (digits.count - place).isMultiple(of: 3) { add(UInt8(ascii: ",")) }
        add(digit)
      }
      return end
    }
  }
}

extension MicroUSDT {
  /// In USDT, for statistics and figures only: sums of these are not exact.
  package var usdt: Double { Double(microunits) / 1e6 }
}
