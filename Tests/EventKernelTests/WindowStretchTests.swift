// Goal: cells that go on for several windows before the house has concluded them give the result of cells
// that wait, for any number of threads; the house sees each window once and in order.
// Method: cells of very different lengths that tell the house of each window; one thread, where all wait.
import EventKernel
import Quantities
import Testing

/// Hands over what it has come to where it goes on, and counts the steps that come out of order.
private struct GoingCell: WindowedCell {
  final class Outbox: @unchecked Sendable {
    let digests: UnsafeMutableBufferPointer<UInt64?>

    init() {
      digests = .allocate(capacity: WindowStretch.places)
      digests.initialize(repeating: nil)
    }

    deinit { digests.deallocate() }
  }

  var index: UInt64
  var digest: UInt64 = 1
  var told: UInt64 = 0
  let outbox = Outbox()
  var prepared: Int?
  var mistakes = 0

  mutating func prepare(_ window: Window, _ broadcast: [Int]) {
    if prepared != nil { mistakes += 1 }
    prepared = window.index
  }

  mutating func run(_ window: Window, _ broadcast: [Int]) {
    if prepared != window.index { mistakes += 1 }
    prepared = nil
    let isFirst = broadcast.first == window.index
    digest =
      (digest ^ UInt64(window.index) &+ index &+ told &+ (isFirst ? 9 : 0)) &* 0x100_0000_01B3
    // Cells of very different lengths.
    if (UInt64(window.index) &+ index) % 7 == 0 { for _ in 0..<2_000 { turn() } }
  }

  private mutating func turn() { digest = digest &* 6_364_136_223_846_793_005 &+ 1 }

  mutating func handOver(to place: Int) {
    if outbox.digests[place] != nil { mistakes += 1 }
    outbox.digests[place] = digest
  }
}

/// Lets cells go on until each window whose number ends a group, and tells them something only then.
private struct GoingHouse: WindowedHouse {
  struct Refusal: Error {}

  let group: Int
  var outboxes: [GoingCell.Outbox] = []
  var seen: [UInt64] = []
  var steps: [Int] = []
  var beside = 0
  var mistakes = 0
  var failsAt: Int?
  /// The first window of a stretch.
  var begin = 0
  var broadcast: [Int] { [begin] }

  func letsCellsGoOn(after window: Window) -> Bool { window.index % group != group - 1 }

  static func following(_ broadcast: [Int]) -> [Int] { [] }

  private mutating func enter(_ window: Window, _ digests: [UInt64]) throws {
    if window.index == failsAt { throw Refusal() }
    steps.append(window.index)
    seen.append(digests.reduce(UInt64(window.index)) { ($0 ^ $1) &* 0x100_0000_01B3 })
  }

  mutating func conclude(_ window: Window, handedTo place: Int) throws {
    beside += 1
    let digests = outboxes.compactMap { $0.digests[place] }
    if digests.count != outboxes.count { mistakes += 1 }
    for outbox in outboxes { outbox.digests[place] = nil }
    try enter(window, digests)
  }

  mutating func conclude(
    _ window: Window, cells: UnsafeMutableBufferPointer<GoingCell>
  ) throws {
    try enter(window, cells.map(\.digest))
    // On one thread each window is concluded alone.
    if letsCellsGoOn(after: window) { return }
    begin = window.index + 1
    for index in cells.indices { cells[index].told = seen.last ?? 0 }
  }
}

@Suite struct WindowStretchTests {
  private func going(
    cells count: Int, group: Int, threads: Int, failsAt: Int? = nil
  ) -> WindowedExecutive<GoingHouse> {
    let cells = (0..<count).map { GoingCell(index: UInt64($0)) }
    var house = GoingHouse(group: group)
    house.outboxes = cells.map(\.outbox)
    house.failsAt = failsAt
    return WindowedExecutive(house: house, cells: cells, threads: threads)
  }

  @Test(
    "Cells that go on before the house has concluded a window come to the same on any number of threads",
    arguments: [1, 2, 5, 16, 40], [1, 2, 3, 7, 50])
  func goingOn(cells count: Int, group: Int) throws {
    var alone = going(cells: count, group: group, threads: 1)
    _ = try alone.run(windows(400)) { _, _ in true }
    let expected = alone.withCells { cells, house in (cells.map(\.digest), house) }
    // A broadcast of a window of its own is that of the first of a stretch.
    let breaks = Set(stride(from: 0, to: 400, by: group))
    for threads in [2, 3, 6] {
      var executive = going(cells: count, group: group, threads: threads)
      var asked: [Int] = []
      let last = try executive.run(windows(400)) { window, _ in
        asked.append(window.index)
        return true
      }
      #expect(last?.index == 399)
      executive.withCells { cells, house in
        #expect(house.steps == Array(0..<400), "\(threads) threads")
        #expect(house.seen == expected.1.seen)
        #expect(cells.map(\.digest) == expected.0)
        #expect(house.mistakes == 0 && cells.allSatisfy { $0.mistakes == 0 })
        // One cell has one thread.
        #expect(group == 1 || count == 1 ? house.beside == 0 : house.beside > 100)
        #expect(house.beside + asked.count == 400)
        #expect(breaks.subtracting([0]).allSatisfy { asked.contains($0 - 1) })
      }
    }
  }

  @Test("What the house throws beside cells that have gone on ends the run after their stretch")
  func failureBeside() {
    for threads in [2, 4] {
      var executive = going(cells: 6, group: 9, threads: threads, failsAt: 39)
      #expect(throws: GoingHouse.Refusal.self) {
        _ = try executive.run(windows(90)) { _, _ in true }
      }
      executive.withCells { _, house in
        #expect(house.steps == Array(0..<39))
      }
    }
  }

  @Test("A run that is told to end does so after the windows through which cells went on")
  func endingWhileGoingOn() throws {
    for threads in [1, 3] {
      var executive = going(cells: 6, group: 5, threads: threads)
      let last = try executive.run(windows(90)) { window, _ in window.index < 32 }
      #expect(last?.index == (threads == 1 ? 32 : 34))
      executive.withCells { _, house in
        #expect(house.steps == Array(0...(threads == 1 ? 32 : 34)))
      }
    }
  }
}
