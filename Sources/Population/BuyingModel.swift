internal import CKernel
public import EventKernel

/// What a member is like, drawn once for each.
public struct MemberTraits: Sendable, Equatable, BitwiseCopyable {
  /// Mean time between purchases while active, in weeks of operational time.
  public var meanGapWeeks: Float
  /// BG and MBG: the probability of leaving after a purchase. Pareto: the lifetime in weeks of
  /// operational time since sign-up.
  public var dropout: Float

  /// Traits; see the properties for units.
  public init(meanGapWeeks: Float, dropout: Float) {
    self.meanGapWeeks = meanGapWeeks
    self.dropout = dropout
  }
}

/// When a member buys again and whether they leave, with words left for what they buy.
public struct BuyingDraw: Sendable, Equatable, BitwiseCopyable {
  /// Time to the next purchase in units of the member's mean gap; its mean is 1.
  public var gap: Double
  /// Compared with the dropout probability, uniform in (0, 1).
  public var dropout: Double
  /// Four uniform 32-bit words of the purchase that nothing here uses: for what is bought.
  public var marks: SIMD4<UInt32>

  @inlinable
  init(gap: Double, dropout: Double, marks: SIMD4<UInt32>) {
    self.gap = gap
    self.dropout = dropout
    self.marks = marks
  }
}

/// How members buy, leave and refer others: pure functions of (seed, member, purchase).
///
/// Every draw is keyed by what it is for, so that it does not depend on any other member, on the
/// order of events, or on how many draws something else took.
public struct BuyingModel: Sendable {
  @inlinable static var blocksPerPurchase: UInt32 { 4 }
  /// Largest Erlang shape whose gap fits the words of a purchase; a larger one has a stream of its
  /// own for each purchase.
  @inlinable public static var maximumErlang: Int { 7 }

  /// The run's seed.
  public let seed: UInt64
  private let settings: PurchaseSettings
  let referral: ReferralSettings
  /// Shape of the gamma distribution of purchase rates.
  public let rateShape: Double
  /// Rate of that gamma distribution, in weeks.
  public let rateWeeks: Double
  @usableFromInline let erlang: Int
  /// The buy-till-you-die model that members follow.
  public let model: PurchaseModel

  /// - Parameters:
  ///   - settings: Within the ranges of a validated scenario.
  ///   - rateShape: Shape of the gamma distribution of purchase rates, above 0.
  ///   - rateWeeks: Its rate in weeks, above 0.
  ///   - referral: Within the ranges of a validated scenario.
  ///   - seed: The run's seed.
  public init(
    _ settings: PurchaseSettings, rateShape: Double, rateWeeks: Double,
    referral: ReferralSettings, seed: UInt64
  ) {
    self.settings = settings
    self.rateShape = rateShape
    self.rateWeeks = rateWeeks
    self.referral = referral
    self.seed = seed
    erlang = settings.erlang
    model = settings.model
  }

  /// The stream of one purpose and member.
  ///
  /// - Parameters:
  ///   - purpose: What the numbers are for.
  ///   - member: Whose numbers they are.
  ///   - counter: The block at which it starts.
  @inlinable
  @inline(__always)
  public func stream(
    _ purpose: RandomPurpose, _ member: UInt32, _ counter: UInt32 = 0
  ) -> RandomStream {
    RandomStream(
      seed: seed, purpose: purpose.rawValue, entity: UInt64(member), counter: counter)
  }

  /// A member's purchase rate and dropout.
  ///
  /// Purchase rates are Gamma(r, α) over members; dropout is Beta(a, b) a purchase (BG, MBG) or
  /// exponential with a Gamma(s, β) rate (Pareto/NBD). Sources: see `PurchaseModel`.
  public func traits(member: UInt32, referred: Bool) -> MemberTraits {
    var stream = stream(.traits, member)
    return traits(of: &stream, referred: referred)
  }

