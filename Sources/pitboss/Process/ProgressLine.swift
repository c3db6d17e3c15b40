internal import ArgumentParser
internal import Foundation
internal import Logging
internal import Quantities
internal import Reports
internal import RewardModel
internal import Synchronization

/// When progress is shown.
enum ProgressMode: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never
}

/// One line on standard error that is rewritten as a run or an experiment goes on: share done,
/// what has been done, remaining time. Away from a terminal, and on one with `TERM=dumb`, it is a line of
/// its own every ten seconds.
final class ProgressLine: Sendable {
  private let shows: Bool
  private let isTerminal = Terminal.knowsEscapes(2)
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
    func done() -> Double { min(max(progress.done, 0), 1) }
    show(done()) { seconds in
      let rate = seconds > 0 ? Int64(Double(progress.pace.count) / seconds) : 0
      return "\(Int(done() * 100)) %  \(progress.simulated.description.prefix(10))  "
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
  ///   - share: Of all that is to be done, 0...1; worked out where it is shown.
  ///   - words: Says what has been done in so many seconds.
  func show(_ share: @autoclosure () -> Double, _ words: (Double) -> String) {
    guard shows else { return }
    next.withLock { next in
      let now = ContinuousClock.now
      guard now >= next else { return }
      next = now + (isTerminal ? .milliseconds(200) : .seconds(10))
      let seconds = (now - began) / .seconds(1)
      let share = share()
      let filled = Int(share * 24)
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
      let left = share > 0.02 ? "\(Int((seconds / share - seconds).rounded(.up))) s left" : "…"
      guard isTerminal else {
        return StandardStreams.complain("\(words(seconds))  \(left)\n")
      }
      Self.remove()
      // A line that wraps would leave its first rows behind. The last column stays free.
      let parts = [bar, "\(words(seconds))  \(left)"]
      let room = max(1, Self.columns - 1)
      let whole = parts.joined(separator: " ")
      let text = DisplayText.width(whole) <= room ? whole : String(parts[1].prefix(room))
      StandardStreams.complain("\r" + text)
      Self.shown.store(1, ordering: .relaxed)
    }
  }

  /// Writes several lines in place of those before, at most five times a second; on a terminal only.
  ///
  /// - Parameter lines: The lines for so many columns, with colors or without.
  func show(lines: (_ width: Int, _ colour: Bool) -> [String]) {
    guard shows, isTerminal else { return }
    next.withLock { next in
      let now = ContinuousClock.now
      guard now >= next else { return }
      next = now + .milliseconds(200)
      let lines = lines(Self.columns, Terminal.isColoured(2))
      // One write, so that no half of it is seen.
      let over = Self.shown.exchange(lines.count, ordering: .relaxed)
      StandardStreams.complain(
        Self.removal(of: over) + lines.joined(separator: "\n"))
    }
  }

  /// Columns of the terminal on standard error; 80 where it does not say.
  private static var columns: Int {
    var size = winsize()
    let isKnown = ioctl(2, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    return isKnown ? Int(size.ws_col) : 80
  }

  /// Whether several lines can be rewritten.
  var isView: Bool { shows && isTerminal }

  /// How many lines are on the terminal.
  private static let shown = Atomic<Int>(0)

  /// Whether there are any lines on the terminal.
  static var isShown: Bool { shown.load(ordering: .relaxed) > 0 }

  /// Removes the lines, if there are any, so that a message begins on a line of its own.
  static func remove() {
    let count = shown.exchange(0, ordering: .relaxed)
    if count > 0 { StandardStreams.complain(removal(of: count)) }
  }

  /// Back to the first of so many lines, with all after it deleted.
  private static func removal(of count: Int) -> String {
    guard count > 0 else { return "" }
    return "\r" + (count > 1 ? "\u{1B}[\(count - 1)A" : "") + "\u{1B}[J"
  }
}
