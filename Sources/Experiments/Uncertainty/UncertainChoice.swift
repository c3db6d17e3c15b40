internal import RewardModel
internal import Scenario

/// One of the listed values of an uncertain setting.
struct UncertainChoice: Sendable {
  let value: String
  /// Nil for a word.
  let number: Double?
  /// Its probability and that of all before it, 0...1.
  let end: Double

  /// Those that are listed: numbers from the least to the greatest, however they were written down, so
  /// that a higher score never draws a lower one. Words keep their order.
  ///
  /// - Parameter shape: That of the setting; nil for factors.
  static func all(_ listed: [(value: String, weight: Double)], _ shape: SettingShape?) -> [Self] {
    let numbers = numbers(listed.map(\.value), shape)
    var rows = zip(listed, numbers).map { (value: $0.value, weight: $0.weight, number: $1) }
    if !numbers.contains(nil) {
      rows.sort { ($0.number ?? 0) < ($1.number ?? 0) }
    }
    let total = rows.reduce(0) { $0 + $1.weight }
    var sum = 0.0
    return rows.map { row in
      sum += row.weight
      return UncertainChoice(value: row.value, number: row.number, end: sum / total)
    }
  }

  /// Texts as numbers in one unit: their own where they have the same one, and that of the setting's
  /// values (`SettingGrain.number`) where they do not. Nil for words.
  static func numbers(_ texts: [String], _ shape: SettingShape?) -> [Double?] {
    let parts = texts.map(\.splitUnit)
    let own = parts.map { Double($0.number) }
    let units = Set(zip(parts, own).compactMap { part, number in number.map { _ in part.unit } })
    guard units.count > 1, let shape else { return own }
    return zip(texts, own).map { text, number in
      guard number != nil, let value = try? shape.read(text, style: .bare) else { return nil }
      return SettingGrain.number(value)
    }
  }
}