  /// The same of members that are numbered one after another, several at a time.
  ///
  /// - Parameters:
  ///   - members: Their numbers.
  ///   - isReferred: Tells by a member's place among them.
  ///   - body: Gets that place and the traits.
  public func traits(
    members: Range<UInt32>, referred isReferred: (Int) -> Bool, _ body: (Int, MemberTraits) -> Void
  ) {
    // A gamma and a beta variate take four to five blocks, seldom more.
    let drawn = DrawnStreams(seed: seed, purpose: RandomPurpose.traits.rawValue, blocks: 5)
    for first in stride(from: 0, to: members.count, by: DrawnStreams.capacity) {
      drawn.draw(from: members.lowerBound + UInt32(first))
      let some = min(DrawnStreams.capacity, members.count - first)
      if hasBetaByLogarithms {
        traits(drawn, some) { place, rate, beta in
          let factor = isReferred(first + place) ? referral.dropoutFactor : 1
          body(first + place, Self.traits(rate: rate, dropout: beta * factor))
        }
        continue
      }
      for place in 0..<some {
        var stream = drawn.stream(place)
        body(first + place, traits(of: &stream, referred: isReferred(first + place)))
      }
    }
  }

  /// Whether dropout is a beta variate that is found by logarithms; see `RandomSource.beta`.
  private var hasBetaByLogarithms: Bool {
    model != .paretoNbd && (settings.a < 1 || settings.b < 1)
  }

  /// The purchase rates and beta variates of the first `count` streams: each as `traits(of:referred:)` has it, but
  /// their logarithms and powers are found together.
  private func traits(
    _ drawn: borrowing DrawnStreams, _ count: Int,
    _ body: (Int, _ rate: Double, _ beta: Double) -> Void
  ) {
    let (a, b) = (settings.a, settings.b)
    withUnsafeTemporaryAllocation(of: Double.self, capacity: 5 * count) { memory in
      guard let logs = memory.baseAddress else { return }
      let rates = logs + 4 * count
      for place in 0..<count {
        var stream = drawn.stream(place)
        (rates + place).initialize(to: stream.gamma(shape: rateShape, scale: 1 / rateWeeks))
        let (x, y) = (stream.gammaParts(shape: a), stream.gammaParts(shape: b))
        (logs + place).initialize(to: x.first)
        (logs + count + place).initialize(to: x.second)
        (logs + 2 * count + place).initialize(to: y.first)
        (logs + 3 * count + place).initialize(to: y.second)
      }
      ck_logs(logs, logs, 4 * count)
      for place in 0..<count {
        let x = logs[place] + logs[count + place] / a
        logs[place] = logs[2 * count + place] + logs[3 * count + place] / b - x
      }
      ck_exps(logs, logs, count)
      for place in 0..<count { body(place, rates[place], 1 / (1 + logs[place])) }
    }
  }

  private func traits(
    of stream: inout some RandomSource, referred: Bool
  ) -> MemberTraits {
    let rate = stream.gamma(shape: rateShape, scale: 1 / rateWeeks)
    let factor = referred ? referral.dropoutFactor : 1
    let dropout: Double
    switch model {
    case .bgNbd, .mbgNbd:
      dropout = stream.beta(settings.a, settings.b) * factor
    case .paretoNbd:
      let rate = stream.gamma(shape: settings.s, scale: 1 / settings.beta)
      dropout = stream.standardExponential() / max(rate * factor, 1e-30)
    }
    return Self.traits(rate: rate, dropout: dropout)
  }

  private static func traits(rate: Double, dropout: Double) -> MemberTraits {
    MemberTraits(
      meanGapWeeks: Float(min(1 / max(rate, 1e-30), 1e12)), dropout: Float(min(dropout, 1e12)))
  }

  /// One purchase's draws.
  ///
  /// - Parameters:
  ///   - member: Who buys.
  ///   - index: 0 for the purchase at sign-up.
  @inlinable
  @inline(__always)
  public func purchase(member: UInt32, index: UInt32) -> BuyingDraw {
    var stream = stream(.purchase, member, BuyingModel.firstBlock(of: index))
    return purchase(
      member: member, index: index, first: stream.nextBlock(), second: stream.nextBlock())
  }

