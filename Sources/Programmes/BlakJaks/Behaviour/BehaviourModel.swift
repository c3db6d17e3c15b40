package import EventKernel
package import Population

/// Everything random about one purchase.
package struct PurchaseDraw: Sendable, Equatable, BitwiseCopyable {
  /// Time to the next purchase in units of the member's mean gap; its mean is 1.
  package var gap: Double
  /// Compared with the dropout probability, uniform in (0, 1).
  package var dropout: Double
  /// Tins bought, 1 or more.
  package var tins: Int
  /// How many of them will be scanned.
  package var scanned: Int
  /// Whether it was made in the shop.
  package var inShop: Bool
  /// When the first of them is opened, if none is open yet: in units of what the spacing of openings
  /// would be at an even pace to the next purchase.
  package var firstOpening: Double
}

/// Everything random about one scan.
package struct ScanDraw: Sendable, Equatable, BitwiseCopyable {
  /// Time to the next opening in the unit of `PurchaseDraw.firstOpening`: 0.5 ..< 1.5 times
  /// `TinSettings.openedOver`.
  package var gap: Double
  /// How often the same code is submitted once more.
  package var duplicates: Int
  /// How many texts that are not codes are submitted.
  package var malformed: Int
  /// How many made-up codes are submitted.
  package var guesses: Int
}

/// A number of things per scan on average: its whole part always, one more by its fraction.
struct CountRate: Sendable {
  let whole: Int
  let threshold: UInt64

  /// - Parameter mean: 0 or more.
  init(_ mean: Double) {
    whole = Int(mean)
    threshold = UInt64((mean - Double(whole)) * 0x1p32)
  }

  /// The number that a uniform 32-bit word selects.
  func count(_ word: UInt32) -> Int { whole + (UInt64(word) < threshold ? 1 : 0) }
}

/// Tells the scans after which nothing else is submitted, for loops over many scans.
///
/// A word of a scan's block brings a duplicate, a malformed text or a guess where it is below a bound.
struct UsualScans {
  private let duplicates: UInt64
  private let malformed: UInt64
  private let guessed: UInt64

  init(_ behaviour: BehaviourModel) {
    // A rate of one and more always brings something.
    func most(_ rate: CountRate) -> UInt64 { rate.whole > 0 ? .max : rate.threshold }
    duplicates = most(behaviour.duplicates)
    malformed = most(behaviour.malformed)
    guessed = most(behaviour.guessed)
  }

  /// - Parameters: The second to the fourth word of a scan's block.
  @inline(__always)
  func covers(_ second: UInt32, _ third: UInt32, _ fourth: UInt32) -> Bool {
    let isOdd = (number(UInt64(second) < duplicates) | number(UInt64(third) < malformed))
    return isOdd | number(UInt64(fourth) < guessed) == 0
  }

  @inline(__always)
  private func number(_ isTrue: Bool) -> UInt8 { isTrue ? 1 : 0 }
}

