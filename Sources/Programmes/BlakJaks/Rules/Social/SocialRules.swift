/// The rules of the programme's social side.
package struct SocialRules: Sendable, Equatable, Codable {
  /// The lowest tier that may read and write in the High Roller Lounge.
  package var loungeTier = Tier.highRoller
  /// The lowest tier that may vote on a proposal.
  package var votingTier = Tier.standard
  /// Translations that the cache holds at most, 1 or more.
  package var translationCache = 100_000

  /// The defaults.
  package init() {}
}

/// A language that messages are written in and translated to.
package enum Language: String, CaseIterable, Sendable, Codable {
  case english = "en"
  case spanish = "es"
  case portuguese = "pt"

  /// Row of the language in tables: 0...2.
  package var index: Int {
    switch self {
    case .english: 0
    case .spanish: 1
    case .portuguese: 2
    }
  }
}
