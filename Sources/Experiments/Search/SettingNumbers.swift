internal import Foundation

/// Values of a setting as people read them, such as `60 %` or `× 1.5`, as numbers in one unit.
package struct SettingNumbers: Equatable, Sendable {
  /// The numbers as they are written, without their unit.
  package let digits: [String]
  /// The same as numbers.
  package let values: [Double]
  /// Unit of all, such as `%`; may be empty.
  package let unit: String
  /// Whether they are factors on what a scenario says.
  package let isFactor: Bool

  /// What is before and after each number where people read it.
  package var prefix: String { isFactor ? "× " : "" }
  package var suffix: String { unit.isEmpty ? "" : " \(unit)" }

  /// - Returns: Nil where there is none, and where they are not numbers in one unit.
  package init?(_ texts: [String]) {
    var found: [(digits: String, value: Double, unit: String, isFactor: Bool)] = []
    for text in texts {
      let isFactor = text.hasPrefix("× ")
      let rest = text.dropFirst(isFactor ? 2 : 0)
      let number = rest.prefix { $0.isNumber || "-._".contains($0) }
      let digits = String(number.replacing("_", with: ""))
      let unit = rest[number.endIndex...].trimmingCharacters(in: .whitespaces)
      guard let value = Double(digits), unit.allSatisfy({ $0.isLetter || $0 == "%" }),
        found.last.map({ $0.unit == unit && $0.isFactor == isFactor }) ?? true
      else { return nil }
      found.append((digits, value, unit, isFactor))
    }
    guard let first = found.first else { return nil }
    digits = found.map(\.digits)
    values = found.map(\.value)
    unit = first.unit
    isFactor = first.isFactor
  }
}
