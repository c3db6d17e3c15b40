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
  // By rank, so that a tier's value is found without asking which tier it is.
  private var values: InlineArray<4, Value>

  /// One value for each tier.
  @inline(__always)
  package init(standard: Value, vip: Value, highRoller: Value, whale: Value) {
    values = [standard, vip, highRoller, whale]
  }

  /// The same value for every tier.
  @inline(__always)
  package init(repeating value: Value) { values = InlineArray(repeating: value) }

  /// Where a tier's value is in memory, in bytes from the beginning.
  package static func offset(of tier: Tier) -> Int {
    Int(tier.rawValue) * MemoryLayout<Value>.stride
  }

  /// The value of a tier.
  package subscript(tier: Tier) -> Value {
    // Chosen from all four: by an index, all would be copied to memory first.
    @inline(__always) get {
      let isOdd = tier.rawValue & 1 != 0
      let (low, high) = (isOdd ? values[1] : values[0], isOdd ? values[3] : values[2])
      return tier.rawValue & 2 != 0 ? high : low
    }
    @inline(__always) set { values[Int(tier.rawValue)] = newValue }
  }

  package var standard: Value {
    get { self[.standard] }
    set { self[.standard] = newValue }
  }
  package var vip: Value {
    get { self[.vip] }
    set { self[.vip] = newValue }
  }
  package var highRoller: Value {
    get { self[.highRoller] }
    set { self[.highRoller] = newValue }
  }
  package var whale: Value {
    get { self[.whale] }
    set { self[.whale] = newValue }
  }

  /// The four values, lowest tier first.
  package var all: [Value] { [standard, vip, highRoller, whale] }
}

extension PerTier where Value: BitwiseCopyable {
  /// Lends a copy of the four values, lowest tier first: a loop over members of all tiers reads one of them
  /// from memory, without a branch, which the subscript does not promise.
  @inline(__always)
  package func withValues<Answer>(_ body: (UnsafePointer<Value>) -> Answer) -> Answer {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 4) { table in
      for place in 0..<4 { table.initializeElement(at: place, to: values[place]) }
      guard let first = table.baseAddress else { fatalError("no memory on the stack") }
      return body(first)
    }
  }
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

extension PerTier: CustomReflectable {
  /// The four values, as the fields that they are to everybody else.
  package var customMirror: Mirror {
    Mirror(
      self,
      children: [
        "standard": standard, "vip": vip, "highRoller": highRoller, "whale": whale,
      ], displayStyle: .struct)
  }
}

extension PerTier: Equatable where Value: Equatable {
  /// Whether each tier has equal values.
  package static func == (a: PerTier, b: PerTier) -> Bool {
    a.standard == b.standard && a.vip == b.vip && a.highRoller == b.highRoller
      && a.whale == b.whale
  }
}

extension PerTier: Codable where Value: Codable {
  private enum CodingKeys: CodingKey { case standard, vip, highRoller, whale }

  /// The four values by the names of their tiers.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      standard: try values.decode(Value.self, forKey: .standard),
      vip: try values.decode(Value.self, forKey: .vip),
      highRoller: try values.decode(Value.self, forKey: .highRoller),
      whale: try values.decode(Value.self, forKey: .whale))
  }

  /// The four values by the names of their tiers.
  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(standard, forKey: .standard)
    try values.encode(vip, forKey: .vip)
    try values.encode(highRoller, forKey: .highRoller)
    try values.encode(whale, forKey: .whale)
  }
}
