internal import CKernel
private import Foundation
internal import Synchronization

/// The threads that run a stretch of windows: the caller and its helpers.
///
/// Every cell of every window is claimed once, window after window, by an atomic counter whose upper half is
/// the generation of the stretch. A cell that another thread is still running through the window before is
/// waited for, and so is the house where it has yet to read what a cell handed over. Nobody waits with a cell
/// in hand, and only for what was claimed before, so somebody can always go on. A helper that comes late
/// finds nothing to claim, so the result never waits for a particular thread.
///
/// The house is the caller's, whose processor has it in its cache: before each cell it looks whether the house
/// can have its turn.
final class CellTeam<House: WindowedHouse>: Sendable {
  typealias Cell = House.Cell

  private struct Job: Sendable {
    var generation: UInt64
    var windows: [Window]
    /// For the first window, and for those that follow.
    var broadcast, following: Cell.Broadcast
    /// The cell to claim first.
    var first: UInt64
    /// Catches up and concludes; nil in the second part of a window, which it is done with.
    var house: Lent<House>?

    func broadcast(in block: Int) -> Cell.Broadcast { block == 0 ? broadcast : following }
  }

  /// A cell of one of a job's windows.
  private struct Claim {
    var cell: Int
    /// The window's number in the stretch.
    var block: Int
  }

  /// What the executive lends to the team: its cells for as long as the team lives, its house while
  /// a stretch runs.
  ///
  /// Unchecked, because it holds a pointer: the counter of claims and the progress give each cell to one thread
  /// at a time, the house is the caller's, and the caller waits until all are done.
  private struct Lent<Value>: @unchecked Sendable {
    let address: UnsafeMutablePointer<Value>
  }

  private let cells: Lent<Cell>
  private let count: UInt64
  /// Cells are claimed in steps of this, coprime to their number, so that threads work on cells
  /// that are far apart: neighbors share a cache line at their border.
  private let stride: UInt64
  private let helpers: Int
  /// Generation in the upper 32 bits, the next to claim in the lower.
  private let claims = Atomic<UInt64>(UInt64(UInt32.max))
  /// Of the job.
  private let claimable = Atomic<UInt64>(0)
  private let progress: CellProgress
  private let dismissed = Atomic<Bool>(false)
  /// For the next stretch, and for progress in one.
  private let between: WaitingRoom
  private let within: WaitingRoom
  private let present = DispatchSemaphore(value: 0)
  private let job = Mutex<Job?>(nil)
  /// Whether the house is timed, and how long it has taken beside cells.
  private let isTimed: Bool
  private let timed = Mutex(Duration.zero)
  /// What the house threw, and whether it did. Cells do not run after that.
  private let failure = Mutex<(any Error)?>(nil)
  private let hasFailed = Atomic<Bool>(false)

  /// How long the house has taken to catch up and to conclude windows beside cells; nothing where it is not
  /// timed.
  var catchingUp: Duration { timed.withLock { $0 } }

  /// Starts the helpers of one cell or more.
  ///
  /// - Parameter isTimed: Whether `catchingUp` is kept.
  init?(cells: UnsafeMutableBufferPointer<Cell>, helpers: Int, isTimed: Bool = false) {
    self.isTimed = isTimed
    guard let base = cells.baseAddress, cells.count > 0 else { return nil }
    self.cells = Lent(address: base)
    count = UInt64(cells.count)
    progress = CellProgress(cells: cells.count)
    self.helpers = helpers
    between = WaitingRoom(threads: helpers + 1)
    within = WaitingRoom(threads: helpers + 1)
    stride = Self.stride(for: UInt64(cells.count))
    for _ in 0..<helpers {
      let thread = Thread { [self] in
        help()
        present.signal()
      }
      thread.stackSize = 4 << 20
      thread.start()
    }
  }

  /// Runs every cell through a stretch of windows while the house catches up and concludes all but the
  /// last of them; returns when all are done.
  ///
  /// - Parameters:
  ///   - windows: One or more.
  ///   - following: The broadcast of all windows but the first.
  ///   - longest: See `WindowedHouse.longestCell`.
  /// - Throws: What the house throws.
  func run(
    _ windows: [Window], _ broadcast: Cell.Broadcast, following: Cell.Broadcast, longest: Int,
    beside house: UnsafeMutablePointer<House>
  ) throws {
    share(
      Job(
        generation: nextGeneration, windows: windows, broadcast: broadcast, following: following,
        first: UInt64(clamping: longest) % count, house: Lent(address: house)))
    if let failed = failure.withLock({ $0 }) { throw failed }
  }

  /// Runs what the cells have held back in a window; returns when all are done.
  func finish(_ window: Window, _ broadcast: Cell.Broadcast) {
    share(
      Job(
        generation: nextGeneration, windows: [window], broadcast: broadcast, following: broadcast,
        first: 0, house: nil))
  }

  private var nextGeneration: UInt64 {
    (claims.load(ordering: .relaxed) >> 32 + 1) & UInt64(UInt32.max)
  }

  /// Works on a job with the helpers until it is done.
  private func share(_ mine: Job) {
    job.withLock { $0 = mine }
    progress.reset()
    claimable.store(UInt64(mine.windows.count) * count, ordering: .releasing)
    claims.store(mine.generation << 32, ordering: .releasing)
    between.tell()
    claim(mine, isCaller: true)
    let windows = mine.windows.count
    while !progress.isOver(windows) {
      if !takeTurn(mine) { within.wait { progress.isOver(windows) || mayTakeTurn(mine) } }
    }
  }

  /// Sends the helpers home; returns when they are gone.
  func dismiss() {
    dismissed.store(true, ordering: .releasing)
    between.tell()
    for _ in 0..<helpers { present.wait() }
  }

