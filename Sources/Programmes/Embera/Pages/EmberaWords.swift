internal import Quantities
internal import RewardModel

extension BudgetStatus {
  /// As people read it.
  var label: String { health.rawValue }

  /// What it means for its reader.
  var tone: PageTone { health.tone }
}

extension EmberaOrderStatus {
  /// As people read it.
  var label: String {
    switch self {
    case .processing: "Processing"
    case .roasting: "Roasting"
    case .shipping: "Shipping"
    case .delivered: "Delivered"
    }
  }

  /// The count of a record's orders in this status; nil where the record has none.
  func count(in record: EmberaRecord) -> Int64? {
    record.statuses.first { $0.name == key }?.count
  }
}

extension PaymentOutcome {
  /// As people read it.
  var label: String {
    switch self {
    case .success: "Paid"
    case .cancelled: "Canceled by the member"
    case .noCard: "No card"
    case .unavailable: "Payment unavailable"
    }
  }
}

extension PasskeyRefusal {
  /// As people read it.
  var label: String {
    switch self {
    case .expired: "Refused: challenge expired"
    case .used: "Refused: challenge already used"
    case .counter: "Refused: counter did not rise"
    }
  }
}

extension EmberaRecord.NamedCount {
  /// What came of an attempt to sign in, as people read it.
  var ceremonyLabel: String {
    PasskeyRefusal.allCases.first { $0.key == name }?.label ?? "Signed in"
  }
}

extension EmberaRecord.TierRow {
  /// How long it took on average to reach the tier; none where nobody did.
  var timeToReach: PageValue {
    guard let time = meanTimeToReach else { return .none }
    return time == .seconds(0) ? .worded(0, "at once") : .number(time.microseconds)
  }
}

extension RewardBudget {
  /// The rates from which on the status is a warning, and above which it is critical.
  var bounds: (warning: PageGauge.Bound, critical: PageGauge.Bound) {
    (
      PageGauge.Bound(
        BudgetStatus.warning.label, hundredMillionths: limit.rawValue * warning.rawValue),
      PageGauge.Bound(BudgetStatus.critical.label, limit.rawValue)
    )
  }

  /// A reward rate in words, never on the wrong side of the bound that it was judged by.
  func words(_ rate: Int64?, judged status: BudgetStatus?, decimals: Int = 2) -> String {
    let (warning, critical) = bounds
    return PageWords.percent(
      rate, decimals: decimals, judged: status?.health, warning: warning.value,
      isRoundedUp: warning.isRoundedUp, critical: critical.value)
  }

  /// A reward rate as a cell of a page, with one decimal; none without revenue.
  func cell(_ rate: Int64?, judged status: BudgetStatus) -> PageValue {
    guard let rate else { return .none }
    let words = words(rate, judged: status, decimals: 1)
    return words == PageWords.percent(rate) ? .number(rate) : .worded(rate, words)
  }

  /// The bounds in percent, for plots.
  var plotBounds: [(value: Double, tone: PageTone)] {
    let limit = Double(limit.rawValue) / 100
    return [
      (limit * Double(warning.rawValue) / 10_000, .caution), (limit, .bad),
    ]
  }
}
