package import EventKernel
package import Population

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// What a member is born with.
package struct MemberTraits: Sendable, Equatable, BitwiseCopyable {
  /// Mean time between purchases while active, in weeks of operational time.
  package var meanGapWeeks: Float
  /// BG and MBG: the probability of leaving after a purchase. Pareto: the lifetime in weeks of
  /// operational time since sign-up.
  package var dropout: Float
}

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
  /// When the first of them is opened, as a fraction of the spacing, if none is open yet.
  package var firstOpening: Double
}

/// Everything random about one scan.
package struct ScanDraw: Sendable, Equatable, BitwiseCopyable {
  /// Time to the next opening in units of the spacing, in 0.5 ..< 1.5.
  package var gap: Double
  /// How often the same code is submitted once more.
  package var duplicates: Int
  /// How many texts that are no codes are submitted.
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

  /// The number that a uniform 32-bit word stands for.
  func count(_ word: UInt32) -> Int { whole + (UInt64(word) < threshold ? 1 : 0) }
}

/// How members behave: pure functions of (seed, member, index of the purchase or scan).
///
/// Every draw is keyed by what it is for, so that it does not depend on any other member, on the
/// order of events, or on how many draws something else took.
package final class BehaviourModel: Sendable {
  static var blocksPerPurchase: UInt32 { 4 }
  /// Largest Erlang shape whose gap fits the words of a purchase; a larger one has a stream of its
  /// own for each purchase.
  package static let maximumErlang = 7

  package let settings: PopulationSettings
  package let seed: UInt64
  /// Shape and rate (in weeks) of the gamma distribution of purchase rates.
  package let rateShape: Double
  package let rateWeeks: Double
  let tins: DiscreteTable
  private let scanned: DiscreteTables
  let duplicates: CountRate
  let malformed: CountRate
  let guessed: CountRate
  let shop: UInt64
  let erlang: Int
  /// The buy-till-you-die model that members follow.
  package let model: PurchaseModel

  /// - Parameters:
  ///   - settings: Within the ranges of a validated scenario.
  ///   - seed: The run's seed.
  package init(_ settings: PopulationSettings, seed: UInt64) {
    self.settings = settings
    self.seed = seed
    erlang = settings.purchase.erlang
    model = settings.purchase.model
    let tinSettings = settings.tins
    rateShape = settings.purchase.r ?? tinSettings.shape
    rateWeeks =
      settings.purchase.alpha ?? rateShape * tinSettings.perPurchase / tinSettings.perWeek
    // One tin and a Poisson number more.
    let weights = [0] + Self.poissonWeights(mean: tinSettings.perPurchase - 1)
    tins = DiscreteTable(weights: weights)
    scanned = DiscreteTables(
      (0..<weights.count).map { Self.binomial($0, tinSettings.scanned) })
    duplicates = CountRate(settings.mischief.duplicates)
    malformed = CountRate(settings.mischief.malformed)
    guessed = CountRate(settings.mischief.guessed)
    shop = UInt64(tinSettings.shop * 0x1p32)
  }

  /// Weights relative to the most frequent value, so that none that matters underflows; cut where
  /// they fall below 1e-15.
  private static func poissonWeights(mean: Double) -> [Double] {
    let mode = Int(mean)
    var weights = [Double](repeating: 1, count: mode + 1)
    for k in stride(from: mode, to: 0, by: -1) { weights[k - 1] = weights[k] * Double(k) / mean }
    while let last = weights.last, last > 1e-15 {
      weights.append(last * mean / Double(weights.count))
    }
    return weights
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

  /// A member's purchase rate and dropout.
  ///
  /// Purchase rates are Gamma(r, α) over members; dropout is Beta(a, b) a purchase (BG, MBG) or
  /// exponential with a Gamma(s, β) rate (Pareto/NBD). Sources: see `PurchaseModel`.
  package func traits(member: UInt32, referred: Bool) -> MemberTraits {
    var stream = stream(.traits, member)
    let rate = stream.gamma(shape: rateShape, scale: 1 / rateWeeks)
    let factor = referred ? settings.referral.dropoutFactor : 1
    let dropout: Double
    switch settings.purchase.model {
    case .bgNbd, .mbgNbd:
      dropout = stream.beta(settings.purchase.a, settings.purchase.b) * factor
    case .paretoNbd:
      let rate = stream.gamma(shape: settings.purchase.s, scale: 1 / settings.purchase.beta)
      dropout = stream.standardExponential() / max(rate * factor, 1e-30)
    }
    return MemberTraits(
      meanGapWeeks: Float(min(1 / max(rate, 1e-30), 1e12)), dropout: Float(min(dropout, 1e12)))
  }

  /// One purchase's draws.
  ///
  /// - Parameter index: 0 for the purchase at sign-up.
  package func purchase(member: UInt32, index: UInt32) -> PurchaseDraw {
    var stream = stream(.purchase, member, index &* BehaviourModel.blocksPerPurchase)
    let first = stream.nextBlock()
    let second = stream.nextBlock()
    let shape = erlang
    var product = RandomStream.uniform(second[0])
    if shape >= 2 { product *= RandomStream.uniform(second[1]) }
    if shape >= 3 { product *= RandomStream.uniform(second[2]) }
    if shape >= 4 {
      let third = stream.nextBlock()
      for place in 0..<min(shape - 3, 4) { product *= RandomStream.uniform(third[place]) }
    }
    var gap = -log(product) / Double(shape)
    if shape > BehaviourModel.maximumErlang {
      var own = RandomStream(
        seed: seed, purpose: RandomPurpose.gap.rawValue,
        entity: UInt64(index) << 32 | UInt64(member))
      gap = own.gamma(shape: Double(shape), scale: 1 / Double(shape))
    }
    let bought = tins.value(first[1])
    return PurchaseDraw(
      gap: gap, dropout: RandomStream.uniform(first[0]), tins: bought,
      scanned: scanned.value(bought, first[2]), inShop: UInt64(first[3]) < shop,
      firstOpening: RandomStream.uniform(second[3]))
  }

  /// One scan's draws.
  ///
  /// - Parameter index: Tins that the member opened before it, refused ones too.
  @inline(__always)
  package func scan(member: UInt32, index: UInt32) -> ScanDraw {
    var stream = stream(.scan, member, index)
    let words = stream.nextBlock()
    return ScanDraw(
      gap: 0.5 + RandomStream.uniform(words[0]), duplicates: duplicates.count(words[1]),
      malformed: malformed.count(words[2]), guesses: guessed.count(words[3]))
  }

  /// The stream that a scan's made-up codes and mangled texts are drawn from; each scan has 1,024
  /// blocks of its own.
  package func guessing(member: UInt32, index: UInt32) -> RandomStream {
    stream(.guess, member, index &* 1_024)
  }

  /// Whether a member leaves at a purchase, where the model decides it there.
  ///
  /// - Parameter index: 0 for the purchase at sign-up, which only MBG lets somebody leave after.
  @inline(__always)
  package func leaves(after draw: PurchaseDraw, index: UInt32, dropout: Float) -> Bool {
    switch model {
    case .bgNbd: index > 0 && draw.dropout < Double(dropout)
    case .mbgNbd: draw.dropout < Double(dropout)
    case .paretoNbd: false
    }
  }

  /// Whether a member refers others.
  package func isAffiliate(_ member: UInt32) -> Bool {
    var stream = stream(.affiliate, member)
    return stream.uniform() < settings.referral.affiliates
  }

  /// The member who referred this one: with the given probability a random earlier affiliate.
  ///
  /// - Returns: Nil for members who came by themselves, and in the rare case that 64 earlier
  ///   members drawn at random were all no affiliates.
  package func referrer(of member: UInt32) -> UInt32? {
    guard settings.referral.referred > 0, settings.referral.affiliates > 0, member > 0 else {
      return nil
    }
    var stream = stream(.referrer, member)
    guard stream.uniform() < settings.referral.referred else { return nil }
    for _ in 0..<64 {
      let candidate = UInt32(stream.uniformIndex(below: UInt64(member)))
      if isAffiliate(candidate) { return candidate }
    }
    return nil
  }

  /// Applicants refused at the age gate before this member was let in: geometric.
  package func refusedBefore(_ member: UInt32) -> Int64 {
    guard settings.underAge > 0 else { return 0 }
    var stream = stream(.ageGate, member)
    // Were all under age, nobody would ever be let in: the count stays finite.
    return Int64(log(stream.uniform()) / log(min(settings.underAge, 0.999_999_999)))
  }
}
