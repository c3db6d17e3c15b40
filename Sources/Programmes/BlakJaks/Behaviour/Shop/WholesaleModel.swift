internal import EventKernel
internal import Population
package import Quantities

/// A wholesale tin that a member takes home and scans.
package struct WholesaleTin: Sendable, Equatable, BitwiseCopyable {
  /// Who takes it home.
  package var member: UInt32
  /// From the midnight after its order to that.
  package var pause: TimeSpan
  /// See `PurchaseDraw.firstOpening`.
  package var firstOpening: Double
}

/// A wholesale tin on its way to the first of the members drawn who has not left.
struct WholesaleOffer: Sendable, BitwiseCopyable {
  /// Who is asked first.
  let first: UInt32
  fileprivate let members: UInt32
  fileprivate let stream: RandomStream
  fileprivate let pause: TimeSpan
  fileprivate let firstOpening: Double

  /// Asks one member after another.
  ///
  /// - Parameter isThere: Whether a member has not left.
  /// - Returns: Nil in the rare case that 64 members drawn at random had all left.
  func taken(_ isThere: (UInt32) -> Bool) -> WholesaleTin? {
    var (stream, member) = (stream, first)
    for asked in 1...64 {
      if isThere(member) {
        return WholesaleTin(member: member, pause: pause, firstOpening: firstOpening)
      }
      if asked < 64 { member = UInt32(stream.uniformIndex(below: UInt64(members))) }
    }
    return nil
  }
}

