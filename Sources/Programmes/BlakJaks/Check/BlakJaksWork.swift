internal import Foundation
internal import Population
internal import Quantities
internal import RewardModel

/// Keeps what others than members bring to a case about as small as what members do: rings of accounts
/// submit codes, and wholesale accounts order, however few members there are.
struct BlakJaksWork {
  /// A setting and its value.
  typealias Pair = (path: String, value: String)

  private static let submissions = 10_000.0
  private static let accounts = 100
  private static let orders = 2_000.0
  private static let tins = 20_000.0

  private let frame: RunFrame
  private let settings: BlakJaksSettings
  private let size: Int

  /// - Parameter size: How many times as much as usual a case may hold.
  init(_ frame: RunFrame, _ settings: BlakJaksSettings, size: Int) {
    self.frame = frame
    self.settings = settings
    self.size = size
  }

  /// What has to be set; nothing where the scenario's own is small.
  var pairs: [Pair] { rings + wholesale }

  /// Rings of fewer accounts, or of accounts that submit less.
  private var rings: [Pair] {
    let rings = settings.population.mischief.rings
    let total = rings.reduce(0.0) { sum, ring in
      let days = Double(ring.days(in: frame.calendar)?.count ?? 0)
      return sum + Double(ring.accounts) * ring.perHour * 24 * days
    }
    let most = Self.submissions * Double(size)
    guard total > most else { return [] }
    let entries = rings.map { ring in
      let perHour = Double(ring.accounts) * ring.perHour * most / total
      let accounts = max(1, Int(perHour / ring.perHour))
      let each = min(ring.perHour, perHour / Double(accounts))
      return "{date: \(ring.date), days: \(ring.days), accounts: \(accounts), "
        + "per_hour: \(Self.text(each)), copied: \(Self.text(ring.copied))}"
    }
    return [("population.mischief.rings", "[\(entries.joined(separator: ", "))]")]
  }

  /// Fewer accounts, fewer orders, and fewer of their tins that members scan.
  private var wholesale: [Pair] {
    let population = settings.population
    let trade = population.wholesale
    let accounts = min(settings.rules.wholesale.accounts, Self.accounts * size)
    guard accounts > 0 else { return [] }
    var pairs: [Pair] = []
    if accounts < settings.rules.wholesale.accounts {
      pairs.append(("rules.wholesale.accounts", "\(accounts)"))
    }
    let members = max(population.members, population.adoption.market ?? 0)
    let weeks = frame.calendar.dates.reduce(0.0) { $0 + trade.waves.factor(on: $1) } / 7
    var orders =
      Double(accounts) * trade.ordersPerWeek * weeks * Double(members)
      / Double(trade.referenceMembers)
    let most = Self.orders * Double(size)
    if orders > most {
      let rate = trade.ordersPerWeek * most / orders
      pairs.append(("population.wholesale.orders_per_week", Self.text(rate)))
      orders = most
    }
    let scanned = trade.scanned ?? population.tins.scanned
    let tins = orders * trade.casesPerOrder * Double(trade.tinsPerCase) * scanned
    if tins > Self.tins * Double(size) {
      let share = scanned * Self.tins * Double(size) / tins
      pairs.append(("population.wholesale.scanned", Self.text(share)))
    }
    return pairs
  }

  /// A number above 0 as a setting is written.
  private static func text(_ value: Double) -> String {
    String(format: "%.9f", value == 0 ? 0 : max(value, 1e-9))
  }
}

extension [DemandWave] {
  /// What the waves of a local date make of a rate.
  fileprivate func factor(on date: CivilDate) -> Double {
    reduce(1) { product, wave in
      let day = date.dayNumber - wave.date.dayNumber
      return (0..<wave.days).contains(day) ? product * wave.factor : product
    }
  }
}
