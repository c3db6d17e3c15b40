internal import Foundation
internal import Quantities

extension SettingShape {
  /// Reads one scalar of this shape.
  ///
  /// - Throws: `Refusal` when the text is not a value of the shape or is out of its range.
  package func read(_ text: String, style: ScalarStyle) throws(Refusal) -> SettingValue {
    if case .optional(let inner) = self {
      if style != .quoted, text.isNullWord || text == "none" && inner.leavesNone { return .none }
      do throws(Refusal) { return try inner.read(text, style: style) } catch {
        throw error.naming(wanted, insteadOf: inner.wanted)
      }
    }
    if style == .plain || (style == .bare && !isText), text.isNullWord {
      throw Refusal("has no value", "write \(wanted)")
    }
    switch self {
    case .integer(let range): return try readInteger(text, style, range)
    case .decimal(let range):
      let value = try readNumber(text, style).double
      try check(range.contains(value), text)
      guard value == 0 || abs(value) >= NumberRange.least else {
        throw Refusal(
          "\(text.shortened) is closer to 0 than 1e-100",
          "write \(range.contains(0) ? "0 instead" : "a larger number")")
      }
      return .decimal(value)
    case .money(let range, let currency): return try readMoney(text, range, currency)
    case .share(let most): return try readShare(text, most: most)
    case .fraction(let most): return try readFraction(text, most: most)
    case .rate(let most): return try readRate(text, most: most)
    case .multiplier(let most):
      let number = try readNumber(text, style)
      guard let parts = number.scaled(by: 4) else {
        try check(number.double.magnitude < 1e12, text)
        throw Refusal("\(text.shortened) has more than 4 decimals", "write \(wanted)")
      }
      try check(parts >= 0 && parts <= Int128(most), text)
      return .multiplier(BasisPoints(Int64(parts)))
    case .duration(let range, let step): return try readDuration(text, range, step)
    case .date: return try readDate(text)
    case .zone:
      guard (try? InstantParser(zone: text)) != nil else {
        throw Refusal(
          "'\(text.shortened)' is not a known time zone",
          meant(text, TimeZone.knownTimeZoneIdentifiers))
      }
      return .word(text)
    case .flag:
      guard style != .quoted, text == "true" || text == "false" else {
        if style == .quoted, text == "true" || text == "false" {
          throw Refusal("'\(text)' in quotes is a text", "write \(text) without quotes")
        }
        throw Refusal("'\(text.shortened)' is neither true nor false", "write \(wanted)")
      }
      return .flag(text == "true")
    case .choice(let words):
      guard words.contains(text) else {
        throw Refusal("'\(text.shortened)' is not known", meant(text, words))
      }
      return .word(text)
    case .text(let most): return try readText(text, style, most: most)
    case .form(let form):
      try form.check(text)
      return .text(text)
    case .offSwitch:
      guard text == "none" else {
        throw Refusal("'\(text.shortened)' is not a group of settings", "write \(wanted)")
      }
      return .flag(false)
    case .list, .records:
      throw Refusal("'\(text.shortened)' is not a list", "write \(wanted)")
    case .optional: throw Refusal("is not understood", "write \(wanted)")
    }
  }

  /// Whether the word `none` is not a value of the shape, so that it can say that there is none.
  package var leavesNone: Bool { (try? read("none", style: .plain)) == nil }

  private var isText: Bool {
    if case .text = self { true } else { false }
  }

  private func meant(_ text: String, _ words: [String]) -> String {
    guard let word = nearest(to: text, among: words), words.count > 1 else {
      return "write \(wanted)"
    }
    return "did you mean '\(word)'? Write \(wanted)"
  }

  private func check(_ holds: Bool, _ text: String) throws(Refusal) {
    if !holds { throw Refusal("\(text.shortened) is out of range", "write \(wanted)") }
  }

  /// A finite decimal number without a unit.
  private func readNumber(_ text: String, _ style: ScalarStyle) throws(Refusal) -> ExactDecimal {
    if style == .quoted {
      throw Refusal("'\(text.shortened)' is text in quotes", "write \(wanted), without quotes")
    }
    let (digits, unit) = try numberAndUnit(text)
    if !unit.isEmpty, ExactDecimal(digits) != nil {
      if let number = Self.otherBase(text) {
        throw Refusal("'\(text.shortened)' is not a decimal number", "write \(number)")
      }
      if unit == "%", let share = ExactDecimal(digits) {
        throw Refusal("'\(text.shortened)' is a percentage", "write \(share.percent.plain)")
      }
      throw Refusal("'\(text.shortened)' has a unit, '\(unit)'", "write \(wanted), without one")
    }
    return try readDigits(text)
  }

