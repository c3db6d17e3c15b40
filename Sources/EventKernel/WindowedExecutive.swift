public import Quantities

/// One step of the windowed executive: the half-open interval `start ..< end`.
public struct Window: Hashable, Sendable {
  /// 0, 1, 2 … from the start of the run.
  public let index: Int
  /// First instant of the window.
  public let start: Instant
  /// First instant after the window.
  public let end: Instant

  /// Makes a window; `end` is after `start`.
  public init(index: Int, start: Instant, end: Instant) {
    self.index = index
    self.start = start
    self.end = end
  }
}

/// A logical process: a part of the model that does not meet the other parts inside a window.
///
/// A cell keeps what the house must see (its emissions) until the house has read it. It is run by
/// one thread at a time, by any thread from window to window.
public protocol WindowedCell: Sendable {
  /// What the house sends to every cell at a window's start.
  associatedtype Broadcast: Sendable

  /// Gets ready to run a window, and asks for the memory that it will need.
  ///
  /// Called once before each `run`, with the same words and after the last window was handed over; the
  /// thread may run another cell in between.
  mutating func prepare(_ window: Window, _ broadcast: Broadcast)

  /// Runs every event of this cell in `window`, and no other.
  ///
  /// Where the house is awaited it holds back what depends on the window before.
  mutating func run(_ window: Window, _ broadcast: Broadcast)

  /// Runs what `run` held back: see `WindowedHouse.isAwaited`.
  mutating func finish(_ window: Window, _ broadcast: Broadcast)

  /// Puts what the house must see of the window that was run aside, at one of `WindowStretch.places` places
  /// which the house has read before, where it can find it while the cell runs later windows: see
  /// `WindowedHouse.letsCellsGoOn(after:)`.
  mutating func handOver(to place: Int)
}

extension WindowedCell {
  /// Nothing is to be made ready.
  public mutating func prepare(_ window: Window, _ broadcast: Broadcast) {}

  /// Nothing was held back.
  public mutating func finish(_ window: Window, _ broadcast: Broadcast) {}

  /// There is no stretch of several windows.
  public mutating func handOver(to place: Int) {
    preconditionFailure("a cell goes on and has nowhere to put what the house must see")
  }
}

/// Windows that cells run one after another without waiting for the house to conclude them.
public enum WindowStretch {
  /// How many windows' worth of what a cell hands over there is room for at a time.
  public static let places = 3
  /// Windows of a stretch at most.
  public static let longest = 16
}

/// The coordinator: what all cells share. It acts alone, between windows, but for what cells do not wait for.
public protocol WindowedHouse: SendableMetatype {
  /// The logical processes that it coordinates.
  associatedtype Cell: WindowedCell

  /// What every cell receives at the start of the next window.
  var broadcast: Cell.Broadcast { get }

  /// The number of the cell that probably takes longest in the next window. Threads begin with it, so
  /// that the others do not wait for it at the end. It changes no result.
  var longestCell: Int { get }

  /// Whether cells hold something back in the next window until the house has caught up with the one
  /// before. They then run it in two parts, of which only the first is beside the house.
  var isAwaited: Bool { get }

  /// Takes the emissions of a finished window in the model's total order and hands outcomes back.
  ///
  /// - Parameters:
  ///   - window: The window that every cell has run.
  ///   - cells: All cells, in order; to be read and written freely during the call.
  mutating func conclude(_ window: Window, cells: UnsafeMutableBufferPointer<Cell>) throws

  /// Does what `conclude` has left for later, because no cell sees any of it but what is held back.
  ///
  /// Called after each `conclude(_:cells:)`, before the next window is concluded and before a run returns; on
  /// several threads beside the cells of the next window, whose state it must not touch.
  ///
  /// - Throws: What ends the run, with the last window that was concluded.
  mutating func catchUp() throws

