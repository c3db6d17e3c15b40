// Goal: while replications run, whatever else the process has to do goes on.
// Method: more pieces than there are processors keep their threads busy until a task has run.
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Experiments

@Suite(.tags(.alone)) struct OwnThreadsTests {
  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }

  @Test("Work side by side leaves alone the threads by which tasks go on")
  func tasksGoOn() async {
    let flag = Flag()
    let count = ProcessInfo.processInfo.activeProcessorCount + 2
    let seen: [Bool] = await withCheckedContinuation { continuation in
      Thread {
        let end = SideBySide.run(count, threads: count, proceed: { _ in true }) { place in
          if place == count - 1 { Task { flag.isSet.store(true, ordering: .relaxed) } }
          let limit = ContinuousClock.now + .seconds(20)
          while !flag.isSet.load(ordering: .relaxed), ContinuousClock.now < limit {}
          return flag.isSet.load(ordering: .relaxed)
        }
        if case .done(let answers) = end {
          continuation.resume(returning: answers)
        } else {
          continuation.resume(returning: [])
        }
      }.start()
    }
    #expect(seen == [Bool](repeating: true, count: count))
  }
}
