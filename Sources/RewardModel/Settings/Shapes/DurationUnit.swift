/// The units that durations are written in.
package enum DurationUnit: String, CaseIterable {
  case us, ms, s, min, h, d, w

  /// Length in microseconds; a day is 24 hours.
  package var microseconds: Int64 {
    switch self {
    case .us: 1
    case .ms: 1_000
    case .s: 1_000_000
    case .min: 60_000_000
    case .h: 3_600_000_000
    case .d: 86_400_000_000
    case .w: 604_800_000_000
    }
  }
}
