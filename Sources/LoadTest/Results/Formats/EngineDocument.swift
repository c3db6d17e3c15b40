internal import Documents
internal import Quantities

/// What a stress of the rules in process has shown, as `stress.json` holds it, and its schema.
package enum EngineDocument {
  /// The version of the form; later versions only append keys.
  private static let version = 1

  // MARK: - Document

  /// The document ending with a line feed.
  package static func json(_ result: EngineResult) -> String {
    JSONText.object([
      ("schema_version", .integer(version)), ("target", .string("engine")),
      ("scenario", .string(result.scenario)), ("program", .string(result.programme)),
      ("seed", .string(String(result.seed))), ("build", .string(EngineResult.build)),
      ("processors", .integer(result.processors)), ("counted", .string(result.counted)),
      ("requests", .integer(result.requests)),
      ("end", result.end.map { .string($0.description) } ?? .null),
      ("rounds", .array(result.rounds.map(round))),
      ("requests_per_second", estimate(result.rounds.map(\.rate))),
      ("accepted_per_second", estimate(result.rounds.map(\.acceptedRate))),
      ("accepted_per_processor_second", estimate(result.rounds.map(\.acceptedProcessorRate))),
      ("kinds", .array(result.kinds.map(kind))), ("arrivals", .string(result.spacing.rawValue)),
      ("rates", .array(result.rates.map(rate))),
      ("threads", .array(result.scaling.rows.map { threads($0, of: result.scaling) })),
      ("serial_share", .real(result.scaling.serialShare, decimals: 4)),
      ("speed_up_limit", .real(result.scaling.bound, decimals: 3)),
      ("house_beside_share", .real(result.scaling.besideShare, decimals: 4)),
    ]).rendered() + "\n"
  }

  private static func round(_ round: EngineRound) -> JSONText {
    .line([
      ("seconds", .real(round.seconds, decimals: 6)),
      ("processor_seconds", .real(round.processorSeconds, decimals: 6)),
      ("accepted", .integer(round.answers.accepted)), ("done", .integer(round.answers.done)),
      ("refused", .integer(round.answers.refused)),
    ])
  }

  private static func kind(_ kind: KindTimes) -> JSONText {
    .line([
      ("kind", .string(kind.kind)), ("total_ns", .integer(kind.nanoseconds)),
      ("service", SchemaText.summary(kind.recorder.summary)),
    ])
  }

  private static func rate(_ rate: PacedRate) -> JSONText {
    let times = rate.times
    return .object([
      ("rate", .real(rate.rate, decimals: 3)), ("seconds", .real(rate.seconds, decimals: 3)),
      ("scheduled", .integer(times.scheduled)), ("sent", .integer(times.sent)),
      ("unsent", .integer(times.unsent)), ("late", .integer(times.late)),
      ("offered", .bool(times.wasOffered)),
      ("answered_per_second", .real(rate.achieved, decimals: 3)),
      ("accepted_per_second", .real(rate.acceptedRate, decimals: 3)),
      ("latency", SchemaText.summary(rate.latency)), ("service", SchemaText.summary(rate.service)),
      ("timer", SchemaText.summary(rate.timer)),
    ])
  }

  private static func threads(_ row: WorldScaling.Row, of scaling: WorldScaling) -> JSONText {
    .object([
      ("threads", .integer(row.threads)), ("runs", .integer(row.speeds.count)),
      ("accepted_per_second", estimate(row.speeds)),
      ("wall_seconds", .real(row.wall, decimals: 6)),
      ("cell_seconds", .real(row.cells, decimals: 6)),
      ("house_seconds", .real(row.house, decimals: 6)),
      ("house_share", .real(row.houseShare, decimals: 4)),
      ("speed_up", .real(scaling.speedUp(row), decimals: 3)),
      ("speed_up_bound", .real(scaling.bound(threads: row.threads), decimals: 3)),
      ("house_beside_seconds", .real(row.beside, decimals: 6)),
    ])
  }

  private static func estimate(_ values: [Double]) -> JSONText {
    let (mean, half) = EngineResult.estimate(values)
    return .line([
      ("mean", .real(mean, decimals: 3)),
      ("half_width", half.map { .real($0, decimals: 3) } ?? .null),
    ])
  }

  // MARK: - Schema

  /// JSON Schema, draft 2020-12, ending with a line feed.
  package static var schema: String {
    let properties: [(String, JSONText)] = [
      ("schema_version", .object([("const", .integer(version))])),
      ("target", .object([("const", .string("engine"))])), ("scenario", SchemaText.type("string")),
      ("program", SchemaText.type("string")),
      (
        "seed",
        SchemaText.type("string", "In decimal, as it may exceed what JSON numbers hold exactly.")
      ),
      ("build", .object([("enum", .array([.string("debug"), .string("release")]))])),
      ("processors", SchemaText.type("integer")),
      ("counted", SchemaText.type("string", "What accepted requests are, in the plural.")),
      ("requests", SchemaText.type("integer", "Committed in each round.")),
      ("end", SchemaText.optional("string")),
      (
        "rounds",
        SchemaText.list(
          SchemaText.object([
            ("seconds", SchemaText.type("number")),
            (
              "processor_seconds",
              SchemaText.type("number", "For how many of the seconds the thread had a processor.")
            ), ("accepted", SchemaText.type("integer")), ("done", SchemaText.type("integer")),
            ("refused", SchemaText.type("integer")),
          ]))
      ),
      ("requests_per_second", SchemaText.reference("estimate")),
      ("accepted_per_second", SchemaText.reference("estimate")),
      ("accepted_per_processor_second", SchemaText.reference("estimate")),
      (
        "kinds",
        SchemaText.list(
          SchemaText.object([
            ("kind", SchemaText.type("string")), ("total_ns", SchemaText.type("integer")),
            ("service", SchemaText.reference("summary")),
          ]))
      ),
      (
        "arrivals",
        .object([("enum", .array(Arrivals.Spacing.allCases.map { .string($0.rawValue) }))])
      ),
      ("rates", SchemaText.list(rateSchema)), ("threads", SchemaText.list(threadsSchema)),
      (
        "serial_share",
        SchemaText.type("number", "Of one thread's time, 0 to 1: all but the cells.")
      ),
      (
        "speed_up_limit",
        SchemaText.optional("number", "By Amdahl's law; null where nothing is serial.")
      ),
      (
        "house_beside_share",
        SchemaText.type(
          "number", "Of one thread's time, 0 to 1: what the house does while cells run.")
      ),
    ]
    return SchemaText.document(
      "A stress of the rules in process", about, properties,
      [
        (
          "estimate",
          SchemaText.object([
            ("mean", SchemaText.type("number")), ("half_width", SchemaText.optional("number")),
          ])
        ), ("summary", SchemaText.summaryDefinition),
      ])
  }

  private static let about =
    "What `pitboss stress SCENARIO --target engine` writes to stress.json and prints with --format "
    + "json, version \(version). Names that end with _ns are nanoseconds; a half_width is that of the "
    + "95 % interval of the mean. Latency counts from the intended start of a request, service from its "
    + "real start, timer is how late the clock was. Later versions only append keys."

  private static var rateSchema: JSONText {
    SchemaText.object([
      ("rate", SchemaText.type("number")), ("seconds", SchemaText.type("number")),
      ("scheduled", SchemaText.type("integer")),
      ("sent", SchemaText.type("integer")), ("unsent", SchemaText.type("integer")),
      ("late", SchemaText.type("integer")),
      (
        "offered",
        SchemaText.type("boolean", "False where more than 1 % of starts were late or unsent.")
      ),
      ("answered_per_second", SchemaText.type("number")),
      ("accepted_per_second", SchemaText.type("number")),
      ("latency", SchemaText.reference("summary")), ("service", SchemaText.reference("summary")),
      ("timer", SchemaText.reference("summary")),
    ])
  }

  private static var threadsSchema: JSONText {
    SchemaText.object(
      [
        ("threads", SchemaText.type("integer")), ("runs", SchemaText.type("integer")),
        ("accepted_per_second", SchemaText.reference("estimate")),
      ]
        + [
          "wall_seconds", "cell_seconds", "house_seconds", "house_share", "speed_up",
          "speed_up_bound", "house_beside_seconds",
        ].map { ($0, SchemaText.type("number")) })
  }
}
