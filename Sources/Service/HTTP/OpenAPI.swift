package import Documents
internal import Quantities
package import RewardModel

/// The description of a service for programs (OpenAPI 3.1), made of its endpoints.
package enum OpenAPI {
  /// The whole document.
  package static func document<Machine: ProgrammeMachine>(_ machine: Machine.Type) -> JSONText {
    var paths: [(String, [(String, JSONText)])] = []
    for endpoint in Machine.endpoints {
      let operation = (endpoint.method.rawValue.lowercased(), self.operation(endpoint))
      if let place = paths.firstIndex(where: { $0.0 == endpoint.path }) {
        paths[place].1.append(operation)
      } else {
        paths.append((endpoint.path, [operation]))
      }
    }
    paths.append(("/auth/signup", [("post", join(Machine.joinFields))]))
    paths.append(("/auth/login", [("post", logIn)]))
    paths.append(("/admin/tokens", [("get", self.operation(tokens(Machine.self)))]))
    typealias Application = ServiceApplication<Machine>
    paths.append((Application.eventsPath, [("get", events(Application.eventFields))]))
    for path in ["/", "\(Application.pagesPath)/{id}"] {
      paths.append((path, [("get", webPage(path))]))
    }
    return .object([
      ("openapi", .string("3.1.0")),
      ("info", .line([("title", .string("Pitboss service")), ("version", .string("1"))])),
      ("paths", .object(paths.map { ($0.0, .object($0.1)) })),
      (
        "components",
        .object([
          (
            "securitySchemes",
            .object([
              (
                "bearer",
                .line([("type", .string("http")), ("scheme", .string("bearer"))])
              )
            ])
          ),
          ("schemas", .object([("problem", problem)])),
        ])
      ),
    ])
  }

  /// What `/admin/tokens` is asked for.
  static let tokenFields = [
    ServedField("from", .whole(0...(1 << 32 - 1)), "The first member, counted from 0"),
    ServedField("count", .whole(1...1_000), "How many at most"),
  ]

  private static func tokens<Machine>(_ machine: Machine.Type) -> Endpoint<Machine> {
    Endpoint(
      .get, "/admin/tokens", "Bearer tokens of members, for trials", access: .administrator,
      fields: tokenFields, .ask { _, _ in .null })
  }

  /// Rows of a page of a list.
  static let pageRows = 20

  /// The place in a list from which a page goes on.
  static let before = ServedField(
    "before", .whole(0...Int64.max), isOptional: true,
    "The page after another: the value of `next` in its answer. Without it, the newest rows")

  /// Pages that change, as server-sent events.
  private static func events(_ fields: [ServedField]) -> JSONText {
    .object([
      ("summary", .string("A page whenever it changes, as server-sent events")),
      ("parameters", .array(fields.map { parameter($0.name, in: "query", $0) })),
      ("responses", responses(type: "text/event-stream")),
    ])
  }

  /// A page for a browser.
  private static func webPage(_ path: String) -> JSONText {
    .object([
      ("summary", .string("A page for a browser")),
      ("parameters", .array(pathParameters(path))), ("responses", responses(type: "text/html")),
    ])
  }

  private static let problem = schema(
    [
      ServedField("type", .text(most: 64), ""), ServedField("title", .text(most: 64), ""),
      ServedField("status", .whole(400...599), ""), ServedField("detail", .text(most: 1_000), ""),
    ], isClosed: false)

  private static func operation<Machine>(_ endpoint: Endpoint<Machine>) -> JSONText {
    var members: [(String, JSONText)] = [("summary", .string(endpoint.summary))]
    if endpoint.access != .anyone {
      members.append(("security", .array([.line([("bearer", .array([]))])])))
    }
    var parameters = pathParameters(endpoint.path)
    if endpoint.method.takesQuery {
      parameters += endpoint.fields.map { parameter($0.name, in: "query", $0) }
    } else if !endpoint.fields.isEmpty {
      members.append(("requestBody", body(endpoint.fields)))
    }
    var answer = JSONText.line([])
    switch endpoint.action {
    case .submit:
      parameters.append(idempotencyKey)
    case .list(let list), .filtered(let list, _):
      parameters.append(parameter(before.name, in: "query", before))
      answer = page(of: list)
    case .ask, .page: break
    }
    if !parameters.isEmpty { members.append(("parameters", .array(parameters))) }
    members.append(("responses", responses(answer)))
    return .object(members)
  }

  private static var idempotencyKey: JSONText {
    .line([
      ("name", .string("Idempotency-Key")), ("in", .string("header")),
      ("required", .bool(false)),
      (
        "description",
        .string(
          "The same request with the same key gets the first answer of the rules, done or refused. What"
            + " is refused before it comes to the rules leaves the key free.")
      ),
      (
        "schema",
        .line([
          ("type", .string("string")), ("maxLength", .integer(128)),
          ("pattern", .string("^[!-~]+$")),
        ])
      ),
    ])
  }

  private static func join(_ fields: [ServedField]) -> JSONText {
    .object([
      ("summary", .string("Join the program")), ("parameters", .array([idempotencyKey])),
      (
        "requestBody",
        body(
          AccountFields.join + fields)
      ), ("responses", responses()),
    ])
  }

  private static var logIn: JSONText {
    .object([
      ("summary", .string("Get a bearer token")),
      (
        "requestBody",
        body(AccountFields.logIn)
      ), ("responses", responses()),
    ])
  }

  /// A page of a list: at most 20 rows, the newest first.
  private static func page(of list: RowList) -> JSONText {
    let rows = JSONText.line([
      ("type", .string("array")), ("maxItems", .integer(pageRows)),
      (
        "items",
        .line([
          ("type", .string("object")), ("required", .array(list.columns.map { .string($0) })),
        ])
      ),
    ])
    let next = JSONText.line([
      ("type", .array([.string("integer"), .string("null")])),
      (
        "description",
        .string("What to send as `before` for the rows after these; null where there are none")
      ),
    ])
    let schema = JSONText.line([
      ("type", .string("object")), ("properties", .line([(list.name, rows), ("next", next)])),
      ("required", .array([.string(list.name), .string("next")])),
    ])
    return .line([("schema", schema)])
  }

  private static func responses(
    _ answer: JSONText = .line([]), type: String = "application/json"
  ) -> JSONText {
    let json = JSONText.line([(type, answer)])
    let problem = JSONText.line([
      (
        "application/problem+json",
        .line([("schema", .line([("$ref", .string("#/components/schemas/problem"))]))])
      )
    ])
    let busy = { (words: String) in
      JSONText.line([
        ("description", .string(words)), ("headers", .line([("Retry-After", retryAfter)])),
        ("content", problem),
      ])
    }
    return .object([
      ("2XX", .line([("description", .string("Done")), ("content", json)])),
      ("4XX", .line([("description", .string("Refused")), ("content", problem)])),
      ("429", busy("Too many requests of one member, or more than the service keeps waiting")),
      ("503", busy("The service stops, or its database or disk does not answer")),
      ("5XX", .line([("description", .string("Failed")), ("content", problem)])),
    ])
  }

  private static var retryAfter: JSONText {
    .line([
      ("description", .string("Seconds after which to send it again")), ("required", .bool(true)),
      ("schema", .line([("type", .string("integer")), ("minimum", .integer(1))])),
    ])
  }

  private static func pathParameters(_ path: String) -> [JSONText] {
    path.split(separator: "/").filter { $0.hasPrefix("{") }.map { part in
      parameter(
        String(part.dropFirst().dropLast()), in: "path", ServedField("", .text(most: 64), ""))
    }
  }

  private static func parameter(
    _ name: String, in place: String, _ field: ServedField
  ) -> JSONText {
    .line([
      ("name", .string(name)), ("in", .string(place)), ("required", .bool(!field.isOptional)),
      ("schema", schema(field)),
    ])
  }

  private static func body(_ fields: [ServedField]) -> JSONText {
    .line([
      ("required", .bool(fields.contains { !$0.isOptional })),
      (
        "content",
        .line([("application/json", .line([("schema", schema(fields, isClosed: true))]))])
      ),
    ])
  }

  private static func schema(_ fields: [ServedField], isClosed: Bool) -> JSONText {
    .line([
      ("type", .string("object")),
      ("properties", .line(fields.map { ($0.name, schema($0)) })),
      ("required", .array(fields.filter { !$0.isOptional }.map { .string($0.name) })),
      ("additionalProperties", .bool(!isClosed)),
    ])
  }

  private static func schema(_ field: ServedField) -> JSONText {
    var members: [(String, JSONText)] =
      switch field.kind {
      case .text(let least, let most):
        [
          ("type", .string("string")), ("minLength", .integer(least)),
          ("maxLength", .integer(most)), ("pattern", .string("^[^\\u0000]*$")),
        ]
      case .email:
        [
          ("type", .string("string")), ("maxLength", .integer(254)),
          ("pattern", .string("^[!-?A-~]+@[!-?A-~]+$")),
        ]
      case .date: [("type", .string("string")), ("format", .string("date"))]
      case .whole(let range):
        [
          ("type", .string("integer")), ("minimum", .integer(range.lowerBound)),
          ("maximum", .integer(range.upperBound)),
        ]
      case .money(let most):
        [
          ("type", .string("number")), ("exclusiveMinimum", .integer(0)),
          ("maximum", .integer(most.microunits / 1_000_000)), ("multipleOf", .number("0.000001")),
        ]
      }
    if !field.note.isEmpty { members.append(("description", .string(field.note))) }
    return .line(members)
  }
}

extension FieldValue {
  /// The value as clients read it.
  func json(_ kind: FieldKind) -> JSONText {
    switch (self, kind) {
    case (.absent, _): .null
    case (.whole(let number), .money):
      .number(MicroUSDT(microunits: number).formatted(minimumDecimals: 2).filter { $0 != "," })
    case (.whole(let number), .instant): .string(Instant(microseconds: number).description)
    case (.whole(let number), .flag): .bool(number != 0)
    case (.whole(let number), _): .integer(number)
    case (.real(let number), _): .real(number, decimals: 6)
    case (.text(let text), _): .string(text)
    }
  }
}
