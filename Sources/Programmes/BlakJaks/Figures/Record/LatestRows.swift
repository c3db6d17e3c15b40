internal import Quantities

/// The latest rows of a stream that comes in any order, in bounded memory.
struct LatestRows<Row: Comparable & Codable & Sendable>: Codable, Sendable {
  private var rows: [Row] = []
  private let most: Int
  /// The least of as many as are kept, where it is known: no row below it is one of the latest.
  private var least: Row?

  private enum CodingKeys: CodingKey { case rows, most }

  /// - Parameter most: How many are kept, the greatest: 1 or more.
  init(_ most: Int) {
    invariant(most > 0, "\(most) rows are kept")
    self.most = most
  }

  /// Adds a row.
  ///
  /// - Complexity: O(1), amortized.
  mutating func add(_ row: Row) {
    if let least, row < least { return }
    rows.append(row)
    if rows.count >= 8 * most { dropLeast() }
  }

  /// Takes what was kept, in order.
  mutating func take() -> [Row] {
    guard !rows.isEmpty else { return [] }
    rows.sort()
    rows.removeFirst(max(rows.count - most, 0))
    defer {
      rows.removeAll(keepingCapacity: true)
      least = nil
    }
    return rows
  }

  /// Leaves the greatest in any order, which takes less than to sort all of them.
  ///
  /// - Complexity: O(rows) on average. Source: Hoare 1961, algorithm 65, doi:10.1145/366622.366647.
  private mutating func dropLeast() {
    let most = most
    rows.withUnsafeMutableBufferPointer { rows in
      // None before `first` is less than one from it on, and none after `last` is greater than one up to it.
      var (first, last) = (0, rows.count - 1)
      while first < last {
        let middle = rows[first + (last - first) / 2]
        var (low, high) = (first, last)
        while low <= high {
          while middle < rows[low] { low += 1 }
          while rows[high] < middle { high -= 1 }
          guard low <= high else { break }
          rows.swapAt(low, high)
          low += 1
          high -= 1
        }
        if most - 1 <= high {
          last = high
        } else if most - 1 >= low {
          first = low
        } else {
          break
        }
      }
    }
    least = rows[most - 1]
    rows.removeSubrange(most...)
  }
}
