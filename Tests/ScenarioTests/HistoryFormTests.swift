// Goal: what a history may hold is the program's to say: its events, its column, its unit.
// Method: small files of a form made up here, whose amounts are money.
import RewardModel
import Scenario
import Testing

@Suite struct HistoryFormTests {
  private static let form = HistoryForm(
    column: "amount", currency: Currency("EUR"), amounts: 0...1_000_000_000,
    events: [
      .init("join"), .init("order", hasAmount: true, isPurchase: true),
      .init("gift", hasAmount: true, other: .init(whom: "who gets it", itself: "gives to itself")),
    ])

  private func read(_ rows: String) throws(InputErrors) -> History {
    try History.read(
      Self.form, bytes: Array("time,member,event,amount,other\n\(rows)\n".utf8), file: "t.csv",
      zone: "UTC")
  }

  @Test func amountsOfMoneyAreExactAndEventsHaveTheirPlaces() throws {
    let history = try read(
      """
      2026-01-01,a,join,,
      2026-01-02,a,order,14.000001,
      2026-01-03,a,order,12.5 EUR,
      2026-01-04,a,gift,0,b
      """)
    #expect(history.rows.map(\.amount) == [0, 14_000_001, 12_500_000, 0])
    #expect(
      history.rows.map { history.form.events[Int($0.kind)].word }
        == ["join", "order", "order", "gift"])
    #expect(history.members == ["a", "b"])
    #expect(history.rows.map(\.other) == [.max, .max, .max, 1])
  }

  @Test(
    "What the form does not hold is refused",
    arguments: [
      (
        "2026-01-01,a,order,,",
        "amount is ''; write an amount in EUR with up to 6 decimals, 0 to 1000"
      ),
      (
        "2026-01-01,a,order,5 USD,",
        "amount is '5 USD'; write an amount in EUR with up to 6 decimals, 0 to 1000"
      ),
      (
        "2026-01-01,a,order,1000.01,",
        "amount is '1000.01'; write an amount in EUR with up to 6 decimals, 0 to 1000"
      ),
      ("2026-01-01,a,join,3,", "amount is '3' on a join row; leave it empty"),
      ("2026-01-01,a,order,3,b", "other is 'b' on an order row; leave it empty"),
      ("2026-01-01,a,joined,,", "unknown event 'joined'; did you mean 'join'?"),
      ("2026-01-01,a,gift,3,", "other is empty on a gift row; name who gets it"),
      ("2026-01-01,a,gift,3,a", "'a' gives to itself; name another member as other"),
    ])
  func refused(row: String, message: String) {
    #expect {
      try read(row)
    } throws: {
      "\($0)" == "t.csv:2: \(message)"
    }
  }
}
