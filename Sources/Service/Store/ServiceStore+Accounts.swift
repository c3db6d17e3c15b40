package import Foundation
internal import GRDB

extension ServiceStore {
  /// How a member proves who they are.
  package struct Account: Sendable {
    package var member: UInt32
    /// In lower case.
    package var email: String
    /// `YYYY-MM-DD`.
    package var born: String
    package var salt: Data
    package var hash: Data

    /// An account; see the properties.
    package init(member: UInt32, email: String, born: String, salt: Data, hash: Data) {
      self.member = member
      self.email = email
      self.born = born
      self.salt = salt
      self.hash = hash
    }
  }

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
  package func account(email: String) throws -> Account? {
    try pool.read { database in
      try Row.fetchOne(
        database, sql: "SELECT * FROM account WHERE email = ?", arguments: [email]
      ).map { row in
        Account(
          member: row["member"], email: row["email"], born: row["born"], salt: row["salt"],
          hash: row["hash"])
      }
    }
  }
}
