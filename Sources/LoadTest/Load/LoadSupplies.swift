internal import RewardModel

/// What a service handed out before a load.
package struct LoadSupplies: LoadSupply, Sendable {
  /// Codes that nobody has used.
  package var codes: [String]
  /// How many of them were given out; more than there are once they have run out.
  package private(set) var used = 0

  /// - Parameter codes: In the order in which they are given out.
  package init(codes: [String] = []) { self.codes = codes }

  /// The next one; empty once they have run out.
  package mutating func code() -> String {
    defer { used += 1 }
    return used < codes.count ? codes[used] : ""
  }
}

/// The bearer tokens of members.
package struct LoadAccounts: Sendable {
  /// By member of the crowd; the place in `tokens`.
  package var places: [UInt32: Int]
  package var tokens: [String]

  /// - Parameters:
  ///   - members: Of the crowd, each once.
  ///   - tokens: As many.
  package init(members: [UInt32], tokens: [String]) {
    places = Dictionary(uniqueKeysWithValues: zip(members, 0...))
    self.tokens = tokens
  }

  /// Adds accounts of further members.
  package mutating func add(_ members: [UInt32], _ tokens: [String]) {
    for (place, member) in members.enumerated() { places[member] = self.tokens.count + place }
    self.tokens += tokens
  }

  /// A member's token; empty without an account.
  package func token(of member: UInt32) -> String {
    guard let place = places[member], place < tokens.count else { return "" }
    return tokens[place]
  }
}
