internal import Foundation
internal import Quantities
internal import Reports

/// A load that is going on, as six lines for a terminal.
package struct LoadView: Sendable {
  /// How many seconds the line of latencies shows.
  private static let span = 60

  private let title: String
  /// The p99 of the last seconds, oldest first; nil without answers.
  private var latencies: [Int64?] = []
  private var last: LoadSecond?
  private var errors = 0

  /// - Parameter title: What is sent where.
  package init(title: String) { self.title = DisplayText.safe(title) }

  /// Takes in how it goes.
  ///
  /// - Complexity: O(1) but for the first look at a second.
  package mutating func note(_ progress: LoadProgress) {
    guard let second = progress.second, second.second != last?.second else { return }
    last = second
    errors += second.errors
    latencies.append(second.answered > 0 ? second.p99 : nil)
    if latencies.count > Self.span { latencies.removeFirst() }
  }

  /// The lines as they are now.
  ///
  /// - Parameters:
  ///   - width: Columns; longer lines are cut off.
  ///   - colour: Whether escape sequences for colors may be used.
  package func lines(_ progress: LoadProgress, width: Int, colour: Bool) -> [String] {
    let done = min(max(progress.elapsed / max(progress.seconds, 0.001), 0), 1)
    let filled = Int(done * 20)
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
    let left = max(progress.seconds - progress.elapsed, 0)
    let time =
      progress.isDraining
      ? "\(progress.open.grouped) sessions to end"
      : "\(Self.clock(progress.elapsed)) of \(Self.clock(progress.seconds)), \(Self.clock(left.rounded(.up))) left"
    var rows: [(name: String, words: String, style: TextStyle)] = []
    if let last {
      rows = [
        ("Sessions", "\(last.sessions.grouped)/s offered, \(progress.open.grouped) open", .plain),
        ("Requests", requests(last, progress), .plain),
        (
          "Latency",
          last.answered > 0
            ? "p50 \(DurationText.short(last.median)), p99 \(DurationText.short(last.p99))"
            : "no answer in the last second", .plain
        ),
        (
          "Errors", "\(last.errors.grouped)/s, \(errors.grouped) so far", errors > 0 ? .bad : .plain
        ),
        ("p99", Self.sparkline(latencies) + "  " + scale, .plain),
      ]
    } else {
      rows = ["Sessions", "Requests", "Latency", "Errors", "p99"].map { ($0, "–", .plain) }
    }
    let lines =
      [(bar + "  " + time + "  " + title, TextStyle.bold)]
      + rows.map {
        ($0.name.padding(toLength: 10, withPad: " ", startingAt: 0) + $0.words, $0.style)
      }
    return lines.map { text, style in
      style.applied(to: String(text.prefix(max(width - 1, 1))), colour: colour)
    }
  }

  private func requests(_ second: LoadSecond, _ progress: LoadProgress) -> String {
    "\(second.answered.grouped)/s answered, \(progress.underWay.grouped) under way"
      + (progress.waiting > 0 ? ", \(progress.waiting.grouped) wait for a connection" : "")
  }

  private var scale: String {
    guard let most = latencies.compactMap(\.self).max() else { return "" }
    return "up to \(DurationText.short(most)), last \(latencies.count) s"
  }

  /// A character a value, from the lowest block for 0 to the highest for the largest; a dot where there
  /// is none.
  package static func sparkline(_ values: [Int64?]) -> String {
    let blocks = Array("▁▂▃▄▅▆▇█")
    let most = max(values.compactMap(\.self).max() ?? 0, 1)
    return String(
      values.map { value in
        guard let value else { return "·" }
        return blocks[min(Int(Double(value) / Double(most) * 8), 7)]
      })
  }

  /// Minutes and seconds.
  private static func clock(_ seconds: Double) -> String {
    let whole = Int(seconds)
    return "\(whole / 60):" + String(format: "%02d", whole % 60)
  }
}
