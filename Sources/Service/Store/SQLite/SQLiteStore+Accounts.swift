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
      ).map { row in
        ServiceAccount(
          member: try row.decode(forColumn: "member"), email: try row.decode(forColumn: "email"),
          born: try row.decode(forColumn: "born"), salt: try row.decode(forColumn: "salt"),
          hash: try row.decode(forColumn: "hash"))
      }
    }
  }
}
