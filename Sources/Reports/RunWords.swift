internal import BlakJaks
internal import Foundation
internal import Quantities
internal import RewardModel

/// Sentences about a run that the terminal and the page share.
enum RunWords {
  /// First and last local day, length, zone, seed, and what made the run.
  static func span(_ record: BlakJaksRecord) -> String {
    var parts: [String] = []
    if record.end > record.start, let parser = try? InstantParser(zone: record.zone) {
      let first = parser.localDate(of: record.start)
      let last = parser.localDate(of: record.end - TimeSpan(microseconds: 1))
      let days = last.dayNumber - first.dayNumber + 1
      parts.append(
        "\(first) to \(last) (\(days.grouped) \(days == 1 ? "day" : "days"), \(record.zone))")
    }
    switch record.source {
    case .simulation: parts.append("seed \(record.seed)")
    case .history: parts.append("replayed history")
    }
    return parts.joined(separator: ", ")
  }

  /// How many months were in which status, and which was the worst; nil without a budget.
  static func health(_ record: BlakJaksRecord, _ figures: RunFigures) -> String? {
    let counts = BudgetStatus.allCases.map { ($0, RunFigures.months($0, in: record)) }
      .filter { $0.1 > 0 }
    guard !counts.isEmpty else { return nil }
    let words = counts.map { "\($0.1) \($0.0.rawValue)" }
    var text = "Budget health by month: " + words.joined(separator: ", ") + "."
    let judged = record.months.filter { $0.utilisationBasisPoints != nil }
    if judged.count > 1,
      let worst = judged.max(by: {
        ($0.utilisationBasisPoints ?? 0) < ($1.utilisationBasisPoints ?? 0)
      })
    {
      text += " The highest was \(worst.month) with "
      text += "\(RunFigures.percent(worst.utilisationBasisPoints))."
    }
    return text
  }

  /// Events and scans a second, wall time, threads and peak memory.
  static func speed(_ record: BlakJaksRecord) -> String {
    let timing = record.timing
    var parts: [String] = []
    if timing.wallSeconds > 0 {
      parts.append("\(rate(record.events, timing.wallSeconds)) events/s")
      parts.append("\(rate(record.acceptedScans, timing.wallSeconds)) scans/s")
      parts.append("\(seconds(timing.wallSeconds)) s")
    }
    parts.append("\(timing.threads) \(timing.threads == 1 ? "thread" : "threads")")
    if timing.peakMemoryBytes > 0 {
      let mebibytes = (timing.peakMemoryBytes + 524_288) / 1_048_576
      parts.append("\(mebibytes.grouped) MiB peak memory")
    }
    return parts.joined(separator: ", ")
  }

  /// A time with two decimals, or three digits that count below a second.
  static func seconds(_ value: Double) -> String {
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

extension RunFigures {
  /// Whether a row of the months covers only a part of its month.
  func isPartial(_ index: Int, of record: BlakJaksRecord) -> Bool {
    (index == 0 && firstMonthIsPartial)
      || (index == record.months.count - 1 && lastMonthIsPartial)
  }
}
