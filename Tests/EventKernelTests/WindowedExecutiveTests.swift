// Goal: the windowed executive gives the same result for any number of threads, shows the house
// each window once and in order, and ends where it is told to.
// Method: a ring of cells that pass tokens on through the house; a slow copy without threads.
import EventKernel
import Quantities
import Testing

/// A cell that draws a number for each token it holds and asks the house to move it on.
private struct RingCell: WindowedCell {
  var index: UInt64
  var tokens: [UInt64]
  var outbox: [UInt64] = []
  var digest: UInt64 = 0
  var runs = 0

  mutating func run(_ window: Window, _ broadcast: UInt64) {
    runs += 1
    outbox.removeAll(keepingCapacity: true)
    var stream = RandomStream(
      seed: broadcast, purpose: 1, entity: index, counter: UInt32(window.index) &* 64)
    var staying: [UInt64] = []
    for token in tokens {
      digest = (digest ^ token ^ UInt64(window.index)) &* 0x100_0000_01B3
      if stream.uniform() < 0.3 { outbox.append(token) } else { staying.append(token) }
    }
    tokens = staying
  }
}

private struct RingHouse: WindowedHouse {
  struct Refusal: Error {}

  var windows: [Int] = []
  var moved = 0
  var failsAt = Int.max
  var broadcast: UInt64 { UInt64(windows.count) + 7 }
  /// Any cell, and now and then none that there is.
  var longestCell: Int { windows.count % 9 == 8 ? -1 : windows.count * 3 }

  mutating func conclude(
    _ window: Window, cells: UnsafeMutableBufferPointer<RingCell>
  ) throws {
    windows.append(window.index)
    if window.index == failsAt { throw Refusal() }
    for index in cells.indices {
      moved += cells[index].outbox.count
      cells[(index + 1) % cells.count].tokens += cells[index].outbox
    }
  }
}

/// So many windows of ten microseconds.
func windows(_ count: Int) -> [Window] {
  (0..<count).map { index in
    Window(
      index: index, start: Instant(microseconds: Int64(index) * 10),
      end: Instant(microseconds: Int64(index + 1) * 10))
  }
}

@Suite struct WindowedExecutiveTests {
  private func run(
    cells count: Int, threads: Int, windows number: Int = 200, stopAfter: Int = .max
  ) throws -> (digests: [UInt64], tokens: Int, house: RingHouse, last: Window?) {
    let cells = (0..<UInt64(count)).map { index -> RingCell in
      RingCell(index: index, tokens: (UInt64(0)..<20).map { index * 100 + $0 })
    }
    var executive = WindowedExecutive(house: RingHouse(), cells: cells, threads: threads)
    let last = try executive.run(windows(number)) { window, _ in window.index < stopAfter }
    return executive.withCells { cells, house in
      (cells.map(\.digest), cells.reduce(0) { $0 + $1.tokens.count }, house, last)
    }
  }

  @Test("Any number of threads gives the same result", arguments: [1, 2, 3, 7, 64])
  func threads(cells: Int) throws {
    let alone = try run(cells: cells, threads: 1)
    #expect(alone.tokens == cells * 20)
    #expect(alone.house.windows == Array(0..<200))
    #expect(alone.house.moved > 0)
    for threads in [2, 3, 8] {
      let together = try run(cells: cells, threads: threads)
      #expect(together.digests == alone.digests, "\(threads) threads")
      #expect(together.house.windows == alone.house.windows)
    }
  }

  @Test("Each cell is made ready once before each window that it runs", arguments: [1, 2, 9, 90])
  func preparing(cells count: Int) throws {
    struct ReadyCell: WindowedCell {
      var ready: Int?
      var runs = 0
      var mistakes = 0

      mutating func prepare(_ window: Window, _ broadcast: UInt64) {
        if ready != nil { mistakes += 1 }
        ready = window.index
      }

      mutating func run(_ window: Window, _ broadcast: UInt64) {
        if ready != window.index { mistakes += 1 }
        ready = nil
        runs += 1
      }
    }
    struct ReadyHouse: WindowedHouse {
      var broadcast: UInt64 { 3 }
      var unready = 0

      mutating func conclude(
        _ window: Window, cells: UnsafeMutableBufferPointer<ReadyCell>
      ) throws {
        for cell in cells where cell.ready != nil || cell.runs != window.index + 1 { unready += 1 }
      }
    }
    for threads in [1, 2, 5] {
      let cells = Array(repeating: ReadyCell(), count: count)
      var executive = WindowedExecutive(house: ReadyHouse(), cells: cells, threads: threads)
      _ = try executive.run(windows(200)) { _, _ in true }
      executive.withCells { cells, house in
        #expect(house.unready == 0 && cells.allSatisfy { $0.mistakes == 0 && $0.runs == 200 })
      }
    }
  }

  @Test func aRunEndsWithTheWindowAfterWhichItIsToldTo() throws {
    for threads in [1, 4] {
      let result = try run(cells: 5, threads: threads, stopAfter: 31)
      #expect(result.last?.index == 31)
      #expect(result.house.windows.count == 32)
    }
  }