  /// Whether cells may run the next window before this one is concluded, because what the house decides on
  /// it changes nothing in the next.
  ///
  /// Asked of each window of a stretch in order, before they are run and before the house has caught up. Where cells go on, the house
  /// concludes the window beside them, by `conclude(_:handedTo:)`; never where it is awaited. On one thread
  /// nobody goes on, and each window is concluded by `conclude(_:cells:)`.
  func letsCellsGoOn(after window: Window) -> Bool

  /// The broadcast of the later windows of a stretch, by that of the first.
  static func following(_ broadcast: Cell.Broadcast) -> Cell.Broadcast

  /// Concludes a window after which the cells have gone on: takes what they handed over, touching nothing
  /// else of theirs, and leaves nothing for later.
  ///
  /// - Parameters:
  ///   - window: The window that every cell has run.
  ///   - place: See `WindowedCell.handOver(to:)`.
  mutating func conclude(_ window: Window, handedTo place: Int) throws

  /// Tells the cells what came of the window before. Called where it is awaited, after `catchUp` and
  /// before any cell runs what it held back; the house is alone, so it has to be short.
  ///
  /// - Parameter cells: See `conclude`.
  mutating func tell(_ cells: UnsafeMutableBufferPointer<Cell>)
}

extension WindowedHouse {
  /// Any.
  public var longestCell: Int { 0 }

  /// Nobody waits for it.
  public var isAwaited: Bool { false }

  /// Nothing is left.
  public mutating func catchUp() {}

  /// Each window is concluded before the next.
  public func letsCellsGoOn(after window: Window) -> Bool { false }

  /// The same.
  public static func following(_ broadcast: Cell.Broadcast) -> Cell.Broadcast { broadcast }

  /// There is no stretch of several windows.
  public mutating func conclude(_ window: Window, handedTo place: Int) {
    preconditionFailure("a house lets cells go on and does not take what they hand over")
  }

  /// There is nothing to tell.
  public mutating func tell(_ cells: UnsafeMutableBufferPointer<Cell>) {}
}

/// Where the time of a run of windows went, by the clock on the wall.
public struct WindowTimes: Equatable, Sendable {
  /// While cells ran, side by side, with what the house did meanwhile.
  public var cells = Duration.zero
  /// While the house was alone: concluding windows, and whoever was asked to proceed.
  public var house = Duration.zero
  /// Of `cells`, what the house took to catch up and to conclude what cells did not wait for: beside them on
  /// several threads, before them on one.
  public var catchingUp = Duration.zero

  /// No time at all.
  public init() {}
}

/// A conservative, time-stepped parallel executive: cells run a window side by side, then the
/// house concludes it alone.
///
/// The window is the lookahead: what one cell does reaches another at the next window's start at
/// the earliest. The result does not depend on the number of threads, since cells share nothing
/// within a window and the house sees them in their order. Sources: Chandy and Misra 1979,
/// doi:10.1109/TSE.1979.230182; Nicol 1993, doi:10.1145/151261.151266.
public struct WindowedExecutive<House: WindowedHouse>: ~Copyable {
  /// The coordinator.
  public var house: House
  private let cells: UnsafeMutableBufferPointer<House.Cell>
  private let threads: Int
  /// Where the time of all runs went; nil where nobody asked.
  public private(set) var times: WindowTimes?

  /// Takes the house and its cells.
  ///
  /// - Parameters:
  ///   - house: Concludes each window.
  ///   - cells: Run each window, in any order.
  ///   - threads: 1 or more; more than there are processors only costs time.
  ///   - isTimed: Whether `times` are kept, which costs two looks at the clock a window.
  public init(house: House, cells: [House.Cell], threads: Int, isTimed: Bool = false) {
    precondition(threads >= 1, "a run needs a thread")
    self.house = house
    self.threads = min(threads, max(cells.count, 1))
    times = isTimed ? WindowTimes() : nil
    self.cells = .allocate(capacity: cells.count)
    _ = self.cells.initialize(from: cells)
  }

  deinit {
    cells.deinitialize()
    cells.deallocate()
  }

