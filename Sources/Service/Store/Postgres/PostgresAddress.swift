internal import Foundation

/// Where a PostgreSQL database is, as libpq takes it: `postgres://user@host:port/database?options`.
package struct PostgresAddress: Sendable {
  /// With all that it says, a password as well: never printed.
  let text: String
  /// Without user, password and options, for people.
  package let name: String
  /// Whether it is clear what of it is a password; libpq's words may repeat a part of what is not.
  let isClear: Bool

  /// Reads an address; nil for what is none.
  package init?(_ text: String) {
    guard let scheme = ["postgres://", "postgresql://"].first(where: text.hasPrefix),
      !text.contains("\0")
    else { return nil }
    self.text = text
    let rest = text.dropFirst(scheme.count)
    let place: Substring?
    let authority = rest.prefix { $0 != "/" }
    let marks = authority.count { $0 == "@" }
    if let end = authority.lastIndex(of: "@") {
      // A password may have an @ or a ? in it, a host may not.
      place = rest[rest.index(after: end)...].prefix { $0 != "?" }
    } else {
      // A later @ is of an option, or of a password with a slash that it should not have.
      let front = rest.prefix { $0 != "?" }
      place = rest.contains("@") && (front.contains("@") || front.contains(":")) ? nil : front
    }
    isClear = place != nil && marks <= 1
    name = "postgres://" + (place ?? "…")
  }
}
