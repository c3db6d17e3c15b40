internal import Foundation
internal import Quantities
internal import RewardModel

/// Sentences about any run that the terminal and the page share.
enum RunWords {
  /// How many settings a header names before it counts the rest.
  private static let settingsMost = 6

  /// What the scenario or the command line set, so that nobody takes its description for what was
  /// run: `population.members 5000, …`; nil where nothing was set.
  static func settings(_ run: RunHeader) -> String? {
    guard run.source == .history else { return settings(run.settings) }
    // Of a scenario, a replay takes these; members and days come from its history.
    return settings(
      run.settings.filter { row in
        ["rules.", "economy.", "faults."].contains { row.path.hasPrefix($0) }
      })
  }

  /// The settings that a run used: members and days of a replay are those of its history.
  static func used(_ run: RunHeader) -> [RunHeader.SettingRow] {
    guard run.source == .history else { return run.settings }
    let replaced = ["calendar.start", "calendar.days"]
    return run.settings.filter {
      !$0.path.hasPrefix("population.") && !replaced.contains($0.path)
    }
  }

  /// A setting's value for people.
  ///
  /// - Parameter unit: That its number is in; may be empty.
  static func value(_ value: String, unit: String = "") -> String {
    // An optional setting that is left open has no unit.
    if value == SettingValue.none.text { return "none" }
    return unit.isEmpty ? value : "\(value) \(unit)"
  }

  /// The same of settings alone.
  static func settings(_ settings: [RunHeader.SettingRow]) -> String? {
    // These say what a run is, not what was put into it, or stand in the header already.
    let named = ["name", "description", "seed", "programme", "expect", "sources"]
    let rows = settings.filter { $0.mark == "set" && !named.contains($0.path) }
    guard !rows.isEmpty else { return nil }
    let shown = rows.prefix(settingsMost).map { "\($0.path) \(short($0.value))" }
    let rest = rows.count - shown.count
    return "Set here: " + shown.joined(separator: ", ") + (rest > 0 ? ", and \(rest) more" : "")
  }

  private static func short(_ value: String) -> String {
    value.count > 40 ? value.prefix(39) + "…" : value
  }

  /// First and last local day, length, zone, seed, what made the run, and how large it was.
  ///
  /// - Parameter size: Such as `5,000 members`; may be empty.
  static func span(_ run: RunHeader, size: String = "") -> String {
    var parts: [String] = []
    if run.end > run.start, let parser = try? InstantParser(zone: run.zone) {
      let first = parser.localDate(of: run.start)
      let last = parser.localDate(of: run.end - TimeSpan(microseconds: 1))
      let days = last.dayNumber - first.dayNumber + 1
      parts.append(
        "\(first) to \(last) (\(days.grouped) \(days == 1 ? "day" : "days"), \(run.zone))")
    }
    switch run.source {
    case .simulation: parts.append("seed \(run.seed)")
    case .history: parts.append("replayed history")
    }
    if !size.isEmpty { parts.append(size) }
    return parts.joined(separator: ", ")
  }

  /// Events and what else the run counts a second, wall time, threads and peak memory.
  static func speed(_ run: RunHeader, _ pace: ReportPace) -> String {
    let timing = run.timing
    var parts: [String] = []
    if timing.wallSeconds > 0 {
      parts.append("\(rate(run.events, timing.wallSeconds)) events/s")
      parts.append("\(rate(pace.count, timing.wallSeconds)) \(pace.counted)/s")
      parts.append("\(seconds(timing.wallSeconds)) s")
    }
    parts.append("\(timing.threads) \(timing.threads == 1 ? "thread" : "threads")")
    if timing.peakMemoryBytes > 0 {
      let mebibytes = (timing.peakMemoryBytes + 524_288) / 1_048_576
      parts.append("\(mebibytes.grouped) MiB peak memory")
    }
    return parts.joined(separator: ", ")
  }

  /// The beginning of the fingerprint, which is enough to tell runs apart.
  static func shortFingerprint(_ run: RunHeader) -> String {
    run.fingerprint.isEmpty ? "none" : String(run.fingerprint.prefix(12))
  }

  /// A time with two decimals, or three digits that count below a second.
  private static func seconds(_ value: Double) -> String {
    guard value.isFinite, value >= 0, value < 1e12 else { return "\(value)" }
    let decimals = value < 1 ? 4 : value < 100 ? 2 : 0
    return String(format: "%.\(decimals)f", value)
  }

  private static func rate(_ count: Int64, _ seconds: Double) -> String {
    let rate = Double(count) / seconds
    guard rate.isFinite, rate < 9e18 else { return "–" }
    return Int64(rate.rounded()).grouped
  }
}