  /// One purchase's draws, of which the first two blocks have been drawn.
  ///
  /// - Parameters:
  ///   - first: Block `firstBlock(of: index)` of the stream `.purchase` of the member.
  ///   - second: The block after it.
  @inlinable
  @inline(__always)
  public func purchase(
    member: UInt32, index: UInt32, first: SIMD4<UInt32>, second: SIMD4<UInt32>
  ) -> BuyingDraw {
    let uniforms = uniforms(member: member, index: index, second: second)
    return purchase(
      member: member, index: index, first: first, second: second,
      logOfUniforms: Elementary.log(uniforms))
  }

  /// The product of the uniform numbers that say when a purchase's next one is: in (0, 1).
  ///
  /// - Parameter second: As `purchase(member:index:first:second:)` takes it.
  @inlinable
  @inline(__always)
  public func uniforms(member: UInt32, index: UInt32, second: SIMD4<UInt32>) -> Double {
    let shape = erlang
    var product = RandomStream.uniform(second[0])
    if shape >= 2 { product *= RandomStream.uniform(second[1]) }
    if shape >= 3 { product *= RandomStream.uniform(second[2]) }
    if shape >= 4 {
      var stream = stream(.purchase, member, BuyingModel.firstBlock(of: index) &+ 2)
      let third = stream.nextBlock()
      for place in 0..<min(shape - 3, 4) { product *= RandomStream.uniform(third[place]) }
    }
    return product
  }

  /// The same draws where the logarithm of `uniforms` is known, as that of many is found at once.
  @inlinable
  @inline(__always)
  public func purchase(
    member: UInt32, index: UInt32, first: SIMD4<UInt32>, second: SIMD4<UInt32>,
    logOfUniforms: Double
  ) -> BuyingDraw {
    var gap = -logOfUniforms / Double(erlang)
    if erlang > BuyingModel.maximumErlang { gap = longGap(member: member, index: index) }
    return BuyingDraw(
      gap: gap, dropout: RandomStream.uniform(first[0]),
      marks: SIMD4(first[1], first[2], first[3], second[3]))
  }

  /// The first block of a purchase in its member's stream.
  @inlinable
  public static func firstBlock(of index: UInt32) -> UInt32 { index &* blocksPerPurchase }

  @usableFromInline
  func longGap(member: UInt32, index: UInt32) -> Double {
    var own = RandomStream(
      seed: seed, purpose: RandomPurpose.gap.rawValue,
      entity: UInt64(index) << 32 | UInt64(member))
    return own.gamma(shape: Double(erlang), scale: 1 / Double(erlang))
  }

  /// Whether a member leaves at a purchase, where the model decides it there.
  ///
  /// - Parameters:
  ///   - draw: Its `BuyingDraw.dropout`.
  ///   - index: 0 for the purchase at sign-up, which only MBG lets somebody leave after.
  ///   - dropout: The member's `MemberTraits.dropout`.
  @inlinable
  @inline(__always)
  public func leaves(after draw: Double, index: UInt32, dropout: Float) -> Bool {
    switch model {
    case .bgNbd: index > 0 && draw < Double(dropout)
    case .mbgNbd: draw < Double(dropout)
    case .paretoNbd: false
    }
  }

  /// Applicants refused at the gate before this member was let in: geometric.
  ///
  /// - Parameters:
  ///   - member: Who was let in.
  ///   - share: Of applicants who are refused, 0...1.
  public func refusedBefore(_ member: UInt32, share: Double) -> Int64 {
    guard share > 0 else { return 0 }
    var stream = stream(.ageGate, member)
    let uniform = stream.uniform()
    // Most have nobody before them, which needs no logarithm: their ratio is well below 1.
    if uniform > share * (1 + 1e-9) { return 0 }
    // Were all refused, nobody would ever be let in: the count stays finite.
    return Int64(Elementary.log(uniform) / Elementary.log(min(share, 0.999_999_999)))
  }
}
