import Foundation
import GRDB
import Quantities
import RewardModel
import Service
import Testing

@testable import BlakJaks

@Suite("The tables of a service")
struct ServiceRowsTests {
  @Test("Tables repeat the state: scans without gaps, postings that sum to zero, awards once")
  func repeatTheState() async throws {
    let service = try ServiceFixture()
    let codes = try await service.begin(members: 3, tins: 600)
    for (place, code) in codes.enumerated() {
      try await service.submit(.scan(member: UInt32(place % 3), code: code))
      if place % 40 == 0 { try await service.advance(.minutes(11)) }
    }
    try await service.advance(.days(2))
    let (members, desk, ledger) = try await service.ask { machine in
      (
        machine.state.members, machine.state.programme.books.desk,
        machine.state.programme.books.ledger
      )
    }
    let database = try DatabaseQueue(
      path: service.folder.appending(path: "service.sqlite").path)
    try await database.read { database in
      func whole(_ sql: String) throws -> Int64 {
        try Int64.fetchOne(database, sql: sql) ?? .min
      }
      #expect(try whole("SELECT count(*) FROM scan") == 600)
      #expect(try whole("SELECT min(number) FROM scan") == 1)
      #expect(try whole("SELECT max(number) FROM scan") == 600)
      #expect(
        try whole(
          "SELECT count(*) FROM (SELECT 1 FROM posting GROUP BY request HAVING sum(amount_micro) <> 0)"
        ) == 0)
      for account in LedgerAccount.allCases {
        let sum = try Int64.fetchOne(
          database, sql: "SELECT coalesce(sum(amount_micro), 0) FROM posting WHERE account = ?",
          arguments: ["\(account)"])
        #expect(sum == ledger.balance(account).microunits, "\(account)")
      }
      // 600 rewards, and the prize of scan 500.
      #expect(try whole("SELECT count(*) FROM award") == desk.awarded.count)
      #expect(desk.awarded.count == 601)
      #expect(try whole("SELECT sum(amount_micro) FROM award") == desk.awarded.amount.microunits)
      #expect(
        try whole("SELECT sum(amount_micro) FROM payout WHERE status = 'paid'")
          == desk.paid.amount.microunits)
      for member in 0..<3 {
        let wallet = members.purses[member].wallet
        let row = try Row.fetchOne(
          database, sql: "SELECT * FROM member WHERE member = ?", arguments: [member])
        #expect(row?["available_micro"] == wallet.available.microunits)
        #expect(row?["pending_micro"] == wallet.pending.microunits)
        #expect(row?["lifetime_scans"] == 200)
      }
      #expect(try whole("SELECT count(*) - max(sequence) FROM journal") == 0)
    }
  }
}
