import BlakJaks
import Quantities
// Goal: a history is read exactly as its format says, in the order of processing.
// Method: small files in every spelling that RFC 4180 allows, with the rows worked out by hand.
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite struct HistoryTests {
  private func read(_ text: String, zone: String = "America/New_York") throws -> History {
    try History.read(bytes: Array(text.utf8), file: "t.csv", zone: zone)
  }

  @Test func rowsComeInTheOrderOfInstantAndRowNumber() throws {
    let history = try read(
      """
      time,member,event,tins,other
      2026-01-02,late,scan,2,
      2026-01-01,early,purchase,,
      2026-01-01,next,scan,1000000,
      2026-01-01,early,scan,3,
      """)
    #expect(history.rows.map(\.row) == [2, 3, 4, 1])
    #expect(history.rows.map(\.tins) == [1, 1_000_000, 3, 2])
    #expect(history.rows.map(\.event) == [.purchase, .scan, .scan, .scan])
    #expect(history.members == ["early", "next", "late"])
    #expect(history.rows.map(\.member) == [0, 1, 0, 2])
    #expect(history.rows.map(\.other) == [.max, .max, .max, .max])
  }

  @Test func aReferrerJoinsTheMembersBehindTheOneReferred() throws {
    let history = try read(
      """
      time,member,event,tins,other
      2026-01-01,new,refer,,old
      2026-01-02,old,signup,1,
      """)
    #expect(history.members == ["new", "old"])
    #expect(history.rows.map(\.member) == [0, 1])
    #expect(history.rows.map(\.other) == [1, .max])
    #expect(history.rows.map(\.event) == [.refer, .signup])
  }

  @Test func aBareDateIsMidnightInTheZoneAndAZonedTimeIsNot() throws {
    let history = try read(
      """
      time,member,event,tins,other
      2026-01-01,a,scan,,
      2026-01-01T05:00:00Z,b,scan,,
      2026-01-01T00:00:00.000001,c,scan,,
      """)
    #expect(history.members == ["a", "b", "c"])
    #expect(history.rows[0].instant == history.rows[1].instant)
    #expect(history.rows.map(\.hasClock) == [false, true, true])
    #expect(history.rows[2].instant - history.rows[0].instant == TimeSpan(microseconds: 1))
    #expect(history.rows[0].instant.description == "2026-01-01T05:00:00.000000Z")
  }

  @Test(
    "Every line end, a byte order mark and blank lines at the end read alike",
    arguments: [
      "time,member,event,tins,other\n2026-01-01,a,scan,2,\n2026-01-02,b,scan,,",
      "time,member,event,tins,other\r\n2026-01-01,a,scan,2,\r\n2026-01-02,b,scan,,\r\n",
      "\u{FEFF}time,member,event,tins,other\n2026-01-01,a,scan,2,\n2026-01-02,b,scan,,\n\n\n",
      "\"time\",\"member\",\"event\",\"tins\",\"other\"\n\"2026-01-01\",\"a\",\"scan\",\"2\",\"\"\n"
        + "2026-01-02,b,scan,,\"\"\r\n\r\n",
    ])
  func spellings(text: String) throws {
    let history = try read(text, zone: "UTC")
    #expect(history.members == ["a", "b"])
    #expect(history.rows.map(\.tins) == [2, 1])
    #expect(history.rows.map(\.row) == [1, 2])
  }

  @Test func quotedNamesHoldCommasQuotesAndLineEnds() throws {
    let history = try read(
      "time,member,event,tins,other\n2026-01-01,\"Lee, \"\"Al\"\"\nJr\",scan,,\n"
        + "2026-01-01,\"b\",refer,,\"Lee, \"\"Al\"\"\nJr\"\n")
    #expect(history.members == ["Lee, \"Al\"\nJr", "b"])
    #expect(history.rows[1].other == 0)
  }

  @Test("A carriage return at the very end ends the row", arguments: ["", "\"\""])
  func cutOffLineEnd(other: String) throws {
    let history = try read(
      "time,member,event,tins,other\r\n2026-01-01,a,scan,1,\r\n2026-01-02,b,scan,1,\(other)\r")
    #expect(history.rows.count == 2 && history.members == ["a", "b"])
  }

  @Test func namesAreTakenAsTheyStand() throws {
    let history = try read(
      """
      time,member,event,tins,other
      2026-01-01, a,scan,,
      2026-01-01,a,scan,,
      2026-01-01,A,scan,,
      """)
    #expect(history.members == [" a", "a", "A"])
  }

  @Test func aRowTakesFortyBytes() {
    #expect(MemoryLayout<HistoryRow>.stride == 40)
  }

  @Test("More purchases than 64 bits hold are judged like any others")
  func manyPurchasesOfTheLargestAmount() throws {
    let form = HistoryForm(
      column: "amount", amounts: 1...Int64.max,
      events: [
        .init("order", hasAmount: true, isPurchase: true), .init("use", usesPurchases: true),
      ])
    let rows = (UInt32(1)...3).map { row in
      HistoryRow(
        instant: Instant(microseconds: Int64(row)), hasClock: true, row: row, line: row + 1,
        member: 0, other: .max, amount: row < 3 ? .max : 1, kind: row < 3 ? 0 : 1)
    }
    #expect(History(form, names: ["ann"], fileRows: rows).findings() == [])
  }

  @Test("A part of a history has the days that were asked for, and all that came before")
  func part() throws {
    let history = try read(
      """
      time,member,event,tins,other
      2026-01-03,a,signup,,
      2026-01-03,a,purchase,5,
      2026-01-20,b,refer,,a
      2026-02-05,a,scan,3,
      2026-02-06T18:00:00,c,purchase,1,
      2026-02-20,a,scan,3,
      2026-03-04,c,signup,,
      """, zone: "UTC")
    func days(_ from: String?, _ to: String?) throws -> HistoryPart? {
      try history.part(
        zone: "UTC", from: from.flatMap { CivilDate($0) }, to: to.flatMap { CivilDate($0) })
    }
    let february = try #require(try days("2026-02-01", "2026-02-28"))
    #expect(february.history.rows.map(\.line) == [2, 3, 4, 5, 6, 7])
    #expect(february.calendar.dates.first == CivilDate("2026-01-03"))
    #expect(february.warmUpDays == 29)
    #expect(february.dates.first == CivilDate("2026-02-01") && february.dates.count == 28)
    #expect(february.calendar.end == february.calendar.dayStarts[57])
    // By February alone the first scan would use what nobody bought, and all would never sign up.
    #expect(
      february.findings == [
        HistoryFinding(fault: .unbought, event: "scan", count: 1, line: 7),
        HistoryFinding(fault: .beforeSignUp, event: "purchase", count: 1, line: 6),
        HistoryFinding(fault: .neverSignedUp, event: "refer", count: 1, line: 4),
        HistoryFinding(fault: .earlier, event: "", count: 3, line: 2),
      ])
    let whole = try #require(try days("2025-12-01", "2026-12-31"))
    #expect(whole.history.rows == history.rows && whole.warmUpDays == 0)
    #expect(try days("2026-01-03", nil)?.warmUpDays == 0)
    #expect(try days("2026-01-04", nil)?.warmUpDays == 1)
    #expect(whole.calendar.start == history.rows[0].instant)
    #expect(whole.calendar.end == history.rows[6].instant + TimeSpan(microseconds: 1))
    // A last day that is asked for is whole, whether or not rows follow it.
    let toLast = try #require(try days(nil, "2026-03-04"))
    #expect(toLast.calendar.end == toLast.calendar.dayStarts[61])
    #expect(try days(nil, "2026-03-03")?.calendar.end == toLast.calendar.dayStarts[60])
    #expect(try days(nil, "2026-03-05")?.calendar.end == whole.calendar.end)
    #expect(try history.endsWithBareDate(zone: "UTC") == CivilDate("2026-03-04"))
    #expect(whole.findings == history.findings() && whole.findings.allSatisfy(\.isContradiction))
    #expect(try days("2026-02-07", "2026-02-19") == nil && days("2026-03-05", nil) == nil)
  }

  @Test func withoutPurchasesNoUseContradictsThem() throws {
    let history = try read(
      "time,member,event,tins,other\n2026-01-01,a,scan,5,\n2026-01-02,b,scan,1,\n")
    #expect(history.findings() == [])
  }

  @Test func tenThousandRowsInAnyOrderSortLikeASlowModel() throws {
    var state: UInt64 = 42
    func next(_ bound: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % bound
    }
    var lines: [(day: Int, member: Int)] = []
    for _ in 0..<10_000 { lines.append((Int(next(300)), Int(next(700)))) }
    let first = CivilDate("2026-01-01")!
    let text =
      "time,member,event,tins,other\n"
      + lines.map { "\(first.adding(days: $0.day)),m\($0.member),scan,,\n" }.joined()
    let history = try read(text, zone: "UTC")
    let order = lines.indices.sorted { (lines[$0].day, $0) < (lines[$1].day, $1) }
    #expect(history.rows.map { Int($0.row) - 1 } == order)
    #expect(
      history.rows.map { history.members[Int($0.member)] }
        == order.map { "m\(lines[$0].member)" })
    var seen: [String] = []
    for index in order where !seen.contains("m\(lines[index].member)") {
      seen.append("m\(lines[index].member)")
    }
    #expect(history.members == seen)
  }
}
