import Testing

/// One setting, turned: a row of a table that says which figure it moves, and how.
package struct SettingTurn<Subject>: CustomTestStringConvertible, Sendable {
  /// How the figure follows the setting's values.
  package enum Course: Sendable {
    /// Each value's figure is above that of the value before.
    case rises
    /// Each value's figure is below that of the value before.
    case falls
    /// Each value has this figure; within 0, exactly.
    case figures([Double], within: Double = 0)
    /// Each value's figure is at least this one, and above that of the value before.
    case atLeast([Double])
    /// Each value's figure is this many times that of the first value, but for the rounding of
    /// `Double`.
    case factors([Double])
  }

  /// The setting.
  package let path: String
  /// What it is turned to, as `--set` takes it; at least one is not the default.
  package let values: [String]
  /// What else is set, `path=value` each.
  package let others: [String]
  /// What the setting moves, in words.
  package let figure: String
  package let course: Course
  private let read: @Sendable (Subject) throws -> Double

  /// A row; see the properties.
  ///
  /// - Parameter read: The figure of what the settings made.
  package init(
    _ path: String, _ values: [String], _ course: Course, _ figure: String, with others: [String],
    _ read: @escaping @Sendable (Subject) throws -> Double
  ) {
    self.path = path
    self.values = values
    self.course = course
    self.figure = figure
    self.others = others
    self.read = read
  }

  package var testDescription: String { "\(path): \(figure)" }

  /// What is wrong with the figures that the values lead to; nil where nothing is.
  ///
  /// It is wrong, too, if they would be as they should while the setting stayed as it was, whatever
  /// it is turned to.
  ///
  /// - Parameters:
  ///   - scenario: The name of the scenario that `make` turns settings of.
  ///   - make: Makes what the figure is read from, out of overrides.
  package func fault(in scenario: String, _ make: ([String]) throws -> Subject) throws -> String? {
    let figures = try values.map { try read(make(others + ["\(path)=\($0)"])) }
    let usual = try read(make(others))
    let unmoved = values.map { _ in usual }
    if holds(figures), !holds(unmoved) { return nil }
    let sets = (others + ["\(path)=\(values[0])"]).map { "--set '\($0)'" }
    return "\(path) = \(values.joined(separator: " | ")): \(figure) = "
      + "\(figures.map { "\($0)" }.joined(separator: " | ")) and \(usual) at the default, where it "
      + "should be: \(course); replay: pitboss run Scenarios/\(scenario).yaml "
      + sets.joined(separator: " ")
  }

  private func holds(_ figures: [Double]) -> Bool {
    guard figures.allSatisfy(\.isFinite) else { return false }
    let steps = zip(figures, figures.dropFirst())
    switch course {
    case .rises: return figures.count > 1 && steps.allSatisfy { $0 < $1 }
    case .falls: return figures.count > 1 && steps.allSatisfy { $0 > $1 }
    case .figures(let all, let distance):
      return figures.count == all.count && zip(figures, all).allSatisfy { abs($0 - $1) <= distance }
    case .atLeast(let all):
      return figures.count == all.count && zip(figures, all).allSatisfy { $0 >= $1 }
        && steps.allSatisfy { $0 < $1 }
    case .factors(let all):
      guard let first = figures.first, first != 0, figures.count == all.count else { return false }
      return zip(figures, all).allSatisfy { abs($0 / first - $1) <= 1e-12 * $1 }
    }
  }
}
