// Goal: a table finds the value that a word selects.
// Method: the cumulative bounds gone through from the first, at words on and next to each bound.
import EventKernel
import Testing

@testable import Population

@Suite struct DiscreteTableTests {
  /// The first value whose bound is above the word, the last one where none is.
  private func plain(_ table: DiscreteTable, _ word: UInt32) -> Int {
    table.thresholds.firstIndex { word < $0 } ?? table.thresholds.count - 1
  }

  @Test("A word selects the first value whose bound is above it")
  func values() {
    var stream = RandomStream(seed: 2, purpose: 4, entity: 0)
    var tables: [DiscreteTable] = [DiscreteTable(weights: [1]), DiscreteTable(weights: [0, 0, 3])]
    for count in [2, 3, 5, 40, 700] {
      tables.append(
        DiscreteTable(
          weights: (0..<count).map { _ in
            stream.uniform() < 0.2 ? 0 : stream.standardExponential()
          } + [1e-9, 1]))
    }
    let all = DiscreteTables(tables)
    for row in tables.indices {
      let bounds = tables[row].thresholds
      var words: [UInt32] = [0, .max, .max - 1]
      words += bounds.flatMap { [$0 &- 1, $0, $0 &+ 1] }
      for _ in 0..<500 { words.append(stream.nextUInt32()) }
      for word in words {
        let expected = plain(tables[row], word)
        #expect(tables[row].value(word) == expected, "table \(row), word \(word)")
        #expect(all.value(row, word) == expected, "table \(row), word \(word)")
      }
    }
  }
}
