internal import Crypto
internal import Foundation
package import RewardModel

/// The digest that says whether two runs are the same run.
///
/// It covers every row of the record's tables, but for some series that came later, and nothing about
/// the machine: not timing, settings, names of files, the scenario's name or its seed. The rendering, hashed with SHA-256:
/// - the text `pitboss run 2`;
/// - the tables that take part, in the order of their declaration, each as its name, its number of
///   rows and then its rows' fields in the order of the columns; a row that has a list ends with
///   the list's length, unless that is always the same, and its numbers;
/// - a text is its UTF-8 length and its bytes; a whole number, amount or instant is eight bytes,
///   two's complement, least significant first (lengths and row counts, too); a choice is its word;
///   a date is its text `YYYY-MM-DD`; a flag is the number 0 or 1; an absent value is one byte 0,
///   and where a value may be absent, a present one has a byte 1 before it.
///
/// Runs of schema version 1 carry a digest that begins with `pitboss run 1` and lacks the tables
/// that came later.
package enum RunFingerprint {
  /// The latest version of the schema.
  package static let latest = RunDatabase.schemaVersion

  /// The digest of all rows in 64 lower-case hexadecimal digits.
  ///
  /// - Parameters:
  ///   - record: A whole run.
  ///   - version: Of the schema: what came later is left out. The latest by default.
  /// - Complexity: O(rows).
  package static func of<Record: ProgrammeRecord>(
    _ record: Record, version: Int = RunFingerprint.latest
  ) -> String {
    var hash = SHA256()
    // A hash call per field would cost more than the hashing.
    var bytes = DigestBytes()
    func drain(_ bytes: inout DigestBytes) {
      hash.update(data: bytes.bytes)
      bytes.removeAll()
    }
    bytes.add("pitboss run \(min(version, 2))")
    for table in Record.tables where table.isDigested && table.since <= version {
      table.digest(record, version: version, into: &bytes, drain)
    }
    drain(&bytes)
    return hexadecimal(hash.finalize())
  }

  /// SHA-256 of a file's content in lower-case hexadecimal.
  static func sha256(_ data: Data) -> String { hexadecimal(SHA256.hash(data: data)) }

  static func hexadecimal(_ digest: SHA256.Digest) -> String {
    let digits: StaticString = "0123456789abcdef"
    return String(unsafeUninitializedCapacity: 2 * SHA256.byteCount) { text in
      var place = 0
      for byte in digest {
        text[place] = digits.utf8Start[Int(byte >> 4)]
        text[place + 1] = digits.utf8Start[Int(byte & 15)]
        place += 2
      }
      return place
    }
  }
}
