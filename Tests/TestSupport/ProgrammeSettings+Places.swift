internal import Quantities
package import RewardModel

extension ProgrammeSettings {
  /// What is wrong with where settings read and write: for each of them, another value than the
  /// default has to read back, every other setting has to keep its own, and writing the default
  /// has to undo it. No setting follows another.
  package static func misplaced() -> [String] {
    let standard = Self()
    let defaults = catalog.map { $0.read(standard) }
    var faults: [String] = []
    for (setting, usual) in zip(catalog, defaults) {
      let path = setting.description.path
      let others = setting.description.shape.others(than: usual)
      if others.isEmpty { faults.append("\(path) has no other value than \(usual.text)") }
      for other in others {
        var values = standard
        setting.write(&values, other)
        let back = setting.read(values)
        if back != other { faults.append("\(path) = \(other.text) reads back as \(back.text)") }
        for (neighbor, kept) in zip(catalog, defaults) where neighbor.description.path != path {
          let found = neighbor.read(values)
          guard found != kept else { continue }
          faults.append(
            "\(path) = \(other.text) makes \(neighbor.description.path) \(found.text)")
        }
        setting.write(&values, usual)
        if values != standard {
          faults.append("\(path) = \(usual.text) does not undo \(other.text)")
        }
      }
    }
    return faults
  }
}

extension SettingShape {
  /// Values of the shape that differ from one: in a list in every entry, in a record in one field
  /// after another.
  fileprivate func others(than value: SettingValue) -> [SettingValue] {
    switch (self, value) {
    case (.integer(let range), .integer(let number)):
      [.integer(number < range.upperBound ? number + 1 : number - 1)]
    case (.decimal(let range), .decimal(let number)):
      [.decimal(((number < range.upper ? range.upper : range.lower) + number) / 2)]
    case (.money(let range, _), .money(let amount)):
      [.money(MicroUSDT(microunits: Self.beside(amount.microunits, range.upperBound)))]
    case (.share(let most), .share(let share)):
      [.share(BasisPoints(Self.beside(share.rawValue, most)))]
    case (.multiplier(let most), .multiplier(let factor)):
      [.multiplier(BasisPoints(Self.beside(factor.rawValue, most)))]
    case (.rate(let most), .rate(let thousandths)):
      [.rate(thousandths: Self.beside(thousandths, most))]
    case (.fraction(let most), .fraction(let share)):
      [.fraction(((share < most ? most : 0) + share) / 2)]
    case (.duration(let range, let step), .duration(let span)):
      [.duration(span < range.upperBound ? span + step : span - step)]
    case (.date, .date(let date)): [.date(date.adding(days: 1))]
    case (.zone, .word(let zone)): [.word(zone == "UTC" ? "Europe/Madrid" : "UTC")]
    case (.flag, .flag(let isOn)), (.offSwitch, .flag(let isOn)): [.flag(!isOn)]
    case (.choice(let words), .word(let word)):
      words.filter { $0 != word }.map { .word($0) }
    case (.text, .text(let text)), (.form, .text(let text)): [.text(text + "x")]
    case (.optional(let inner), .none): [inner.least] + inner.others(than: inner.least)
    case (.optional(let inner), _): inner.others(than: value) + [.none]
    case (.list(let element, let count), .list(let values)):
      Self.lists(values, count, blank: element.least) { element.others(than: $0).prefix(1) }
    case (.records(let fields, let count), .list(let rows)):
      Self.lists(rows, count, blank: .record(fields.map(\.standard))) { row in
        guard case .record(let values) = row else { return [] }
        return fields.indices.flatMap { place in
          fields[place].shape.others(than: values[place]).map { other in
            var changed = values
            changed[place] = other
            return .record(changed)
          }
        }[...]
      }
    default: []
    }
  }

  /// A number beside another one, of those from 0 or below it to `most`.
  private static func beside(_ number: Int64, _ most: Int64) -> Int64 {
    number < most ? number + 1 : number - 1
  }

  /// Lists in which one entry is another, or the only one.
  private static func lists(
    _ values: [SettingValue], _ count: ClosedRange<Int>, blank: SettingValue,
    _ others: (SettingValue) -> ArraySlice<SettingValue>
  ) -> [SettingValue] {
    let lists = values.isEmpty && count.upperBound > 0 ? [[blank]] : []
    let base = values.isEmpty ? [blank] : values
    let changed = base.indices.flatMap { place in
      others(base[place]).map { other in
        var list = base
        list[place] = other
        return list
      }
    }
    let shorter = count.contains(base.count - 1) ? [Array(base.dropLast())] : []
    return (lists + changed + (values.isEmpty ? [] : shorter)).map { .list($0) }
  }

  /// A small value of the shape.
  private var least: SettingValue {
    switch self {
    case .integer(let range): .integer(range.lowerBound)
    case .decimal(let range): .decimal(range.lowerIncluded ? range.lower : range.lower + 1)
    case .money(let range, _): .money(MicroUSDT(microunits: range.lowerBound))
    case .share: .share(BasisPoints(0))
    case .fraction: .fraction(0)
    case .rate: .rate(thousandths: 0)
    case .multiplier: .multiplier(BasisPoints(0))
    case .duration(let range, _): .duration(range.lowerBound)
    case .date: .date(CivilDate(dayNumber: 0))
    case .zone: .word("UTC")
    case .flag, .offSwitch: .flag(false)
    case .choice(let words): words.first.map { .word($0) } ?? .none
    case .text, .form: .text("x")
    case .list, .records: .list([])
    case .optional: .none
    }
  }
}
