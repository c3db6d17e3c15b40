internal import EventKernel
internal import Population
package import Quantities

/// How wholesale accounts order: pure functions of (seed, account, index of the order).
///
/// An account's first order is the instant at which it joins; the gaps after it are exponential in
/// operational time, which waves stretch and squeeze.
package final class WholesaleModel: Sendable {
  package let settings: WholesaleSettings
  package let seed: UInt64
  private let waves: WaveTable
  private let start: Instant
  private let end: Instant
  private let meanGapMicros: Double

  /// - Parameters:
  ///   - settings: Within the ranges of a validated scenario.
  ///   - calendar: The run's local days.
  ///   - seed: The run's seed.
  package init(_ settings: WholesaleSettings, calendar: ProgrammeCalendar, seed: UInt64) {
    self.settings = settings
    self.seed = seed
    waves = WaveTable(settings.waves, calendar: calendar)
    start = calendar.start
    end = calendar.end
    meanGapMicros = Double(TimeSpan.weeks(1).microseconds) / settings.ordersPerWeek
  }

  /// The instant at which an account joins and places order 0, uniform over the onboarding days;
  /// `distantFuture` when that is not within the run.
  package func firstOrder(account: UInt32) -> Instant {
    var stream = accountStream(account)
    let days = Double(TimeSpan.days(Int64(settings.onboardingDays)).microseconds)
    return withinRun(start + TimeSpan(microseconds: Int64(stream.uniform() * days)))
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
