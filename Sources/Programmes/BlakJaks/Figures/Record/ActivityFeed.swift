internal import Population
package import Quantities
internal import RewardModel

/// What the feed of a run tells of members and partners; each is counted, told or not.
package enum FeedKind: String, CaseIterable, Sendable, Codable {
  /// A member signed up.
  case signUp = "signup"
  /// A member reached a higher tier by a scan.
  case tier
  /// A scan earned much.
  case largeScan = "large_scan"
  /// An affiliate was matched a comp.
  case match
  /// An affiliate reached a permanent floor.
  case affiliate
  /// A wholesale account won comps.
  case wholesale
}

/// A sign-up, or a tier that a member reached.
struct MemberHappening: Comparable, Sendable, BitwiseCopyable, Codable {
  var time: Instant
  var member: UInt32
  /// The tier reached; nil for a sign-up.
  var tier: Tier?

  static func < (a: MemberHappening, b: MemberHappening) -> Bool {
    a.time < b.time || (a.time == b.time && a.member < b.member)
  }
}

/// The same of a member of a history, who has a name.
struct NamedHappening: Comparable, Sendable, Codable {
  let time: Instant
  let name: String
  let tier: Tier?
  /// Whether the name says where the words about it come among others: nothing in it comes before the
  /// space that ends it there.
  private let isPlain: Bool

  init(_ time: Instant, _ name: String, _ tier: Tier?) {
    self.time = time
    self.name = name
    self.tier = tier
    isPlain = Self.isPlain(name)
  }

  private static func isPlain(_ name: String) -> Bool {
    // Bytes in a row take less than those of a view.
    name.utf8.withContiguousStorageIfAvailable { $0.allSatisfy { $0 > UInt8(ascii: " ") } }
      ?? name.utf8.allSatisfy { $0 > UInt8(ascii: " ") }
  }

  var row: BlakJaksRecord.FeedRow {
    let kind = tier == nil ? FeedKind.signUp : .tier
    return BlakJaksRecord.FeedRow(
      time: time, kind: kind.rawValue, text: ActivityFeed.text(name, tier))
  }

  /// The order of their rows.
  static func < (a: NamedHappening, b: NamedHappening) -> Bool {
    if a.time != b.time { return a.time < b.time }
    if a.isPlain && b.isPlain && a.name != b.name { return a.name < b.name }
    return a.row < b.row
  }
}

