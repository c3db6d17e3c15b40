// Goal: a value that the fingerprint takes out of a row's memory is the value that it would render.
// Method: a table of every kind of value by its properties, and the same table by closures, which
// say nothing of a place in memory.

import Quantities
import RewardModel
import Testing

@Suite struct DigestLayoutTests {
  private struct Row: Sendable {
    var flag = false
    var whole: Int64 = 0
    var text = ""
    var amount = MicroUSDT.zero
    var perhaps: Int64?
    var owed: MicroUSDT?
    var count = 0
    var seed: UInt64 = 0
    var real = 0.0
    var share: Double?
    var time = Instant(microseconds: 0)
    var last: Instant?
    var date = CivilDate(year: 2026, month: 3, day: 1)
    var name: String?
  }

  private struct Ledger: Sendable {
    var rows: [Row]
  }

  private static let rows: [Row] = [
    Row(),
    Row(
      flag: true, whole: .min, text: "tin", amount: MicroUSDT(microunits: -1), perhaps: .max,
      owed: .zero, count: -7, seed: .max, real: -0.0, share: .infinity,
      time: Instant(microseconds: .max), last: Instant(microseconds: -5),
      date: CivilDate(year: 2028, month: 2, day: 29), name: "Ünï"),
    Row(perhaps: 0, share: 0.25, last: Instant(microseconds: 0), name: ""),
  ]

  private func digest(_ columns: [Column<Row>], of rows: [Row] = Self.rows) -> [UInt8] {
    let table = Table<Ledger, Row>(
      "rows", sql: "row", rows: \.rows, blank: Row(), columns: columns)
    var (bytes, hashed) = (DigestBytes(), [UInt8]())
    func hash(_ bytes: inout DigestBytes) {
      hashed += bytes.bytes
      bytes.removeAll()
    }
    table.digest(Ledger(rows: rows), version: 8, into: &bytes, hash)
    hash(&bytes)
    return hashed
  }

  /// A number that claims more memory than it has.
  private struct Narrow: FieldStorable {
    static let kind = FieldKind.whole
    static let layout: WordLayout? = .word
    var number: Int32
    var stored: FieldValue { .whole(Int64(number)) }

    init(_ number: Int32) { self.number = number }

    init?(stored: FieldValue) {
      guard case .whole(let number) = stored else { return nil }
      self.number = Int32(truncatingIfNeeded: number)
    }

    func digest(into bytes: inout DigestBytes) { bytes.add(Int64(number)) }
  }

  private struct NarrowRow: Sendable {
    var first = Narrow(1)
    var second = Narrow(2)
  }

  @Test("A type that says it is a word has a word's size, or there is no column of it")
  func narrow() async {
    await #expect(processExitsWith: .failure) {
      _ = Column<NarrowRow>("first", \.first)
    }
  }

  private func placed<Value: FieldStorable>(
    _ path: any WritableKeyPath<Row, Value> & Sendable
  ) -> [Column<Row>] {
    [
      Column("c", path),
      Column("c", get: { $0[keyPath: path] }, set: { $0[keyPath: path] = $1 }),
    ]
  }

  /// Each property twice: by its path, and by closures.
  private var pairs: [[Column<Row>]] {
    [
      placed(\.flag), placed(\.whole), placed(\.text), placed(\.amount), placed(\.perhaps),
      placed(\.owed), placed(\.count), placed(\.seed), placed(\.real), placed(\.share),
      placed(\.time), placed(\.last), placed(\.date), placed(\.name),
    ]
  }

  @Test func eachKindOfValueIsTheSameFromMemory() {
    for (number, pair) in pairs.enumerated() {
      #expect(digest([pair[0]]) == digest([pair[1]]), "property \(number)")
    }
  }

  @Test func columnsKeepTheirOrder() {
    #expect(digest(pairs.map { $0[0] }) == digest(pairs.map { $0[1] }))
    let backwards = Array(pairs.reversed())
    #expect(digest(backwards.map { $0[0] }) == digest(backwards.map { $0[1] }))
    #expect(digest(backwards.map { $0[0] }) != digest(pairs.map { $0[0] }))
  }

  @Test("More rows than wait at once are hashed in pieces, and nothing is lost between them")
  func manyRows() {
    let many = (0..<3_000).map { number in
      var row = Self.rows[number % 3]
      row.whole = Int64(number)
      return row
    }
    let whole = digest(pairs.map { $0[0] }, of: many)
    #expect(whole == digest(pairs.map { $0[1] }, of: many))
    #expect(whole.count > 1 << 18)
  }

  @Test("A text longer than all that waits at once is hashed whole")
  func longText() {
    var row = Row()
    row.text = String(repeating: "tin ", count: 30_000)
    let bytes = digest([Column("c", \.text)], of: [row, Row()])
    // The second row's text has the length 0, and no bytes.
    #expect(bytes.suffix(row.text.utf8.count + 8).dropLast(8).elementsEqual(row.text.utf8))
  }
}
