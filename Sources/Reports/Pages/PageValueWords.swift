internal import RewardModel

extension PageWords {
  static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// Why a figure, or several, are absent, and what would change it.
  static func reason(_ absence: PageValue, several: Bool) -> String {
    switch absence {
    case .notInRun(.some(let setting)): "\(setting) switches \(several ? "them" : "it") on"
    case .unknownToService: "only simulated runs have \(several ? "them" : "it")"
    case .notInRun(.none), .number, .worded, .text, .verdict, .none: ""
    }
  }

  /// That something is absent, and why.
  ///
  /// - Parameter labels: What it is called; nil where a heading says it.
  static func absence(_ absence: PageValue, of labels: String? = nil) -> String {
    let reason = reason(absence, several: labels != nil)
    return (absence == .unknownToService ? unknown : absent) + (labels.map { ": \($0)" } ?? "")
      + (reason.isEmpty ? "" : "; \(reason)")
  }

  /// Why a block has no figures, when all of them miss for one reason.
  ///
  /// - Returns: Nil when at least one figure is there or the reasons differ.
  static func missing(_ figures: [PageFigure]) -> (labels: String, reason: PageValue)? {
    guard let first = figures.first?.value.absence,
      figures.allSatisfy({ $0.value == first })
    else { return nil }
    return (figures.map(\.label).joined(separator: ", "), first)
  }

  /// The setting of an absence.
  static func setting(_ value: PageValue?) -> String? {
    if case .notInRun(let setting) = value { setting } else { nil }
  }
}
