internal import Documents

/// What a search for the knee has shown, as `knee.json` holds it, and its schema.
package enum KneeDocument {
  private typealias Text = SchemaText

  /// The name of the file.
  package static let name = "knee.json"
  private static let version = 1

  /// The document ending with a line feed.
  package static func json(
    _ result: KneeResult, scenario: String, target: String, offer: String, seed: UInt64
  ) -> String {
    func number(_ value: Double?) -> JSONText { value.map { .real($0, decimals: 6) } ?? .null }
    return JSONText.object([
      ("schema_version", .integer(version)), ("scenario", .string(scenario)),
      ("target", .string(target)), ("offer", .string(offer)), ("seed", .string(String(seed))),
      ("build", .string(EngineResult.build)),
      ("conditions", .array(result.conditions.map { .string($0.text) })),
      ("end", .string(result.search.end.rawValue)),
      ("failure", result.search.failure.map { .string($0) } ?? .null),
      ("knee_sessions_per_second", number(result.search.knee)),
      ("predicted_sessions_per_second", number(result.predictedKnee)),
      ("requests_per_session", number(result.requestsPerSession)),
      ("points", .array(result.rows.map(point))),
      (
        "law",
        result.law.map { law in
          .object([
            ("rate", estimate(law.rate)), ("contention", estimate(law.contention)),
            ("coherence", estimate(law.coherence)), ("points", .integer(law.points)),
            ("explained", number(law.explained)), ("ceiling", number(law.ceiling)),
          ])
        } ?? .null
      ),
      (
        "model",
        result.model.map { model in
          .object([
            ("batch_seconds", .real(model.batch, decimals: 9)),
            ("request_seconds", .real(model.request, decimals: 9)),
            ("handling_seconds", .real(model.handling, decimals: 9)),
            ("constant_seconds", .real(model.constant, decimals: 9)),
            ("processors", .integer(model.processors)),
            ("writing_share", .real(model.writes, decimals: 6)),
          ])
        } ?? .null
      ), ("audit", result.audit.map(LoadDocument.audit) ?? .null),
      ("model_doubts", .array(result.modelDoubts.map { .string($0) })),
      ("limit", KneeLimit(result).map { .string($0.words) } ?? .null),
    ]).rendered() + "\n"
  }

  private static func estimate(_ estimate: ScalabilityLaw.Estimate) -> JSONText {
    .line([
      ("value", .real(estimate.value, decimals: 9)),
      ("half_width", estimate.halfWidth.map { .real($0, decimals: 9) } ?? .null),
    ])
  }

  private static func point(_ row: KneeResult.Row) -> JSONText {
    let total = row.point.measures.total
    return .object([
      ("phase", .string(row.point.phase.rawValue)),
      ("sessions_per_second", .real(row.point.rate, decimals: 6)),
      ("seconds", .real(row.point.seconds, decimals: 3)),
      ("answered_per_second", .real(row.point.throughput, decimals: 3)),
      ("error_share", .real(total.errorShare, decimals: 6)),
      ("latency", SchemaText.summary(total.latency.summary)),
      ("service", SchemaText.summary(total.service.summary)),
      ("start_delay", SchemaText.summary(row.point.measures.lag.summary)),
      ("p99_ns_by_second", .array(row.point.measures.seconds.map { .integer($0.p99) })),
      ("met", .bool(row.point.isMet)), ("offered", .bool(row.point.isOffered)),
      ("fitted", .bool(row.isFitted)),
      (
        "predicted",
        row.prediction.map { prediction in
          .line([
            ("answered_per_second", .real(prediction.throughput, decimals: 3)),
            ("p50_seconds", .real(prediction.median, decimals: 9)),
            ("p99_seconds", .real(prediction.p99, decimals: 9)),
            ("batch_size", .real(prediction.batchSize, decimals: 3)),
          ])
        } ?? .null
      ),
    ])
  }

  /// JSON Schema, draft 2020-12, ending with a line feed.
  package static var schema: String {
    let estimate = Text.object([
      ("value", Text.type("number")),
      ("half_width", Text.optional("number", "Of the 95 % interval.")),
    ])
    return Text.document(
      "The knee of a service",
      "What `pitboss stress SCENARIO --target URL --find-knee CONDITIONS` writes to knee.json, version "
        + "\(version). Later versions only append keys.",
      [
        ("schema_version", .object([("const", .integer(version))])),
        ("scenario", Text.type("string")), ("target", Text.type("string")),
        ("offer", Text.type("string")), ("seed", Text.type("string")),
        ("build", Text.choice(["debug", "release"])),
        ("conditions", Text.list(Text.type("string"))),
        (
          "end",
          Text.choice([
            "found", "below_first", "above_last", "generator_limit", "interrupted", "not_prepared",
            "silent",
          ])
        ),
        (
          "failure",
          Text.optional(
            "string", "Why a rate could not be prepared, or how the service fell silent.")
        ),
        ("knee_sessions_per_second", Text.optional("number")),
        ("predicted_sessions_per_second", Text.optional("number")),
        ("requests_per_session", Text.type("number")), ("points", Text.list(pointSchema)),
        (
          "law",
          Text.object(
            [
              ("rate", estimate), ("contention", estimate), ("coherence", estimate),
              ("points", Text.type("integer")), ("explained", Text.type("number")),
              ("ceiling", Text.optional("number", "Answers a second.")),
            ], orNull: true)
        ),
        (
          "model",
          Text.object(
            [
              "batch_seconds", "request_seconds", "handling_seconds", "constant_seconds",
              "processors", "writing_share",
            ].map { ($0, Text.type("number")) }, orNull: true)
        ), ("audit", LoadDocument.auditSchema),
        ("model_doubts", Text.list(Text.type("string"))),
        ("limit", Text.optional("string", "What gave first, in words.")),
      ], [("summary", Text.summaryDefinition)])
  }

  private static var pointSchema: JSONText {
    Text.object([
      ("phase", Text.choice(["growth", "bisection", "confirmation"])),
      ("sessions_per_second", Text.type("number")), ("seconds", Text.type("number")),
      ("answered_per_second", Text.type("number")),
      ("error_share", Text.type("number", "Of the attempts that ended, 0 to 1.")),
      ("latency", Text.reference("summary")), ("service", Text.reference("summary")),
      ("start_delay", Text.reference("summary")),
      ("p99_ns_by_second", Text.list(Text.type("integer"))),
      ("met", Text.type("boolean")), ("offered", Text.type("boolean")),
      ("fitted", Text.type("boolean", "Whether the model was fitted to it.")),
      (
        "predicted",
        Text.object(
          ["answered_per_second", "p50_seconds", "p99_seconds", "batch_size"].map {
            ($0, Text.type("number"))
          }, orNull: true)
      ),
    ])
  }
}
