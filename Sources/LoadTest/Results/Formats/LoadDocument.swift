internal import Documents
internal import Quantities
internal import RewardModel

/// What a load of a service has shown, as `load.json` holds it; `LoadDocument+Schema` describes it.
package enum LoadDocument {
  /// The name of the file.
  package static let name = "load.json"
  /// The version of the form; later versions only append keys.
  static let version = 1

  /// The document ending with a line feed.
  package static func json(_ result: LoadResult) -> String {
    let measures = result.measures
    return JSONText.object([
      ("schema_version", .integer(version)), ("target", .string(result.target)),
      ("scenario", .string(result.scenario)), ("program", .string(result.programme)),
      ("seed", .string(String(result.seed))), ("build", .string(EngineResult.build)),
      ("command", .string(result.command)), ("started", .string(result.started.description)),
      ("offer", .string(result.offer)), ("shape", shape(result.shape)),
      ("from", .string(result.from.description)), ("through", .string(result.through.description)),
      ("elapsed_seconds", .real(measures.elapsed, decimals: 9)),
      ("offered", .bool(measures.wasOffered)), ("interrupted", .bool(measures.wasInterrupted)),
      ("aborted", .bool(measures.wasAborted)),
      (
        "checks",
        .array(
          LoadVerdict(result).checks.map { check in
            .line([
              ("name", .string(check.name)), ("passed", .bool(check.passed)),
              ("finding", .string(check.finding)), ("undecided", .bool(check.isUndecided)),
            ])
          })
      ), ("sessions", sessions(result)), ("generator", generator(measures)),
      ("total", .object(step(measures.total))),
      (
        "steps",
        .array(result.usedSteps.map { .object([("step", .string($0.name))] + step($0.measure)) })
      ), ("thresholds", .array(measures.thresholds.map(threshold))),
      ("audit", result.audit.map(audit) ?? .null),
      ("watchers", result.watchers.map(watchers) ?? .null),
      ("baseline", result.baseline.map(baseline) ?? .null),
      ("seconds", .array(measures.seconds.map { second($0, result.steps) })),
    ]).rendered() + "\n"
  }

  private static func shape(_ shape: LoadShape) -> JSONText {
    func number(_ value: Double?) -> JSONText { value.map { .number("\($0)") } ?? .null }
    return .object([
      ("profile", shape.profile.map { .string($0) } ?? .null), ("rate", number(shape.rate)),
      ("speed", number(shape.speed)), ("seconds", number(shape.seconds)),
      ("arrivals", shape.arrivals.map { .string($0) } ?? .null),
      ("journeys", .array(shape.journeys.map { .string($0) })),
      ("connections", .integer(shape.connections)), ("timeout", number(shape.timeout)),
      ("think", number(shape.think)), ("back_off", number(shape.backOff)),
      ("drain", number(shape.drain)), ("watchers", .integer(shape.watchers)),
    ])
  }

  /// What an audit found.
  static func audit(_ audit: LoadAudit) -> JSONText {
    .object([
      ("acknowledged", .integer(audit.acknowledged)),
      ("requests", audit.requests.map { .integer($0) } ?? .null),
      ("problems", .array(audit.problems.map { .string($0.description) })),
      ("failure", audit.failure.map { .string($0) } ?? .null),
    ])
  }

  private static func watchers(_ seen: LoadWatchers.Seen) -> JSONText {
    .object([
      ("watchers", .integer(seen.watchers)), ("opened", .integer(seen.opened)),
      ("refused", .integer(seen.refused)), ("broken", .integer(seen.broken)),
      ("unreached", .integer(seen.unreached)), ("events", .integer(seen.events)),
      ("bytes", .integer(seen.bytes)), ("longest_silence_ns", .integer(seen.longestSilence)),
    ])
  }

  private static func sessions(_ result: LoadResult) -> JSONText {
    let measures = result.measures
    return .object([
      ("scheduled", .integer(measures.scheduled)), ("late", .integer(measures.late)),
      ("unsent", .integer(measures.unsent)), ("unfinished", .integer(measures.unfinished)),
      ("without_code", .integer(measures.codesMissing)),
      ("without_account", .integer(measures.withoutAccount)),
      (
        "journeys",
        .array(
          zip(result.journeys, measures.sessions).map { name, count in
            .line([("journey", .string(name)), ("started", .integer(count))])
          })
      ), ("not_due", .integer(measures.notDue)),
    ])
  }

  private static func generator(_ measures: LoadMeasures) -> JSONText {
    .object([
      ("processor_seconds", .real(measures.processorSeconds, decimals: 9)),
      ("connections", .integer(measures.connects)),
      ("most_under_way", .integer(measures.mostUnderWay)), ("bytes", .integer(measures.bytes)),
      ("start_delay", SchemaText.summary(measures.lag.summary)),
    ])
  }

  private static func step(_ measure: StepMeasure) -> [(String, JSONText)] {
    let errors = LoadErrorKind.allCases.map {
      ($0.word, JSONText.integer(measure.errors[$0.rawValue]))
    }
    let percents = LatencyRecorder.plottedPercents(count: measure.latency.count)
    return [
      ("offered", .integer(measure.offered)), ("sent", .integer(measure.sent)),
      ("done", .integer(measure.done)), ("refused", .integer(measure.refused)),
      ("errors", .line(errors)), ("retries", .integer(measure.retries)),
      ("given_up", .integer(measure.givenUp)),
      ("answered_in_time", .integer(measure.answeredInTime)),
      ("lost", SchemaText.summary(measure.lost.summary)),
      ("latency", SchemaText.summary(measure.latency.summary)),
      ("service", SchemaText.summary(measure.service.summary)),
      (
        "percentiles",
        .array(
          percents.map { percent in
            .line([
              ("percent", .number("\(percent)")),
              ("latency_ns", .integer(measure.latency.percentile(percent))),
              ("service_ns", .integer(measure.service.percentile(percent))),
            ])
          })
      ), ("without_answer", .integer(measure.withoutAnswer)), ("resent", .integer(measure.resent)),
    ]
  }

  private static func threshold(_ result: ThresholdResult) -> JSONText {
    let threshold = result.threshold
    var percent: Double?
    let metric: String
    switch threshold.metric {
    case .percentile(let asked): (metric, percent) = ("percentile_ns", asked)
    case .errors: metric = "error_share"
    case .rate: metric = "answers_per_second"
    }
    return .object([
      ("text", .string(threshold.text)), ("step", threshold.step.map { .string($0) } ?? .null),
      ("metric", .string(metric)), ("percent", percent.map { .number("\($0)") } ?? .null),
      ("comparison", .string(threshold.comparison.rawValue)),
      ("bound", .number("\(threshold.bound)")),
      ("stretch_seconds", threshold.seconds.map { .integer($0) } ?? .null),
      ("worst", result.value.map { .number("\($0)") } ?? .null), ("met", .bool(result.isMet)),
      ("missed_after_seconds", result.missedAt.map { .integer($0) } ?? .null),
    ])
  }

  private static func baseline(_ baseline: BaselineComparison) -> JSONText {
    .object([
      ("source", .string(baseline.source)),
      ("differences", .array(baseline.differences.map { .string($0) })),
      ("window_seconds", .integer(baseline.windowSeconds)),
      (
        "figures",
        .array(
          baseline.rows.map { row in
            .line([
              ("figure", .string(row.figure.rawValue)),
              ("step", row.step.map { .string($0) } ?? .null), ("windows", .integer(row.windows)),
              ("before", .real(row.before, decimals: 3)), ("now", .real(row.after, decimals: 3)),
              ("difference", .real(row.difference, decimals: 3)),
              ("half_width", row.halfWidth.map { .real($0, decimals: 3) } ?? .null),
              ("real", .bool(row.isReal)),
            ])
          })
      ),
    ])
  }

  private static func second(_ second: LoadSecond, _ steps: [String]) -> JSONText {
    func latency(_ value: Int64, _ answered: Int) -> JSONText {
      answered > 0 ? .integer(value) : .null
    }
    return .line([
      ("second", .integer(second.second)), ("sessions", .integer(second.sessions)),
      ("sent", .integer(second.sent)), ("done", .integer(second.done)),
      ("refused", .integer(second.refused)), ("errors", .integer(second.errors)),
      ("p50_ns", latency(second.median, second.answered)),
      ("p99_ns", latency(second.p99, second.answered)),
      ("under_way", .integer(second.underWay)), ("waiting", .integer(second.waiting)),
      (
        "error_kinds",
        .line(
          zip(LoadErrorKind.allCases, second.errorKinds).filter { $1 > 0 }
            .map { ($0.word, .integer($1)) })
      ),
      (
        "steps",
        .array(
          second.steps.map { part in
            .line([
              ("step", .string(steps[part.step])), ("done", .integer(part.done)),
              ("refused", .integer(part.refused)), ("errors", .integer(part.errors)),
              ("p50_ns", latency(part.median, part.answered)),
              ("p99_ns", latency(part.p99, part.answered)),
            ])
          })
      ),
    ])
  }
}
