package import Quantities

extension Setting {
  /// A key path that may cross task boundaries, as literal key paths do.
  package typealias Place<Value> = WritableKeyPath<Root, Value> & Sendable

  /// A setting of any shape in one place of the typed values.
  ///
  /// - Parameters:
  ///   - path: The path in a scenario.
  ///   - shape: Which values it takes.
  ///   - about: Mark, unit and meaning.
  ///   - place: Where the value is in the typed values.
  ///   - read: The value in its shape.
  ///   - write: The typed value; nil leaves the place as it is.
  package init<Value>(
    _ path: String, _ shape: SettingShape, _ about: About, _ place: any Place<Value>,
    read: @escaping @Sendable (Value) -> SettingValue,
    write: @escaping @Sendable (SettingValue) -> Value?
  ) {
    self.init(
      path, shape, about, read: { read($0[keyPath: place]) },
      write: { root, value in
        if let typed = write(value) { root[keyPath: place] = typed }
      })
  }

  /// A whole number.
  package static func integer<Value: FixedWidthInteger & Sendable>(
    _ path: String, _ place: any Place<Value>, _ range: ClosedRange<Int128>, _ about: About
  ) -> Setting {
    Setting(
      path, .integer(range), about, place, read: { .integer(Int128($0)) },
      write: { if case .integer(let value) = $0 { Value(exactly: value) } else { nil } })
  }

  /// A whole number that may be left open.
  package static func optionalInteger(
    _ path: String, _ place: any Place<Int?>, _ range: ClosedRange<Int128>, _ about: About
  ) -> Setting {
    Setting(
      path, .optional(.integer(range)), about, place,
      read: { $0.map { .integer(Int128($0)) } ?? .none },
      write: { if case .integer(let value) = $0 { .some(Int(exactly: value)) } else { .some(nil) } }
    )
  }

  /// A finite number kept as a double.
  package static func decimal(
    _ path: String, _ place: any Place<Double>, _ range: NumberRange, _ about: About
  ) -> Setting {
    Setting(
      path, .decimal(range), about, place, read: { .decimal($0) },
      write: { if case .decimal(let value) = $0 { value } else { nil } })
  }

  /// A finite number that may be left open.
  package static func optionalDecimal(
    _ path: String, _ place: any Place<Double?>, _ range: NumberRange, _ about: About
  ) -> Setting {
    Setting(
      path, .optional(.decimal(range)), about, place, read: { $0.map { .decimal($0) } ?? .none },
      write: { if case .decimal(let value) = $0 { .some(value) } else { .some(nil) } })
  }

  /// An amount of money, exact to a micro-unit.
  package static func money(
    _ path: String, _ place: any Place<MicroUSDT>, from least: Int64 = 0,
    currency: Currency = .usdt, _ about: About
  ) -> Setting {
    Setting(
      path, .money(least...1_000_000_000_000_000, currency: currency), about, place,
      read: { .money($0) },
      write: { if case .money(let value) = $0 { value } else { nil } })
  }

  /// An amount of money that may be left open.
  package static func optionalMoney(
    _ path: String, _ place: any Place<MicroUSDT?>, from least: Int64 = 0,
    currency: Currency = .usdt, _ about: About
  ) -> Setting {
    Setting(
      path, .optional(.money(least...1_000_000_000_000_000, currency: currency)), about, place,
      read: { $0.map { .money($0) } ?? .none },
      write: { if case .money(let value) = $0 { .some(value) } else { .some(nil) } })
  }

  /// A share exact to a basis point, up to `most` of them.
  package static func share(
    _ path: String, _ place: any Place<BasisPoints>, most: Int64 = 10_000, _ about: About
  ) -> Setting {
    Setting(
      path, .share(most: most), about, place, read: { .share($0) },
      write: { if case .share(let value) = $0 { value } else { nil } })
  }

  /// A share kept as a double, up to `most`.
  package static func fraction(
    _ path: String, _ place: any Place<Double>, most: Double = 1, _ about: About
  ) -> Setting {
    Setting(
      path, .fraction(most: most), about, place, read: { .fraction($0) },
      write: { if case .fraction(let value) = $0 { value } else { nil } })
  }

  /// A share kept as a double that may be left open.
  package static func optionalFraction(
    _ path: String, _ place: any Place<Double?>, most: Double = 1, _ about: About
  ) -> Setting {
    Setting(
      path, .optional(.fraction(most: most)), about, place,
      read: { $0.map { .fraction($0) } ?? .none },
      write: { if case .fraction(let value) = $0 { .some(value) } else { .some(nil) } })
  }

