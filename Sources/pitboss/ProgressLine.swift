internal import ArgumentParser
internal import Foundation
internal import Logging
internal import Quantities
internal import RewardModel
internal import Synchronization

/// When progress is shown.
enum ProgressMode: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never
}

/// One line on standard error that is rewritten as a run or an experiment goes on: share done,
/// what has been done, remaining time. Away from a terminal it is a line of its own every ten
/// seconds.
final class ProgressLine: Sendable {
  private let shows: Bool
  private let isTerminal = isatty(2) == 1
  private let began = ContinuousClock.now
  private let next = Mutex(ContinuousClock.now)

  init(_ mode: ProgressMode) {
    shows =
      switch mode {
      case .always: true
      case .never: false
      case .auto: isTerminal || Log.pitboss.logLevel <= .info
      }
  }

  /// Shows how far a run has come.
  func update(_ progress: RunProgress) {
    let done = min(max(progress.done, 0), 1)
    show(done) { seconds in
      let rate = seconds > 0 ? Int64(Double(progress.pace.count) / seconds) : 0
      return "\(Int(done * 100)) %  \(progress.simulated.description.prefix(10))  "
        + "\(rate.grouped) \(progress.pace.counted)/s"
    }
  }

  /// Shows how many replications are done.
  func update(_ done: Int, of expected: Int) {
    show(expected > 0 ? Double(done) / Double(expected) : 0) { _ in
      "replications \(done) of \(expected)"
    }
  }

  /// Writes the line, at most five times a second on a terminal.
  ///
  /// - Parameters:
  ///   - share: Of all that is to be done, 0...1.
  ///   - words: Says what has been done in so many seconds.
  func show(_ share: Double, _ words: (Double) -> String) {
    guard shows else { return }
    next.withLock { next in
      let now = ContinuousClock.now
      guard now >= next else { return }
      next = now + (isTerminal ? .milliseconds(200) : .seconds(10))
      let seconds = (now - began) / .seconds(1)
      let filled = Int(share * 24)
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
      let left = share > 0.02 ? "\(Int((seconds / share - seconds).rounded(.up))) s left" : "…"
      guard isTerminal else {
        return StandardStreams.complain("\(words(seconds))  \(left)\n")
      }
      StandardStreams.complain("\r\(bar) \(words(seconds))  \(left)    ")
      Self.isShown.store(true, ordering: .relaxed)
    }
  }

  /// Whether a line is on the terminal.
  private static let isShown = Atomic<Bool>(false)

  /// Removes the line, if there is one, so that a message begins on a line of its own.
  static func remove() {
    guard isShown.exchange(false, ordering: .relaxed) else { return }
    StandardStreams.complain("\r\u{1B}[2K")
  }
}
