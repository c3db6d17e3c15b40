package import Documents
package import Quantities

/// Something that clients of a service may ask for: declared once, it serves routing, checks of
/// what was sent, and the description of the whole for programs (OpenAPI).
package struct Endpoint<Machine: ProgrammeMachine>: Sendable {
  /// What is done.
  package enum Action: Sendable {
    /// Makes a request of the call; it is committed and answered when it is durable.
    case submit(@Sendable (ServedCall, borrowing Machine) throws(ServedRefusal) -> Machine.Request)
    /// Reads the state.
    case ask(@Sendable (ServedCall, borrowing Machine) throws(ServedRefusal) -> JSONText)
    /// Reads the newest rows of a table, 20 a page: the member's own, or everybody's.
    case list(RowList)
    /// The same of what the call chooses: rows whose `RowList.owner` has this value.
    case filtered(
      RowList, @Sendable (ServedCall, borrowing Machine) throws(ServedRefusal) -> FieldValue)
    /// Shows one of `ProgrammeMachine.pages` by its id.
    case page(String)
  }

  package var method: ServedMethod
  /// Begins with `/`; a part in braces is a parameter.
  package var path: String
  /// What it does, in a few words.
  package var summary: String
  package var access: ServedAccess
  /// What a body says, or a query where the method is GET or DELETE.
  package var fields: [ServedField]
  package var action: Action

  /// Something to ask for; see the properties.
  package init(
    _ method: ServedMethod, _ path: String, _ summary: String, access: ServedAccess = .member,
    fields: [ServedField] = [], _ action: Action
  ) {
    self.method = method
    self.path = path
    self.summary = summary
    self.access = access
    self.fields = fields
    self.action = action
  }
}

/// The newest rows of a table.
package struct RowList: Sendable {
  /// As the answer names the list.
  package var name: String
  /// Place in `ProgrammeMachine.tables`.
  package var table: Int
  /// The column that says whose rows they are: the member's who asks, or what the call chooses; nil
  /// for rows of everybody.
  package var owner: String?
  /// The column by which rows are in order, the greatest first.
  package var newest: String
  /// The columns that are shown, by name.
  package var columns: [String]

  /// A list; see the properties.
  package init(
    _ name: String, table: Int, owner: String?, newest: String, columns: [String]
  ) {
    self.name = name
    self.table = table
    self.owner = owner
    self.newest = newest
    self.columns = columns
  }
}

/// What is asked with: a method of HTTP.
package enum ServedMethod: String, Sendable, CaseIterable {
  case get = "GET"
  case post = "POST"
  case put = "PUT"
  case delete = "DELETE"

  /// Whether values come in the query: a body means nothing to these (RFC 9110, 9.3).
  package var takesQuery: Bool { self == .get || self == .delete }
}

/// Who may ask.
package enum ServedAccess: Sendable {
  case anyone
  /// A member, about themselves.
  case member
  /// Who runs the service.
  case administrator
}

/// A value that a client sends.
package struct ServedField: Sendable {
  /// What is a value of it.
  package enum Kind: Sendable, Equatable {
    /// So many Unicode scalars, none of them NUL.
    case text(least: Int = 0, most: Int)
    /// An address of at most 254 visible ASCII characters, one of them `@`.
    case email
    case whole(ClosedRange<Int64>)
    /// Decimal, above zero and at most this.
    case money(most: MicroUSDT)
    /// `YYYY-MM-DD`.
    case date
  }

  package var name: String
  package var kind: Kind
  package var isOptional: Bool
  package var note: String

  /// A value; see the properties.
  package init(_ name: String, _ kind: Kind, isOptional: Bool = false, _ note: String) {
    self.name = name
    self.kind = kind
    self.isOptional = isOptional
    self.note = note
  }
}

/// What a client asks, checked against the endpoint's fields.
package struct ServedCall: Sendable {
  /// Who asks; nil for nobody in particular.
  package var member: UInt32?
  /// Parts of the path.
  package var path: [String: String]
  private var values: [String: FieldValue]

  /// A call; see the properties.
  package init(
    member: UInt32? = nil, path: [String: String] = [:], values: [String: FieldValue] = [:]
  ) {
    self.member = member
    self.path = path
    self.values = values
  }

  /// The member who asks.
  ///
  /// - Throws: 401 where nobody in particular does.
  package func who() throws(ServedRefusal) -> UInt32 {
    guard let member else {
      throw ServedRefusal(401, "not signed in", "this takes a member's bearer token")
    }
    return member
  }

  /// A text; nil where it was left out.
  package func text(_ name: String) -> String? {
    if case .text(let text) = values[name] { text } else { nil }
  }

  /// A whole number, or money in micro-units; nil where it was left out.
  package func whole(_ name: String) -> Int64? {
    if case .whole(let number) = values[name] { number } else { nil }
  }
}

/// Why a client does not get what it asked for.
package struct ServedRefusal: Error, Sendable, Equatable {
  /// Of HTTP.
  package var status: Int
  /// A short word for programs.
  package var kind: String
  /// For people.
  package var detail: String

  /// A refusal; see the properties.
  package init(_ status: Int, _ kind: String, _ detail: String) {
    self.status = status
    self.kind = kind
    self.detail = detail
  }

  /// As `application/problem+json` (RFC 9457).
  package var reply: ServedReply {
    let body = JSONText.object([
      ("type", .string("about:blank")), ("title", .string(kind)),
      ("status", .integer(status)), ("detail", .string(detail)),
    ])
    return ServedReply(status: status, body: body, isProblem: true)
  }
}

/// What a client gets.
package struct ServedReply: Sendable, Equatable {
  /// Of HTTP.
  package var status: Int
  /// JSON.
  package var body: [UInt8]
  /// Whether the body is `application/problem+json`.
  package var isProblem: Bool

  /// A reply; see the properties.
  package init(status: Int, body: [UInt8], isProblem: Bool = false) {
    self.status = status
    self.body = body
    self.isProblem = isProblem
  }

  /// A reply with a body.
  package init(status: Int = 200, body: JSONText, isProblem: Bool = false) {
    self.init(status: status, body: Array(body.flat.utf8), isProblem: isProblem)
  }
}
