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
          member: row["member"], email: row["email"], born: row["born"], salt: row["salt"],
          hash: row["hash"])
      }
    }
  }
}
