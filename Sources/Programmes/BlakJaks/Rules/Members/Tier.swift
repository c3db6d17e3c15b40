/// A member's standing. The order is the programme's: a higher tier has at least the rights of
/// every lower one.
package enum Tier: UInt8, CaseIterable, Comparable, Sendable, BitwiseCopyable, Codable {
  case standard, vip, highRoller, whale

  /// Standard is the lowest, Whale the highest.
  package static func < (a: Tier, b: Tier) -> Bool { a.rawValue < b.rawValue }

  // The synthesised `==` of a raw type goes through a witness table; this one is a byte compare.
  /// By rank.
  package static func == (a: Tier, b: Tier) -> Bool { a.rawValue == b.rawValue }

  /// The tier's name as members see it.
  package var name: String {
    switch self {
    case .standard: "Standard"
    case .vip: "VIP"
    case .highRoller: "High Roller"
    case .whale: "Whale"
    }
  }

  /// The tier's key in scenario files and exports.
  package var key: String {
    switch self {
    case .standard: "standard"
    case .vip: "vip"
    case .highRoller: "high_roller"
    case .whale: "whale"
    }
  }

  /// The two letters that end a member id (`BJ-0001-HR`).
  package var memberSuffix: String {
    switch self {
    case .standard: "ST"
    case .vip: "VP"
    case .highRoller: "HR"
    case .whale: "WH"
    }
  }
}

/// The id that a member sees: sequence number, at least four digits, and tier (`BJ-0001-HR`).
///
/// - Parameter sequence: 1 or more, in order of sign-up.
package func memberID(sequence: Int, tier: Tier) -> String {
  let digits = String(sequence)
  return "BJ-" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "-"
    + tier.memberSuffix
}

/// One value for each tier, lowest first.
package struct PerTier<Value> {
  package var standard: Value
  package var vip: Value
  package var highRoller: Value
  package var whale: Value

  /// One value for each tier.
  package init(standard: Value, vip: Value, highRoller: Value, whale: Value) {
    self.standard = standard
    self.vip = vip
    self.highRoller = highRoller
    self.whale = whale
  }

  /// The same value for every tier.
  package init(repeating value: Value) {
    self.init(standard: value, vip: value, highRoller: value, whale: value)
  }

  /// The value of a tier.
  package subscript(tier: Tier) -> Value {
    @inline(__always) get {
      switch tier {
      case .standard: standard
      case .vip: vip
      case .highRoller: highRoller
      case .whale: whale
      }
    }
    @inline(__always) set {
      switch tier {
      case .standard: standard = newValue
      case .vip: vip = newValue
      case .highRoller: highRoller = newValue
      case .whale: whale = newValue
      }
    }
  }

  /// The four values, lowest tier first.
  package var all: [Value] { [standard, vip, highRoller, whale] }
}

extension PerTier<Int64> {
  /// The four together.
  package var sum: Int64 { standard + vip + highRoller + whale }

  /// The highest tier whose number is above zero; Standard where none is.
  package var highest: Tier {
    whale > 0 ? .whale : highRoller > 0 ? .highRoller : vip > 0 ? .vip : .standard
  }
}

extension PerTier: Sendable where Value: Sendable {}
extension PerTier: Equatable where Value: Equatable {}
extension PerTier: Codable where Value: Codable {}
