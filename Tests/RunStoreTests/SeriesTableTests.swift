// Goal: daily series keep what was set on each day, whenever a key first came.
// Method: a table and a plain dictionary of columns get the same drawn values, over days on which keys are
// set twice, left out or new; some of the tables are saved and go on in another.
import Foundation
import RewardModel
import Testing

@Suite struct SeriesTableTests {
  private let keys = ["a", "b", "c", "d", "e", "f"]
  private var catalog: SeriesCatalog {
    SeriesCatalog(keys.map { SeriesDeclaration($0, .count, "Of a test") })
  }

  /// Columns by key, in the order in which they came, each with a value for every day it was there.
  private struct PlainColumns {
    var order: [String] = []
    var columns: [String: [Int: Int64?]] = [:]
    var days = 0

    mutating func set(_ key: String, _ value: Int64?) {
      if columns[key] == nil { order.append(key) }
      columns[key, default: [:]][days] = .some(value)
    }

    func values(_ key: String) -> [Int64?] {
      let column = columns[key] ?? [:]
      let closed = (0..<days).map { day in column[day] ?? nil }
      guard let today = column[days] else { return closed }
      return closed + [today]
    }
  }

  @Test("A table shows what a column for each key shows, on any day", arguments: UInt64(1)...20)
  func table(seed: UInt64) throws {
    var draw = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ bound: Int) -> Int {
      draw = draw &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((draw >> 33) % UInt64(bound))
    }
    var (table, plain) = (SeriesTable(catalog), PlainColumns())
    var (late, twice, left) = (0, 0, 0)
    for _ in 0..<60 {
      let key = keys[random(min(keys.count, 2 + plain.days))]
      let value = random(4) == 0 ? nil : Int64(random(1_000))
      if plain.days > 0, plain.columns[key] == nil { late += 1 }
      if plain.columns[key]?[plain.days] != nil { twice += 1 }
      table.set(key, value)
      plain.set(key, value)
      if random(5) == 0 {
        left += plain.columns.values.count { $0[plain.days] == nil }
        table.closeDay()
        plain.days += 1
      }
      if random(6) == 0 {
        let saved = try JSONEncoder().encode(table.saved)
        table = SeriesTable(catalog)
        table.saved = try JSONDecoder().decode(SeriesTable.Saved.self, from: saved)
      }
      #expect(table.all.map(\.key) == plain.order, "seed \(seed)")
      for series in table.all {
        #expect(series.values == plain.values(series.key), "\(series.key), seed \(seed)")
      }
    }
    #expect(late > 0 && twice > 0 && left > 0, "sometimes: a new key, one set twice, one left out")
  }

  @Test("Series that were there before are there without a value where nobody sets one")
  func known() {
    var first = SeriesTable(catalog)
    first.set("b", 1)
    first.set("a", 2)
    var table = SeriesTable(catalog, like: first.all)
    #expect(table.all.map(\.key) == ["b", "a"] && table.all.allSatisfy { $0.values.isEmpty })
    table.set("a", 3)
    table.closeDay()
    #expect(table.all.map(\.values) == [[nil], [3]])
  }
}
