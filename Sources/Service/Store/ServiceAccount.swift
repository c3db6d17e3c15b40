package import Foundation
package import Quantities

/// How a member proves who they are.
package struct ServiceAccount: Sendable {
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

  /// Whether the member is of an age on a date; not where `born` is not a date.
  package func isOfAge(_ years: Int, on date: CivilDate) -> Bool {
    guard let birth = CivilDate(born) else { return false }
    let hadBirthday = (date.month, date.day) >= (birth.month, birth.day)
    return date.year - birth.year - (hadBirthday ? 0 : 1) >= years
  }
}
