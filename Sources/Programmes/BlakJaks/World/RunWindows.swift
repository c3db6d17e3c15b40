package import EventKernel
package import Quantities

/// The windows of a run or of a part of it: steps of one length from each local midnight, cut at
/// calendar boundaries (midnight and the program's morning).
///
/// At midnight members see what the house decided, so it concludes the window before it alone, and not
/// beside the next one's cells. Where steps are long, that window may be a short one.
///
/// Memory is O(days), however short the windows are.
package struct RunWindows: Sequence, IteratorProtocol {
  private let calendar: ProgrammeCalendar
  private let mornings: [Instant]
  private let length: TimeSpan
  private let lead: TimeSpan
  private var last: Instant
  private var index = 0
  private var day = 0
  /// Of the window to come.
  private var start: Instant
  /// The end of the step that it is in.
  private var step: Instant

  /// - Parameters:
  ///   - length: Above 0.
  ///   - lead: Longer windows are also cut so long before each midnight; above 0.
  ///   - first: No window begins before it.
  ///   - last: No window ends after it.
  /// - Complexity: O(windows before the first one).
  package init(
    _ calendar: ProgrammeCalendar, length: TimeSpan, lead: TimeSpan? = nil,
    from first: Instant, to last: Instant
  ) {
    self.calendar = calendar
    self.length = length
    self.lead = lead ?? length
    self.last = .distantFuture
    mornings = ProgrammeRules.mornings(calendar)
    start = calendar.start
    step = calendar.start
    while start < first, next() != nil {}
    // Of a window that a run left in its middle, having had others, the rest is to come.
    if start > first { (start, index) = (first, index - 1) }
    self.last = last
  }

  /// The next window.
  package mutating func next() -> Window? {
    while day < calendar.dayCount {
      let midnight = Swift.min(calendar.dayStarts[day + 1], calendar.end)
      guard start < midnight else {
        day += 1
        step = start
        continue
      }
      if step <= start { step = step + length }
      var end = Swift.min(step, midnight)
      let boundary = start < mornings[day] ? mornings[day] : midnight
      end = Swift.min(end, boundary)
      if lead < length, start < midnight - lead { end = Swift.min(end, midnight - lead) }
      guard end <= last else { return nil }
      defer {
        index += 1
        start = end
      }
      return Window(index: index, start: start, end: end)
    }
    return nil
  }
}
