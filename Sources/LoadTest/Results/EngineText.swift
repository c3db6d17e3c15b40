internal import Foundation
internal import Quantities
internal import Reports

/// What a stress of the rules in process has shown, as aligned text.
package struct EngineText {
  private let result: EngineResult
  private let width: Int
  private let colour: Bool

  private init(_ result: EngineResult, width: Int, colour: Bool) {
    self.result = result
    self.width = width
    self.colour = colour
  }

  /// The text ending with a line feed.
  ///
  /// - Parameters:
  ///   - folder: Where `stress.json` is.
  ///   - width: Columns within which sentences are wrapped; tables are as wide as they are.
  ///   - colour: Whether escape sequences for colors may be used.
  package static func text(
    _ result: EngineResult, folder: String, width: Int, colour: Bool
  ) -> String {
    let text = EngineText(result, width: width, colour: colour)
    var parts = [text.opening, text.speed, text.kinds]
    if !result.rates.isEmpty { parts.append(text.rates) }
    parts += [text.scaling, ["Folder     \(DisplayText.safe(folder))"]]
    return parts.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
  }

  /// Sentences on as many lines as they take.
  private func wrapped(_ words: String, _ style: TextStyle = .plain) -> [String] {
    DisplayText.wrapped(words, width: width).map { style.applied(to: $0, colour: colour) }
  }

  private func title(_ words: String, _ rest: String = "") -> String {
    TextStyle.bold.applied(to: words, colour: colour) + (rest.isEmpty ? "" : "  " + rest)
  }

  // MARK: - Parts

  private var opening: [String] {
    let until = result.end.map { ", up to \($0.description.prefix(10))" } ?? ""
    return [
      title(
        "Stress of \(DisplayText.safe(result.scenario))",
        "the rules in process, \(EngineResult.build) build, \(result.processors) "
          + "processor\(result.processors == 1 ? "" : "s")")
    ]
      + wrapped(
        "\(result.requests.grouped) requests of the scenario's own members, in their order\(until)")
  }

  private var speed: [String] {
    var table = TextTable([
      ("", .left), ("A second", .right), ("±", .right), ("A processor second", .right),
      ("±", .right), ("", .left),
    ])
    func add(_ name: String, _ values: [Double], _ alone: [Double], _ note: String) {
      let cells = [values, alone].flatMap { values in
        let (mean, half) = EngineResult.estimate(values)
        return [TextTable.Cell(Self.whole(mean)), TextTable.Cell(half.map(Self.whole) ?? "–")]
      }
      table.add([TextTable.Cell(name)] + cells + [TextTable.Cell(note, .dim)])
    }
    let answers = result.rounds.first?.answers ?? AnswerCounts()
    add(
      "Accepted \(result.counted)", result.rounds.map(\.acceptedRate),
      result.rounds.map(\.acceptedProcessorRate),
      "\(answers.accepted.grouped) a round")
    add(
      "Requests", result.rounds.map(\.rate), result.rounds.map(\.processorRate),
      "\(answers.total.grouped) a round, \(answers.refused.grouped) of them refused")
    return [
      title(
        "As fast as it goes",
        "one thread; means of \(result.rounds.count) rounds, ± half of the 95 % interval")
    ] + table.lines(colour: colour)
      + wrapped(
        "The thread had a processor for \(Self.percent(processorShare)) of the time; the rest went to "
          + "other work on the machine.")
  }

  private var processorShare: Double {
    result.rounds.reduce(0) { $0 + $1.processorSeconds }
      / result.rounds.reduce(0) { $0 + $1.seconds }
  }

  private var kinds: [String] {
    let kinds = result.kinds.sorted { $0.nanoseconds > $1.nanoseconds }
    let all = kinds.reduce(0) { $0 + $1.nanoseconds }
    let rounds = max(result.rounds.count, 1)
    var table = TextTable([
      ("Request", .left), ("A round", .right), ("Of the time", .right), ("p50", .right),
      ("p90", .right), ("p99", .right), ("p99.9", .right), ("max", .right),
    ])
    for kind in kinds {
      table.add(
        [
          TextTable.Cell(kind.kind), TextTable.Cell((kind.count / rounds).grouped),
          TextTable.Cell(Self.percent(Double(kind.nanoseconds) / Double(max(all, 1)))),
        ] + Self.cells(kind.recorder.summary))
    }
    return [title("Time of a request", "as fast as it goes, all rounds")]
      + table.lines(colour: colour)
  }

  private var rates: [String] {
    var table = TextTable([
      ("Offered/s", .right), ("Answered/s", .right), ("Accepted/s", .right), ("", .left),
      ("p50", .right), ("p90", .right),
      ("p99", .right), ("p99.9", .right), ("max", .right), ("Late", .right), ("Unsent", .right),
    ])
    for rate in result.rates {
      let times = rate.times
      let late = Double(times.late) / Double(max(times.scheduled, 1))
      table.add(
        [
          TextTable.Cell(GivenNumber.text(rate.rate)),
          TextTable.Cell(Self.whole(rate.achieved)),
          TextTable.Cell(Self.whole(rate.acceptedRate)), "latency",
        ] + Self.cells(rate.latency) + [
          TextTable.Cell(Self.percent(late), times.wasOffered ? .plain : .bad),
          TextTable.Cell(times.unsent.grouped, times.unsent == 0 ? .plain : .bad),
        ])
      table.add(["", "", "", TextTable.Cell("service", .dim)] + Self.cells(rate.service))
      if let timer = rate.timer {
        table.add(["", "", "", TextTable.Cell("timer", .dim)] + Self.cells(timer))
      }
    }
    let arrivals = result.spacing == .even ? "evenly spaced" : "Poisson"
    var lines =
      [
        title(
          "At given rates", "\(arrivals) arrivals of the last requests; accepted: \(result.counted)"
        )
      ]
      + table.lines(colour: colour)
    lines += wrapped(
      "latency: from the intended start to the answer, waits included. service: from the real start."
    )
    lines += wrapped(
      "timer: how late the clock was for requests that nothing else delayed. Late: started more than "
        + "10 ms after the intended start. A rate of which more than 1 % was late or unsent was not "
        + "offered.")
    for rate in result.rejected {
      lines += wrapped(
        "\(GivenNumber.text(rate.rate)) requests a second were not offered: "
          + "\(Self.percent(rate.times.missedShare)) late or unsent", .bad)
    }
    return lines
  }

  private var scaling: [String] {
    let scaling = result.scaling
    var table = TextTable([
      ("Threads", .right), ("\(result.counted.capitalized)/s", .right), ("±", .right),
      ("Speed-up", .right), ("Amdahl", .right), ("Wall", .right), ("Cells", .right),
      ("House", .right), ("Beside", .right), ("Rest", .right), ("House's share", .right),
    ])
    for row in scaling.rows {
      let (mean, half) = EngineResult.estimate(row.speeds)
      table.add(
        [
          TextTable.Cell("\(row.threads)"), TextTable.Cell(Self.whole(mean)),
          TextTable.Cell(half.map(Self.whole) ?? "–"),
          TextTable.Cell(Self.times(scaling.speedUp(row))),
          TextTable.Cell(Self.times(scaling.bound(threads: row.threads))),
        ]
          + [row.wall, row.cells, row.house, row.beside, row.rest].map {
            TextTable.Cell(DurationText.short(Int64($0 * 1e9)))
          } + [TextTable.Cell(Self.percent(row.houseShare))])
    }
    return [
      title(
        "The simulated world by threads",
        "means of \(scaling.rows[0].speeds.count) runs, ± half of the 95 % interval")
    ] + table.lines(colour: colour)
      + wrapped(
        "House: what one thread does alone between windows. Beside: what the house does while cells "
          + "run, part of their time. Rest: building members, the record at the end.")
      + wrapped(
        "With one thread \(Self.percent(scaling.serialShare)) of the time is house and rest, and "
          + "\(Self.percent(scaling.besideShare)) is the house beside cells, which one thread has to "
          + "do; by Amdahl's law, more threads are at most \(Self.times(scaling.bound)) as fast.")
  }

  // MARK: - Cells

  private static func cells(_ summary: LatencySummary?) -> [TextTable.Cell] {
    guard let summary else { return ["–", "–", "–", "–", "–"] }
    return [summary.median, summary.p90, summary.p99, summary.p999, summary.greatest].map {
      TextTable.Cell(DurationText.short($0))
    }
  }

  private static func whole(_ value: Double) -> String {
    guard value.magnitude < 100 else { return Int64(value.rounded()).grouped }
    return String(format: "%.1f", value)
  }

  private static func percent(_ share: Double) -> String { String(format: "%.1f %%", share * 100) }

  private static func times(_ factor: Double) -> String {
    factor.isFinite ? String(format: "%.2f×", factor) : "∞"
  }
}

/// Durations for people.
package enum DurationText {
  /// Three digits with a unit, from `950 ns` to `12,345 s`.
  ///
  /// - Parameter nanoseconds: 0 or more.
  package static func short(_ nanoseconds: Int64) -> String {
    if nanoseconds < 1_000 { return "\(nanoseconds) ns" }
    for (unit, size) in [("µs", 1e3), ("ms", 1e6), ("s", 1e9)] {
      let value = Double(nanoseconds) / size
      if value >= 999.5 {
        guard unit == "s" else { continue }
        return "\(Int64(value.rounded()).grouped) s"
      }
      let decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0
      return String(format: "%.\(decimals)f \(unit)", value)
    }
    return "\(nanoseconds) ns"
  }
}

/// Rates and factors in words.
package enum GivenNumber {
  /// The number that somebody gave, in groups of three, with its fraction: `86,400`, `1,234.5`.
  ///
  /// - Parameter value: 0.001...100,000,000.
  package static func text(_ value: Double) -> String {
    let whole = Int64(value)
    guard value != Double(whole) else { return whole.grouped }
    return whole.grouped + "\(value)".drop { $0 != "." }
  }
}
