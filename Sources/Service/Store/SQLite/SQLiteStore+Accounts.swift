internal import GRDB

extension SQLiteStore {
  /// The members who have an account.
  ///
  /// - Throws: Errors of GRDB.
  package func accounts() throws -> Set<UInt32> {
    try pool.read { database in
      try Set(UInt32.fetchAll(database, sql: "SELECT member FROM account"))
    }
  }

  /// The account of an email address.
  ///
  /// - Throws: Errors of GRDB.
  package func account(email: String) throws -> ServiceAccount? {
    try pool.read { database in
      try Row.fetchOne(
        database, sql: "SELECT * FROM account WHERE email = ?", arguments: [email]
      ).map(Self.account)
    }
  }

  /// Visits every account, by member.
  ///
  /// - Throws: Errors of GRDB, and what `body` throws.
  func forEachAccount(_ body: (ServiceAccount) throws -> Void) throws {
    try pool.read { database in
      let rows = try Row.fetchCursor(database, sql: "SELECT * FROM account ORDER BY member")
      while let row = try rows.next() { try body(try Self.account(row)) }
    }
  }

  private static func account(_ row: Row) throws -> ServiceAccount {
    ServiceAccount(
      member: try row.decode(forColumn: "member"), email: try row.decode(forColumn: "email"),
      born: try row.decode(forColumn: "born"), salt: try row.decode(forColumn: "salt"),
      hash: try row.decode(forColumn: "hash"))
  }
}
