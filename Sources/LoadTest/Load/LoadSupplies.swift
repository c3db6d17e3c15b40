internal import RewardModel

/// What a service handed out before a load.
package struct LoadSupplies: LoadSupply, Sendable {
  /// Codes that nobody has used.
  package var codes: [String]
  /// How many of them were given out; more than there are once they have run out.
  package private(set) var used = 0
  /// How the service names members, by member of the crowd.
  package var names: [UInt32: String] = [:]
  /// Members whose names were asked for and are not known, in that order, some more than once.
  package private(set) var unnamed: [UInt32] = []

  /// - Parameter codes: In the order in which they are given out.
  package init(codes: [String] = []) { self.codes = codes }

  /// The next one; empty once they have run out.
  package mutating func code() -> String {
    defer { used += 1 }
    return used < codes.count ? codes[used] : ""
  }

  /// See `LoadSupply.name`.
  package mutating func name(of member: UInt32) -> String {
    if let name = names[member] { return name }
    unnamed.append(member)
    return ""
  }
}

/// The bearer tokens of members.
package struct LoadAccounts: Sendable {
  /// By member of the crowd.
  private var tokens: [UInt32: String]

  /// - Parameters:
  ///   - members: Of the crowd, each once.
  ///   - tokens: As many.
  package init(members: [UInt32] = [], tokens: [String] = []) {
    self.tokens = Dictionary(uniqueKeysWithValues: zip(members, tokens))
  }

  /// A member's token, which may be replaced; nil without an account.
  package subscript(member: UInt32) -> String? {
    get { tokens[member] }
    set { tokens[member] = newValue }
  }
}
