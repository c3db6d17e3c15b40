internal import EventKernel
internal import Quantities

/// The accepted scans of one window in the total order, sorted only where somebody looks.
///
/// Scans are spread over equal parts of the window by one counting pass; a part is sorted when its
/// first scan is asked for. The house asks for the few that are due, so most are never sorted.
struct WindowOrder {
  private var emissions: [AcceptedScan] = []
  private var starts: [Int] = []
  private var cursors: [Int] = []
  private var sorted: [Bool] = []

  /// The number of scans.
  private(set) var count = 0

  /// Takes the emissions of all cells. O(scans).
  mutating func load(_ window: Window, cells: UnsafeMutableBufferPointer<Cell>) {
    // By index: a loop over the cells themselves would copy, and so retain, each of them.
    count = cells.indices.reduce(0) { $0 + cells[$1].emissions.count }
    if emissions.count < count {
      let blank = AcceptedScan(time: .distantPast, member: 0, tier: .standard)
      emissions = Array(repeating: blank, count: count * 3 / 2)
    }
    // About four scans a part.
    var parts = 1
    while parts * 4 < count && parts < 1 << 16 { parts *= 2 }
    starts = Array(repeating: 0, count: parts + 1)
    sorted = Array(repeating: false, count: parts)
    let origin = window.start.microseconds
    let scale = Double(parts) / Double((window.end - window.start).microseconds)
    @inline(__always) func part(_ time: Instant) -> Int {
      min(Int(Double(time.microseconds - origin) * scale), parts - 1)
    }
    for cell in cells.indices {
      cells[cell].emissions.withUnsafeBufferPointer { list in
        for emission in list { starts[part(emission.time) + 1] += 1 }
      }
    }
    for row in 0..<parts { starts[row + 1] += starts[row] }
    cursors = starts
    for cell in cells.indices {
      cells[cell].emissions.withUnsafeBufferPointer { list in
        for emission in list {
          let row = part(emission.time)
          emissions[cursors[row]] = emission
          cursors[row] += 1
        }
      }
    }
  }

  /// The scan at a place of the order.
  ///
  /// - Complexity: O(log parts), and once a part the sorting of its few scans.
  subscript(place: Int) -> AcceptedScan {
    mutating get {
      sort(part(of: place))
      return emissions[place]
    }
  }

  /// Visits the scans at several places in their order.
  ///
  /// - Complexity: O(places) and the sorting of their parts.
  mutating func forEach(
    in places: Range<Int>, _ body: (AcceptedScan) throws(MoneyError) -> Void
  ) throws(MoneyError) {
    guard !places.isEmpty else { return }
    var part = part(of: places.lowerBound)
    for place in places {
      while starts[part + 1] <= place { part += 1 }
      if !sorted[part] { sort(part) }
      try body(emissions[place])
    }
  }

  /// The part that holds a place.
  private func part(of place: Int) -> Int {
    var low = 0
    var high = sorted.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= place { low = middle } else { high = middle }
    }
    return low
  }

  private mutating func sort(_ part: Int) {
    guard !sorted[part] else { return }
    emissions[starts[part]..<starts[part + 1]].sort(by: AcceptedScan.precedes)
    sorted[part] = true
  }
}