  /// A whole number as programs write it in base 16, 8 or 2; nil for any other text.
  private static func otherBase(_ text: String) -> UInt64? {
    let bases = ["0x": 16, "0o": 8, "0b": 2]
    return bases[text.prefix(2).lowercased()].flatMap { UInt64(text.dropFirst(2), radix: $0) }
  }

  /// A number and the unit after it.
  ///
  /// - Throws: `Refusal` for a comma before decimals, and for separators between digits. A comma before
  ///   three digits separates thousands, unless only a zero is before it.
  private func numberAndUnit(_ text: String) throws(Refusal) -> (digits: String, unit: String) {
    let (digits, unit) = text.splitUnit
    guard unit.beginsWithSeparator, !digits.isEmpty else { return (digits, unit) }
    let (decimals, rest) = String(unit.dropFirst()).splitUnit
    let isZero = ExactDecimal(digits).map { $0.double == 0 } ?? false
    if unit.first == ",", !digits.contains("."), decimals.allSatisfy(\.isNumber), !decimals.isEmpty,
      decimals.count != 3 || isZero, !rest.beginsWithSeparator
    {
      throw Refusal(
        "'\(text.shortened)' has a comma",
        advice("\(digits).\(decimals)", rest, before: "a decimal point: "))
    }
    let (bare, after) = text.withoutSeparators
    guard ExactDecimal(bare) != nil, !after.beginsWithSeparator else {
      return (text, "")
    }
    throw Refusal("'\(text.shortened)' has separators between digits", advice(bare, after))
  }

  /// To write a number and its unit, if the shape can be read from them, or else what it wants.
  private func advice(_ number: String, _ unit: String, before words: String = "") -> String {
    let text = unit.isEmpty ? number : "\(number) \(unit)"
    guard (try? read(text, style: .plain)) != nil else { return "write \(wanted)" }
    return "write \(words)\(text)"
  }

  /// A finite decimal number.
  private func readDigits(_ text: String) throws(Refusal) -> ExactDecimal {
    if let number = ExactDecimal(text) { return number }
    let word = text.lowercased().filter { $0 != "." && $0 != "+" && $0 != "-" }
    if ["nan", "inf", "infinity"].contains(word) {
      throw Refusal("'\(text.shortened)' is not a finite number", "write \(wanted)")
    }
    let signs: Set<Character> = ["-", "+", "."]
    if text.count > 20, text.allSatisfy({ $0.isNumber || signs.contains($0) }) {
      throw Refusal("'\(text.shortened)' has too many digits", "write \(wanted)")
    }
    throw Refusal("'\(text.shortened)' is not a number", "write \(wanted)")
  }

  private func readInteger(
    _ text: String, _ style: ScalarStyle, _ range: ClosedRange<Int128>
  ) throws(Refusal) -> SettingValue {
    let number = try readNumber(text, style)
    guard let value = number.scaled(by: 0) else {
      guard number.exponent < 0 else {
        throw Refusal("\(text.shortened) is out of range", "write \(wanted)")
      }
      throw Refusal("\(text.shortened) is not a whole number", "write \(wanted)")
    }
    try check(range.contains(value), text)
    return .integer(value)
  }

  private func readMoney(
    _ text: String, _ range: ClosedRange<Int64>, _ currency: Currency
  ) throws(Refusal) -> SettingValue {
    let (digits, unit) = try numberAndUnit(text)
    guard unit.isEmpty || unit == currency.code || digits.isEmpty else {
      throw Refusal("'\(text.shortened)' has the unit '\(unit)'", "write \(wanted)")
    }
    if text.hasPrefix("$") {
      throw Refusal("'\(text.shortened)' has the unit '$'", "write \(wanted)")
    }
    let number = try readDigits(unit == currency.code ? digits : text)
    guard let micro = number.scaled(by: 6) else {
      if number.exponent + 6 >= 0 { try check(false, text) }
      throw Refusal("\(text.shortened) has more than 6 decimals", "write \(wanted)")
    }
    try check(micro >= Int128(range.lowerBound) && micro <= Int128(range.upperBound), text)
    return .money(MicroUSDT(microunits: Int64(micro)))
  }

  /// The number that `0.6`, `60 %` or `60%` means.
  private func shareNumber(_ text: String, most: Double) throws(Refusal) -> ExactDecimal {
    let (digits, unit) = try numberAndUnit(text)
    guard unit.isEmpty || unit == "%" || digits.isEmpty else {
      throw Refusal("'\(text.shortened)' has the unit '\(unit)'", "write \(wanted)")
    }
    let number = try readDigits(unit == "%" ? digits : text)
    let share = unit == "%" ? number.percent : number
    let value = share.double
    if value < 0 || value > most {
      if unit.isEmpty, value > most, value <= most * 100 {
        throw Refusal(
          "\(text.shortened) is out of range",
          "write \(number.percent.plain) or \(number.plain) %")
      }
      try check(false, text)
    }
    return share
  }

