/// A date of the proleptic Gregorian calendar, without a time zone.
public struct CivilDate: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Astronomical year.
  public var year: Int
  /// 1...12.
  public var month: Int
  /// 1...31.
  public var day: Int

  /// Makes a date from parts that are known to be valid.
  public init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The date `dayNumber` days after 1970-01-01.
  ///
  /// Source: H. Hinnant, "chrono-compatible low-level date algorithms" (`civil_from_days`).
  public init(dayNumber: Int) {
    let shifted = dayNumber + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// Reads `YYYY-MM-DD`; nil when the text is not a date that exists. The first year is 1: no year was
  /// numbered 0.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[4] == 45, bytes[7] == 45 else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in bytes[range] {
        guard byte >= 48, byte <= 57 else { return nil }
        value = value * 10 + Int(byte - 48)
      }
      return value
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
      year >= 1, month >= 1, month <= 12, day >= 1, day <= CivilDate.days(in: month, of: year)
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// Days since 1970-01-01, negative before it. Source: Hinnant (`days_from_civil`).
  public var dayNumber: Int {
    let y = month <= 2 ? year - 1 : year
    let era = (y >= 0 ? y : y - 399) / 400
    let yearOfEra = y - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// 0 is Monday, 6 is Sunday.
  public var weekday: Int { ((dayNumber + 3) % 7 + 7) % 7 }

  /// 1...4.
  public var quarter: Int { (month + 2) / 3 }

  /// Number of days in a month, 28...31.
  public static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: return 30
    default: return 31
    }
  }

  /// Days from this one through the last one of its month, 1...31.
  public var daysToMonthEnd: Int { CivilDate.days(in: month, of: year) - day + 1 }

  /// The date `count` days later.
  public func adding(days count: Int) -> CivilDate { CivilDate(dayNumber: dayNumber + count) }

  /// `YYYY-MM`.
  public var monthLabel: String { "\(CivilDate.padded(year, 4))-\(CivilDate.padded(month, 2))" }

  /// `YYYY-Qn`.
  public var quarterLabel: String { "\(description.prefix(4))-Q\(quarter)" }

  /// Earlier dates come first.
  public static func < (a: CivilDate, b: CivilDate) -> Bool {
    (a.year, a.month, a.day) < (b.year, b.month, b.day)
  }
}

extension CivilDate: CustomStringConvertible {
  /// `YYYY-MM-DD`.
  public var description: String { "\(monthLabel)-\(CivilDate.padded(day, 2))" }

  fileprivate static func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return digits.utf8.count >= width
      ? digits : String(repeating: "0", count: width - digits.utf8.count) + digits
  }
}

extension Instant: CustomStringConvertible {
  /// ISO 8601 in UTC with microseconds: `2026-01-01T05:00:00.000000Z`.
  public var description: String {
    let dayMicros: Int64 = 86_400_000_000
    var day = microseconds / dayMicros
    var rest = microseconds % dayMicros
    if rest < 0 {
      rest += dayMicros
      day -= 1
    }
    let date = CivilDate(dayNumber: Int(day))
    var text = "\(date)T"
    func append(_ value: Int64, width: Int) {
      let digits = String(value)
      text += String(repeating: "0", count: width - digits.count) + digits
    }
    append(rest / 3_600_000_000, width: 2)
    text += ":"
    append(rest / 60_000_000 % 60, width: 2)
    text += ":"
    append(rest / 1_000_000 % 60, width: 2)
    text += "."
    append(rest % 1_000_000, width: 6)
    return text + "Z"
  }
}
