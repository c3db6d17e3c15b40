package import BlakJaks
internal import Crypto
internal import Foundation
internal import Quantities

/// The digest that says whether two runs are the same run.
///
/// It covers every row of the record and nothing about the machine: not timing, settings, names
/// of files, the scenario's name or its seed. The rendering, hashed with SHA-256:
/// - the text `pitboss run 2`;
/// - the sections accounts, awards, days, months, quarters, payouts, pools, outcomes, prizes, in
///   this order, each as its name, its number of rows and then its rows' fields in the order of
///   the record's declaration, a prize's own fields first and then its counts;
/// - the sections series, scan_hours, reconciliations, transactions, streams, proposals in the same
///   way; the values of a series are their number and then each as a value that may be absent, the
///   hours of a day are 24 numbers, a flag is the number 0 or 1. The feed repeats others in words
///   and is left out;
/// - a text is its UTF-8 length and its bytes; a whole number, amount or instant is eight bytes,
///   two's complement, least significant first (lengths and row counts, too); an enumeration is
///   its text as in the exports; a date is its text `YYYY-MM-DD`; an absent value is one byte 0, a
///   present one a byte 1 before it; counts by tier are four numbers, lowest tier first.
///
/// Runs of schema version 1 carry a digest that begins with `pitboss run 1` and ends with prizes.
package enum RunFingerprint {
  /// The digest of all rows in 64 lower-case hexadecimal digits.
  ///
  /// - Parameter version: Of the rendering, 1 or 2.
  /// - Complexity: O(rows).
  package static func of(_ record: BlakJaksRecord, version: Int = 2) -> String {
    var digest = Digest()
    digest.add("pitboss run \(version)")
    digest.section("accounts", record.accounts) { digest, row in
      digest.add(row.account)
      digest.add(row.balance.microunits)
      digest.add(row.postings)
    }
    digest.section("awards", record.awards) { digest, row in
      digest.add(row.award)
      digest.add(row.prize)
      digest.add(row.kind.rawValue)
      digest.add(row.amount.microunits)
      digest.add(row.dueScan)
      digest.add(row.wonScan)
      digest.add(row.time.microseconds)
      digest.add(row.member)
    }
    addSeries(record, to: &digest)
    digest.section("payouts", record.payouts) { digest, row in
      digest.add(row.type)
      digest.add(row.count)
      digest.add(row.total.microunits)
      digest.add(row.shareBasisPoints)
    }
    digest.section("pools", record.pools) { digest, row in
      digest.add(row.time.microseconds)
      digest.add(row.pool.microunits)
      digest.add(row.chips)
      digest.add(row.holders)
      digest.add(row.paid.microunits)
      digest.add(row.carry.microunits)
    }
    digest.section("outcomes", record.outcomes) { digest, row in
      digest.add(row.name)
      digest.add(row.count)
    }
    digest.section("prizes", record.prizes) { digest, row in
      digest.add(row.prize.name)
      digest.add(row.prize.kind.rawValue)
      digest.add(row.prize.amount.microunits)
      digest.add(row.prize.every)
      digest.add(row.prize.requiredTier.key)
      digest.add(row.prize.allocation.rawValue)
      digest.add(row.awarded)
      digest.add(row.waiting)
      digest.add(row.nextDue)
      digest.add(row.away)
    }
    if version >= 2 { addDailyFigures(record, to: &digest) }
    return digest.finish()
  }

  private static func addDailyFigures(_ record: BlakJaksRecord, to digest: inout Digest) {
    digest.section("series", record.series) { digest, row in
      digest.add(row.key)
      digest.add(row.unit.rawValue)
      digest.add(Int64(row.values.count))
      for value in row.values { digest.add(optional: value) }
    }
    digest.section("scan_hours", record.scanHours) { digest, row in
      for scans in row { digest.add(scans) }
    }
    digest.section("reconciliations", record.reconciliations) { digest, row in
      digest.add(row.time.microseconds)
      digest.add(row.wallet)
      digest.add(row.ledger.microunits)
      digest.add(row.chain.microunits)
      digest.add(row.difference.microunits)
      digest.add(row.balanced ? 1 : 0)
    }
    digest.section("transactions", record.transactions) { digest, row in
      digest.add(row.time.microseconds)
      digest.add(row.member)
      digest.add(row.kind)
      digest.add(row.amount.microunits)
      digest.add(row.balance.microunits)
      digest.add(row.status)
      digest.add(row.hash)
    }
    digest.section("streams", record.streams) { digest, row in
      digest.add(row.start.microseconds)
      digest.add(row.end.microseconds)
      digest.add(row.peakViewers)
      digest.add(row.uniqueViewers)
      digest.add(row.messages)
    }
    digest.section("proposals", record.proposals) { digest, row in
      digest.add(row.opened.microseconds)
      digest.add(optional: row.closed?.microseconds)
      digest.add(row.votesFor)
      digest.add(row.votesAgainst)
      digest.add(row.eligible)
      digest.add(row.passed ? 1 : 0)
    }
  }

  private static func addSeries(_ record: BlakJaksRecord, to digest: inout Digest) {
    digest.section("days", record.days) { digest, row in
      digest.add(row.date.description)
      digest.add(row.signups)
      digest.add(row.members)
      digest.add(row.purchases)
      digest.add(row.tinsSold)
      digest.add(row.submitted)
      digest.add(row.acceptedScans)
      for count in row.tiers.all { digest.add(count) }
      digest.add(row.grossProfit.microunits)
      digest.add(row.spendCash.microunits)
      digest.add(row.spendAccrual.microunits)
      digest.add(optional: row.projectedBasisPoints)
      digest.add(optional: row.status?.rawValue)
    }
    digest.section("months", record.months) { digest, row in
      digest.add(row.month)
      digest.add(row.tinsSold)
      digest.add(row.acceptedScans)
      digest.add(row.grossProfit.microunits)
      digest.add(row.budget.microunits)
      digest.add(row.spendCash.microunits)
      digest.add(row.spendAccrual.microunits)
      digest.add(optional: row.utilisationBasisPoints)
      digest.add(optional: row.status?.rawValue)
    }
    digest.section("quarters", record.quarters) { digest, row in
      digest.add(row.quarter)
      for count in row.tiers.all { digest.add(count) }
    }
  }

  /// SHA-256 of a file's content in lower-case hexadecimal.
  static func sha256(_ data: Data) -> String { hexadecimal(SHA256.hash(data: data)) }

  fileprivate static func hexadecimal(_ digest: SHA256.Digest) -> String {
    let digits = Array("0123456789abcdef")
    var text = ""
    for byte in digest {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return text
  }
}

/// Hashes fields through a buffer, since a hash call per field costs more than the hashing.
private struct Digest {
  private var hash = SHA256()
  private var buffer: [UInt8] = []

  mutating func add(_ number: Int64) {
    withUnsafeBytes(of: number.littleEndian) { buffer.append(contentsOf: $0) }
    if buffer.count >= 1 << 16 { flush() }
  }

  mutating func add(_ text: String) {
    add(Int64(text.utf8.count))
    buffer.append(contentsOf: text.utf8)
  }

  mutating func add(optional number: Int64?) {
    buffer.append(number == nil ? 0 : 1)
    if let number { add(number) }
  }

  mutating func add(optional text: String?) {
    buffer.append(text == nil ? 0 : 1)
    if let text { add(text) }
  }

  mutating func section<Row>(_ name: String, _ rows: [Row], _ body: (inout Self, Row) -> Void) {
    add(name)
    add(Int64(rows.count))
    for row in rows { body(&self, row) }
  }

  mutating func finish() -> String {
    flush()
    return RunFingerprint.hexadecimal(hash.finalize())
  }

  private mutating func flush() {
    hash.update(data: buffer)
    buffer.removeAll(keepingCapacity: true)
  }
}