/// The activity feed of a run: of each local day the latest rows of each kind.
///
/// A page shows 20 rows, so that more than that of each kind and day leaves nothing out of any.
/// Memory is O(days), however many members there are.
package struct ActivityFeed: Sendable {
  /// Rows kept of one kind and day.
  package static let mostOfADay = 25

  private var rows: [BlakJaksRecord.FeedRow] = []
  private var today: [String: LatestRows<BlakJaksRecord.FeedRow>] = [:]
  private var signUps = LatestRows<MemberHappening>(mostOfADay)
  private var tiers = LatestRows<MemberHappening>(mostOfADay)
  private var namedSignUps = LatestRows<NamedHappening>(mostOfADay)
  private var namedTiers = LatestRows<NamedHappening>(mostOfADay)
  private var counts: [FeedKind: Int64] = [:]
  // Apart, as they happen so often.
  private var signUpCount: Int64 = 0
  private var tierCount: Int64 = 0

  /// An empty feed.
  package init() {}

  /// How often something of a kind happened.
  package func count(_ kind: FeedKind) -> Int64 {
    let counted = counts[kind] ?? 0
    return switch kind {
    case .signUp: counted + signUpCount
    case .tier: counted + tierCount
    default: counted
    }
  }

  private var allCounts: [FeedKind: Int64] {
    counts.merging([.signUp: signUpCount, .tier: tierCount], uniquingKeysWith: +)
  }

  /// Enters something worth telling.
  package mutating func tell(_ time: Instant, _ kind: String, _ text: String) {
    let row = BlakJaksRecord.FeedRow(time: time, kind: kind, text: text)
    today[kind, default: LatestRows(Self.mostOfADay)].add(row)
  }

  /// Enters something that is counted, too.
  package mutating func tell(_ time: Instant, _ kind: FeedKind, _ text: String) {
    counts[kind, default: 0] += 1
    tell(time, kind.rawValue, text)
  }

  /// Enters that no more affiliates are accepted.
  mutating func tellSunset(_ time: Instant) {
    tell(time, "sunset", "the sunset engine turned active")
  }

  /// Enters what a member of a world did; its words are found only for what is kept.
  mutating func tell(_ happening: MemberHappening) {
    if happening.tier == nil {
      signUpCount += 1
      signUps.add(happening)
    } else {
      tierCount += 1
      tiers.add(happening)
    }
  }

  /// Enters what a member of a history did.
  mutating func tell(_ time: Instant, _ name: String, _ tier: Tier?) {
    let happening = NamedHappening(time, name, tier)
    if tier == nil {
      signUpCount += 1
      namedSignUps.add(happening)
    } else {
      tierCount += 1
      namedTiers.add(happening)
    }
  }

  /// Ends a local day.
  package mutating func closeDay() {
    var told = today.isEmpty ? [] : today.keys.sorted().flatMap { today[$0]?.take() ?? [] }
    for happening in signUps.take() + tiers.take() {
      let kind = happening.tier == nil ? FeedKind.signUp : .tier
      told.append(
        BlakJaksRecord.FeedRow(
          time: happening.time, kind: kind.rawValue,
          text: Self.text(String(happening.member + 1), happening.tier)))
    }
    for happening in namedSignUps.take() + namedTiers.take() { told.append(happening.row) }
    if !told.isEmpty { rows += told.sorted() }
  }

  /// All days that were closed.
  package var all: [BlakJaksRecord.FeedRow] { rows }

  /// What changes from window to window; the rows of closed days as three columns, as there are
  /// many.
  struct Saved: Codable {
    @Packed fileprivate var times: [Int64]
    fileprivate var kinds: [String]
    fileprivate var texts: [String]
    fileprivate var today: [String: LatestRows<BlakJaksRecord.FeedRow>]
    fileprivate var signUps: LatestRows<MemberHappening>
    fileprivate var tiers: LatestRows<MemberHappening>
    fileprivate var counts: [FeedKind: Int64]
  }

  /// What to save, or where to go on. A history is never saved, so that there is nobody with a name.
  var saved: Saved {
    get {
      Saved(
        times: rows.map(\.time.microseconds), kinds: rows.map(\.kind), texts: rows.map(\.text),
        today: today, signUps: signUps, tiers: tiers, counts: allCounts)
    }
    set {
      rows = zip(newValue.times, zip(newValue.kinds, newValue.texts)).map { time, words in
        BlakJaksRecord.FeedRow(
          time: Instant(microseconds: time), kind: words.0, text: words.1)
      }
      (today, signUps, tiers) = (newValue.today, newValue.signUps, newValue.tiers)
      counts = newValue.counts
      signUpCount = counts.removeValue(forKey: .signUp) ?? 0
      tierCount = counts.removeValue(forKey: .tier) ?? 0
    }
  }

  /// The words for a sign-up or a tier reached.
  package static func text(_ member: String, _ tier: Tier?) -> String {
    var text = "member "
    // Of one piece: a run has thousands of them.
    text.reserveCapacity(member.utf8.count + 32)
    text += member
    if let tier {
      text += " reached "
      text += tier.name
    } else {
      text += " signed up"
    }
    return text
  }

  /// Enters what won comps brought: scans that earned much, and matches.
  ///
  /// - Parameters:
  ///   - wins: Of some time, all that one scan won among them.
  ///   - programme: Whose rules and rewards these are.
  ///   - name: Of a member.
  /// - Throws: `MoneyError.overflow`.
  package mutating func tell(
    _ wins: [Win], _ programme: LiveProgramme, name: (UInt32) -> String
  ) throws(MoneyError) {
    for row in try Self.told(of: wins, programme, name: name) { tell(row.time, row.kind, row.text) }
  }

  /// What is told of won comps; see `tell`.
  static func told(
    of wins: [Win], _ programme: LiveProgramme, name: (UInt32) -> String
  ) throws(MoneyError) -> [(time: Instant, kind: FeedKind, text: String)] {
    var rows: [(time: Instant, kind: FeedKind, text: String)] = []
    var place = 0
    while place < wins.count {
      let (time, member, tier) = (wins[place].time, wins[place].member, wins[place].tier)
      // One row of a history may hold several scans of one instant.
      let scan = wins[place].award.wonScan
      var earned = programme.rewards.amount[tier]
      var isScan = false
      while place < wins.count, wins[place].time == time, wins[place].member == member,
        wins[place].award.wonScan == scan
      {
        let prize = programme.board.prizes[wins[place].award.prize]
        // A prize that was drawn was not won by the scan of its instant.
        if prize.allocation == .rollForward {
          earned = try earned.adding(prize.amount)
          isScan = true
        }
        if wins[place].match > .zero {
          rows.append(
            (
              time, .match,
              "\(wins[place].match.cents) USDT matched to the affiliate of member \(name(member))"
            ))
        }
        place += 1
      }
      if isScan, earned >= programme.books.rules.feed.largeScan {
        rows.append(
          (time, .largeScan, "member \(name(member)) earned \(earned.cents) USDT with one scan"))
      }
    }
    return rows
  }

  /// The words for a permanent floor.
  static func text(_ member: String, forLife floor: Tier) -> String {
    "member \(member) is \(floor.name) for life"
  }
}