/// How wholesale accounts order: pure functions of (seed, account, index of the order).
///
/// The gaps from an account's joining to its first order, and between its orders, are exponential in
/// operational time, which waves stretch and squeeze, and which runs with the members: at n members
/// signed up an account orders n ÷ `referenceMembers` times as often.
///
/// Accounts sell to anybody. Of each order's tins a binomial number is scanned by members. These
/// tins come on top of what members buy in retail and shop, and nobody pays the program for them a
/// second time. Each goes to a member drawn at random from those who have signed up by the local
/// midnight after the order and have not left, an exponential time after it.
package final class WholesaleModel: Sendable {
  package let settings: WholesaleSettings
  package let seed: UInt64
  private let waves: WaveTable
  private let start: Instant
  private let end: Instant
  private let days: [Instant]
  private let meanGapMicros: Double
  private let scannedShare: Double
  private let openingPart: Double

  /// - Parameters:
  ///   - population: Within the ranges of a validated scenario.
  ///   - signUps: The instants of all members' sign-ups, ascending.
  ///   - calendar: The run's local days.
  ///   - seed: The run's seed.
  package init(
    _ population: PopulationSettings, signUps: [Instant], calendar: ProgrammeCalendar,
    seed: UInt64
  ) {
    let settings = population.wholesale
    self.settings = settings
    self.seed = seed
    scannedShare = settings.scanned ?? population.tins.scanned
    openingPart = population.tins.openingPart
    var signedUp = 0
    let factors = (0..<calendar.dayCount).map { row in
      while signedUp < signUps.count, signUps[signedUp] < calendar.dayStarts[row + 1] {
        signedUp += 1
      }
      return Double(signedUp) / Double(settings.referenceMembers)
    }
    waves = WaveTable(settings.waves, factors: factors, calendar: calendar)
    days = calendar.dayStarts
    start = calendar.start
    end = calendar.end
    meanGapMicros = Double(TimeSpan.weeks(1).microseconds) / settings.ordersPerWeek
  }

  /// The instant at which an account joins, uniform over the onboarding days; `distantFuture` when
  /// that is not within the run.
  package func joins(account: UInt32) -> Instant {
    var stream = accountStream(account)
    let days = Double(TimeSpan.days(Int64(settings.onboardingDays)).microseconds)
    return withinRun(start + TimeSpan(microseconds: Int64(stream.uniform() * days)))
  }

  /// The instant at which an account places order 0, a gap like those between its orders after it
  /// joins; `distantFuture` when that is not within the run.
  package func firstOrder(account: UInt32) -> Instant {
    // The stream of an order that no account comes to.
    nextOrder(account: account, order: .max, placedAt: joins(account: account))
  }

  /// An account's size relative to the average, which is 1: Gamma over accounts.
  package func size(account: UInt32) -> Double {
    var stream = accountStream(account)
    _ = stream.nextBlock()
    return stream.gamma(shape: settings.sizeShape, scale: 1 / settings.sizeShape)
  }

  /// Tins of one order: whole cases, one and a Poisson number more whose mean follows the
  /// account's size.
  package func tins(account: UInt32, order: UInt32) -> Int64 {
    var stream = orderStream(account, order)
    _ = stream.nextBlock()
    // Bounded, as an account of extreme size would leave the sampler's range.
    let mean = min((settings.casesPerOrder - 1) * size(account: account), 1e6)
    return Int64(1 + stream.poisson(mean: mean)) * Int64(settings.tinsPerCase)
  }

  /// The instant of an account's next order; `distantFuture` when that is not within the run.
  ///
  /// - Parameters:
  ///   - account: Who orders.
  ///   - order: Index of the order just placed.
  ///   - instant: When it was placed.
  /// - Returns: At least one microsecond later.
  package func nextOrder(account: UInt32, order: UInt32, placedAt instant: Instant) -> Instant {
    guard instant < end else { return .distantFuture }
    var stream = orderStream(account, order)
    return withinRun(waves.instant(stream.exponential(mean: meanGapMicros), after: instant))
  }

  /// How many of an order's tins members scan: binomial.
  package func scanned(account: UInt32, order: UInt32, tins: Int64) -> Int {
    guard scannedShare > 0 else { return 0 }
    var stream = RandomStream(
      seed: seed, purpose: RandomPurpose.wholesaleScanned.rawValue,
      entity: UInt64(order) << 32 | UInt64(account))
    return stream.binomial(Int(tins), scannedShare)
  }

  /// One tin of an order that a member scans.
  ///
  /// - Parameters:
  ///   - account: Who ordered it.
  ///   - order: Index of the order.
  ///   - number: Of the tin among those scanned.
  ///   - members: How many have signed up.
  ///   - isThere: Whether a member has not left.
  /// - Returns: Nil in the rare case that 64 members drawn at random had all left.
  package func tin(
    account: UInt32, order: UInt32, number: UInt32, members: UInt32, isThere: (UInt32) -> Bool
  ) -> WholesaleTin? {
    guard members > 0 else { return nil }
    return offer(account: account, order: order, number: number, members: members)
      .taken(isThere)
  }

  /// The same tin before anybody was asked; one member at least has signed up.
  func offer(account: UInt32, order: UInt32, number: UInt32, members: UInt32) -> WholesaleOffer {
    // 64 blocks a tin: one word for each of the members asked, and four.
    var stream = RandomStream(
      seed: seed, purpose: RandomPurpose.wholesaleTin.rawValue,
      entity: UInt64(order) << 32 | UInt64(account), counter: number &* 64)
    let pause = stream.exponential(mean: Double(settings.shelf.microseconds))
    let opening = stream.uniform() * openingPart
    let first = UInt32(stream.uniformIndex(below: UInt64(members)))
    return WholesaleOffer(
      first: first, members: members, stream: stream,
      pause: TimeSpan(microseconds: max(1, Int64(pause))), firstOpening: opening)
  }

  /// The tins that members are expected to have scanned by each day's start and by the run's end,
  /// each scanned once it has come home: for progress and planning.
  ///
  /// - Parameter accounts: How many there are.
  /// - Complexity: O(days).
  package func expectedScans(accounts: Int) -> [Double] {
    let orderTins = settings.casesPerOrder * Double(settings.tinsPerCase)
    let onboarding = Double(settings.onboardingDays)
    // What shops have on their shelves at a day's end is there at the next one's with this share.
    let staying = Elementary.exp(-TimeSpan.days(1).inSeconds / settings.shelf.inSeconds)
    var onShelf = 0.0
    var scanned = 0.0
    return [0]
      + (0..<days.count - 1).map { row in
        let joined = onboarding > 0 ? min((Double(row) + 0.5) / onboarding, 1) : 1
        let orders =
          joined * Double(accounts) * waves.operational(from: days[row], to: days[row + 1])
          / meanGapMicros
        scanned += onShelf * (1 - staying)
        onShelf = onShelf * staying + orders * orderTins * scannedShare
        return scanned
      }
  }

  private func withinRun(_ instant: Instant) -> Instant {
    instant < end ? instant : .distantFuture
  }

  private func accountStream(_ account: UInt32) -> RandomStream {
    RandomStream(
      seed: seed, purpose: RandomPurpose.wholesaleAccount.rawValue, entity: UInt64(account))
  }

  /// Each order has a stream of its own: a Poisson draw may take any number of blocks.
  private func orderStream(_ account: UInt32, _ order: UInt32) -> RandomStream {
    RandomStream(
      seed: seed, purpose: RandomPurpose.wholesaleOrder.rawValue,
      entity: UInt64(order) << 32 | UInt64(account))
  }
}