  /// The number nearest above 0.38 × count that has no divisor in common with it.
  private static func stride(for count: UInt64) -> UInt64 {
    guard count > 2 else { return 1 }
    var candidate = count * 38 / 100 + 1
    func common(_ a: UInt64, _ b: UInt64) -> UInt64 { b == 0 ? a : common(b, a % b) }
    while common(candidate, count) != 1 { candidate += 1 }
    return candidate
  }

  /// False where nothing is left to claim; true where something may be.
  private var hasClaims: Bool {
    claims.load(ordering: .acquiring) & UInt64(UInt32.max) < claimable.load(ordering: .acquiring)
  }

  private func help() {
    while true {
      between.wait { hasClaims || dismissed.load(ordering: .acquiring) }
      if dismissed.load(ordering: .acquiring) { return }
      claim(nil, isCaller: false)
    }
  }

  /// Claims and runs until nothing is left; reads the job once a first claim is its own.
  private func claim(_ known: Job?, isCaller: Bool) {
    var mine = known
    // A cell that is ready and waits until the next one is.
    var ready: Claim?
    while true {
      if isCaller, let work = mine, mayTakeTurn(work) {
        runReady(&ready, work)
        _ = takeTurn(work)
      }
      guard hasClaims else { break }
      let claimed = claims.add(1, ordering: .acquiringAndReleasing).oldValue
      // The stretch cannot end before this claim is done, so its job stays the current one.
      if mine?.generation != claimed >> 32 { mine = job.withLock { $0 } }
      let index = claimed & UInt64(UInt32.max)
      // A claim of a job that is over, or none at all.
      guard let work = mine, work.generation == claimed >> 32,
        index < UInt64(work.windows.count) * count
      else { break }
      let (block, place) = index.quotientAndRemainder(dividingBy: count)
      let own = Claim(cell: cell(place, from: work.first), block: Int(block))
      guard work.house != nil else {
        cells.address[own.cell].finish(work.windows[0], work.broadcast)
        say(own)
        continue
      }
      if !mayBegin(own) {
        runReady(&ready, work)
        while !mayBegin(own) {
          if isCaller && takeTurn(work) { continue }
          within.wait { mayBegin(own) || isCaller && mayTakeTurn(work) }
        }
      }
      cells.address[own.cell].prepare(work.windows[own.block], work.broadcast(in: own.block))
      runReady(&ready, work)
      ready = own
      if !looksAhead { runReady(&ready, work) }
    }
    if let work = mine { runReady(&ready, work) }
  }

  /// Whether a thread gets a cell ready before it runs another: not where that could leave the last
  /// cells to one thread.
  private var looksAhead: Bool { count >= 8 * UInt64(helpers + 1) }

  /// The cell of a claim, where the first one claims this cell.
  private func cell(_ claim: UInt64, from first: UInt64) -> Int {
    Int((first + claim * stride) % count)
  }

  /// Whether a cell is through the window before, and the house has concluded that which was handed over
  /// where this one will be.
  private func mayBegin(_ claim: Claim) -> Bool {
    guard progress.ofCell(claim.cell) == claim.block else { return false }
    // It concludes a window in its turn in the next one.
    return claim.block < WindowStretch.places
      || progress.ofHouse >= claim.block - WindowStretch.places + 2
  }

  /// Whether the house can have its turn: to catch up in the first window, and in each later one to conclude
  /// the window before, once all cells are through it.
  private func mayTakeTurn(_ work: Job) -> Bool {
    let turn = progress.ofHouse
    guard turn < work.windows.count else { return false }
    return turn == 0 || progress.allAreThrough(turn - 1)
  }

  /// Lets the house have its turn where it can.
  ///
  /// - Returns: Whether it had it.
  private func takeTurn(_ work: Job) -> Bool {
    guard mayTakeTurn(work) else { return false }
    let turn = progress.ofHouse
    defer {
      progress.houseHadTurn(turn)
      within.tell()
    }
    // It is not asked again once it has failed.
    guard let house = work.house, !hasFailed.load(ordering: .acquiring) else { return true }
    let begin = isTimed ? ContinuousClock.now : nil
    do {
      if turn == 0 {
        try house.address.pointee.catchUp()
      } else {
        try house.address.pointee.conclude(
          work.windows[turn - 1], handedTo: (turn - 1) % WindowStretch.places)
      }
    } catch {
      failure.withLock { $0 = error }
      hasFailed.store(true, ordering: .releasing)
    }
    if let begin { timed.withLock { $0 += ContinuousClock.now - begin } }
    return true
  }

  private func runReady(_ ready: inout Claim?, _ work: Job) {
    guard let claim = ready else { return }
    ready = nil
    defer { say(claim) }
    guard !hasFailed.load(ordering: .acquiring) else { return }
    // The cell that this thread probably claims next comes into the cache meanwhile: strides
    // are nothing that the processor would foresee.
    let ahead = UInt64(helpers + 1) * (looksAhead ? 2 : 1) * stride
    let following = cells.address + Int((UInt64(claim.cell) + ahead) % count)
    for offset in Swift.stride(from: 0, to: MemoryLayout<Cell>.size, by: 64) {
      ck_prefetch(UnsafeRawPointer(following) + offset)
    }
    cells.address[claim.cell].run(work.windows[claim.block], work.broadcast(in: claim.block))
    if claim.block + 1 < work.windows.count {
      cells.address[claim.cell].handOver(to: claim.block % WindowStretch.places)
    }
  }

  /// Says that a cell is through a window.
  private func say(_ claim: Claim) {
    progress.cellIsThrough(claim.cell, claim.block)
    within.tell()
  }
}
