internal import CKernel
private import Foundation
internal import Synchronization

/// The threads that run a window's cells: the caller and its helpers.
///
/// A window may last some tens of microseconds, less than it takes to wake a sleeping thread, so
/// helpers spin for the next window and give way to others when it does not come soon.
///
/// Every cell of a window is claimed once, by an atomic counter whose upper half is the window's
/// generation; a window is over when all its cells are. A helper that comes late finds nothing to
/// claim, so the result never waits for a particular thread.
final class CellTeam<Cell: WindowedCell>: Sendable {
  private struct Job: Sendable {
    var window: Window
    var broadcast: Cell.Broadcast
  }

  // The address travels as a number: the counter gives each cell to one thread at a time, and
  // the executive that owns the cells outlives the team.
  private let base: UInt
  private let count: UInt64
  /// Cells are claimed in steps of this, coprime to their number, so that threads work on cells
  /// that are far apart: neighbors share a cache line at their border.
  private let stride: UInt64
  private let helpers: Int
  /// Generation in the upper 32 bits, the next cell to claim in the lower.
  private let claims = Atomic<UInt64>(UInt64(UInt32.max))
  private let completed = Atomic<Int>(0)
  private let dismissed = Atomic<Bool>(false)
  private let present = DispatchSemaphore(value: 0)
  private let job = Mutex<Job?>(nil)

  /// Starts the helpers.
  init(cells: UnsafeMutableBufferPointer<Cell>, helpers: Int) {
    base = UInt(bitPattern: cells.baseAddress)
    count = UInt64(cells.count)
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

  /// Runs every cell through a window; returns when all are done.
  func run(_ window: Window, _ broadcast: Cell.Broadcast) {
    guard count > 0 else { return }
    job.withLock { $0 = Job(window: window, broadcast: broadcast) }
    completed.store(0, ordering: .relaxed)
    let generation = (claims.load(ordering: .relaxed) >> 32 + 1) & UInt64(UInt32.max)
    claims.store(generation << 32, ordering: .releasing)
    claim(window, broadcast)
    var spins = 0
    while completed.load(ordering: .acquiring) < Int(count) { Self.rest(&spins) }
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
    claims.load(ordering: .acquiring) & UInt64(UInt32.max) < count
  }

  private func help() {
    var spins = 0
    while !dismissed.load(ordering: .acquiring) {
      guard hasClaims else {
        Self.rest(&spins)
        continue
      }
      spins = 0
      claim(nil, nil)
    }
  }

  /// Claims and runs cells until none is left; reads the job once a first cell is its own.
  private func claim(_ window: Window?, _ broadcast: Cell.Broadcast?) {
    guard let cells = UnsafeMutablePointer<Cell>(bitPattern: base) else { return }
    var mine: Job?
    if let window, let broadcast { mine = Job(window: window, broadcast: broadcast) }
    var generation: UInt64?
    while hasClaims {
      let claimed = claims.add(1, ordering: .acquiringAndReleasing).oldValue
      let index = claimed & UInt64(UInt32.max)
      guard index < count else { return }
      // The window cannot end before this cell has, so its job stays the current one.
      if mine == nil || (generation != nil && generation != claimed >> 32) {
        mine = job.withLock { $0 }
      }
      generation = claimed >> 32
      guard let work = mine else { return }
      // The cell that this thread probably claims next comes into the cache meanwhile: strides
      // are nothing that the processor would foresee.
      let following = cells + Int((index + UInt64(helpers) + 1) * stride % count)
      for offset in Swift.stride(from: 0, to: MemoryLayout<Cell>.size, by: 64) {
        ck_prefetch(UnsafeRawPointer(following) + offset)
      }
      cells[Int(index * stride % count)].run(work.window, work.broadcast)
      completed.add(1, ordering: .acquiringAndReleasing)
    }
  }

  private static func rest(_ spins: inout Int) {
    spins += 1
    if spins < 4_000 { ck_pause() } else { sched_yield() }
  }
}
