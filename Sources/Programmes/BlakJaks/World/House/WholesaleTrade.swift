internal import EventKernel
internal import Population
internal import Quantities

/// The wholesale accounts' orders, one after another in the order of their instants.
struct WholesaleTrade {
  private struct Account {
    var next: Instant
    var orders: UInt32 = 0
  }

  private let model: WholesaleModel
  private var accounts: [Account]
  /// The earliest of the accounts' next orders.
  private var earliest = Instant.distantFuture

  init(_ input: WorldInput) {
    let model = WholesaleModel(
      input.population.wholesale, calendar: input.calendar, seed: input.seed)
    self.model = model
    accounts = (0..<input.rules.wholesale.accounts).map {
      Account(next: model.firstOrder(account: UInt32($0)))
    }
    earliest = accounts.map(\.next).min() ?? .distantFuture
  }

  /// Places the window's orders.
  ///
  /// - Returns: How many.
  /// - Throws: `MoneyError.overflow`.
  mutating func trade(
    _ window: Window, _ programme: inout LiveProgramme, _ journal: WorldJournal?
  ) throws(MoneyError) -> Int64 {
    var count: Int64 = 0
    while earliest < window.end {
      guard let row = accounts.firstIndex(where: { $0.next == earliest }) else { break }
      let account = UInt32(row)
      let order = accounts[row].orders
      let tins = Int64(model.tins(account: account, order: order))
      journal?.add(earliest, .orderWholesale(account: account, tins: tins))
      try programme.orderWholesale(row, tins: tins, at: earliest)
      accounts[row].orders += 1
      accounts[row].next = model.nextOrder(account: account, order: order, placedAt: earliest)
      count += 1
      earliest = accounts.map(\.next).min() ?? .distantFuture
    }
    return count
  }
}
