package import Population
package import Quantities

/// Settings that do nothing in a run while others are as they are.
///
/// Somebody who moves one of them sees the same run again and takes it for an answer; so whoever sets
/// one to something else than its default is told.
package struct IdleSettings: Sendable, Equatable {
  /// Settings, groups of them, or entries of lists such as `rules.bans[0]`.
  package let paths: [String]
  /// What makes it so, such as `rules.shop.enabled is false`: a setting and its value, or several, where they
  /// are what does.
  package let reason: String

  /// - Returns: Nil where they do something.
  package init?(_ paths: String..., while isIdle: Bool, _ reason: String) {
    guard isIdle else { return nil }
    (self.paths, self.reason) = (paths, reason)
  }

  /// Whether a setting, or an entry of a list, is one of them; the one of the reason never is, as it
  /// turns its group on.
  package func covers(_ path: String) -> Bool {
    !reason.hasPrefix(path + " ")
      && paths.contains { path == $0 || path.hasPrefix($0 + ".") || path.hasPrefix($0 + "[") }
  }

  /// Whether what makes it so is one of some settings, or in a group of them.
  package func depends(on settings: [String]) -> Bool {
    let paths = reason.split(separator: " ").map { $0.prefix { $0 != "," } }
      .filter { $0.contains(".") && $0.first?.isLetter == true }
    // Dates are those of the calendar.
    let causes = paths.isEmpty ? ["calendar"] : paths.map(String.init)
    return causes.contains { cause in
      settings.contains {
        $0 == cause || $0.hasPrefix(cause + ".") || cause.hasPrefix($0 + ".")
          || $0.hasPrefix(cause + "[")
      }
    }
  }

  /// Those of sign-ups.
  ///
  /// - Parameter path: The group that holds `members` and `adoption`.
  package static func adoption(_ settings: AdoptionSettings, at path: String) -> [IdleSettings?] {
    let model = settings.model
    let reason = "\(path).adoption.model is \(model.rawValue)"
    let group = "\(path).adoption"
    return [
      IdleSettings(
        "\(group).p", "\(group).q", "\(group).market", while: model != .bass, reason),
      IdleSettings("\(group).monthly", while: model != .plan, reason),
      IdleSettings("\(group).per_day", while: model != .rate, reason),
      IdleSettings("\(path).members", while: model == .plan, reason),
      IdleSettings(
        "\(path).members", while: model == .bass && settings.market != nil,
        "\(group).market is given"),
    ]
  }

  /// Those of referrals.
  package static func referral(_ settings: ReferralSettings, at group: String) -> [IdleSettings?] {
    [
      IdleSettings(
        "\(group).affiliates", "\(group).dropout_factor", while: settings.referred == 0,
        "\(group).referred is 0 %"),
      IdleSettings(
        "\(group).referred", "\(group).dropout_factor", while: settings.affiliates == 0,
        "\(group).affiliates is 0 %"),
    ]
  }

  /// Those of purchases.
  package static func purchases(_ settings: PurchaseSettings, at group: String) -> [IdleSettings?] {
    let isPareto = settings.model == .paretoNbd
    let reason = "\(group).model is \(settings.model.rawValue)"
    return [
      IdleSettings("\(group).a", "\(group).b", while: isPareto, reason),
      IdleSettings("\(group).s", "\(group).beta", while: !isPareto, reason),
    ]
  }

  /// Entries of a list whose days no run comes to.
  ///
  /// - Parameters:
  ///   - spans: Of each entry the first local day, and how many it lasts, 1 or more; nil for good.
  ///   - path: Of the list.
  ///   - days: The run's first and last local day.
  package static func entries(
    _ spans: [(first: CivilDate, days: Int?)], of path: String, outside days: ClosedRange<CivilDate>
  ) -> [IdleSettings?] {
    spans.enumerated().map { index, span in
      let isEarly = span.days.map { span.first.adding(days: $0) <= days.lowerBound } ?? false
      return IdleSettings(
        "\(path)[\(index)]", while: isEarly || span.first > days.upperBound,
        isEarly ? "the run begins on \(days.lowerBound)" : "the run ends on \(days.upperBound)")
    }
  }
}
