/// A decimal number as a client writes it, without rounding: digits times a power of ten.
struct DecimalText: Equatable {
  private var isNegative = false
  /// Without zeros in front and at the end; empty for zero.
  private var digits: [UInt8] = []
  /// Of ten, that the digits are multiplied by.
  private var exponent = 0

  /// Reads a number as JSON writes it (RFC 8259, section 6); nil for anything else.
  init?(_ bytes: some Sequence<UInt8>) {
    var rest = bytes.makeIterator()
    var next = rest.next()
    if next == UInt8(ascii: "-") {
      isNegative = true
      next = rest.next()
    }
    var whole = 0
    var startsWithZero = false
    while let byte = next, (0x30...0x39).contains(byte) {
      if whole == 0 { startsWithZero = byte == 0x30 }
      whole += 1
      digits.append(byte - 0x30)
      next = rest.next()
    }
    guard whole > 0, whole == 1 || !startsWithZero else { return nil }
    if next == UInt8(ascii: ".") {
      next = rest.next()
      var decimals = 0
      while let byte = next, (0x30...0x39).contains(byte) {
        decimals += 1
        digits.append(byte - 0x30)
        next = rest.next()
      }
      guard decimals > 0 else { return nil }
      exponent -= decimals
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      next = rest.next()
      let falls = next == UInt8(ascii: "-")
      if falls || next == UInt8(ascii: "+") { next = rest.next() }
      var power = 0
      var symbols = 0
      while let byte = next, (0x30...0x39).contains(byte) {
        symbols += 1
        // What is out of every range stays out of it.
        power = min(power * 10 + Int(byte - 0x30), 1_000_000)
        next = rest.next()
      }
      guard symbols > 0 else { return nil }
      exponent += falls ? -power : power
    }
    guard next == nil else { return nil }
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    digits = Array(digits.drop { $0 == 0 })
    if digits.isEmpty { exponent = 0 }
  }

  /// The number times a power of ten, as a whole number; nil where it has a fraction then, or where
  /// 64 bits do not hold it.
  func scaled(byPowerOfTen power: Int = 0) -> Int64? {
    if digits.isEmpty { return 0 }
    let zeros = exponent + power
    guard zeros >= 0, digits.count + zeros <= 19 else { return nil }
    var value: Int64 = 0
    for place in 0..<digits.count + zeros {
      let digit = place < digits.count ? Int64(digits[place]) : 0
      let (tens, isTooGreat) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflows) =
        isNegative
        ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
      guard !isTooGreat, !overflows else { return nil }
      value = sum
    }
    return value
  }
}
