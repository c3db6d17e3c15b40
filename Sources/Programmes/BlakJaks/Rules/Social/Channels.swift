/// The groups that channels are listed under.
package enum ChannelGroup: String, CaseIterable, Sendable {
  case general = "General"
  case lounge = "High Roller Lounge"
  case comps = "Comps & Crypto"
  case governance = "Governance"

  /// The first part of the ids of its channels.
  package var key: String {
    switch self {
    case .general: "general"
    case .lounge: "lounge"
    case .comps: "comps"
    case .governance: "governance"
    }
  }
}

/// One channel of the programme.
package struct Channel: Sendable, Equatable {
  package let group: ChannelGroup
  /// The name without the hash, as in `general-chat`; no other channel has it.
  package let slug: String
  /// Whether only the programme itself writes here.
  package let isReadOnly: Bool
  /// The lowest tier that may read and, unless it is read-only, write here.
  package let requiredTier: Tier

  /// The id in paths, as in `general/general-chat`.
  package var id: String { "\(group.key)/\(slug)" }
  /// The name that members see, as in `#general-chat`.
  package var name: String { "#\(slug)" }
}

/// Why a channel was closed to a member.
package enum ChannelRefusal: Error, Equatable, Sendable, Codable {
  /// No channel has this id.
  case unknown(id: String)
  /// The member's tier is below the channel's.
  case tierLocked(id: String, required: Tier)
  /// Only the programme writes here.
  case readOnly(id: String)

  /// The reason's key in answers and exports.
  package var key: String {
    switch self {
    case .unknown: "unknown_channel"
    case .tierLocked: "tier_locked"
    case .readOnly: "read_only"
    }
  }
}

/// The programme's channels: who may read and write where.
///
/// The catalogue is fixed by the brief; only the tier of the lounge is a setting.
package struct Channels: Sendable {
  /// Every channel, in the order in which members see them.
  package let all: [Channel]

  /// The catalogue of the brief, under the given rules.
  package init(rules: SocialRules) {
    func channels(
      _ group: ChannelGroup, _ slugs: [String], readOnly: String? = nil,
      tier: Tier = .standard
    ) -> [Channel] {
      slugs.map {
        Channel(group: group, slug: $0, isReadOnly: $0 == readOnly, requiredTier: tier)
      }
    }
    all =
      channels(
        .general, ["announcements", "general-chat", "introductions"], readOnly: "announcements")
      + channels(.lounge, ["vip-chat", "exclusive-deals"], tier: rules.loungeTier)
      + channels(.comps, ["comp-claims", "wallet-talk", "trading-tips"])
      + channels(.governance, ["proposals", "voting"])
  }

  /// The row of a channel; nil when no channel has this id. O(channels).
  package func index(of id: String) -> Int? { all.firstIndex { $0.id == id } }

  /// The channel with an id, or with a name without the hash; nil when there is none. O(channels).
  package func channel(named name: String) -> Channel? {
    all.first { $0.slug == name || $0.id == name }
  }

  /// Adjudicates one member's reading of a channel.
  ///
  /// - Returns: The row of the channel.
  /// - Throws: `ChannelRefusal.unknown`, then `.tierLocked`.
  package func read(by tier: Tier, _ id: String) throws(ChannelRefusal) -> Int {
    guard let row = index(of: id) else { throw .unknown(id: id) }
    let channel = all[row]
    guard tier >= channel.requiredTier else {
      throw .tierLocked(id: id, required: channel.requiredTier)
    }
    return row
  }

  /// Adjudicates one member's message to a channel. A member who may not read it is told of the
  /// tier first.
  ///
  /// - Returns: The row of the channel.
  /// - Throws: `ChannelRefusal.unknown`, then `.tierLocked`, then `.readOnly`.
  package func post(by tier: Tier, _ id: String) throws(ChannelRefusal) -> Int {
    let row = try read(by: tier, id)
    guard !all[row].isReadOnly else { throw .readOnly(id: id) }
    return row
  }
}
