internal import Quantities

extension Setting {
  private static func list<Element>(
    _ path: String, _ shape: SettingShape, _ about: About, _ place: any Place<[Element]>,
    wrap: @escaping @Sendable (Element) -> SettingValue,
    unwrap: @escaping @Sendable (SettingValue) -> Element?
  ) -> Setting {
    Setting(
      path, shape, about, read: { .list($0[keyPath: place].map(wrap)) },
      write: { root, value in
        if case .list(let values) = value { root[keyPath: place] = values.compactMap(unwrap) }
      })
  }

  /// A list of numbers kept as doubles.
  package static func decimals(
    _ path: String, _ place: any Place<[Double]>, _ range: NumberRange,
    count: ClosedRange<Int>, _ about: About
  ) -> Setting {
    list(
      path, .list(.decimal(range), count: count), about, place, wrap: { .decimal($0) },
      unwrap: { if case .decimal(let value) = $0 { value } else { nil } })
  }

  /// A list of whole numbers.
  package static func integers(
    _ path: String, _ place: any Place<[Int]>, _ range: ClosedRange<Int128>,
    count: ClosedRange<Int>, _ about: About
  ) -> Setting {
    list(
      path, .list(.integer(range), count: count), about, place,
      wrap: { .integer(Int128($0)) },
      unwrap: { if case .integer(let value) = $0 { Int(exactly: value) } else { nil } })
  }

  /// Factors kept in basis points.
  package static func multipliers(
    _ path: String, _ place: any Place<[Int64]>, most: Int64, count: ClosedRange<Int>,
    _ about: About
  ) -> Setting {
    list(
      path, .list(.multiplier(most: most), count: count), about, place,
      wrap: { .multiplier(BasisPoints($0)) },
      unwrap: { if case .multiplier(let value) = $0 { value.rawValue } else { nil } })
  }

  /// A list of texts of one form.
  package static func texts(
    _ path: String, _ place: any Place<[String]>, _ form: TextForm, count: ClosedRange<Int>,
    _ about: About
  ) -> Setting {
    list(
      path, .list(.form(form), count: count), about, place, wrap: { .text($0) },
      unwrap: { if case .text(let value) = $0 { value } else { nil } })
  }

  /// A list of records.
  ///
  /// - Parameters:
  ///   - path: The path in a scenario.
  ///   - place: Where the value is in the typed values.
  ///   - blank: A record whose fields hold the defaults of the fields that may be left out.
  ///   - fields: The description of a record, in the order of its keys.
  ///   - count: How many records there may be.
  ///   - marks: Marks of the default records' fields by `index.key`, where they differ.
  ///   - about: Mark, unit and meaning.
  package static func records<Element: Sendable>(
    _ path: String, _ place: any Place<[Element]>, blank: Element,
    fields: [Setting<Element>], count: ClosedRange<Int>, marks: [String: SettingMark] = [:],
    _ about: About
  ) -> Setting {
    let described = fields.map { $0.described(in: blank) }
    return Setting(
      path, .records(described, count: count), about, marks: marks,
      read: { root in
        .list(root[keyPath: place].map { element in .record(fields.map { $0.read(element) }) })
      },
      write: { root, value in
        guard case .list(let rows) = value else { return }
        root[keyPath: place] = rows.map { row in
          var element = blank
          if case .record(let values) = row {
            for (field, value) in zip(fields, values) { field.write(&element, value) }
          }
          return element
        }
      })
  }
}
