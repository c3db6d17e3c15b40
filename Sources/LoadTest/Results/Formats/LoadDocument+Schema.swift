internal import Documents

extension LoadDocument {
  private typealias Text = SchemaText

  /// JSON Schema, draft 2020-12, ending with a line feed.
  package static var schema: String {
    Text.document(
      "A load of a service", about,
      [
        ("schema_version", .object([("const", .integer(version))])),
        ("target", Text.type("string", "Host and port that it was sent to.")),
        ("scenario", Text.type("string")), ("program", Text.type("string")),
        (
          "seed",
          Text.type("string", "In decimal, as it may exceed what JSON numbers hold exactly.")
        ),
        ("build", Text.choice(["debug", "release"])),
        ("command", Text.type("string", "What repeats it.")),
        ("started", Text.type("string", "On the wall's clock, ISO 8601.")),
        ("offer", Text.type("string", "The shape in words.")), ("shape", shapeSchema),
        ("from", Text.type("string", "Simulated time of the first session.")),
        ("through", Text.type("string", "Simulated time of the last session.")),
        (
          "elapsed_seconds",
          Text.type(
            "number",
            "From the first start until the load was over, the wait for late answers included.")
        ),
        (
          "offered",
          Text.type("boolean", "False where more than 1 % of sessions due were late or never sent.")
        ), ("interrupted", Text.type("boolean")),
        ("aborted", Text.type("boolean", "Ended at a missed threshold.")), ("checks", checksSchema),
        ("sessions", sessionsSchema), ("generator", generatorSchema),
        ("total", Text.reference("requests")),
        (
          "steps",
          Text.list(Text.object([("step", Text.type("string"))] + requestProperties))
        ), ("thresholds", Text.list(thresholdSchema)), ("audit", auditSchema),
        ("watchers", watchersSchema),
        ("baseline", baselineSchema), ("seconds", Text.list(secondSchema)),
      ],
      [("requests", Text.object(requestProperties)), ("summary", Text.summaryDefinition)])
  }

  private static let about =
    "What `pitboss stress SCENARIO --target URL` writes to load.json and prints with --format json, "
    + "version \(version). Names that end with _ns are nanoseconds. Latency counts from the intended "
    + "start of a request, attempts before the one that was answered included; service from that one's "
    + "real start. Later versions only append keys."

  private static func integers(_ names: [String]) -> [(String, JSONText)] {
    names.map { ($0, Text.type("integer")) }
  }

  private static var shapeSchema: JSONText {
    Text.object([
      ("profile", Text.optional("string", "Null where speed says when sessions start.")),
      ("rate", Text.optional("number", "Sessions a second.")),
      ("speed", Text.optional("number", "Simulated seconds a second.")),
      ("seconds", Text.type("number", "For how long sessions started.")),
      ("arrivals", Text.optional("string")), ("journeys", Text.list(Text.type("string"))),
      ("connections", Text.type("integer")), ("timeout", Text.type("number")),
      ("think", Text.type("number")), ("back_off", Text.type("number")),
      ("drain", Text.type("number")), ("watchers", Text.type("integer")),
    ])
  }

  private static var watchersSchema: JSONText {
    Text.object(
      integers([
        "watchers", "opened", "refused", "broken", "unreached", "events", "bytes",
        "longest_silence_ns",
      ]), orNull: true)
  }

  private static var checksSchema: JSONText {
    Text.list(
      Text.object([
        ("name", Text.type("string")), ("passed", Text.type("boolean")),
        ("finding", Text.type("string")),
        (
          "undecided",
          Text.type("boolean", "Not passed, but not failed: the load ended before it was measured.")
        ),
      ]))
  }

  private static var sessionsSchema: JSONText {
    Text.object(
      [
        ("scheduled", Text.type("integer")),
        ("late", Text.type("integer", "Started more than 10 ms late.")),
        ("unsent", Text.type("integer")), ("unfinished", Text.type("integer")),
        ("without_code", Text.type("integer", "Requests for which no code was left.")),
        (
          "without_account",
          Text.type("integer", "That ended at once, as their members could not join.")
        ),
        (
          "journeys",
          Text.list(
            Text.object([("journey", Text.type("string")), ("started", Text.type("integer"))]))
        ),
        (
          "not_due",
          Text.type("integer", "Unsent ones whose time had not come when the load was ended early.")
        ),
      ])
  }