  @Test func whatTheHouseThrowsEndsTheRunAndReleasesTheThreads() {
    for threads in [1, 4] {
      var house = RingHouse()
      house.failsAt = 12
      let cells = (0..<9).map { RingCell(index: UInt64($0), tokens: [1, 2, 3]) }
      var executive = WindowedExecutive(house: house, cells: cells, threads: threads)
      #expect(throws: RingHouse.Refusal.self) {
        _ = try executive.run(windows(50)) { _, _ in true }
      }
    }
  }

  @Test(
    "What cells hold back runs once, after the house has caught up and told them",
    arguments: [1, 3, 40])
  func waiting(cells count: Int) throws {
    /// Holds back in windows of which the house has said so.
    struct WaitingCell: WindowedCell {
      var told: Int?
      var steps: [String] = []

      mutating func prepare(_ window: Window, _ isAwaited: Bool) {
        steps.append("ready \(window.index)")
      }

      mutating func run(_ window: Window, _ isAwaited: Bool) {
        steps.append("run \(window.index)")
      }

      mutating func finish(_ window: Window, _ isAwaited: Bool) {
        steps.append("finished \(window.index) after \(told ?? -1)")
        told = nil
      }
    }
    struct TellingHouse: WindowedHouse {
      var broadcast: Bool { isAwaited }
      var isAwaited = false
      var left: Int?
      var caughtUp: Int?

      mutating func conclude(
        _ window: Window, cells: UnsafeMutableBufferPointer<WaitingCell>
      ) throws {
        left = window.index
        isAwaited = window.index % 3 != 2
      }

      mutating func catchUp() throws { caughtUp = left }

      mutating func tell(_ cells: UnsafeMutableBufferPointer<WaitingCell>) {
        for index in cells.indices { cells[index].told = caughtUp }
      }
    }
    for threads in [1, 2, 5] {
      var executive = WindowedExecutive(
        house: TellingHouse(), cells: Array(repeating: WaitingCell(), count: count),
        threads: threads)
      _ = try executive.run(windows(300)) { _, _ in true }
      var expected: [String] = []
      for index in 0..<300 {
        expected += ["ready \(index)", "run \(index)"]
        if index % 3 != 0 { expected.append("finished \(index) after \(index - 1)") }
      }
      executive.withCells { cells, _ in
        #expect(cells.allSatisfy { $0.steps == expected }, "\(threads) threads")
      }
    }
  }

  @Test("What the house leaves for later is done once, after its window and before the next")
  func catchingUp() throws {
    /// Concludes in two steps, of which the second needs no cell.
    struct LateHouse: WindowedHouse {
      var broadcast: UInt64 { 1 }
      var steps: [String] = []
      var left: Int?
      var failsAt: Int?
      struct Refusal: Error {}

      mutating func conclude(
        _ window: Window, cells: UnsafeMutableBufferPointer<RingCell>
      ) throws {
        steps.append("concluded \(window.index)")
        left = window.index
      }

      mutating func catchUp() throws {
        guard let window = left else { return }
        left = nil
        if window == failsAt { throw Refusal() }
        steps.append("caught up \(window)")
      }
    }
    let cells = (0..<7).map { RingCell(index: UInt64($0), tokens: [1, 2, 3]) }
    for threads in [1, 2, 8] {
      var executive = WindowedExecutive(house: LateHouse(), cells: cells, threads: threads)
      _ = try executive.run(windows(300)) { _, house in house.left != nil }
      let steps = executive.house.steps
      #expect(steps == (0..<300).flatMap { ["concluded \($0)", "caught up \($0)"] })
      // A run that somebody ends leaves nothing.
      _ = try executive.run(windows(300)) { window, _ in window.index < 4 }
      let ended = executive.house.steps.last
      #expect(ended == "caught up 4")

      var house = LateHouse()
      house.failsAt = 12
      var failing = WindowedExecutive(house: house, cells: cells, threads: threads)
      #expect(throws: LateHouse.Refusal.self) {
        _ = try failing.run(windows(50)) { _, _ in true }
      }
      let last = failing.house.steps.last
      #expect(last == "concluded 12")
    }
  }

  @Test("The time of windows is told apart by cells and house, where anybody asks for it")
  func times() throws {
    struct SlowHouse: WindowedHouse {
      var broadcast: UInt64 { 1 }

      mutating func conclude(
        _ window: Window, cells: UnsafeMutableBufferPointer<RingCell>
      ) throws {
        let end = ContinuousClock.now + .milliseconds(2)
        while ContinuousClock.now < end {}
      }

      mutating func catchUp() throws {
        let end = ContinuousClock.now + .milliseconds(1)
        while ContinuousClock.now < end {}
      }
    }
    let cells = (0..<4).map { RingCell(index: UInt64($0), tokens: [1, 2, 3]) }
    for threads in [1, 2] {
      var timed = WindowedExecutive(
        house: SlowHouse(), cells: cells, threads: threads, isTimed: true)
      let begin = ContinuousClock.now
      _ = try timed.run(windows(10)) { _, _ in true }
      let wall = ContinuousClock.now - begin
      let first = timed.times
      let times = try #require(first)
      #expect(times.house >= .milliseconds(20) && times.cells > .zero)
      #expect(times.house + times.cells <= wall)
      // Once a window, within the time of its cells; after the last one it counts for nobody.
      #expect(times.catchingUp >= .milliseconds(10) && times.catchingUp <= times.cells)
      // A second run adds to the first.
      _ = try timed.run(windows(10)) { window, _ in window.index < 4 }
      let both = timed.times
      let second = try #require(both).house
      #expect(second >= times.house + .milliseconds(10))
      var untimed = WindowedExecutive(house: SlowHouse(), cells: cells, threads: threads)
      _ = try untimed.run(windows(2)) { _, _ in true }
      let none = untimed.times
      #expect(none == nil)
    }
  }

  @Test func withoutCellsOrWindowsNothingHappens() throws {
    #expect(try run(cells: 0, threads: 4).house.windows.count == 200)
    #expect(try run(cells: 3, threads: 2, windows: 0).last == nil)
  }
}
