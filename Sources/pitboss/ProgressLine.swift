internal import ArgumentParser
internal import Foundation
internal import Quantities
internal import RewardModel

/// When progress is shown.
enum ProgressMode: String, CaseIterable, ExpressibleByArgument {
  case auto, always, never
}

/// One line on standard error that is rewritten as a run goes on: share done, simulated date,
/// rate, remaining time.
struct ProgressLine {
  private let shows: Bool
  private let began = ContinuousClock.now
  private var next = ContinuousClock.now
  private var printed = false

  init(_ mode: ProgressMode) {
    shows = mode == .always || (mode == .auto && isatty(2) == 1)
  }

  /// Shows how far a run has come, at most five times a second.
  mutating func update(_ progress: RunProgress) {
    guard shows else { return }
    let now = ContinuousClock.now
    guard now >= next else { return }
    next = now + .milliseconds(200)
    let seconds =
      Double((now - began).components.attoseconds) / 1e18
      + Double((now - began).components.seconds)
    let done = min(max(progress.done, 0), 1)
    let filled = Int(done * 24)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 24 - filled)
    let rate = seconds > 0 ? Double(progress.acceptedScans) / seconds : 0
    let left = done > 0.02 ? "\(Int((seconds / done - seconds).rounded(.up))) s left" : "…"
    let date = progress.simulated.description.prefix(10)
    let text =
      "\r\(bar) \(Int(done * 100)) %  \(date)  \(Int64(rate).grouped) scans/s  \(left)    "
    FileHandle.standardError.write(Data(text.utf8))
    printed = true
  }

  /// Removes the line.
  func finish() {
    if printed { FileHandle.standardError.write(Data("\r\u{1B}[2K".utf8)) }
  }
}
