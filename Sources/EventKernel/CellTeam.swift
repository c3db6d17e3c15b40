internal import CKernel
private import Foundation
internal import Synchronization

/// The threads that run a window's cells: the caller and its helpers.
///
/// A window may last some tens of microseconds, less than it takes to wake a sleeping thread, so
/// helpers spin for the next window and give way to others when it does not come soon.
///
/// Every cell of a window, or of its second part, is claimed once, by an atomic counter whose upper half is
/// the generation of that; it is over when all its cells are. What the house has left of the window before
/// is claimed like a cell, first of all. A helper that comes late finds nothing to claim, so the
/// result never waits for a particular thread.
final class CellTeam<House: WindowedHouse>: Sendable {
  typealias Cell = House.Cell

  private struct Job: Sendable {
    var window: Window
    var broadcast: Cell.Broadcast
    /// The cell to claim first.
    var first: UInt64
    /// Catches up; nil in the second part of a window, which it is done with.
    var house: Lent<House>?
  }

  /// What the executive lends to the team: its cells for as long as the team lives, its house while
  /// a window runs.
  ///
  /// Unchecked, because it holds a pointer: the counter of claims gives each cell, and the house, to
  /// one thread at a time, and the caller waits until all are done.
  private struct Lent<Value>: @unchecked Sendable {
    let address: UnsafeMutablePointer<Value>
  }

  private let cells: Lent<Cell>
  /// Of cells, and of claims in a window.
  private let (count, claimable): (UInt64, UInt64)
  /// Cells are claimed in steps of this, coprime to their number, so that threads work on cells
  /// that are far apart: neighbors share a cache line at their border.
  private let stride: UInt64
  private let helpers: Int
  /// Generation in the upper 32 bits, the next to claim in the lower: the house, then the cells.
  private let claims = Atomic<UInt64>(UInt64(UInt32.max))
  private let completed = Atomic<Int>(0)
  private let dismissed = Atomic<Bool>(false)
  private let present = DispatchSemaphore(value: 0)
  private let job = Mutex<Job?>(nil)
  /// Whether the house is timed, and how long it has taken to catch up.
  private let isTimed: Bool
  private let timed = Mutex(Duration.zero)
  /// What the house threw.
  private let failure = Mutex<(any Error)?>(nil)

  /// How long the house has taken to catch up; nothing where it is not timed.
  var catchingUp: Duration { timed.withLock { $0 } }

  /// Starts the helpers of one cell or more.
  ///
  /// - Parameter isTimed: Whether `catchingUp` is kept.
  init?(cells: UnsafeMutableBufferPointer<Cell>, helpers: Int, isTimed: Bool = false) {
    self.isTimed = isTimed
    guard let base = cells.baseAddress, cells.count > 0 else { return nil }
    self.cells = Lent(address: base)
    count = UInt64(cells.count)
    claimable = count + 1
    self.helpers = helpers
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

  /// Runs every cell through a window while the house catches up; returns when all are done.
  ///
  /// - Parameter longest: See `WindowedHouse.longestCell`.
  /// - Throws: What the house throws.
  func run(
    _ window: Window, _ broadcast: Cell.Broadcast, longest: Int,
    beside house: UnsafeMutablePointer<House>
  ) throws {
    let first = UInt64(clamping: longest) % count
    share(
      Job(window: window, broadcast: broadcast, first: first, house: Lent(address: house)))
    if let failed = failure.withLock({ $0 }) { throw failed }
  }

  /// Runs what the cells have held back in a window; returns when all are done.
  func finish(_ window: Window, _ broadcast: Cell.Broadcast) {
    share(Job(window: window, broadcast: broadcast, first: 0, house: nil))
  }

  /// Works on a job with the helpers until it is done.
  private func share(_ mine: Job) {
    job.withLock { $0 = mine }
    completed.store(0, ordering: .relaxed)
    let generation = (claims.load(ordering: .relaxed) >> 32 + 1) & UInt64(UInt32.max)
    claims.store(generation << 32, ordering: .releasing)
    claim(mine)
    var spins = 0
    while completed.load(ordering: .acquiring) < Int(claimable) { Self.rest(&spins) }
  }

  /// Sends the helpers home; returns when they are gone.
  func dismiss() {
    dismissed.store(true, ordering: .releasing)
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

  private var hasClaims: Bool {
    claims.load(ordering: .acquiring) & UInt64(UInt32.max) < claimable
  }

  private func help() {
    var spins = 0
    while !dismissed.load(ordering: .acquiring) {
      guard hasClaims else {
        Self.rest(&spins)
        continue
      }
      spins = 0
      claim(nil)
    }
  }

  /// Claims and runs until nothing is left; reads the job once a first claim is its own.
  private func claim(_ known: Job?) {
    var mine = known
    var generation: UInt64?
    // A cell that is ready and waits until the next one is.
    var ready: UInt64?
    while hasClaims {
      let claimed = claims.add(1, ordering: .acquiringAndReleasing).oldValue
      let index = claimed & UInt64(UInt32.max)
      guard index < claimable else { break }
      // The window cannot end before this claim is done, so its job stays the current one.
      if mine == nil || (generation != nil && generation != claimed >> 32) {
        mine = job.withLock { $0 }
      }
      generation = claimed >> 32
      guard let work = mine else { return }
      if index == 0 {
        if let house = work.house { catchUp(house) }
        completed.add(1, ordering: .acquiringAndReleasing)
        continue
      }
      let cell = place(index - 1, from: work.first)
      guard work.house != nil else {
        cells.address[cell].finish(work.window, work.broadcast)
        completed.add(1, ordering: .acquiringAndReleasing)
        continue
      }
      cells.address[cell].prepare(work.window, work.broadcast)
      if let before = ready { run(before, work) }
      ready = index - 1
      guard !looksAhead else { continue }
      run(index - 1, work)
      ready = nil
    }
    if let before = ready, let work = mine { run(before, work) }
  }

  /// Whether a thread gets a cell ready before it runs another: not where that could leave the last
  /// cells to one thread.
  private var looksAhead: Bool { count >= 8 * UInt64(helpers + 1) }

  /// The cell of a claim, where the first one claims this cell.
  private func place(_ claim: UInt64, from first: UInt64) -> Int {
    Int((first + claim * stride) % count)
  }

  private func catchUp(_ house: Lent<House>) {
    let begin = isTimed ? ContinuousClock.now : nil
    do {
      try house.address.pointee.catchUp()
    } catch {
      failure.withLock { $0 = error }
    }
    if let begin { timed.withLock { $0 += ContinuousClock.now - begin } }
  }

  private func run(_ claim: UInt64, _ work: Job) {
    // The cell that this thread probably claims next comes into the cache meanwhile: strides
    // are nothing that the processor would foresee.
    let ahead = UInt64(helpers + 1) * (looksAhead ? 2 : 1)
    let following = cells.address + place((claim + ahead) % count, from: work.first)
    for offset in Swift.stride(from: 0, to: MemoryLayout<Cell>.size, by: 64) {
      ck_prefetch(UnsafeRawPointer(following) + offset)
    }
    cells.address[place(claim, from: work.first)].run(work.window, work.broadcast)
    completed.add(1, ordering: .acquiringAndReleasing)
  }

  private static func rest(_ spins: inout Int) {
    spins += 1
    if spins < 4_000 { ck_pause() } else { sched_yield() }
  }
}
