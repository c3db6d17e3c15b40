import BlakJaks
import Foundation
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

/// The folder of the scenarios that come with the program.
let scenarioFolder = Checkout.scenarios

/// The names of its scenarios of BlakJaks, and of those that cannot be read.
let stories =
  ((try? FileManager.default.contentsOfDirectory(atPath: scenarioFolder.path)) ?? [])
  .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  .filter { name in
    guard let scenario = try? story(name) else { return true }
    return scenario.programme == BlakJaksProgramme.self
  }

/// A scenario of that folder with overrides, as `pitboss run NAME --set …` reads it.
func story(_ name: String, _ overrides: String...) throws -> Scenario {
  try story(name, overrides)
}

/// The same with the overrides of a list.
func story(_ name: String, _ overrides: [String]) throws -> Scenario {
  try Scenario.load(
    path: scenarioFolder.appendingPathComponent("\(name).yaml").path,
    overrides: overrides.map { SettingOverride(argument: $0) })
}

/// Runs a scenario in process, to its end or to the first window that ends at `stop` or later.
func told(_ scenario: Scenario, until stop: Instant = .distantFuture) throws -> BlakJaksRecord {
  var world = try World(WorldInput(scenario), threads: 1)
  return try world.run { $0.simulated < stop }
}

/// Each scenario of the folder at reduced size, run to its end with every law checked after every
/// window.
enum CheckedStories {
  static let overrides = ["population.members=150", "calendar.days=200"]
  /// What a failure is replayed with.
  static func replay(_ name: String) -> String {
    "replay: pitboss run Scenarios/\(name).yaml --check "
      + overrides.map { "--set \($0)" }.joined(separator: " ")
  }

  private static let records = OncePerKey<BlakJaksRecord>()

  /// The record of a run, which suites share.
  static func record(_ name: String) throws -> BlakJaksRecord {
    try records.value(name) {
      var world = try World(try WorldInput(try story(name, overrides)), threads: 1)
      return try world.run(checking: true)
    }
  }
}

extension Scenario {
  /// The local days of the scenario.
  func days() throws -> ProgrammeCalendar {
    try ProgrammeCalendar(zone: calendar.zone, firstDate: calendar.start, days: calendar.days)
  }
}

extension BlakJaksRecord {
  /// A series that has a value on every day.
  func values(_ key: String) throws -> [Int64] {
    let row = try #require(series.first { $0.key == key }, "no series \(key)")
    return try row.values.map { try #require($0, "\(key) lacks a value") }
  }

  /// What each day adds to a series that grows from 0.
  func growth(_ key: String) throws -> [Int64] {
    let values = try values(key)
    return zip(values, [0] + values).map { $0 - $1 }
  }

  /// The row of a local date.
  func day(_ date: String) throws -> Int {
    try #require(days.firstIndex { $0.date == CivilDate(date) }, "\(date) is not in the run")
  }

  /// Submissions with one outcome.
  func count(of outcome: ScanOutcome) -> Int64 {
    outcomes.first { $0.name == outcome.key }?.count ?? 0
  }

  /// A line of the payout ledger.
  func payout(_ type: String) throws -> PayoutRow {
    try #require(payouts.first { $0.type == type }, "no payouts of type \(type)")
  }
}

/// The program's local days, as rows of a record: from a date on, `count` of them.
func span(_ record: BlakJaksRecord, from date: String, days count: Int) throws -> Range<Int> {
  let first = try record.day(date)
  return first..<first + count
}
