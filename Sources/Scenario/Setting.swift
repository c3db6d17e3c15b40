internal import BlakJaks
internal import Quantities

/// The description of one setting of `Root`: everything that reading, checking, listing and the
/// JSON Schema need to know about it.
struct Setting<Root: Sendable>: Sendable {
  /// Dotted path from the root of the file; for fields of records only the key.
  let path: String
  let shape: SettingShape
  /// Unit for people; empty where the shape says it.
  let unit: String
  /// Mark of the default.
  let mark: SettingMark
  /// One line: what it is.
  let doc: String
  /// Whether it has to be written.
  var required = false
  /// Marks of single default fields of records, by `index.key`, where they differ.
  var recordMarks: [String: SettingMark] = [:]
  let read: @Sendable (Root) -> SettingValue
  /// Takes values of the shape only.
  let write: @Sendable (inout Root, SettingValue) -> Void
}

/// What one setting is about, beside its path, shape and place in the typed values.
struct About: Sendable {
  let mark: SettingMark
  let unit: String
  let doc: String

  static func given(_ unit: String, _ doc: String) -> About {
    About(mark: .given, unit: unit, doc: doc)
  }
  static func sourced(_ unit: String, _ doc: String) -> About {
    About(mark: .sourced, unit: unit, doc: doc)
  }
  static func assumed(_ unit: String, _ doc: String) -> About {
    About(mark: .assumed, unit: unit, doc: doc)
  }
}

extension Setting {
  /// A key path that may cross task boundaries, as literal key paths do.
  typealias Place<Value> = WritableKeyPath<Root, Value> & Sendable

  private init<Value>(
    _ path: String, _ shape: SettingShape, _ about: About, _ place: any Place<Value>,
    read: @escaping @Sendable (Value) -> SettingValue,
    write: @escaping @Sendable (SettingValue) -> Value?
  ) {
    self.init(
      path: path, shape: shape, unit: about.unit, mark: about.mark, doc: about.doc,
      read: { read($0[keyPath: place]) },
      write: { root, value in
        if let typed = write(value) { root[keyPath: place] = typed }
      })
  }

  /// The same setting, which the file has to write.
  var needed: Setting {
    var copy = self
    copy.required = true
    return copy
  }

  static func integer<Value: FixedWidthInteger & Sendable>(
    _ path: String, _ place: any Place<Value>, _ range: ClosedRange<Int128>, _ about: About
  ) -> Setting {
    Setting(
      path, .integer(range), about, place, read: { .integer(Int128($0)) },
      write: { if case .integer(let value) = $0 { Value(exactly: value) } else { nil } })
  }

  static func optionalInteger(
    _ path: String, _ place: any Place<Int?>, _ range: ClosedRange<Int128>, _ about: About
  ) -> Setting {
    Setting(
      path, .optional(.integer(range)), about, place,
      read: { $0.map { .integer(Int128($0)) } ?? .none },
      write: { if case .integer(let value) = $0 { .some(Int(exactly: value)) } else { .some(nil) } }
    )
  }

  static func decimal(
    _ path: String, _ place: any Place<Double>, _ range: NumberRange, _ about: About
  ) -> Setting {
    Setting(
      path, .decimal(range), about, place, read: { .decimal($0) },
      write: { if case .decimal(let value) = $0 { value } else { nil } })
  }

  static func optionalDecimal(
    _ path: String, _ place: any Place<Double?>, _ range: NumberRange, _ about: About
  ) -> Setting {
    Setting(
      path, .optional(.decimal(range)), about, place, read: { $0.map { .decimal($0) } ?? .none },
      write: { if case .decimal(let value) = $0 { .some(value) } else { .some(nil) } })
  }

  static func money(
    _ path: String, _ place: any Place<MicroUSDT>, from least: Int64 = 0, _ about: About
  ) -> Setting {
    Setting(
      path, .money(least...1_000_000_000_000_000), about, place, read: { .money($0) },
      write: { if case .money(let value) = $0 { value } else { nil } })
  }

  static func share(
    _ path: String, _ place: any Place<BasisPoints>, most: Int64 = 10_000, _ about: About
  ) -> Setting {
    Setting(
      path, .share(most: most), about, place, read: { .share($0) },
      write: { if case .share(let value) = $0 { value } else { nil } })
  }

