internal import Foundation
internal import Quantities
internal import Reports
internal import RewardModel

/// What a search for the knee has shown, as aligned text.
package enum KneeText {
  /// The text ending with a line feed.
  ///
  /// - Parameters:
  ///   - offer: What was offered, in words.
  ///   - folder: Where the files are; nil where they could not be written.
  ///   - width: Columns within which sentences are wrapped; tables are as wide as they are.
  package static func text(
    _ result: KneeResult, scenario: String, target: String, offer: String, folder: String?,
    width: Int, colour: Bool
  ) -> String {
    /// Words with a name before their first line.
    func named(_ name: String, _ words: String) -> [String] {
      let label = name.padding(toLength: 11, withPad: " ", startingAt: 0)
      return DisplayText.wrapped(words, width: width, after: label)
    }
    func title(_ words: String, _ rest: String) -> String {
      TextStyle.bold.applied(to: words, colour: colour) + "  " + rest
    }
    let conditions = result.conditions.map(\.text).joined(separator: ", ")
    var lines = [
      title(
        "The knee of \(DisplayText.safe(scenario))",
        "at \(DisplayText.safe(target)), where \(conditions)")
    ]
    lines += DisplayText.wrapped(offer, width: width) + [""]
    lines += DisplayText.wrapped(verdict(result), width: width) + [""]
    var table = TextTable([
      ("", .left), ("Sessions/s", .right), ("Requests/s", .right), ("Answered/s", .right),
      ("p50", .right), ("p99", .right), ("Errors", .right), ("", .left), ("Model p50", .right),
      ("Model p99", .right), ("", .left),
    ])
    for row in result.rows {
      let total = row.point.measures.total
      let summary = total.latency.summary
      func cell(_ value: Int64?) -> TextTable.Cell {
        TextTable.Cell(value.map(DurationText.short) ?? "–")
      }
      let isOffered = row.point.isOffered
      table.add([
        TextTable.Cell(row.point.phase.rawValue), TextTable.Cell(number(row.point.rate)),
        TextTable.Cell(number(row.requests)), TextTable.Cell(number(row.point.throughput)),
        cell(summary?.median), cell(summary?.p99),
        TextTable.Cell(String(format: "%.2f %%", total.errorShare * 100)),
        TextTable.Cell(
          !isOffered ? "not offered" : row.point.isMet ? "met" : "missed",
          row.point.isMet && isOffered ? .good : .bad),
        cell(row.prediction.map { Int64($0.median * 1e9) }),
        cell(row.prediction.map { Int64($0.p99 * 1e9) }),
        TextTable.Cell(row.isFitted ? "fitted" : "", .dim),
      ])
    }
    lines += table.lines(colour: colour)
    if let limit = KneeLimit(result) { lines += [""] + named("Limit", limit.words) }
    /// Sentences, with a name where there is something to name.
    func told(_ name: String?, _ sentences: [String]) -> [String] {
      guard let name else { return sentences.flatMap { DisplayText.wrapped($0, width: width) } }
      return zip(0..., sentences).flatMap { named($0 == 0 ? name : "", $1) }
    }
    lines += [""] + told(result.model.map { _ in "Model" }, model(result))
    // Why the model is not to be relied on.
    lines += (caution(result).map { named("", $0) } ?? []).map {
      TextStyle.caution.applied(to: $0, colour: colour)
    }
    lines += told(result.law.map { _ in "Law" }, law(result))
    if let audit = result.audit {
      lines += [""] + named("Audit", Self.audit(audit))
      lines += audit.problems.flatMap { named("", $0.description) }
    }
    if let folder { lines += ["", "Folder     \(DisplayText.safe(folder))"] }
    return lines.joined(separator: "\n") + "\n"
  }

  /// That the model fits badly, in one sentence; nil where nothing speaks against it.
  static func caution(_ result: KneeResult) -> String? {
    let doubts = result.modelDoubts
    return doubts.isEmpty ? nil : "The model fits badly: \(doubts.joined(separator: "; "))."
  }

  /// What becomes of the search: a knee that is a lower bound is half an answer.
  static func tone(_ result: KneeResult) -> PageTone {
    if let audit = result.audit, !audit.isClean { return .bad }
    return switch result.search.end {
    case .found, .aboveLast: .good
    case .generatorLimit: result.search.knee == nil ? .bad : .caution
    case .interrupted: .caution
    case .belowFirst, .notPrepared, .silent: .bad
    }
  }

  /// How the search ended.
  static func verdict(_ result: KneeResult) -> String {
    guard let audit = result.audit, !audit.isClean else { return ending(result) }
    return ending(result) + " The audit \(Self.audit(audit))."
  }

  private static func ending(_ result: KneeResult) -> String {
    let knee = result.search.knee.map {
      "\(number($0)) sessions a second, \(number($0 * result.requestsPerSession)) requests"
    }
    switch result.search.end {
    case .found: return "The knee is at \(knee ?? "none"), confirmed in a longer window."
    case .belowFirst:
      let thresholds = result.search.points.last?.measures.thresholds ?? []
      let silent = thresholds.filter { $0.value == nil }.map(\.threshold.text)
      guard silent.isEmpty else {
        return "Nothing was measured for \(silent.joined(separator: ", ")), so no rate can meet "
          + "it; choose another condition, or other --journeys."
      }
      return "Not even the lowest rate meets the conditions; begin with a lower --rate."
    case .aboveLast: return "The conditions hold at every rate tried, up to \(knee ?? "none")."
    case .generatorLimit:
      return knee.map {
        "The generator could offer no more; the knee is at or above \($0)."
      }
        ?? (result.search.points.contains { $0.isOffered }
          ? unconfirmed(result)
          : "The generator could not offer the first rate; begin with a lower --rate.")
    case .interrupted: return "It was stopped before the knee was found."
    case .notPrepared:
      return "The search ended early, as the next rate could not be prepared: "
        + DisplayText.safe(result.search.failure ?? "no answer")
    case .silent:
      return "The search ended early, as the service did not keep answering: "
        + "\(result.search.failure ?? "no answer")."
    }
  }

  private static func unconfirmed(_ result: KneeResult) -> String {
    let isMissed = result.search.points.contains { $0.phase == .confirmation && $0.isOffered }
    return
      (isMissed
      ? "A longer window missed the conditions, and the generator could not offer lower rates in one"
      : "The generator could not offer any rate in a longer window")
      + ", so none is confirmed; try again on a machine that does less besides, or with a lower --rate."
  }

  /// What an audit found after all loads, in one sentence.
  static func audit(_ audit: LoadAudit) -> String {
    if let failure = audit.failure { return "could not be made: \(DisplayText.safe(failure))" }
    return audit.isClean
      ? "each of \(audit.acknowledged.grouped) acknowledged requests is in the journal once, and the rules give the same again"
      : "found \(PageWords.counted(audit.problems.count, "problem", "problems"))"
  }

  /// What the queueing model is, and what it predicts, in sentences.
  static func model(_ result: KneeResult) -> [String] {
    guard let model = result.model else {
      let isTold = result.rows.contains { $0.point.work != nil }
      return [
        isTold
          ? "No model: it takes two rates of the growth that met the conditions, with batches of "
            + "different sizes."
          : "The service does not tell what its writer does, so nothing is predicted."
      ]
    }
    func time(_ seconds: Double) -> String { DurationText.short(Int64(seconds * 1e9)) }
    var lines = [
      "one writer takes all that waits: \(time(model.batch)) a batch and "
        + "\(time(model.request)) a request; \(time(model.handling)) of a processor and "
        + "\(time(model.constant)) around it; \(String(format: "%.0f", model.writes * 100)) % of the "
        + "requests write"
    ]
    if let predicted = result.predictedKnee, let knee = result.search.knee {
      lines.append(
        "predicts the knee at \(number(predicted)) sessions a second: "
          + String(format: "%.2f", predicted / knee)
          + (result.search.end == .found
            ? " × the measured one" : " × the highest rate that met the conditions"))
    }
    return lines
  }

  /// The fitted law, in sentences.
  static func law(_ result: KneeResult) -> [String] {
    guard let law = result.law else {
      let (windows, least) = (result.answeringWindows, ScalabilityLaw.pointsLeast)
      let why =
        windows < least
        ? "\(windows) of \(PageWords.counted(result.rows.count, "window", "windows")) "
          + "\(windows == 1 ? "was" : "were") offered and answered in time; it takes \(least)"
        : "requests at once were too much the same in all windows"
      return ["No Universal Scalability Law: \(why)."]
    }
    func words(_ estimate: ScalabilityLaw.Estimate, _ format: String) -> String {
      String(format: format, estimate.value)
        + (estimate.halfWidth.map { " ± " + String(format: format, $0) } ?? "")
    }
    var line =
      "λ \(words(law.rate, "%.0f"))/s, σ \(words(law.contention, "%.4f")), "
      + "κ \(words(law.coherence, "%.6f")) over \(law.points) rates"
    if let ceiling = law.ceiling { line += "; at most \(number(ceiling)) answers a second" }
    if law.ceiling == nil, law.coherence.value > 0 {
      return [line, "it has no maximum: by it, more than one request at once brings less"]
    }
    return [line]
  }

  static func number(_ value: Double) -> String {
    value < 100 ? String(format: "%.1f", value) : Int64(value.rounded()).grouped
  }
}
