/// A member's tier, by points earned in all: redeeming lowers no tier.
package enum EmberaTier: Int, CaseIterable, Comparable, Codable, Sendable {
  case ember, aura, halo

  /// The tier's id in files.
  package var key: String {
    switch self {
    case .ember: "ember"
    case .aura: "aura"
    case .halo: "halo"
    }
  }

  /// As people read it.
  package var label: String {
    switch self {
    case .ember: "Ember"
    case .aura: "Aura"
    case .halo: "Halo"
    }
  }

  /// Lower tiers come first.
  package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// From how many points a tier is reached, and what it multiplies points by.
package struct EmberaTierRules: Sendable, Equatable, Codable {
  /// Points earned in all from which a member is Aura; 1 or more.
  package var aura: Int64 = 500
  /// Points earned in all from which a member is Halo; more than `aura`.
  package var halo: Int64 = 1_200
  /// What points of an order are multiplied by, in basis points, one row a tier.
  package var multipliers: [Int64] = [10_000, 10_000, 10_000]

  /// The defaults.
  package init() {}

  /// The tier of a member who has earned `points` in all.
  package func tier(earned points: Int64) -> EmberaTier {
    points >= halo ? .halo : points >= aura ? .aura : .ember
  }
}
