/// The health of a budget.
package enum HealthStatus: String, FieldChoice, Comparable, Sendable, Codable {
  case normal = "Normal"
  case warning = "Warning"
  case critical = "Critical"

  /// Whether one status is milder than another.
  package static func < (a: HealthStatus, b: HealthStatus) -> Bool { a.rank < b.rank }

  /// What it means for its reader.
  package var tone: PageTone {
    switch self {
    case .normal: .good
    case .warning: .caution
    case .critical: .bad
    }
  }

  private var rank: Int {
    switch self {
    case .normal: 0
    case .warning: 1
    case .critical: 2
    }
  }
}

/// Where a budget's health changes, as shares of the budget.
package struct HealthBounds: Sendable, Equatable {
  /// From here on the status is Warning.
  package var warning: Double
  /// Above here it is Critical.
  package var critical: Double

  /// Bounds as shares of the budget.
  package init(warning: Double, critical: Double) {
    self.warning = warning
    self.critical = critical
  }

  /// The least share, or its supremum, at which a status holds; 0 for Normal.
  package func bound(of status: HealthStatus) -> Double {
    switch status {
    case .normal: 0
    case .warning: warning
    case .critical: critical
    }
  }
}
