internal import Quantities
package import RewardModel

/// A setting that somebody set and that does nothing, and why.
package struct IdleSetting: Sendable, Equatable {
  /// Of the setting, or of an entry of a list.
  package let path: String
  /// What makes it so, such as `rules.shop.enabled is false`.
  package let reason: String

  /// A setting; see the properties.
  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }
}

extension Scenario {
  /// Settings of `check` that were set and do nothing in a check.
  package var idleInChecks: [IdleSetting] {
    guard !check.asWritten else {
      return check.size == CheckSettings().size
        ? [] : [IdleSetting(path: "check.size", reason: "check.as_written is true")]
    }
    let paths =
      (check.kinds.isEmpty ? [] : ["check.faults"]) + (check.places == nil ? [] : ["check.kept"])
    return paths.map { IdleSetting(path: $0, reason: "check.as_written is false") }
  }

  /// Settings that do nothing while others are as they are, set or not.
  package var idleSettings: [IdleSettings] {
    typed.idle(during: calendar.start...calendar.start.adding(days: calendar.days - 1))
  }

  /// Settings that were given another value than their default, or a distribution, and do nothing while
  /// others are as they are. Those with a source are what somebody found out, and not moved to see
  /// what they do.
  ///
  /// - Complexity: O(settings · what may be idle).
  package var idle: [IdleSetting] { idle(varying: []) }

  /// The same without what does nothing only as long as others are as they are that are uncertain, or
  /// varied: there it may do something.
  ///
  /// - Parameter varied: Settings, or groups of them, that somebody gives several values.
  package func idle(varying varied: [String]) -> [IdleSetting] {
    let drawn = uncertain.flatMap(\.paths)
    return idleSettings.filter { !$0.depends(on: drawn + varied) }.flatMap { idle in
      let moved = zip(catalog.rows, values).filter { row, value in
        value != row.standard && idle.covers(row.path) && isMoved(row.path)
      }.map(\.0.path)
      let entries = idle.paths.filter { $0.hasSuffix("]") && isMoved($0) }
      let open = drawn.filter { idle.covers($0) && !moved.contains($0) }
      return (moved + entries + open).map { IdleSetting(path: $0, reason: idle.reason) }
    }
  }

  /// Whether somebody set a setting, or a part of it, without a source.
  private func isMoved(_ path: String) -> Bool {
    settings.contains { row in
      row.mark == .set
        && (row.path == path || row.path.hasPrefix(path + ".") || row.path.hasPrefix(path + "["))
    }
  }
}
