/// Why PostgreSQL did not do what it was asked for.
enum PostgresError: Error, Sendable, CustomStringConvertible {
  /// The connection is gone, could not be made, or its transaction was ended.
  case lost(String)
  /// The server refuses; the connection is there.
  case refused(state: String, String)

  var description: String {
    switch self {
    case .lost(let words): words
    case .refused(let state, let words): "\(words) (SQLSTATE \(state))"
    }
  }
}