  private static var generatorSchema: JSONText {
    Text.object([
      ("processor_seconds", Text.type("number")), ("connections", Text.type("integer")),
      ("most_under_way", Text.type("integer")), ("bytes", Text.type("integer")),
      ("start_delay", Text.reference("summary")),
    ])
  }

  private static var requestProperties: [(String, JSONText)] {
    [
      ("offered", Text.type("integer", "Requests of members, each once.")),
      ("sent", Text.type("integer", "Attempts, with those after the first.")),
      ("done", Text.type("integer")),
      ("refused", Text.type("integer", "By a rule of the program.")),
      ("errors", Text.object(integers(LoadErrorKind.allCases.map(\.word)))),
      ("retries", Text.type("integer")),
      (
        "given_up",
        Text.type("integer", "Requests whose last attempt, too, brought an error or no answer.")
      ),
      ("answered_in_time", Text.type("integer", "While sessions were to start.")),
      ("lost", Text.reference("summary")),
      ("latency", Text.reference("summary")), ("service", Text.reference("summary")),
      (
        "percentiles",
        Text.list(
          Text.object([
            ("percent", Text.type("number")), ("latency_ns", Text.type("integer")),
            ("service_ns", Text.type("integer")),
          ]))
      ),
      (
        "without_answer",
        Text.type("integer", "Requests in no percentile: given up, or open at an early end.")
      ),
      (
        "resent",
        Text.type(
          "integer", "Attempts sent again at once: a kept connection was closed before they came.")
      ),
    ]
  }

  private static var thresholdSchema: JSONText {
    Text.object([
      ("text", Text.type("string")), ("step", Text.optional("string", "Null for all steps.")),
      ("metric", Text.choice(["percentile_ns", "error_share", "answers_per_second"])),
      ("percent", Text.optional("number", "Of a percentile.")),
      ("comparison", Text.choice(LoadThreshold.Comparison.allCases.map(\.rawValue))),
      ("bound", Text.type("number")),
      ("stretch_seconds", Text.optional("integer", "Null where the whole is looked at.")),
      ("worst", Text.optional("number", "Of any stretch, or the whole; null if not measured.")),
      ("met", Text.type("boolean")), ("missed_after_seconds", Text.optional("integer")),
    ])
  }

  static var auditSchema: JSONText {
    Text.object(
      integers(["acknowledged"]) + [
        ("requests", Text.optional("integer", "In the journal; null if it could not be made.")),
        ("problems", Text.list(Text.type("string"))),
        ("failure", Text.optional("string", "Why it could not be made.")),
      ],
      orNull: true)
  }

  private static var baselineSchema: JSONText {
    Text.object(
      [
        ("source", Text.type("string")),
        ("differences", Text.list(Text.type("string", "What was offered differently."))),
        ("window_seconds", Text.type("integer")),
        (
          "figures",
          Text.list(
            Text.object([
              ("figure", Text.choice(BaselineComparison.Figure.allCases.map(\.rawValue))),
              ("step", Text.optional("string", "Null for all steps.")),
              ("windows", Text.type("integer")), ("before", Text.type("number")),
              ("now", Text.type("number")), ("difference", Text.type("number")),
              ("half_width", Text.optional("number", "Of the 95 % interval of the difference.")),
              ("real", Text.type("boolean", "Whether the interval leaves out 0.")),
            ]))
        ),
      ], orNull: true)
  }

  private static var secondSchema: JSONText {
    Text.object([
      ("second", Text.type("integer", "From the beginning.")),
      ("sessions", Text.type("integer", "That started in it.")), ("sent", Text.type("integer")),
      ("done", Text.type("integer")), ("refused", Text.type("integer")),
      ("errors", Text.type("integer")),
      ("p50_ns", Text.optional("integer", "Latency within a hundredth; null without answers.")),
      ("p99_ns", Text.optional("integer")),
      ("under_way", Text.type("integer", "At its end.")),
      ("waiting", Text.type("integer", "For a connection, at its end.")),
      (
        "error_kinds",
        .object([
          ("description", .string("Kinds without errors are left out.")),
          ("type", .string("object")), ("additionalProperties", Text.type("integer")),
        ])
      ),
      (
        "steps",
        Text.list(
          Text.object(
            [("step", Text.type("string"))] + integers(["done", "refused", "errors"]) + [
              ("p50_ns", Text.optional("integer")), ("p99_ns", Text.optional("integer")),
            ]))
      ),
    ])
  }
}
