internal import Quantities

/// Which months of a run were run in part: the first, where the run began within it, and the last,
/// where the run ended within it.
package struct PartialMonths: Sendable {
  private let count: Int
  private let first: Bool
  private let last: Bool

  /// - Parameters:
  ///   - run: None of its months is told to be partial where its zone is not known here.
  ///   - count: How many months it has.
  package init(_ run: RunHeader, count: Int) {
    self.count = count
    guard count > 0, run.end > run.start, let parser = try? InstantParser(zone: run.zone) else {
      (first, last) = (false, false)
      return
    }
    let begin = parser.localDate(of: run.start)
    let end = parser.localDate(of: run.end - TimeSpan(microseconds: 1))
    // A history ends with its last row, and nobody may have done anything later that day.
    let countsHours = run.source == .simulation
    first = begin.day != 1 || countsHours && parser.midnight(of: begin) != run.start
    last =
      end.day != CivilDate.days(in: end.month, of: end.year)
      || countsHours && parser.midnight(of: end.adding(days: 1)) != run.end
  }

  /// - Parameters:
  ///   - dates: The run's local days, as `2026-01-31`; a day is run whole.
  ///   - count: How many months it has.
  package init(dates: [String], count: Int) {
    self.count = count
    let ends = [dates.first, dates.last].map { $0.flatMap { CivilDate($0) } }
    first = ends[0].map { $0.day != 1 } ?? false
    last = ends[1].map { $0.day != CivilDate.days(in: $0.month, of: $0.year) } ?? false
  }

  /// Whether there is any.
  package var isAny: Bool { first || last }

  /// Whether the month of a row was run in part.
  package func contains(_ row: Int) -> Bool {
    (row == 0 && first) || (row == count - 1 && last)
  }

  /// What is put after the name of a month of a row: a star where it was run in part.
  package func star(_ row: Int) -> String { contains(row) ? "*" : "" }
}
