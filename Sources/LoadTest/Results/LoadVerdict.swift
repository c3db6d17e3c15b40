internal import Foundation
internal import Quantities
package import RewardModel

/// What a load had to show: that it was offered, that the service kept answering, that it met its
/// thresholds, that an audit found the service's folder clean.
package struct LoadVerdict: Sendable {
  /// One condition.
  package struct Check: Sendable, Equatable {
    /// What was to hold, the same words in every run.
    package var name: String
    package var passed: Bool
    /// What was found, a sentence without its period.
    package var finding: String
    /// Whether nobody knows, as the load was ended before it could be measured.
    package var isUndecided = false

    /// Whether it was shown not to hold.
    package var failed: Bool { !passed && !isUndecided }
  }

  /// One or more, in the order in which they are told.
  package let checks: [Check]
  /// All of it in one sentence.
  package let words: String
  package let tone: PageTone

  /// Judges a load.
  package init(_ result: LoadResult) {
    let measures = result.measures
    let silence = LoadSilence(result)
    var checks = [Self.offered(measures), Self.complete(result), Self.answering(silence, result)]
    let undecided = result.undecided
    checks += measures.thresholds.map { Self.threshold($0, isUndecided: undecided.contains($0)) }
    checks += result.audit.map(Self.audit) ?? []
    self.checks = checks
    let share = Self.percent(measures.total.errorShare)
    // What an audit finds is wrong, however badly the load was offered.
    let isClean = result.audit?.problems.isEmpty ?? true
    if !checks[0].passed, isClean, silence == nil {
      (words, tone) = ("Does not count: \(checks[0].finding).", .bad)
      return
    }
    var bad = silence.map { ["the service did not keep answering (\($0.words))"] } ?? []
    if !checks[0].passed { bad.append("the load was not offered") }
    if let audit = result.audit, !audit.isClean { bad.append(Self.words(audit)) }
    let missed = result.missed.count
    let all = measures.thresholds.count
    if missed > 0 {
      bad.append(
        all == 1 ? "the threshold was missed" : "\(missed) of \(all) thresholds were missed")
    }
    var errors =
      measures.total.failed == 0 ? "no attempt failed" : "\(share) of the attempts failed"
    if measures.unanswered > 0 {
      errors += ", \(measures.unanswered.grouped) requests had no answer yet"
    }
    if !undecided.isEmpty {
      errors +=
        all == 1
        ? ", the threshold was not measured"
        : ", \(undecided.count) of \(all) thresholds were not measured"
    }
    if !bad.isEmpty {
      (words, tone) = ("Failed: \((bad + [errors]).joined(separator: ", ")).", .bad)
    } else if !checks[1].passed {
      (words, tone) = ("Stopped early: \(checks[1].finding), \(errors).", .caution)
    } else {
      var good = ["The load was offered", errors]
      if all > 0 {
        good.append(all == 1 ? "the threshold was met" : "all \(all) thresholds were met")
      }
      if result.audit != nil { good.append("the audit found nothing wrong") }
      words = good.joined(separator: ", ") + "."
      // Without a threshold nobody has said how many errors are too many.
      tone = measures.total.failed > 0 && all == 0 ? .caution : .good
    }
  }

  private static func offered(_ measures: LoadMeasures) -> Check {
    let name = "the load was offered"
    guard measures.wasOffered else {
      return Check(
        name: name, passed: false,
        finding: "the generator was the limit, as \(percent(measures.missedShare)) of the sessions "
          + "started more than 10 ms late or not at all")
    }
    return Check(
      name: name, passed: true,
      finding:
        "\(measures.late.grouped) of \(measures.due.grouped) sessions started more than "
        + "10 ms late")
  }

  private static func complete(_ result: LoadResult) -> Check {
    let measures = result.measures
    let seconds = String(format: "%.1f", measures.elapsed)
    let finding: String
    if measures.wasInterrupted {
      let planned = String(format: "%.1f", result.shape.seconds)
      finding = "it was interrupted after \(seconds) s of \(planned) s"
    } else if measures.wasAborted {
      finding = "it was ended after \(seconds) s, at the first missed threshold"
    } else {
      finding = "it took \(seconds) s"
    }
    return Check(
      name: "the load ran to its end", passed: !measures.wasInterrupted && !measures.wasAborted,
      finding: finding)
  }

  private static func answering(_ silence: LoadSilence?, _ result: LoadResult) -> Check {
    let total = result.measures.total
    // An error is an answer, too; a threshold says how many are too many.
    let unheard = total.unheard > 0 ? ", \(total.unheard.grouped) of them without any answer" : ""
    let kept =
      "\(total.givenUp.grouped) of \(total.offered.grouped) requests were given up"
      + (total.givenUp > 0 ? " after errors" : "") + unheard
    return Check(
      name: "the service kept answering", passed: silence == nil, finding: silence?.words ?? kept)
  }

  private static func threshold(_ result: ThresholdResult, isUndecided: Bool) -> Check {
    let worst = result.value.map { Self.value($0, result.threshold.metric) }
    let after = result.missedAt.map { ", missed first after \($0) s" } ?? ""
    return Check(
      name: result.threshold.text, passed: result.isMet,
      finding: (worst.map {
        result.threshold.seconds == nil ? "it was \($0)" : "the worst stretch had \($0)"
      } ?? "nothing was measured for it") + after, isUndecided: isUndecided)
  }

  /// One check for each area of an audit.
  private static func audit(_ audit: LoadAudit) -> [Check] {
    if let failure = audit.failure {
      return [
        Check(name: "the service's folder can be audited", passed: false, finding: failure)
      ]
    }
    return AuditProblem.Area.allCases.map { area in
      let problems = audit.problems.filter { $0.area == area }
      let (name, good) = words(area, audit)
      return Check(
        name: name, passed: problems.isEmpty,
        finding: problems.isEmpty ? good : problems.map(\.description).joined(separator: "; "))
    }
  }

  /// What had to hold, and how it is said where it does.
  private static func words(
    _ area: AuditProblem.Area, _ audit: LoadAudit
  ) -> (name: String, good: String) {
    switch area {
    case .acknowledged:
      (
        "acknowledged requests are in the journal once",
        "all \(audit.acknowledged.grouped) are, with the reply that was given"
      )
    case .journal:
      ("the journal has no gaps", "\((audit.requests ?? 0).grouped) requests follow one another")
    case .replies: ("replies are what the rules give", "each reply is")
    case .claims: ("claims of codes are what the journal gives", "all of them are")
    case .rows: ("tables are what the journal gives", "each row is")
    case .accounts: ("accounts are of members who joined", "each member who joined has one")
    case .laws: ("the program's laws hold", "they do")
    case .files: ("the service's files are whole", "they are")
    }
  }

  private static func words(_ audit: LoadAudit) -> String {
    let count = audit.problems.count
    return audit.failure.map { "the audit could not be made: \($0)" }
      ?? "the audit found \(count) problem\(count == 1 ? "" : "s")"
  }

  /// A threshold's value with its unit.
  static func value(_ value: Double, _ metric: LoadThreshold.Metric) -> String {
    switch metric {
    case .percentile: DurationText.short(Int64(value))
    case .errors: String(format: "%.3f %%", value * 100)
    case .rate: "\(LoadText.rate(value))/s"
    }
  }

  /// Small shares keep their digits: a thousandth is not nothing.
  static func percent(_ share: Double) -> String {
    let percent = share * 100
    return String(format: percent > 0 && percent < 1 ? "%.3f %%" : "%.1f %%", percent)
  }
}