  static func fraction(
    _ path: String, _ place: any Place<Double>, most: Double = 1, _ about: About
  ) -> Setting {
    Setting(
      path, .fraction(most: most), about, place, read: { .fraction($0) },
      write: { if case .fraction(let value) = $0 { value } else { nil } })
  }

  static func multiplier(
    _ path: String, _ place: any Place<BasisPoints>, most: Int64, _ about: About
  ) -> Setting {
    Setting(
      path, .multiplier(most: most), about, place, read: { .multiplier($0) },
      write: { if case .multiplier(let value) = $0 { value } else { nil } })
  }

  static func duration(
    _ path: String, _ place: any Place<TimeSpan>, _ range: ClosedRange<TimeSpan>, _ about: About
  ) -> Setting {
    Setting(
      path, .duration(range, step: TimeSpan(microseconds: 1)), about, place,
      read: { .duration($0) },
      write: { if case .duration(let value) = $0 { value } else { nil } })
  }

  /// A duration kept as a whole number of days of 24 hours.
  static func days(
    _ path: String, _ place: any Place<Int64>, _ range: ClosedRange<Int64>, _ about: About
  ) -> Setting {
    Setting(
      path, .duration(.days(range.lowerBound) ... .days(range.upperBound), step: .days(1)), about,
      place, read: { .duration(.days($0)) },
      write: {
        if case .duration(let span) = $0 { span.microseconds / 86_400_000_000 } else { nil }
      })
  }

  static func date(_ path: String, _ place: any Place<CivilDate>, _ about: About) -> Setting {
    Setting(
      path, .date, about, place, read: { .date($0) },
      write: { if case .date(let value) = $0 { value } else { nil } })
  }

  /// A date kept as text.
  static func dateText(_ path: String, _ place: any Place<String>, _ about: About) -> Setting {
    Setting(
      path, .date, about, place, read: { .word($0) },
      write: { if case .date(let value) = $0 { value.description } else { nil } })
  }

  static func zone(_ path: String, _ place: any Place<String>, _ about: About) -> Setting {
    Setting(
      path, .zone, about, place, read: { .word($0) },
      write: { if case .word(let value) = $0 { value } else { nil } })
  }

  static func flag(_ path: String, _ place: any Place<Bool>, _ about: About) -> Setting {
    Setting(
      path, .flag, about, place, read: { .flag($0) },
      write: { if case .flag(let value) = $0 { value } else { nil } })
  }

  /// The word `none` in place of a group of settings.
  static func offSwitch(_ path: String, _ place: any Place<Bool>, _ about: About) -> Setting {
    Setting(
      path, .offSwitch, about, place, read: { .flag($0) },
      write: { if case .flag(let value) = $0 { value } else { nil } })
  }

  static func text(
    _ path: String, _ place: any Place<String>, most: Int, _ about: About
  ) -> Setting {
    Setting(
      path, .text(most: most), about, place, read: { .text($0) },
      write: { if case .text(let value) = $0 { value } else { nil } })
  }

  static func optionalText(
    _ path: String, _ place: any Place<String?>, most: Int, _ about: About
  ) -> Setting {
    Setting(
      path, .optional(.text(most: most)), about, place, read: { $0.map { .text($0) } ?? .none },
      write: { if case .text(let value) = $0 { .some(value) } else { .some(nil) } })
  }

  static func choice<Value>(
    _ path: String, _ place: any Place<Value>, _ about: About
  ) -> Setting where Value: RawRepresentable<String> & CaseIterable & Sendable {
    Setting(
      path, .choice(Value.allCases.map(\.rawValue)), about, place, read: { .word($0.rawValue) },
      write: { if case .word(let word) = $0 { Value(rawValue: word) } else { nil } })
  }

  static func tier(_ path: String, _ place: any Place<Tier>, _ about: About) -> Setting {
    Setting(
      path, .choice(Tier.allCases.map(\.key)), about, place, read: { .word($0.key) },
      write: {
        if case .word(let word) = $0 { Tier.allCases.first { $0.key == word } } else { nil }
      })
  }
}
