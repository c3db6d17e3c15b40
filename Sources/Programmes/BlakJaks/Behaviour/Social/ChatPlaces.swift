internal import Quantities

/// Where members write: the weights of channels, who may write there, and what about.
struct ChatPlaces: Sendable {
  /// The channel in which the program announces.
  static let announcementID = "general/announcements"
  /// The channel in which viewers of a stream write.
  static let streamID = "general/general-chat"
  /// The channel in which wins are talked about.
  static let winID = "comps/comp-claims"

  let access: [ChannelAccess]
  let announcements: Int?
  let streamChat: Int?
  let winTalk: Int?
  /// Share of a tier's messages that goes to a channel: one row a channel, one lane a tier.
  let shares: [SIMD4<Double>]

  /// - Parameters:
  ///   - weights: Of writable channels.
  ///   - access: The channels by their ids; at most 250.
  init(_ weights: ChannelWeights, access: [ChannelAccess]) {
    invariant(access.count <= 250, "there are at most 250 channels")
    self.access = access
    announcements = access.firstIndex { $0.id == Self.announcementID && $0.isReadOnly }
    streamChat = access.firstIndex { $0.id == Self.streamID && !$0.isReadOnly }
    winTalk = access.firstIndex { $0.id == Self.winID && !$0.isReadOnly }
    let open = access.map { channel in
      var row = SIMD4<Double>()
      for tier in 0..<4 where !channel.isReadOnly && tier >= channel.lowestTier {
        row[tier] = weights.weight(of: channel.id) ?? 0
      }
      return row
    }
    let total = open.reduce(SIMD4<Double>(), +)
    shares = open.map { row in
      row / total.replacing(with: 1, where: total .== 0)
    }
  }

  /// Whether some living member is below a channel's tier.
  func isLocked(_ channel: Int, for living: SIMD4<Int>) -> Bool {
    (0..<4).contains { $0 < access[channel].lowestTier && living[$0] > 0 }
  }

  /// What messages of a channel are about; never empty.
  func topics(_ channel: Int) -> [String] {
    switch access[channel].id {
    case "general/general-chat": ["new flavor", "first scan", "weekend", "live stream"]
    case "general/introductions": ["hello", "new member", "referred by a friend"]
    case "lounge/vip-chat": ["tier talk", "trip", "event"]
    case "lounge/exclusive-deals": ["deal", "early access"]
    case "comps/comp-claims": ["claimed", "congratulations", "next milestone"]
    case "comps/wallet-talk": ["withdrawal", "card", "balance"]
    case "comps/trading-tips": ["trading tip", "price", "fees"]
    case "governance/proposals": ["proposal", "question", "support"]
    case "governance/voting": ["voted", "turnout", "result"]
    default: ["message"]
    }
  }
}

extension ChannelWeights {
  /// The weight of a channel by its id; nil for a channel without one.
  package func weight(of id: String) -> Double? {
    switch id {
    case "general/general-chat": generalChat
    case "general/introductions": introductions
    case "lounge/vip-chat": vipChat
    case "lounge/exclusive-deals": exclusiveDeals
    case "comps/comp-claims": compClaims
    case "comps/wallet-talk": walletTalk
    case "comps/trading-tips": tradingTips
    case "governance/proposals": proposals
    case "governance/voting": voting
    default: nil
    }
  }
}