  private func readShare(_ text: String, most: Int64) throws(Refusal) -> SettingValue {
    let share = try shareNumber(text, most: Double(most) / 10_000)
    guard let points = share.scaled(by: 4) else {
      throw Refusal("\(text.shortened) is finer than 0.01 %", "write \(wanted)")
    }
    return .share(BasisPoints(Int64(points)))
  }

  private func readRate(_ text: String, most: Int64) throws(Refusal) -> SettingValue {
    let share = try shareNumber(text, most: Double(most) / 100_000)
    guard let parts = share.scaled(by: 5) else {
      throw Refusal("\(text.shortened) is finer than 0.001 %", "write \(wanted)")
    }
    return .rate(thousandths: Int64(parts))
  }

  private func readFraction(_ text: String, most: Double) throws(Refusal) -> SettingValue {
    .fraction(try shareNumber(text, most: most).double)
  }

  private func readDuration(
    _ text: String, _ range: ClosedRange<TimeSpan>, _ step: TimeSpan
  ) throws(Refusal) -> SettingValue {
    let (digits, unitText) = try numberAndUnit(text)
    let number = try readDigits(digits.isEmpty ? text : digits)
    guard !unitText.isEmpty else {
      throw Refusal("\(text.shortened) has no unit", "write \(wanted)")
    }
    guard let unit = DurationUnit(rawValue: unitText) else {
      let meant = Self.unitWords[unitText.lowercased()].map { "write \(digits) \($0)" }
      throw Refusal(
        "'\(unitText.shortened)' is not a unit of time",
        meant ?? "write \(wanted)")
    }
    let scaled = number.scaled(by: 12)  // keep fractions of a unit exact
    let (micros, overflow) = (scaled ?? .max).multipliedReportingOverflow(
      by: Int128(unit.microseconds))
    try check(scaled != nil && !overflow, text)
    let whole = micros / 1_000_000_000_000
    try check(
      whole >= Int128(range.lowerBound.microseconds)
        && whole <= Int128(range.upperBound.microseconds), text)
    let exact = micros % 1_000_000_000_000 == 0 && whole % Int128(step.microseconds) == 0
    guard exact else {
      throw Refusal(
        "\(text.shortened) is not a whole number of \(step == .days(1) ? "days" : "microseconds")",
        "write \(wanted)")
    }
    return .duration(TimeSpan(microseconds: Int64(whole)))
  }

  private static let unitWords: [String: String] = [
    "m": "min", "mins": "min", "minute": "min", "minutes": "min", "sec": "s", "secs": "s",
    "second": "s", "seconds": "s", "hr": "h", "hrs": "h", "hour": "h", "hours": "h", "day": "d",
    "days": "d", "week": "w", "weeks": "w",
  ]

  private func readDate(_ text: String) throws(Refusal) -> SettingValue {
    guard let date = CivilDate(text) else {
      if let meant = Self.loosely(text) {
        throw Refusal("'\(text.shortened)' is not written as YYYY-MM-DD", "write \(meant)")
      }
      let isDate = text.wholeMatch(of: #/[0-9]+-[0-9]+-[0-9]+/#) != nil
      throw Refusal(
        "'\(text.shortened)' is not a date\(isDate ? " that exists" : "")", "write \(wanted)")
    }
    try check((1970..<2200).contains(date.year), text)
    return .date(date)
  }

  /// The date that `2026-1-5`, `2026/01/05` or `2026.1.5` means.
  private static func loosely(_ text: String) -> CivilDate? {
    let parts = text.split(omittingEmptySubsequences: false) { "-/.".contains($0) }
    guard parts.count == 3, parts[0].count == 4, parts.dropFirst().allSatisfy({ $0.count <= 2 })
    else { return nil }
    let padded = parts.map { $0.count == 1 ? "0" + $0 : String($0) }
    return CivilDate(padded.joined(separator: "-"))
  }

  private func readText(_ text: String, _ style: ScalarStyle, most: Int) throws(Refusal)
    -> SettingValue
  {
    if style == .plain, ExactDecimal(text) != nil || Self.truthWords.contains(text.lowercased()) {
      throw Refusal("\(text.shortened) is not text", "put it in quotes: \"\(text.shortened)\"")
    }
    guard !text.isEmpty, !text.allSatisfy(\.isWhitespace) else {
      throw Refusal("is empty", "write \(wanted)")
    }
    guard !text.unicodeScalars.contains("\0") else {
      throw Refusal("holds a NUL character", "leave it out")
    }
    guard text.count <= most else {
      throw Refusal("is \(text.count) characters long", "write \(wanted)")
    }
    return .text(text)
  }

  private static let truthWords: Set<String> = ["true", "false", "yes", "no", "on", "off"]
}
