internal import Foundation
internal import Quantities
internal import Reports
internal import RewardModel

/// What a load of a service has shown, as aligned text.
package struct LoadText {
  private let result: LoadResult
  private let width: Int
  private let colour: Bool

  private init(_ result: LoadResult, width: Int, colour: Bool) {
    self.result = result
    self.width = width
    self.colour = colour
  }

  /// The text ending with a line feed.
  ///
  /// - Parameters:
  ///   - folder: Where the files are; nil where they could not be written.
  ///   - width: Columns within which sentences are wrapped; tables are as wide as they are.
  ///   - colour: Whether escape sequences for colors may be used.
  package static func text(
    _ result: LoadResult, folder: String?, width: Int, colour: Bool
  ) -> String {
    let text = LoadText(result, width: width, colour: colour)
    var parts = [text.opening, text.steps, text.errors, text.generator]
    parts += [text.watchers, text.thresholds, text.baseline, text.audit]
    if let folder { parts.append(["Folder     \(DisplayText.safe(folder))"]) }
    return parts.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }
      .joined(separator: "\n")
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
    let measures = result.measures
    let journeys = zip(result.journeys, measures.sessions).filter { $0.1 > 0 }
    var lines = [
      title(
        "Stress of \(DisplayText.safe(result.scenario))", "at \(DisplayText.safe(result.target))")
    ]
    lines += wrapped(result.offer)
    lines += wrapped(
      "\(measures.sessions.reduce(0, +).grouped) sessions started: "
        + journeys.map { "\($0.0) \($0.1.grouped)" }.joined(separator: ", "))
    if measures.wasInterrupted { lines.append("It was stopped before its end.") }
    return lines
  }

  private var steps: [String] {
    var table = TextTable([
      ("Step", .left), ("Offered", .right), ("Answered/s", .right), ("Refused", .right),
      ("Errors", .right), ("", .left), ("p50", .right), ("p90", .right), ("p99", .right),
      ("p99.9", .right), ("max", .right),
    ])
    var rows = result.usedSteps
    if rows.count > 1 { rows.append((name: "all", measure: result.measures.total)) }
    for (name, measure) in rows {
      table.add(
        [
          TextTable.Cell(name, name == "all" ? .bold : .plain),
          TextTable.Cell(measure.offered.grouped),
          TextTable.Cell(Self.rate(result.answersPerSecond(measure))),
          TextTable.Cell(measure.refused.grouped),
          TextTable.Cell(measure.failed.grouped, measure.failed == 0 ? .plain : .bad),
          "latency",
        ] + Self.cells(measure.latency.summary))
      table.add(
        ["", "", "", "", "", TextTable.Cell("service", .dim)] + Self.cells(measure.service.summary))
    }
    return [title("Requests", "over \(DurationText.short(Int64(result.measures.elapsed * 1e9)))")]
      + table.lines(colour: colour)
      + wrapped(
        "latency: from the intended start to the answer, waits included. service: from the real start."
      )
      + wrapped(
        "Refused: what a rule of the program should refuse, such as a code that is scanned twice.")
      + withoutAnswer
  }

  /// What the percentiles leave out.
  private var withoutAnswer: [String] {
    let steps = result.usedSteps.filter { $0.measure.withoutAnswer > 0 }
    guard !steps.isEmpty else { return [] }
    let words =
      "Given up after errors, or open at the end, so in no percentile: "
      + PageWords.counted(result.measures.total.withoutAnswer, "request", "requests") + " ("
      + steps.map { "\($0.name) \($0.measure.withoutAnswer.grouped)" }.joined(separator: ", ")
      + ")."
    return wrapped(words, .caution)
  }

  private var errors: [String] {
    let total = result.measures.total
    guard total.failed > 0 else { return [] }
    var table = TextTable([("Error", .left), ("Attempts", .right), ("", .left)])
    for kind in LoadErrorKind.allCases where total.errors[kind.rawValue] > 0 {
      table.add([
        TextTable.Cell(kind.word), TextTable.Cell(total.errors[kind.rawValue].grouped),
        TextTable.Cell(Self.words(kind), .dim),
      ])
    }
    return [title("Errors")] + table.lines(colour: colour)
      + wrapped(
        PageWords.counted(total.retries, "further attempt", "further attempts") + "; "
          + PageWords.counted(total.givenUp, "request was", "requests were") + " given up."
      )
  }

  static func words(_ kind: LoadErrorKind) -> String {
    switch kind {
    case .connect: "nobody took the connection, or TLS failed"
    case .closed: "the connection ended before the answer"
    case .timeout: "no answer in time"
    case .invalid: "the answer was no HTTP"
    case .server: "a status from 500 on"
    case .throttled: "429: too many requests, of one account or of all"
    case .status: "a status that was not to be expected"
    case .check: "the answer did not say what it should"
    case .unanswered: "no answer when the load was over"
    }
  }

  /// What is known of the generator, each with its name.
  static func generator(_ result: LoadResult) -> [(name: String, value: String)] {
    let measures = result.measures
    let delay = measures.lag.summary.map {
      "p50 \(DurationText.short($0.median)), p99 \(DurationText.short($0.p99)), max "
        + "\(DurationText.short($0.greatest)) late"
    }
    return [
      (
        "Processor",
        "\(String(format: "%.1f", result.generatorCost)) µs a request, "
          + percent(measures.processorSeconds / max(measures.elapsed, 1e-9)) + " of one processor"
      ),
      (
        "Starts",
        "\(delay ?? "none"); \(measures.late.grouped) over 10 ms late, "
          + "\((measures.unsent - measures.notDue).grouped) never sent"
          + (measures.notDue > 0 ? ", \(measures.notDue.grouped) not due yet" : "")
      ),
      (
        "Requests",
        "at most \(measures.mostUnderWay.grouped) under way at once, "
          + PageWords.counted(measures.connects, "connection", "connections")
      ),
    ] + resent(measures.total.resent)
  }

  private static func resent(_ count: Int) -> [(name: String, value: String)] {
    guard count > 0 else { return [] }
    return [
      (
        "Sent again",
        "\(PageWords.counted(count, "request", "requests")): the service had closed the kept "
          + "connection before it took \(count == 1 ? "it" : "them")"
      )
    ]
  }

  private var generator: [String] {
    let measures = result.measures
    var lines =
      [title("The generator")]
      + Self.generator(result).flatMap { row in
        DisplayText.wrapped(
          row.value, width: width,
          after: row.name.padding(toLength: 11, withPad: " ", startingAt: 0))
      }
    if measures.unfinished > 0 {
      lines += wrapped(
        PageWords.counted(measures.unfinished, "session", "sessions")
          + " had not ended when the run was over.")
    }
    if measures.withoutAccount > 0 {
      lines += wrapped(
        "\(measures.withoutAccount.grouped) sessions ended at once, as their members could not join."
      )
    }
    if measures.codesMissing > 0 {
      lines += wrapped(
        "\(measures.codesMissing.grouped) scans had no code, as those handed out had run out.")
    }
    if !measures.wasOffered {
      lines += wrapped(
        "Not offered: \(Self.percent(measures.missedShare)) of the sessions were late or unsent. "
          + "The generator was the limit; these figures say nothing about the service.", .bad)
    }
    return lines
  }

  private var watchers: [String] {
    guard let seen = result.watchers else { return [] }
    return [
      title("Watchers", "\(seen.watchers.grouped) who keep a page open")
    ]
      + wrapped(
        "\(seen.events.grouped) events over \(seen.opened.grouped) streams; "
          + "\(seen.broken.grouped) broke off, \(seen.refused.grouped) were refused, "
          + "\(seen.unreached.grouped) connections were not made or not answered") + [
        "longest silence between two events \(DurationText.short(seen.longestSilence))"
      ]
  }

  private var thresholds: [String] {
    guard !result.measures.thresholds.isEmpty else { return [] }
    var table = TextTable([("Threshold", .left), ("Worst", .right), ("", .left)])
    let undecided = result.undecided
    for result in result.measures.thresholds {
      let missed =
        result.value == nil
        ? "not measured" : "missed" + (result.missedAt.map { " after \($0) s" } ?? "")
      table.add([
        TextTable.Cell(result.threshold.text),
        TextTable.Cell(result.value.map { LoadVerdict.value($0, result.threshold.metric) } ?? "–"),
        TextTable.Cell(
          result.isMet ? "met" : missed,
          result.isMet ? .good : undecided.contains(result) ? .caution : .bad),
      ])
    }
    return [title("Thresholds")] + table.lines(colour: colour)
  }

  private var baseline: [String] {
    guard let baseline = result.baseline else { return [] }
    var table = TextTable([
      ("Figure", .left), ("Before", .right), ("Now", .right), ("Change", .right), ("±", .right),
      ("", .left),
    ])
    for row in baseline.rows {
      let words = BaselineText(row)
      table.add([
        TextTable.Cell(words.name), TextTable.Cell(words.before), TextTable.Cell(words.after),
        TextTable.Cell(words.difference), TextTable.Cell(words.halfWidth),
        TextTable.Cell(words.verdict, row.isReal ? .caution : .dim),
      ])
    }
    return [title("Against the baseline")]
      + wrapped(BaselineText.lead(baseline)) + table.lines(colour: colour)
      + wrapped(BaselineText.caution)
      + BaselineText.notes(baseline).flatMap { wrapped($0, .caution) }
  }

  private var audit: [String] {
    guard let audit = result.audit else { return [] }
    var lines = [title("Audit of the service's folder")]
    lines.append(
      "\(audit.acknowledged.grouped) acknowledged requests"
        + (audit.requests.map { ", \($0.grouped) in the journal" } ?? ""))
    if let failure = audit.failure {
      lines += wrapped("It could not be made: \(failure)", .bad)
    } else if audit.isClean {
      lines += wrapped(
        "Each is there once, with the reply that was given; the rules give the same again.", .good)
    }
    for problem in audit.problems { lines += wrapped(problem.description, .bad) }
    return lines
  }

  // MARK: - Cells

  private static func cells(_ summary: LatencySummary?) -> [TextTable.Cell] {
    guard let summary else { return ["–", "–", "–", "–", "–"] }
    return [summary.median, summary.p90, summary.p99, summary.p999, summary.greatest].map {
      TextTable.Cell(DurationText.short($0))
    }
  }

  static func rate(_ value: Double) -> String {
    guard value.magnitude < 100 else { return Int64(value.rounded()).grouped }
    return String(format: "%.1f", value)
  }

  private static func percent(_ share: Double) -> String { String(format: "%.1f %%", share * 100) }
}
