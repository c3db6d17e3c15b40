/// A decimal number as it was written: `mantissa` × 10^`exponent`, without rounding.
package struct ExactDecimal: Equatable {
  /// Up to 36 digits, no trailing zero unless it is zero.
  package var mantissa: Int128
  /// −400...400.
  package var exponent: Int

  /// Reads digits with an optional sign, fraction and exponent (`-1.5e3`); nil for anything else
  /// and for more than 36 digits.
  package init?(_ text: some StringProtocol) {
    var bytes = Array(text.utf8)[...]
    guard bytes.count <= 64, !bytes.isEmpty else { return nil }
    var negative = false
    if let sign = bytes.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      negative = sign == UInt8(ascii: "-")
      bytes.removeFirst()
    }
    var value: Int128 = 0
    var places = 0
    var digits = 0
    var sawPoint = false
    var significant = 0
    while let byte = bytes.first {
      if byte == UInt8(ascii: "."), !sawPoint, digits > 0 {
        sawPoint = true
      } else if byte >= 48, byte <= 57 {
        digits += 1
        if value != 0 || byte != 48 { significant += 1 }
        guard significant <= 36 else { return nil }
        value = value * 10 + Int128(byte - 48)
        if sawPoint { places += 1 }
      } else {
        break
      }
      bytes.removeFirst()
    }
    guard digits > 0, !sawPoint || places > 0 else { return nil }
    var power = 0
    if let mark = bytes.first {
      guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E"), bytes.count <= 5,
        let read = Int(String(decoding: bytes.dropFirst(), as: UTF8.self)), abs(read) <= 300
      else { return nil }
      power = read
    }
    exponent = power - places
    mantissa = negative ? -value : value
    normalise()
  }

  private mutating func normalise() {
    if mantissa == 0 {
      exponent = 0
      return
    }
    while mantissa % 10 == 0 {
      mantissa /= 10
      exponent += 1
    }
  }

  /// This number × 10^`places` as a whole number; nil when it is none, or too large.
  package func scaled(by places: Int) -> Int128? {
    let power = exponent + places
    guard mantissa != 0 else { return 0 }
    guard power >= 0, power <= 36 else { return nil }
    var value = mantissa
    for _ in 0..<power {
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      guard !overflow else { return nil }
      value = product
    }
    return value
  }

  /// This number divided by 100, exactly.
  package var percent: ExactDecimal {
    var answer = self
    answer.exponent -= 2
    answer.normalise()
    return answer
  }

  /// The nearest double.
  package var double: Double { Double("\(mantissa)e\(exponent)") ?? .nan }

  /// Plain digits with a point where needed, exponents written out: `0.05`, `1200`.
  package var plain: String {
    let digits = String(mantissa.magnitude)
    let sign = mantissa < 0 ? "-" : ""
    if exponent >= 0 { return sign + digits + String(repeating: "0", count: exponent) }
    let places = -exponent
    if digits.count > places {
      return sign + digits.prefix(digits.count - places) + "." + digits.suffix(places)
    }
    return sign + "0." + String(repeating: "0", count: places - digits.count) + digits
  }

  /// Reads a number or a percentage as people write it: `0.01`, `.01`, `1%`, `5_000`; nil for anything else,
  /// and for what no `Double` comes near to.
  package init?(word: some StringProtocol) {
    let isPercent = word.hasSuffix("%")
    let digits = String(word.dropLast(isPercent ? 1 : 0)).trimmed.replacing("_", with: "")
    let sign = digits.prefix { $0 == "-" || $0 == "+" }
    let rest = digits.dropFirst(sign.count)
    guard let number = ExactDecimal(sign + (rest.first == "." ? "0" : "") + rest) else {
      return nil
    }
    self = isPercent ? number.percent : number
    guard double.isFinite else { return nil }
  }

  /// The shortest decimal that reads back as `value`, which is finite.
  package init(shortest value: Double) {
    self = ExactDecimal(value.description) ?? ExactDecimal(mantissa: 0, exponent: 0)
  }

  /// `mantissa` × 10^`exponent`.
  package init(mantissa: Int128, exponent: Int) {
    self.mantissa = mantissa
    self.exponent = exponent
    normalise()
  }
}
