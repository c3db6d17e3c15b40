internal import CKernel
private import Foundation
internal import Synchronization

/// Where threads wait for something that other threads do, and are told of.
///
/// What they wait for mostly takes some tens of microseconds, less than it takes to wake a sleeping thread, so they
/// spin at first and then give way to others. Where others do want the processor, or it takes long, they sleep: whoever
/// slept has its turn sooner than whoever used up its share by asking again and again.
final class WaitingRoom: Sendable {
  /// Whoever gives way for longer is not alone, as a rule.
  private static let longYield = Duration.microseconds(100)

  private let condition = NSCondition()
  private let sleepers = Atomic<Int>(0)
  private let looks: Int
  private let yields: Int

  /// For so many threads that work at once; where there are fewer processors, they sleep soon.
  convenience init(threads: Int) {
    // A fraction of a millisecond, and some milliseconds.
    let areFew = threads <= Processors.usable
    self.init(looks: areFew ? 4_000 : 50, yields: areFew ? 10_000 : 0)
  }

  /// - Parameters:
  ///   - looks: How often a thread looks before it gives way to others.
  ///   - yields: How often it gives way before it sleeps, where nobody else wants the processor.
  init(looks: Int, yields: Int) {
    self.looks = looks
    self.yields = yields
  }

  /// Returns when it has been so. What makes it so comes before a call of `tell`, and stays so until somebody else
  /// has seen to it.
  func wait(until isSo: () -> Bool) {
    for _ in 0..<looks {
      if isSo() { return }
      ck_pause()
    }
    for _ in 0..<yields {
      if isSo() { return }
      let begin = ContinuousClock.now
      sched_yield()
      if ContinuousClock.now - begin > Self.longYield { break }
    }
    condition.lock()
    defer { condition.unlock() }
    sleepers.add(1, ordering: .sequentiallyConsistent)
    defer { sleepers.subtract(1, ordering: .sequentiallyConsistent) }
    // Either this thread sees what another one has done, or that one sees a sleeper.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    while !isSo() { condition.wait() }
  }

  /// Tells those who wait that something has changed.
  func tell() {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    guard sleepers.load(ordering: .sequentiallyConsistent) > 0 else { return }
    condition.lock()
    condition.broadcast()
    condition.unlock()
  }
}
