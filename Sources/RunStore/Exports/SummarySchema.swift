internal import Documents
package import RewardModel

/// The JSON Schema of `summary.json`, as `pitboss schema summary` prints it.
package enum SummarySchema {
  /// JSON Schema, draft 2020-12, of the runs of a programme.
  package static func text<P: RewardProgramme>(of programme: P.Type) -> String {
    typealias Record = P.Record
    let members = RunSummary.ordered(
      [("schema_version", .object([("const", .integer(RunSummary.schemaVersion))]))]
        + Record.allTables.flatMap { self.members(of: $0) } + [("files", files)],
      for: Record.self)
    let document: RunSummary.Members = [
      ("$schema", .string("https://json-schema.org/draft/2020-12/schema")),
      ("title", .string("Summary of a Pitboss run")),
      (
        "description",
        .string(
          "summary.json of a run folder, version \(RunSummary.schemaVersion). Amounts named "
            + "_micro are millionths of a \(P.figures.currency.code), shares named "
            + "_bp hundredths of a percent. Whole numbers are exact and may exceed 2^53. Later versions only append keys."
        )
      ),
    ]
    return JSONText.object(document + object(members)).rendered() + "\n"
  }

  private typealias Members = RunSummary.Members

  /// The keywords of an object that has all of some members.
  private static func object(_ members: Members) -> Members {
    [
      ("type", .string("object")),
      ("required", .array(members.map { .string($0.key) })),
      ("properties", .object(members)),
    ]
  }

  private static func schema(_ keywords: Members, note: String? = nil) -> JSONText {
    .object((note.map { [("description", .string($0))] } ?? []) + keywords)
  }

  private static func array(_ items: JSONText, note: String?) -> JSONText {
    schema([("type", .string("array")), ("items", items)], note: note)
  }

  private static let count: Members = [("type", .string("integer")), ("minimum", .integer(0))]

  private static func members(of table: some RecordTable) -> Members {
    let columns = table.columns(in: .summary)
    let row = members(of: columns)
    var members: Members
    switch table.summary {
    case .none: members = []
    case .members: members = row + rates(columns)
    case .object: members = [(table.name, schema(object(row), note: table.note))]
    case .rows: members = [(table.name, array(schema(object(row)), note: table.note))]
    case .counts:
      let keywords: Members = [
        ("type", .string("object")), ("additionalProperties", schema(count)),
      ]
      members = [(table.name, schema(keywords, note: table.note))]
    case .number:
      members = [(table.name, schema(count, note: table.note ?? "The number of its rows."))]
    }
    if let key = table.totalKey { members.append((key, schema(object(row)))) }
    return members
  }

  private static func members(of columns: [ColumnShape]) -> Members {
    var members: Members = []
    var done: Set<String> = []
    for column in columns {
      guard let group = column.group else {
        members.append((column.exportedName, schema(column)))
        continue
      }
      guard done.insert(group.key).inserted else { continue }
      let own = columns.filter { $0.group?.key == group.key }
      members.append(
        (group.key, schema(object(own.map { ($0.memberName, schema($0)) }), note: group.note)))
    }
    return members
  }

  private static func schema(_ column: ColumnShape) -> JSONText {
    schema(keywords(column), note: column.note)
  }

  private static func keywords(_ column: ColumnShape) -> Members {
    if case .choice(let words) = column.kind {
      return [("enum", .array(words.map { .string($0) } + (column.isOptional ? [.null] : [])))]
    }
    let mayBeNull = column.isOptional || column.kind == .real
    let name = JSONText.string(type(column.kind))
    var keywords: Members = [("type", mayBeNull ? .array([name, .string("null")]) : name)]
    if let least = column.least { keywords.append(("minimum", .integer(least))) }
    if let pattern = column.pattern ?? pattern(column.kind) {
      keywords.append(("pattern", .string(pattern)))
    }
    return keywords
  }

  private static func type(_ kind: FieldKind) -> String {
    switch kind {
    case .whole, .unsigned, .money: "integer"
    case .real: "number"
    case .flag: "boolean"
    case .instant, .date, .text, .choice: "string"
    }
  }

  private static func pattern(_ kind: FieldKind) -> String? {
    switch kind {
    case .instant:
      "^-?[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}Z$"
    case .date: "^-?[0-9]{4,}-[0-9]{2}-[0-9]{2}$"
    default: nil
    }
  }

  private static func rates(_ columns: [ColumnShape]) -> Members {
    columns.compactMap { column in
      column.rate.map { key in
        let keywords: Members = [
          ("type", .array([.string("number"), .string("null")])), ("minimum", .integer(0)),
        ]
        let note = "\(column.exportedName) by wall time; null when no time was measured."
        return (key, schema(keywords, note: note))
      }
    }
  }

  private static let files = array(
    schema(
      object([
        ("name", schema([("type", .string("string"))])), ("bytes", schema(count)),
        (
          "sha256",
          schema([("type", .string("string")), ("pattern", .string("^[0-9a-f]{64}$"))])
        ),
      ])), note: "The other files of the run folder.")
}
