internal import Synchronization

/// How far the cells and the house have come in a stretch of windows, which are numbered from 0 in it.
///
/// One cache line a count, as threads that run cells beside each other write to it.
final class CellProgress: @unchecked Sendable {
  // Unchecked, because it holds a pointer: to atomics, which any thread may read and write.
  private static let step = 64 / MemoryLayout<Atomic<Int>>.stride
  /// Windows that each cell has run, cells that are through each window, turns of the house.
  private let counts: UnsafeMutablePointer<Atomic<Int>>
  private let cells: Int
  private let size: Int

  /// Nobody has run a window.
  init(cells: Int) {
    self.cells = cells
    size = (cells + WindowStretch.longest + 1) * Self.step
    counts = .allocate(capacity: size)
    for place in 0..<size { (counts + place).initialize(to: Atomic(0)) }
  }

  deinit {
    counts.deinitialize(count: size)
    counts.deallocate()
  }

  /// Begins a stretch, while nobody else looks.
  func reset() {
    for row in stride(from: 0, to: size, by: Self.step) { counts[row].store(0, ordering: .relaxed) }
  }

  private func count(_ row: Int) -> Int { counts[row * Self.step].load(ordering: .acquiring) }

  /// How many of the stretch's windows a cell has run.
  func ofCell(_ cell: Int) -> Int { count(cell) }

  /// Whether all cells have run a window.
  func allAreThrough(_ window: Int) -> Bool { count(cells + window) == cells }

  /// How many turns the house has had.
  var ofHouse: Int { count(cells + WindowStretch.longest) }

  /// Whether a stretch of so many windows is over.
  func isOver(_ windows: Int) -> Bool { ofHouse == windows && allAreThrough(windows - 1) }

  /// Says that a cell has run a window.
  func cellIsThrough(_ cell: Int, _ window: Int) {
    counts[cell * Self.step].store(window + 1, ordering: .releasing)
    counts[(cells + window) * Self.step].add(1, ordering: .acquiringAndReleasing)
  }

  /// Says that the house has had a turn.
  func houseHadTurn(_ turn: Int) {
    counts[(cells + WindowStretch.longest) * Self.step].store(turn + 1, ordering: .releasing)
  }
}
