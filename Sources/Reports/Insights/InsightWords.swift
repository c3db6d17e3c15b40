internal import Foundation
internal import Quantities
internal import RewardModel

/// How values of the pages read, in a terminal and on a page.
enum InsightWords {
  static let absent = "not in this run"

  /// A value in words.
  ///
  /// - Parameter bare: Without the name of the currency, for columns whose heading has it.
  static func value(_ value: InsightValue, _ unit: InsightUnit, bare: Bool = false) -> String {
    switch value {
    case .none: "–"
    case .notInRun: absent
    case .text(let text):
      if case .hash = unit, text.count > 12 { text.prefix(10) + "…" } else { text }
    case .number(let number): words(number, unit, bare: bare)
    }
  }

  /// A number in words.
  static func words(_ number: Int64, _ unit: InsightUnit, bare: Bool = false) -> String {
    switch unit {
    case .count, .days, .text, .hash: number.grouped
    case .money: MicroUSDT(microunits: number).cents + (bare ? "" : " USDT")
    case .share: RunFigures.percent(number)
    case .duration: duration(number)
    case .instant:
      Instant(microseconds: number).description.prefix(19).replacing("T", with: " ")
        + (bare ? "" : " UTC")
    case .flag: number == 0 ? "no" : "yes"
    }
  }

  /// A time span in the largest unit that it fills (from two of it for minutes and more), with
  /// one decimal, rounded down.
  static func duration(_ microseconds: Int64) -> String {
    let units: [(name: String, from: Int64, size: Int64)] = [
      ("d", 172_800_000_000, 86_400_000_000), ("h", 7_200_000_000, 3_600_000_000),
      ("min", 120_000_000, 60_000_000), ("s", 1_000_000, 1_000_000), ("ms", 1_000, 1_000),
    ]
    for unit in units where microseconds >= unit.from {
      let tenths = microseconds / (unit.size / 10)
      return "\((tenths / 10).grouped).\(tenths % 10) \(unit.name)"
    }
    return "\(microseconds.grouped) µs"
  }

  /// What is said of figures that the run does not model.
  static func absence(_ setting: String?, several: Bool) -> String {
    guard let setting else { return "" }
    return "\(setting) switches \(several ? "them" : "it") on"
  }

  /// The one setting that a block misses, when all its figures miss it.
  ///
  /// - Returns: Nil when at least one figure is there or the settings differ.
  static func missing(_ figures: [InsightFigure]) -> (labels: String, setting: String?)? {
    var settings: [String?] = []
    for figure in figures {
      guard case .notInRun(let setting) = figure.value else { return nil }
      settings.append(setting)
    }
    guard let first = settings.first, settings.allSatisfy({ $0 == first }) else { return nil }
    return (figures.map(\.label).joined(separator: ", "), first)
  }

  /// The setting of an absence.
  static func setting(_ value: InsightValue?) -> String? {
    if case .notInRun(let setting) = value { setting } else { nil }
  }

  static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// Mean scans in one hour of a weekday, rounded half up.
  static func mean(_ heat: InsightHeat, _ weekday: Int, _ hour: Int) -> Int64 {
    let days = heat.days[weekday]
    return days == 0 ? 0 : (heat.scans[weekday][hour] * 2 + days) / (days * 2)
  }
}
