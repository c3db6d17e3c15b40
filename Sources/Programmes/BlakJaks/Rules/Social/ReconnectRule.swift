package import Quantities

/// How the programme's clients keep in touch under load.
package enum ReconnectRule {
  /// Items of a page of a list.
  package static let pageSize = 20
  /// The bounds of the time between two keep-alives of the chat.
  package static let keepAlive: ClosedRange<TimeSpan> = .seconds(30) ... .seconds(60)

  /// The wait before a reconnection: 2, 4, 8, 16, 32 s, and 32 s from then on.
  ///
  /// - Parameter attempt: 1 for the first after the connection was lost.
  package static func delay(beforeAttempt attempt: Int) -> TimeSpan {
    invariant(attempt >= 1, "attempts count from 1")
    return .seconds(1 << Int64(min(attempt, 5)))
  }

  /// The time to the next keep-alive that a random word stands for, uniform within the bounds to
  /// the microsecond: spread, so that clients which came together do not stay in step.
  package static func keepAlive(word: UInt32) -> TimeSpan {
    let width = keepAlive.upperBound - keepAlive.lowerBound
    let part = (Int64(word) * (width.microseconds + 1)) >> 32
    return keepAlive.lowerBound + TimeSpan(microseconds: part)
  }

  /// The number of pages that `items` fill. 0 items fill none.
  package static func pages(items: Int) -> Int {
    invariant(items >= 0, "a list has no fewer than 0 items")
    return items / pageSize + (items % pageSize == 0 ? 0 : 1)
  }

  /// The items of a page, counted from 0; empty past the end.
  package static func items(ofPage page: Int, of items: Int) -> Range<Int> {
    invariant(items >= 0 && page >= 0, "pages and items count from 0")
    guard page < pages(items: items) else { return items..<items }
    return page * pageSize..<min(items, (page + 1) * pageSize)
  }
}
