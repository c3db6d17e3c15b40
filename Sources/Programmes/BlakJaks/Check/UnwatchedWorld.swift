internal import Quantities
internal import RewardModel

/// A world that nobody follows against one with a journal: its house leaves payouts and whole windows for
/// later, for which members who could tell wait, and where none can it runs several windows as one.
enum UnwatchedWorld {
  static let name = InvariantName(
    id: "unwatched_is_the_same",
    sentence: "A world comes out the same whether or not each of its windows is followed")

  /// What a world that nobody follows comes to.
  ///
  /// - Parameters:
  ///   - merging: Whether several windows may be run as one.
  ///   - restart: When it is saved and goes on in another; nil for never.
  ///   - seen: Counts the windows that were concluded late while members with wallets, chips or orders
  ///     waited for it.
  static func record(
    of input: WorldInput, merging: Bool, restart: Instant?, _ seen: inout [String: Int64]
  ) throws -> BlakJaksRecord {
    let cellMembers = cellMembers(input)
    // The house then concludes windows beside the cells of the next. Threads that wait for each other
    // at each of very many windows take long where cases run side by side.
    let threads = input.seed % 4 == 3 && input.window >= .minutes(10) ? 2 : 1
    var world = try World(
      input, threads: threads, cellMembers: cellMembers, mergesWindows: merging)
    if let restart {
      _ = try world.advance(until: restart)
      let saved = try world.saved()
      world = try World(
        input, threads: threads, cellMembers: cellMembers, mergesWindows: merging)
      try world.restore(saved)
    }
    let record = try world.run()
    world.withCells { _, house in
      if house.hasExtras { seen["windows_waited_for", default: 0] += house.concludedLate }
    }
    return record
  }

  /// Bots copy the codes of members of their own cell, so that its size would tell.
  private static func cellMembers(_ input: WorldInput) -> Int? {
    input.population.mischief.rings.isEmpty ? 32 : nil
  }

  /// The same members where they have nothing but scans and a tier, so that a house may conclude windows
  /// late: whether that moves anything, or how long a window is, with prizes and guarantees at every turn.
  ///
  /// - Parameter seen: Counts the windows that were concluded late.
  /// - Returns: What differs, in words; nil where nothing does.
  static func differenceOfPatience(
    _ input: WorldInput, restart: Instant?, _ seen: inout [String: Int64]
  ) throws -> String? {
    var input = input.withScansOnly
    // Shorter ones are only more of the same, many thousands of times.
    input.window = max(input.window, .minutes(10))
    let followed = try counted {
      var world = try World(input, threads: 1, journal: { _ in })
      return try world.run()
    }
    let patient = try counted {
      // On two threads, cells go on while windows are concluded.
      var world = try World(
        input, threads: input.seed % 4 == 1 ? 2 : 1, cellMembers: cellMembers(input),
        mergesWindows: false)
      let record = try world.run()
      seen["windows_concluded_late", default: 0] += world.withCells { $1.concludedLate }
      return record
    }
    // Where members have only scans, windows of any length come to the same.
    var other = input
    let lengths: [TimeSpan] = [.seconds(1), .minutes(7), .hours(1), .hours(6), .days(1)]
    other.window = lengths[Int(input.seed % UInt64(lengths.count))]
    let merged = try counted {
      try record(of: other, merging: true, restart: restart, &seen)
    }
    for alone in [patient, merged] {
      guard (alone == nil) == (followed == nil) else {
        return "money leaves its range in one of two worlds that should be the same"
      }
      if let followed, let alone, let words = followed.difference(from: alone) { return words }
    }
    return nil
  }

  /// A record; nil where money leaves its range, which so many prizes may bring where the case's own have
  /// not.
  private static func counted(_ run: () throws -> BlakJaksRecord) throws -> BlakJaksRecord? {
    do { return try run() } catch is MoneyError { return nil }
  }
}

extension WorldInput {
  /// The same without wallets, shop, chips, bans and wholesale, with prizes that fall due often and
  /// guarantees that are looked at after a few days.
  fileprivate var withScansOnly: WorldInput {
    var input = self
    input.population.wallet.enabled = false
    input.rules.shop.enabled = false
    input.rules.chips.enabled = false
    input.rules.bans = []
    input.rules.wholesale.accounts = 0
    for row in input.rules.prizes.indices {
      input.rules.prizes[row].allocation = .rollForward
      input.rules.prizes[row].every = min(input.rules.prizes[row].every, Int64(3 + 8 * row))
    }
    input.rules.guarantee.enabled = true
    input.rules.guarantee.afterDays = 1 + Int64(seed % 5)
    return input
  }
}
