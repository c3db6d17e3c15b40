internal import EventKernel

/// Whether a load went differently from one before.
///
/// Seconds are paired by their place in the load and cut into windows of several, as neighbors go
/// together; the interval is Student's of the mean of the windows' differences, so that what both loads
/// do at the same place, such as a ramp, does not count as spread.
package struct BaselineComparison: Sendable, Equatable {
  /// What is compared, by the name that `load.json` has for it.
  package enum Figure: String, Sendable, CaseIterable {
    case answers = "answers_per_second"
    case errors = "errors_per_second"
    case median = "p50_ns"
    case p99 = "p99_ns"
  }

  /// One figure of both.
  package struct Row: Sendable, Equatable {
    package var figure: Figure
    /// The step's name; nil for all steps together.
    package var step: String?
    /// How many windows were paired: those in which both loads have the figure.
    package var windows: Int
    /// Means of the windows, a second or in nanoseconds.
    package var before: Double
    package var after: Double
    /// Mean difference, and half of its 95 % interval; nil with fewer than two windows.
    package var difference: Double
    package var halfWidth: Double?

    /// Whether the interval leaves out that nothing has changed.
    package var isReal: Bool { halfWidth.map { difference.magnitude > $0 } ?? false }
  }

  /// The folder or file of the load before.
  package let source: String
  /// What was offered differently, in words; empty where both loads are of one shape.
  package let differences: [String]
  /// Seconds of a window.
  package let windowSeconds: Int
  /// All steps together first.
  package let rows: [Row]

  /// The fewest windows of whole seconds, and fewer than twice as many; a shorter load has windows of one
  /// second.
  private static let windowsLeast = 10
  /// The first seconds fill caches and make connections.
  private static let warmUp = 2

  /// Compares a load with an earlier one.
  package init(_ result: LoadResult, to baseline: LoadBaseline) {
    // A single step is all there is.
    let isOne = result.usedSteps.count == 1 && baseline.steps.count == 1
    self.init(
      baseline.seconds, result.offeredSeconds,
      steps: result.steps.enumerated().compactMap { place, step in
        isOne ? nil : baseline.steps.firstIndex(of: step).map { (step, $0, place) }
      }, source: baseline.source, differences: baseline.differences(from: result))
  }

  /// - Parameter steps: Those of both, by name, with the place in either.
  init(
    _ before: [LoadSecond], _ after: [LoadSecond], steps: [(name: String, before: Int, after: Int)],
    source: String, differences: [String]
  ) {
    let count = min(before.count, after.count)
    let start = count > 10 ? Self.warmUp : 0
    let length = max((count - start) / Self.windowsLeast, 1)
    let windows = (0..<max((count - start) / length, 0)).map { window in
      (start + window * length)..<(start + (window + 1) * length)
    }
    self.source = source
    self.differences = differences
    windowSeconds = length
    var rows = Figure.allCases.compactMap { figure in
      Self.row(
        figure, nil, windows.map { Self.mean(before[$0]) { $0.value(figure) } },
        windows.map { Self.mean(after[$0]) { $0.value(figure) } })
    }
    for (name, first, second) in steps {
      rows += [Figure.median, .p99].compactMap { figure in
        Self.row(
          figure, name, windows.map { Self.mean(before[$0]) { $0.value(figure, step: first) } },
          windows.map { Self.mean(after[$0]) { $0.value(figure, step: second) } })
      }
    }
    self.rows = rows
  }

  /// The mean of the seconds that have a value; nil where none has.
  private static func mean(
    _ seconds: ArraySlice<LoadSecond>, _ value: (LoadSecond) -> Double?
  ) -> Double? {
    let values = seconds.compactMap(value)
    return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  /// Nil where no window of both has a value.
  private static func row(
    _ figure: Figure, _ step: String?, _ before: [Double?], _ after: [Double?]
  ) -> Row? {
    var (first, second, difference) = (Tally(), Tally(), Tally())
    for case (let a?, let b?) in zip(before, after) {
      // All three are finite, so that nothing throws.
      try? first.add(a)
      try? second.add(b)
      try? difference.add(b - a)
    }
    guard let before = first.mean, let after = second.mean, let mean = difference.mean else {
      return nil
    }
    return Row(
      figure: figure, step: step, windows: difference.count, before: before, after: after,
      difference: mean, halfWidth: try? difference.interval().halfWidth)
  }
}

extension LoadSecond {
  /// A figure of all steps; nil for a latency where nothing was answered.
  fileprivate func value(_ figure: BaselineComparison.Figure) -> Double? {
    switch figure {
    case .answers: Double(answered)
    case .errors: Double(errors)
    case .median: answered > 0 ? Double(median) : nil
    case .p99: answered > 0 ? Double(p99) : nil
    }
  }

  /// The same of one step.
  fileprivate func value(_ figure: BaselineComparison.Figure, step: Int) -> Double? {
    let own = steps.first { $0.step == step }
    switch figure {
    case .answers: return Double(own?.answered ?? 0)
    case .errors: return Double(own?.errors ?? 0)
    case .median: return own.flatMap { $0.answered > 0 ? Double($0.median) : nil }
    case .p99: return own.flatMap { $0.answered > 0 ? Double($0.p99) : nil }
    }
  }
}
