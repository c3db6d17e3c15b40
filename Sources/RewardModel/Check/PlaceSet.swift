/// Places from 0 on, as ranges.
package struct PlaceSet: Sendable, Equatable, CustomStringConvertible {
  /// Ascending, apart.
  package private(set) var ranges: [Range<Int>]

  /// All places below a count.
  package init(below count: Int) { ranges = count > 0 ? [0..<count] : [] }

  /// The places given, in any order.
  package init(_ places: some Sequence<Int>) {
    ranges = []
    for place in places.sorted() {
      if let last = ranges.last, place < last.upperBound { continue }
      if let last = ranges.last, place == last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<(place + 1)
      } else {
        ranges.append(place..<(place + 1))
      }
    }
  }

  /// Reads `0-12,40,77-80`; nil for anything else.
  package init?(_ text: String) {
    ranges = []
    guard text != "none" else { return }
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let ends = part.split(separator: "-", omittingEmptySubsequences: false)
      guard ends.count <= 2, let first = ends.first.flatMap({ Int($0) }),
        let last = ends.last.flatMap({ Int($0) }), first <= last, last < 1_000_000_000,
        first >= (ranges.last?.upperBound ?? 0), first >= 0
      else { return nil }
      ranges.append(first..<(last + 1))
    }
  }

  /// `0-12,40,77-80`, or `none`.
  package var description: String {
    guard !ranges.isEmpty else { return "none" }
    return ranges.map {
      $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound - 1)"
    }.joined(separator: ",")
  }

  /// How many.
  package var count: Int { ranges.reduce(0) { $0 + $1.count } }

  /// All of them, ascending.
  package var places: [Int] { ranges.flatMap { Array($0) } }

  /// Whether a place is one of them.
  ///
  /// - Complexity: O(log ranges).
  package func contains(_ place: Int) -> Bool {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= place { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(place)
  }
}