/// How members behave: pure functions of (seed, member, index of the purchase or scan).
///
/// Every draw is keyed by what it is for, so that it does not depend on any other member, on the
/// order of events, or on how many draws something else took.
package final class BehaviourModel: Sendable {
  package let settings: PopulationSettings
  package let seed: UInt64
  /// Buying, leaving and referring: the part that any program shares.
  package let buying: BuyingModel
  let tins: DiscreteTable
  private let scanned: DiscreteTables
  let duplicates: CountRate
  let malformed: CountRate
  let guessed: CountRate
  let shop: UInt64
  /// See `TinSettings`.
  let openingPart: Double

  /// - Parameters:
  ///   - settings: Within the ranges of a validated scenario.
  ///   - seed: The run's seed.
  package init(_ settings: PopulationSettings, seed: UInt64) {
    self.settings = settings
    self.seed = seed
    let tinSettings = settings.tins
    let rate = Self.rate(settings)
    buying = BuyingModel(
      settings.purchase, rateShape: rate.shape, rateWeeks: rate.weeks,
      referral: settings.referral, seed: seed)
    // One tin and a Poisson number more.
    let weights = [0] + DiscreteTable.poissonWeights(mean: tinSettings.perPurchase - 1)
    tins = DiscreteTable(weights: weights)
    scanned = DiscreteTables(
      (0..<weights.count).map { Self.binomial($0, tinSettings.scanned) })
    duplicates = CountRate(settings.mischief.duplicates)
    malformed = CountRate(settings.mischief.malformed)
    guessed = CountRate(settings.mischief.guessed)
    shop = UInt64(tinSettings.shop * 0x1p32)
    openingPart = tinSettings.openingPart
  }

  /// Shape and rate (in weeks) of the gamma distribution of purchase rates over members.
  package static func rate(_ settings: PopulationSettings) -> (shape: Double, weeks: Double) {
    let shape = settings.purchase.r ?? settings.tins.shape
    return (
      shape,
      settings.purchase.purchaseWeeks ?? shape * settings.tins.perPurchase / settings.tins.perWeek
    )
  }

  private static func binomial(_ n: Int, _ p: Double) -> DiscreteTable {
    if p >= 1 { return DiscreteTable(weights: Array(repeating: 0, count: n) + [1]) }
    let mode = min(n, Int(Double(n + 1) * p))
    var weights = [Double](repeating: 1, count: n + 1)
    for k in stride(from: mode, to: 0, by: -1) {
      weights[k - 1] = weights[k] * Double(k) / Double(n - k + 1) * (1 - p) / p
    }
    for k in mode..<n {
      weights[k + 1] = weights[k] * Double(n - k) / Double(k + 1) * p / (1 - p)
    }
    return DiscreteTable(weights: weights)
  }

  @inline(__always)
  func stream(_ purpose: RandomPurpose, _ member: UInt32, _ counter: UInt32 = 0)
    -> RandomStream
  {
    RandomStream(
      seed: seed, purpose: purpose.rawValue, entity: UInt64(member), counter: counter)
  }

  /// See `BuyingModel.rateShape`.
  package var rateShape: Double { buying.rateShape }

  /// See `BuyingModel.rateWeeks`.
  package var rateWeeks: Double { buying.rateWeeks }

  /// The buy-till-you-die model that members follow.
  package var model: PurchaseModel { buying.model }

  /// A member's purchase rate and dropout.
  package func traits(member: UInt32, referred: Bool) -> MemberTraits {
    buying.traits(member: member, referred: referred)
  }

  /// One purchase's draws.
  ///
  /// - Parameters:
  ///   - member: Who buys.
  ///   - index: 0 for the purchase at sign-up.
  @inline(__always)
  package func purchase(member: UInt32, index: UInt32) -> PurchaseDraw {
    purchase(buying.purchase(member: member, index: index))
  }

  /// One purchase's draws, of which the first two blocks have been drawn; see `BuyingModel`.
  ///
  /// - Parameter logOfUniforms: Of `BuyingModel.uniforms`.
  @inline(__always)
  func purchase(
    member: UInt32, index: UInt32, first: SIMD4<UInt32>, second: SIMD4<UInt32>,
    logOfUniforms: Double
  ) -> PurchaseDraw {
    purchase(
      buying.purchase(
        member: member, index: index, first: first, second: second, logOfUniforms: logOfUniforms))
  }

  @inline(__always)
  private func purchase(_ draw: BuyingDraw) -> PurchaseDraw {
    let bought = tins.value(draw.marks[0])
    return PurchaseDraw(
      gap: draw.gap, dropout: draw.dropout, tins: bought,
      scanned: scanned.value(bought, draw.marks[1]), inShop: UInt64(draw.marks[2]) < shop,
      firstOpening: RandomStream.uniform(draw.marks[3]) * openingPart)
  }

  /// One scan's draws.
  ///
  /// - Parameters:
  ///   - member: Who scans.
  ///   - index: Tins that the member opened before it, refused ones too.
  @inline(__always)
  package func scan(member: UInt32, index: UInt32) -> ScanDraw {
    var stream = stream(.scan, member, index)
    let words = stream.nextBlock()
    return scan(words[0], words[1], words[2], words[3])
  }

  /// `ScanDraw.gap` by the first word of a scan's block.
  ///
  /// - Parameter part: `openingPart`.
  @inline(__always)
  static func openingGap(_ word: UInt32, over part: Double) -> Double {
    (0.5 + RandomStream.uniform(word)) * part
  }

  /// Tells scans after which nothing else is submitted.
  var usualScans: UsualScans { UsualScans(self) }

  /// A scan's draws by the four words of its block of the stream `.scan`.
  @inline(__always)
  func scan(_ first: UInt32, _ second: UInt32, _ third: UInt32, _ fourth: UInt32) -> ScanDraw {
    ScanDraw(
      gap: BehaviourModel.openingGap(first, over: openingPart),
      duplicates: duplicates.count(second),
      malformed: malformed.count(third), guesses: guessed.count(fourth))
  }

  /// The stream that a scan's made-up codes and mangled texts are drawn from; each scan has 1,024
  /// blocks of its own.
  package func guessing(member: UInt32, index: UInt32) -> RandomStream {
    stream(.guess, member, index &* 1_024)
  }

  /// Whether a member leaves at a purchase, where the model decides it there.
  ///
  /// - Parameters:
  ///   - draw: Of the purchase.
  ///   - index: 0 for the purchase at sign-up, which only MBG lets somebody leave after.
  ///   - dropout: The member's `MemberTraits.dropout`.
  @inline(__always)
  package func leaves(after draw: PurchaseDraw, index: UInt32, dropout: Float) -> Bool {
    buying.leaves(after: draw.dropout, index: index, dropout: dropout)
  }

  /// Whether a member refers others.
  package func isAffiliate(_ member: UInt32) -> Bool { buying.isAffiliate(member) }

  /// The member who referred this one; see `BuyingModel.referrer`.
  package func referrer(of member: UInt32) -> UInt32? { buying.referrer(of: member) }

  /// Which members refer others; see `BuyingModel.affiliates`.
  package func affiliates(_ members: Int) -> Affiliates { buying.affiliates(members) }

  /// Who referred each of many members; see `BuyingModel.referrers`.
  package func referrers(
    of members: Range<UInt32>, among affiliates: Affiliates, _ told: (UInt32, UInt32?) -> Void
  ) { buying.referrers(of: members, among: affiliates, told) }

  /// Applicants refused at the age gate before this member was let in: geometric.
  package func refusedBefore(_ member: UInt32) -> Int64 {
    buying.refusedBefore(member, share: settings.underAge)
  }
}
