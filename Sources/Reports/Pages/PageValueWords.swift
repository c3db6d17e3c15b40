internal import RewardModel

extension PageWords {
  static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  /// What is said of figures that the run does not model.
  static func absence(_ setting: String?, several: Bool) -> String {
    guard let setting else { return "" }
    return "\(setting) switches \(several ? "them" : "it") on"
  }

  /// The one setting that a block misses, when all its figures miss it.
  ///
  /// - Returns: Nil when at least one figure is there or the settings differ.
  static func missing(_ figures: [PageFigure]) -> (labels: String, setting: String?)? {
    var settings: [String?] = []
    for figure in figures {
      guard case .notInRun(let setting) = figure.value else { return nil }
      settings.append(setting)
    }
    guard let first = settings.first, settings.allSatisfy({ $0 == first }) else { return nil }
    return (figures.map(\.label).joined(separator: ", "), first)
  }

  /// The setting of an absence.
  static func setting(_ value: PageValue?) -> String? {
    if case .notInRun(let setting) = value { setting } else { nil }
  }
}
