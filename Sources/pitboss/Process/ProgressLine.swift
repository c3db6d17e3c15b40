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
  /// How far a run that is resumed had come when its line began; nil before that is known.
  private let first = Mutex<(done: Double, count: Int64)?>(nil)
  private let isResumed: Bool

  /// The line that a flag wants, or else the environment.
  ///
  /// - Parameters:
  ///   - isQuiet: Whether there is none in any case.
  ///   - isResumed: Whether some of the run was done before.
  convenience init(_ flag: ProgressMode?, isQuiet: Bool, isResumed: Bool = false) throws {
    let mode = try chosen(flag, "PROGRESS", .auto)
    self.init(isQuiet ? .never : mode, isResumed: isResumed)
  }

  init(_ mode: ProgressMode, isResumed: Bool = false) {
    self.isResumed = isResumed
    shows =
      switch mode {
      case .always: true
      case .never: false
      case .auto: isTerminal || Log.pitboss.logLevel <= .info
      }
  }

  /// Shows how far a run has come.
  func update(_ progress: RunProgress) {
    guard shows else { return }
    func done() -> Double { min(max(progress.done, 0), 1) }
    let first = first.withLock { first in
      if isResumed, first == nil { first = (done(), progress.pace.count) }
      return first ?? (0, 0)
    }
    show(done(), after: first.done) { seconds in
      let count = progress.pace.count - first.count
      let rate = seconds > 0 ? Int64(Double(count) / seconds) : 0
      return "\(Int(done() * 100)) %  \(progress.simulated.description.prefix(10))"
        // Nothing has been done yet since it was resumed.
        + (isResumed && count == 0 ? "" : "  \(rate.grouped) \(progress.pace.counted)/s")
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
  ///   - before: Of all, what was done before the line began.
  ///   - words: Says what has been done in so many seconds.
  func show(
    _ share: @autoclosure () -> Double, after before: Double = 0, _ words: (Double) -> String
  ) {
    guard shows else { return }
    next.withLock { next in
      let now = ContinuousClock.now
      guard now >= next else { return }
      next = now + (isTerminal ? .milliseconds(200) : .seconds(10))
      let seconds = (now - began) / .seconds(1)
      let share = share()
      let filled = Int(share * 24)
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
      let left = Self.left(share, after: before, in: seconds).map { "\($0) s left" } ?? "…"
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

  /// Seconds that the rest takes as what was done since the line began took; nil while that says little.
  static func left(_ share: Double, after before: Double, in seconds: Double) -> Int? {
    let done = share - before
    guard done > 0.02 * (1 - before) else { return nil }
    return Int((seconds * (1 - share) / done).rounded(.up))
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
