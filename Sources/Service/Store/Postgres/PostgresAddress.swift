internal import Foundation

/// Where a PostgreSQL database is, as libpq takes it: `postgres://user@host:port/database?options`.
package struct PostgresAddress: Sendable {
  /// With all that it says, a password as well: never printed.
  let text: String
  /// Without user, password and options, for people.
  package let name: String

  /// Reads an address; nil for what is none.
  package init?(_ text: String) {
    guard let scheme = ["postgres://", "postgresql://"].first(where: text.hasPrefix),
      !text.contains("\0")
    else { return nil }
    self.text = text
    let rest = text.dropFirst(scheme.count).prefix { $0 != "?" }
    // A password may have an @ in it, a host may not.
    let place = rest.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
    name = "postgres://" + place
  }
}
