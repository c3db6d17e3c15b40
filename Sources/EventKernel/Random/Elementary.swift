public import CKernel

/// Logarithms, powers and their like for whatever the course of a run depends on.
///
/// The C library's own differ in a last bit between its versions, and between processors, for which it has
/// variants; a run must not. These have the same bits everywhere.
public enum Elementary {
  /// The natural logarithm, within one unit in the last place, and within two of what is smaller than a normal
  /// number: −∞ of 0, no number of what is below it.
  @inlinable
  public static func log(_ number: Double) -> Double {
    guard number >= .leastNormalMagnitude, number < .infinity else { return logOfOther(number) }
    return ck_log(number)
  }

  /// Of what `ck_log` is not made for.
  @usableFromInline
  static func logOfOther(_ number: Double) -> Double {
    if number == 0 { return -.infinity }
    guard number > 0 else { return .nan }
    // What is smaller than a normal number is one after it was multiplied by 2^54.
    return number < .infinity ? ck_log(number * 0x1p54) - 54 * ck_log(2) : number
  }

  /// The logarithm of 1 + `number`, within two units in the last place: −∞ of −1, no number of what is below it.
  @inlinable
  public static func log1p(_ number: Double) -> Double {
    number > -1 && number < .infinity ? ck_log1p(number) : log(1 + number)
  }

  /// e to a power, within one unit in the last place.
  @inlinable
  public static func exp(_ power: Double) -> Double { ck_exp(power) }

  /// e to a power, less 1; within three units in the last place.
  @inlinable
  public static func expm1(_ power: Double) -> Double { ck_expm1(power) }

  /// A power of a number of at least 0. The relative error of a normal number is below
  /// 2^-52 (1 + 1.5 × |exponent × log base|); powers of 0 and 1, and to the powers of 0 and 1, are exact.
  @inlinable
  public static func power(_ base: Double, _ exponent: Double) -> Double {
    if exponent == 0 || base == 1 { return 1 }
    return exponent == 1 ? base : exp(exponent * log(base))
  }
}
