internal import EventKernel

/// What a cell hands over to the house while it goes on with later windows, a place a window.
final class CellOutbox: @unchecked Sendable {
  // Unchecked, because it holds a pointer: a place is the cell's until the window is run and the house's
  // until it is concluded.
  private struct Window {
    var tally: CellTally
    var harvest = CellHarvest()
    /// Whether there is anything for the house to take.
    var isFull = false
  }

  private let places: UnsafeMutablePointer<Window>

  /// Nothing is handed over.
  init() {
    places = .allocate(capacity: WindowStretch.places)
    places.initialize(
      repeating: Window(tally: CellTally(hasExtras: false)), count: WindowStretch.places)
  }

  deinit {
    places.deinitialize(count: WindowStretch.places)
    places.deallocate()
  }

  /// Takes what was counted and gathered in a window, and leaves nothing counted and empty lists.
  func put(_ tally: inout CellTally, _ harvest: inout CellHarvest, at place: Int) {
    places[place].tally = tally
    tally = CellTally(hasExtras: tally.hasExtras)
    swap(&places[place].harvest, &harvest)
    places[place].isFull = true
  }

  /// Adds what a cell handed over, in exchange for empty lists.
  func take(from place: Int, into sums: inout CellTally, _ harvest: inout CellHarvest) {
    guard places[place].isFull else { return }
    places[place].isFull = false
    sums.add(places[place].tally)
    swap(&places[place].harvest, &harvest)
  }
}
