// Goal: of a stream of rows in any order the latest are kept, whatever is dropped on the way.
// Method: random rows, and a plain sort of all of them.
import EventKernel
import Foundation
import Testing

@testable import BlakJaks

@Suite struct LatestRowsTests {
  @Test("The latest rows are kept in any order", arguments: [0, 1, 24, 25, 26, 200, 5_000])
  func latest(count: Int) throws {
    for kind in ["ascending", "descending", "random", "few values"] {
      var stream = RandomStream(seed: 6, purpose: 2, entity: UInt64(count))
      var rows = (0..<count).map { _ in
        Int64(stream.uniformIndex(below: kind == "few values" ? 9 : 1 << 40))
      }
      if kind == "ascending" { rows.sort() }
      if kind == "descending" { rows.sort(by: >) }
      var latest = LatestRows<Int64>(25)
      // A day before leaves nothing that counts on the next.
      for row in Int64(0)..<300 { latest.add(Int64.max - row) }
      #expect(latest.take().count == 25)
      for (place, row) in rows.enumerated() {
        latest.add(row)
        if place == count / 2 {
          latest = try JSONDecoder().decode(
            LatestRows<Int64>.self, from: JSONEncoder().encode(latest))
        }
      }
      #expect(latest.take() == Array(rows.sorted().suffix(25)), "\(kind)")
      #expect(latest.take().isEmpty)
    }
  }
}