  /// Runs windows in order.
  ///
  /// - Parameters:
  ///   - windows: Ascending; each starts where the one before ended.
  ///   - proceed: Asked after each window, or after a stretch of them through which cells went on, and
  ///     lent the house, which would have to be copied for it otherwise; false ends the run there.
  /// - Returns: The last window that was run, nil when there was none.
  /// - Throws: What the house throws; the run then ends with that window.
  public mutating func run(
    _ windows: some Sequence<Window>, proceed: (Window, inout House) -> Bool
  ) throws -> Window? {
    var last: Window?
    // A flag, as looking at `times` in every window costs more than a window of few events.
    let isTimed = times != nil
    let team =
      threads > 1 ? CellTeam<House>(cells: cells, helpers: threads - 1, isTimed: isTimed) : nil
    defer { team?.dismiss() }
    var mark = ContinuousClock.now
    var iterator = windows.makeIterator()
    var ahead = iterator.next()
    var stretch: [Window] = []
    while var window = ahead {
      ahead = iterator.next()
      let broadcast = Self.broadcast(of: &house)
      let isAwaited = Self.isAwaited(&house)
      if let team {
        stretch.removeAll(keepingCapacity: true)
        stretch.append(window)
        while let next = ahead, !isAwaited, stretch.count < WindowStretch.longest,
          Self.letsCellsGoOn(&house, after: window)
        {
          stretch.append(next)
          window = next
          ahead = iterator.next()
        }
        let longest = Self.longestCell(of: &house)
        try withUnsafeMutablePointer(to: &house) { house throws in
          try team.run(
            stretch, broadcast, following: House.following(broadcast), longest: longest,
            beside: house)
        }
        if isAwaited {
          house.tell(cells)
          team.finish(window, broadcast)
        }
      } else {
        try house.catchUp()
        if isTimed { passCatchingUp(mark) }
        if isAwaited { house.tell(cells) }
        run(window, broadcast, inTwoParts: isAwaited)
      }
      if isTimed { times?.cells += Self.pass(&mark) }
      try house.conclude(window, cells: cells)
      last = window
      let goesOn = proceed(window, &house)
      if isTimed { times?.house += Self.pass(&mark) }
      guard goesOn else { break }
    }
    try house.catchUp()
    if isTimed, let team { times?.catchingUp += team.catchingUp }
    return last
  }

  /// Counts the time since an instant as the house's.
  private mutating func passCatchingUp(_ mark: ContinuousClock.Instant) {
    times?.catchingUp += ContinuousClock.now - mark
  }

  /// Runs a window on one thread. Each cell is made ready before the one before it runs, so that its
  /// memory comes meanwhile.
  private func run(_ window: Window, _ broadcast: House.Cell.Broadcast, inTwoParts: Bool) {
    guard !cells.isEmpty else { return }
    cells[0].prepare(window, broadcast)
    for index in cells.indices {
      if index + 1 < cells.count { cells[index + 1].prepare(window, broadcast) }
      cells[index].run(window, broadcast)
      if inTwoParts { cells[index].finish(window, broadcast) }
    }
  }

  /// Lent and not handed over, so that it is not copied.
  private static func broadcast(of house: inout House) -> House.Cell.Broadcast { house.broadcast }

  /// Lent as well.
  private static func longestCell(of house: inout House) -> Int { house.longestCell }

  /// Lent as well.
  private static func isAwaited(_ house: inout House) -> Bool { house.isAwaited }

  /// Lent as well.
  private static func letsCellsGoOn(_ house: inout House, after window: Window) -> Bool {
    house.letsCellsGoOn(after: window)
  }

  /// Looks at the clock.
  ///
  /// - Returns: The time since the last look.
  private static func pass(_ mark: inout ContinuousClock.Instant) -> Duration {
    let last = mark
    mark = ContinuousClock.now
    return mark - last
  }

  /// Reads or changes every cell in order, outside of a run.
  public mutating func withCells<Answer>(
    _ body: (UnsafeMutableBufferPointer<House.Cell>, inout House) throws -> Answer
  ) rethrows -> Answer {
    try body(cells, &house)
  }
}
