internal import Foundation
internal import Quantities
package import Reports
internal import RewardModel

/// What a load of a service has shown, as a page that needs no server.
package struct LoadPage {
  private let result: LoadResult
  private var measures: LoadMeasures { result.measures }

  /// The page.
  ///
  /// - Parameters:
  ///   - plotly: How it loads plotly.js.
  ///   - source: The script; nil when it is not on this machine.
  package static func html(
    _ result: LoadResult, plotly: PlotlyMode, source: PlotlySource?
  ) -> String {
    LoadPage(result: result).page.rendered(plotly, source)
  }

  private var page: ExperimentPage {
    let verdict = LoadVerdict(result)
    let title = "Load of \(result.scenario)"
    return ExperimentPage(
      title: title, heading: title,
      facts: [
        "Sent to \(result.target) on \(Self.minute(result.started)) UTC: \(result.offer)."
      ], verdict: (verdict.words, verdict.tone), cards: cards(verdict), notices: notices,
      sections: [
        checks(verdict), steps, seconds, percentiles, errors, baseline, generator, run,
      ].compactMap(\.self))
  }

  // MARK: - Opening

  private func cards(_ verdict: LoadVerdict) -> [ReportCard] {
    let total = measures.total
    let offered = verdict.checks[0]
    let met = measures.thresholds.count { $0.isMet }
    var cards = [
      ReportCard(
        "Offered", offered.passed ? "yes" : "no",
        note: "\(LoadVerdict.percent(measures.missedShare)) of sessions due late or never sent",
        tone: offered.passed ? .good : .bad),
      ReportCard(
        "Errors", LoadVerdict.percent(total.errorShare),
        note: "\(total.failed.grouped) of \((total.answered + total.failed).grouped) attempts",
        tone: total.failed == 0 ? .good : .caution),
    ]
    if !measures.thresholds.isEmpty {
      let notes = [("missed", result.missed), ("not measured", result.undecided)]
        .filter { !$0.1.isEmpty }
        .map { "\($0.0): \($0.1.map(\.threshold.text).joined(separator: "; "))" }
      cards.append(
        ReportCard(
          "Thresholds met", "\(met) of \(measures.thresholds.count)",
          note: notes.isEmpty ? "all met" : notes.joined(separator: "; "),
          tone: notes.isEmpty ? .good : result.missed.isEmpty ? .caution : .bad))
    }
    if let audit = result.audit {
      cards.append(
        ReportCard(
          "Audit",
          audit.failure != nil
            ? "not made"
            : audit.isClean
              ? "clean" : PageWords.counted(audit.problems.count, "problem", "problems"),
          note: "\(audit.acknowledged.grouped) acknowledged requests",
          tone: audit.isClean ? .good : .bad))
    }
    if let seen = result.watchers {
      let isWhole = seen.broken + seen.refused + seen.unreached == 0
      cards.append(
        ReportCard(
          "Watchers", seen.watchers.grouped,
          note:
            "\(seen.events.grouped) events; silent for \(DurationText.short(seen.longestSilence)) "
            + "at most; \(seen.broken.grouped) streams broke off, \(seen.refused.grouped) refused, "
            + "\(seen.unreached.grouped) not made or not answered",
          tone: isWhole ? .good : .caution))
    }
    cards.append(
      ReportCard(
        "Answered", LoadText.rate(result.answersPerSecond(total)), unit: "a second",
        note: "\(total.answered.grouped) in all"))
    if let latency = total.latency.summary {
      cards.append(
        ReportCard(
          "Latency, p99", DurationText.short(latency.p99),
          note:
            "p50 \(DurationText.short(latency.median)), max \(DurationText.short(latency.greatest))"
        ))
    }
    return cards
  }

  private var notices: [String] {
    var notices: [String] = []
    if EngineResult.build == "debug" {
      notices.append(
        "The generator was a debug build, which takes several times as long for each request. Use a "
          + "release build before you quote a figure.")
    }
    if measures.codesMissing > 0 {
      notices.append(
        "\(measures.codesMissing.grouped) scans had no code, as those handed out had run out.")
    }
    if measures.withoutAccount > 0 {
      notices.append(
        "\(measures.withoutAccount.grouped) sessions ended at once, as their members could not join."
      )
    }
    if measures.unfinished > 0 {
      notices.append(
        PageWords.counted(measures.unfinished, "session", "sessions")
          + " had not ended when the load was over.")
    }
    return notices
  }

  // MARK: - Sections

  private func checks(_ verdict: LoadVerdict) -> ExperimentPage.Section {
    var table = HTMLTable("What had to hold", ["Condition", "Found"])
    for check in verdict.checks {
      let (word, style) =
        check.passed
        ? ("passed", "good") : check.failed ? ("failed", "bad") : ("not measured", "caution")
      table.add([
        HTMLTable.Cell(check.name), HTMLTable.Cell(word, style: style, note: check.finding),
      ])
    }
    var content = table.rendered()
    if let problems = result.audit?.problems, !problems.isEmpty {
      var table = HTMLTable("What the audit found", ["Problem"])
      for problem in problems { table.add([HTMLTable.Cell(problem.description)]) }
      content += table.rendered(tall: true)
    }
    return ExperimentPage.Section(id: "checks", title: "What had to hold", content: content)
  }

  private var steps: ExperimentPage.Section {
    var table = HTMLTable(
      "Requests by step",
      [
        "Step", "#Offered", "#Answered/s", "#Refused", "#Errors", "#Given up", "#p50", "#p90",
        "#p99", "#p99.9", "#max",
      ])
    for (name, measure) in result.usedSteps {
      table.add([HTMLTable.Cell(name)] + cells(measure))
    }
    if result.usedSteps.count > 1 {
      table.setTotal([HTMLTable.Cell("all")] + cells(measures.total))
    }
    return ExperimentPage.Section(
      id: "steps", title: "Requests by step",
      text:
        "Latency counts from the intended start of a request to its answer, waits included. Below "
        + "it in small type is the service time, from the real start. Refused requests are those that a "
        + "rule of the program should refuse, such as a code that is scanned twice. Requests without "
        + "an answer are in no percentile.",
      content: table.rendered())
  }

  private func cells(_ measure: StepMeasure) -> [HTMLTable.Cell] {
    let (latency, service) = (measure.latency.summary, measure.service.summary)
    let values: [(Int64?, Int64?)] = [
      (latency?.median, service?.median), (latency?.p90, service?.p90),
      (latency?.p99, service?.p99), (latency?.p999, service?.p999),
      (latency?.greatest, service?.greatest),
    ]
    return [
      HTMLTable.Cell(measure.offered.grouped),
      HTMLTable.Cell(LoadText.rate(result.answersPerSecond(measure))),
      HTMLTable.Cell(measure.refused.grouped),
      HTMLTable.Cell(measure.failed.grouped, style: measure.failed == 0 ? "" : "bad"),
      HTMLTable.Cell(
        measure.withoutAnswer.grouped, style: measure.withoutAnswer == 0 ? "" : "bad"),
    ]
      + values.map { latency, service in
        HTMLTable.Cell(
          latency.map(DurationText.short) ?? "–", note: service.map(DurationText.short) ?? "")
      }
  }

  private var seconds: ExperimentPage.Section {
    let whole = measures.wholeSeconds
    let part = measures.elapsed - Double(whole.count)
    let leftOut =
      whole.count == measures.seconds.count
      ? ""
      : " The last \(DurationText.short(Int64(part * 1e9))), a part of a second, are in the table and "
        + "not in the plots, where they would look like a fall."
    return ExperimentPage.Section(
      id: "seconds", title: "Second by second",
      text:
        "Sessions start whether or not the service keeps up. Where it does not, latency and the "
        + "requests under way grow." + leftOut,
      plots: [
        LoadPlots.rates(whole), LoadPlots.latencies(whole), LoadPlots.queues(whole),
      ].compactMap(\.self), content: secondsTable, isFolded: true)
  }

  /// A table of at most so many rows reads on paper, too; longer ones are in the file.
  private var secondsTable: String {
    var table = HTMLTable(
      "Second by second",
      ["#Second", "#Sessions", "#Answered", "#Errors", "#p50", "#p99", "#Under way", "#Waiting"])
    for second in measures.seconds.prefix(120) {
      let isEmpty = second.answered == 0
      table.add([
        HTMLTable.Cell(second.second.grouped), HTMLTable.Cell(second.sessions.grouped),
        HTMLTable.Cell(second.answered.grouped), HTMLTable.Cell(second.errors.grouped),
        HTMLTable.Cell(isEmpty ? "–" : DurationText.short(second.median)),
        HTMLTable.Cell(isEmpty ? "–" : DurationText.short(second.p99)),
        HTMLTable.Cell(second.underWay.grouped), HTMLTable.Cell(second.waiting.grouped),
      ])
    }
    let more =
      measures.seconds.count > 120
      ? "<p class=\"soft\">The first 120 seconds; seconds.csv holds all.</p>\n" : ""
    return table.rendered(tall: true) + more
  }

  private var percentiles: ExperimentPage.Section? {
    guard let plot = LoadPlots.percentiles(measures.total) else { return nil }
    return ExperimentPage.Section(
      id: "percentiles", title: "Latency by percentile",
      text:
        "All steps together. The gap between the lines is time that requests waited before they "
        + "were sent: a tool that times only its own calls would leave it out (coordinated omission).",
      plots: [plot])
  }

  private var errors: ExperimentPage.Section? {
    let total = measures.total
    guard total.failed > 0 else { return nil }
    let kinds = LoadErrorKind.allCases.filter { total.errors[$0.rawValue] > 0 }
    let steps = result.usedSteps.filter { $0.measure.failed > 0 }
    var table = HTMLTable(
      "Errors by kind", ["Error", "#All steps"] + steps.map { "#\($0.name)" } + ["What it means"])
    for kind in kinds {
      table.add(
        [HTMLTable.Cell(kind.word), HTMLTable.Cell(total.errors[kind.rawValue].grouped)]
          + steps.map { HTMLTable.Cell($0.measure.errors[kind.rawValue].grouped) }
          + [HTMLTable.Cell(LoadText.words(kind))])
    }
    return ExperimentPage.Section(
      id: "errors", title: "Errors by kind",
      text:
        PageWords.counted(total.retries, "further attempt was", "further attempts were")
        + " made; " + PageWords.counted(total.givenUp, "request was", "requests were")
        + " given up.", content: table.rendered())
  }

  private var baseline: ExperimentPage.Section? {
    guard let baseline = result.baseline else { return nil }
    var table = HTMLTable(
      "Against the baseline",
      ["Figure", "#Before", "#Now", "#Change", "#±", "#Windows", "Is it real?"])
    for row in baseline.rows {
      let words = BaselineText(row)
      table.add([
        HTMLTable.Cell(words.name), HTMLTable.Cell(words.before), HTMLTable.Cell(words.after),
        HTMLTable.Cell(words.difference), HTMLTable.Cell(words.halfWidth),
        HTMLTable.Cell(row.windows.grouped),
        HTMLTable.Cell(words.verdict, style: row.isReal ? "caution" : "soft"),
      ])
    }
    let notes = BaselineText.notes(baseline).map {
      "<p class=\"notice\" role=\"note\">\(HTMLText.escaped($0))</p>\n"
    }
    return ExperimentPage.Section(
      id: "baseline", title: "Against the baseline",
      text: BaselineText.lead(baseline) + " " + BaselineText.caution,
      content: notes.joined() + table.rendered())
  }

  private var generator: ExperimentPage.Section {
    var table = HTMLTable("The generator's own figures", ["Figure", "Value"])
    for (name, value) in LoadText.generator(result) {
      table.add([HTMLTable.Cell(name), HTMLTable.Cell(value)])
    }
    return ExperimentPage.Section(
      id: "generator", title: "The generator",
      text: "What sent the load, so that its limits are not taken for those of the service.",
      content: table.rendered())
  }

  private var run: ExperimentPage.Section {
    var table = HTMLTable("What was run", ["", ""])
    let journeys = zip(result.journeys, measures.sessions).filter { $0.1 > 0 }
      .map { "\($0.0) \($0.1.grouped)" }
    let shape = result.shape
    let rows = [
      ("Command", result.command), ("Program", result.programme), ("Seed", String(result.seed)),
      ("Sessions", journeys.joined(separator: ", ")),
      (
        "Simulated time",
        "\(Self.minute(result.from)) to \(Self.minute(result.through)) UTC"
      ), ("Began", "\(result.started)"),
      ("Took", DurationText.short(Int64(measures.elapsed * 1e9))),
      (
        "Client",
        "at most \(shape.connections.grouped) connections, \(Self.plain(shape.timeout)) s timeout, "
          + "\(Self.plain(shape.think)) s think time, \(Self.plain(shape.backOff)) s first back-off, "
          + "\(Self.plain(shape.drain)) s drain"
      ), ("Build", EngineResult.build),
    ]
    for (name, value) in rows {
      table.add([HTMLTable.Cell(name), HTMLTable.Cell(value, style: "code")])
    }
    let files = [LoadDocument.name, "steps.csv", "seconds.csv"].map {
      "<a href=\"./\($0)\">\($0)</a>"
    }
    return ExperimentPage.Section(
      id: "run", title: "What was run",
      content: table.rendered() + "<p>Files of this load: \(files.joined(separator: ", "))</p>\n")
  }

  private static func minute(_ instant: Instant) -> String {
    String(instant.description.prefix(16)).replacing("T", with: " ")
  }

  private static func plain(_ value: Double) -> String {
    value == value.rounded() ? String(Int64(value)) : String(value)
  }
}
