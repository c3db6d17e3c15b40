// Goal: nobody who waits for what another thread does sleeps on after it was told of it, however soon or late it
// comes to wait.
// Method: threads that hand a number on to each other some thousand times, at once and after a while, few of them
// and more than there are processors.
import Foundation
import Synchronization
import Testing

@testable import EventKernel

@Suite struct WaitingRoomTests {
  /// What threads hand on, and how many have ended.
  private final class Baton: Sendable {
    let number = Atomic<Int>(0)
    let ended = DispatchSemaphore(value: 0)
  }

  /// How soon those who wait fall asleep.
  private enum Patience: CaseIterable {
    case none, some, usual

    func room(_ threads: Int) -> WaitingRoom {
      switch self {
      case .none: WaitingRoom(looks: 0, yields: 0)
      case .some: WaitingRoom(looks: 5, yields: 5)
      case .usual: WaitingRoom(threads: threads)
      }
    }
  }

  @Test(
    "What is handed on from thread to thread arrives",
    arguments: [(2, 3_000), (3, 2_000), (40, 100)],
    Patience.allCases)
  private func handedOn(_ size: (threads: Int, rounds: Int), _ patience: Patience) {
    let room = patience.room(size.threads)
    let baton = Baton()
    for own in 0..<size.threads {
      let thread = Thread {
        for round in 0..<size.rounds {
          let turn = round * size.threads + own
          room.wait { baton.number.load(ordering: .acquiring) >= turn }
          // Others have time to fall asleep.
          if turn % 199 == 0 { usleep(1_000) }
          baton.number.store(turn + 1, ordering: .releasing)
          room.tell()
        }
        baton.ended.signal()
      }
      thread.start()
    }
    let end = DispatchTime.now() + .seconds(120)
    for _ in 0..<size.threads {
      #expect(baton.ended.wait(timeout: end) == .success, "somebody sleeps on")
    }
    #expect(baton.number.load(ordering: .acquiring) == size.rounds * size.threads)
  }

  @Test func whatIsSoAlreadyIsNotWaitedFor() {
    var asked = 0
    WaitingRoom(threads: 1).wait {
      asked += 1
      return true
    }
    #expect(asked == 1)
  }

  @Test func tellingNobodyIsNoFault() {
    let room = WaitingRoom(threads: 100)
    for _ in 0..<10 { room.tell() }
    room.wait { true }
  }
}