  /// A factor exact to a ten-thousandth, up to `most` of them.
  package static func multiplier(
    _ path: String, _ place: any Place<BasisPoints>, most: Int64, _ about: About
  ) -> Setting {
    Setting(
      path, .multiplier(most: most), about, place, read: { .multiplier($0) },
      write: { if case .multiplier(let value) = $0 { value } else { nil } })
  }

  /// A span, exact to a microsecond.
  package static func duration(
    _ path: String, _ place: any Place<TimeSpan>, _ range: ClosedRange<TimeSpan>, _ about: About
  ) -> Setting {
    Setting(
      path, .duration(range, step: TimeSpan(microseconds: 1)), about, place,
      read: { .duration($0) },
      write: { if case .duration(let value) = $0 { value } else { nil } })
  }

  /// A duration kept as a whole number of days of 24 hours.
  package static func days(
    _ path: String, _ place: any Place<Int64>, _ range: ClosedRange<Int64>, _ about: About
  ) -> Setting {
    Setting(
      path, .duration(.days(range.lowerBound) ... .days(range.upperBound), step: .days(1)), about,
      place, read: { .duration(.days($0)) },
      write: {
        if case .duration(let span) = $0 { span.microseconds / 86_400_000_000 } else { nil }
      })
  }

  /// A date from 1970 to 2199.
  package static func date(_ path: String, _ place: any Place<CivilDate>, _ about: About) -> Setting
  {
    Setting(
      path, .date, about, place, read: { .date($0) },
      write: { if case .date(let value) = $0 { value } else { nil } })
  }

  /// An IANA time zone.
  package static func zone(_ path: String, _ place: any Place<String>, _ about: About) -> Setting {
    Setting(
      path, .zone, about, place, read: { .word($0) },
      write: { if case .word(let value) = $0 { value } else { nil } })
  }

  /// True or false.
  package static func flag(_ path: String, _ place: any Place<Bool>, _ about: About) -> Setting {
    Setting(
      path, .flag, about, place, read: { .flag($0) },
      write: { if case .flag(let value) = $0 { value } else { nil } })
  }

  /// The word `none` in place of a group of settings.
  package static func offSwitch(_ path: String, _ place: any Place<Bool>, _ about: About) -> Setting
  {
    Setting(
      path, .offSwitch, about, place, read: { .flag($0) },
      write: { if case .flag(let value) = $0 { value } else { nil } })
  }

  /// Text of at most `most` characters.
  package static func text(
    _ path: String, _ place: any Place<String>, most: Int, _ about: About
  ) -> Setting {
    Setting(
      path, .text(most: most), about, place, read: { .text($0) },
      write: { if case .text(let value) = $0 { value } else { nil } })
  }

  /// Text of at most `most` characters, or an empty one.
  package static func openText(
    _ path: String, _ place: any Place<String>, most: Int, _ about: About
  ) -> Setting {
    let wanted = "text of at most \(most) characters"
    let form = TextForm(wanted: wanted, pattern: #"^[\s\S]{0,\#(most)}$"#) {
      text throws(Refusal) in
      guard text.count <= most else {
        throw Refusal("is \(text.count) characters long", "write \(wanted)")
      }
    }
    return Setting(
      path, .form(form), about, place, read: { .text($0) },
      write: { if case .text(let value) = $0 { value } else { nil } })
  }

  /// Text that may be left open.
  package static func optionalText(
    _ path: String, _ place: any Place<String?>, most: Int, _ about: About
  ) -> Setting {
    Setting(
      path, .optional(.text(most: most)), about, place, read: { $0.map { .text($0) } ?? .none },
      write: { if case .text(let value) = $0 { .some(value) } else { .some(nil) } })
  }

  /// One of some values, each known by a word of its own.
  package static func choice<Value: Sendable>(
    _ path: String, _ place: any Place<Value>, among values: [Value],
    word: @escaping @Sendable (Value) -> String, _ about: About
  ) -> Setting {
    Setting(
      path, .choice(values.map(word)), about, place, read: { .word(word($0)) },
      write: {
        if case .word(let text) = $0 { values.first { word($0) == text } } else { nil }
      })
  }

  /// One of the words of a type.
  package static func choice<Value>(
    _ path: String, _ place: any Place<Value>, _ about: About
  ) -> Setting where Value: RawRepresentable<String> & CaseIterable & Sendable {
    Setting(
      path, .choice(Value.allCases.map(\.rawValue)), about, place, read: { .word($0.rawValue) },
      write: { if case .word(let word) = $0 { Value(rawValue: word) } else { nil } })
  }
}
