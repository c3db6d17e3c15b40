internal import Documents

/// Parts of JSON Schema that the documents of this target share.
enum SchemaText {
  /// A value of one type.
  static func type(_ kind: String, _ about: String? = nil) -> JSONText {
    .object((about.map { [("description", .string($0))] } ?? []) + [("type", .string(kind))])
  }

  /// A value of one type, or null.
  static func optional(_ kind: String, _ about: String? = nil) -> JSONText {
    .object(
      (about.map { [("description", .string($0))] } ?? [])
        + [("type", .array([.string(kind), .string("null")]))])
  }

  /// One of a few texts.
  static func choice(_ values: [String]) -> JSONText {
    .object([("enum", .array(values.map { .string($0) }))])
  }

  /// What is defined under a name.
  static func reference(_ name: String) -> JSONText {
    .object([("$ref", .string("#/$defs/\(name)"))])
  }

  static func list(_ items: JSONText) -> JSONText {
    .object([("type", .string("array")), ("items", items)])
  }

  /// Members that are all there.
  static func members(_ properties: [(String, JSONText)]) -> [(String, JSONText)] {
    [("required", .array(properties.map { .string($0.0) })), ("properties", .object(properties))]
  }

  static func object(_ properties: [(String, JSONText)], orNull: Bool = false) -> JSONText {
    let types: JSONText =
      orNull ? .array([.string("object"), .string("null")]) : .string("object")
    return .object([("type", types)] + members(properties))
  }

  /// A schema of a whole document, ending with a line feed.
  static func document(
    _ title: String, _ about: String, _ properties: [(String, JSONText)],
    _ definitions: [(String, JSONText)]
  ) -> String {
    JSONText.object(
      [
        ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
        ("title", .string(title)), ("description", .string(about)), ("type", .string("object")),
      ] + members(properties) + [("$defs", .object(definitions))]
    ).rendered() + "\n"
  }

  // MARK: - Latencies

  /// Percentiles of durations; null without any.
  static func summary(_ summary: LatencySummary?) -> JSONText {
    guard let summary else { return .null }
    return .line([
      ("count", .integer(summary.count)), ("p50_ns", .integer(summary.median)),
      ("p90_ns", .integer(summary.p90)), ("p99_ns", .integer(summary.p99)),
      ("p999_ns", .integer(summary.p999)), ("max_ns", .integer(summary.greatest)),
    ])
  }

  /// The schema of `summary`.
  static let summaryDefinition = object(
    ["count", "p50_ns", "p90_ns", "p99_ns", "p999_ns", "max_ns"].map { ($0, type("integer")) },
    orNull: true)
}
