internal import EventKernel
internal import Population
internal import Quantities

/// The wholesale accounts' orders, one after another in the order of their instants, and the way of
/// their tins to members.
struct WholesaleTrade {
  fileprivate struct Account: Codable {
    var next: Instant
    var orders: UInt32 = 0
  }

  fileprivate struct Order: Codable {
    var account: UInt32
    var number: UInt32
    var tins: Int64
  }

  private let model: WholesaleModel
  private var accounts: [Account]
  /// The earliest of the accounts' next orders.
  private var earliest = Instant.distantFuture
  /// Orders since the last midnight.
  private var ordered: [Order] = []
  /// Tins that are at the homes of members who scan them, or on their way there.
  private(set) var sentHome: Int64 = 0

  init(_ input: WorldInput, signUps: [Instant]) {
    let model = WholesaleModel(
      input.population, signUps: signUps, calendar: input.calendar, seed: input.seed)
    self.model = model
    accounts = (0..<input.rules.wholesale.accounts).map {
      Account(next: model.firstOrder(account: UInt32($0)))
    }
    earliest = accounts.map(\.next).min() ?? .distantFuture
  }

  /// What changes from window to window.
  struct Saved: Codable {
    fileprivate var accounts: [Account]
    fileprivate var ordered: [Order]
    fileprivate var sentHome: Int64
  }

  /// What to save after a window, or where to go on.
  var saved: Saved {
    get { Saved(accounts: accounts, ordered: ordered, sentHome: sentHome) }
    set {
      (accounts, ordered, sentHome) = (newValue.accounts, newValue.ordered, newValue.sentHome)
      earliest = accounts.map(\.next).min() ?? .distantFuture
    }
  }

  /// See `WholesaleModel.expectedScans`; empty without accounts.
  var expectedScans: [Double] {
    accounts.isEmpty ? [] : model.expectedScans(accounts: accounts.count)
  }

  /// Places the window's orders.
  ///
  /// - Returns: How many.
  /// - Throws: `MoneyError.overflow`.
  mutating func trade(
    _ window: Window, _ programme: inout LiveProgramme, _ feed: inout ActivityFeed,
    _ journal: WorldJournal?
  ) throws(MoneyError) -> Int64 {
    var count: Int64 = 0
    while earliest < window.end {
      guard let row = accounts.firstIndex(where: { $0.next == earliest }) else { break }
      let account = UInt32(row)
      let order = accounts[row].orders
      let tins = Int64(model.tins(account: account, order: order))
      journal?.add(earliest, .orderWholesale(account: account, tins: tins))
      let before = programme.wholesale.total.comps
      try programme.orderWholesale(row, tins: tins, at: earliest)
      let comps = programme.wholesale.total.comps - before
      if comps > 0 {
        let each = programme.books.rules.wholesale.compAmount.cents
        feed.tell(
          earliest, .wholesale,
          comps == 1
            ? "account \(row + 1) won a comp of \(each) USDT"
            : "account \(row + 1) won \(comps) comps of \(each) USDT each")
      }
      ordered.append(Order(account: account, number: order, tins: tins))
      accounts[row].orders += 1
      accounts[row].next = model.nextOrder(account: account, order: order, placedAt: earliest)
      count += 1
      earliest = accounts.map(\.next).min() ?? .distantFuture
    }
    return count
  }

  /// At a local midnight: the tins of the day's orders that members scan find those members.
  ///
  /// - Parameters:
  ///   - signedUp: Members who have signed up so far.
  ///   - size: Of the cells.
  /// - Complexity: O(tins).
  mutating func sendHome(
    at midnight: Instant, signedUp: UInt32, size: CellSize,
    _ cells: UnsafeMutableBufferPointer<Cell>
  ) {
    defer { ordered.removeAll(keepingCapacity: true) }
    guard signedUp > 0 else { return }
    // Members are anywhere in memory, so those of many tins are asked for at once.
    var offers: [WholesaleOffer] = []
    for order in ordered {
      let scanned = model.scanned(account: order.account, order: order.number, tins: order.tins)
      for number in 0..<UInt32(scanned) {
        let offer = model.offer(
          account: order.account, order: order.number, number: number, members: signedUp)
        let (cell, index) = size.place(of: offer.first)
        cells[cell].askForDelivery(index)
        offers.append(offer)
        if offers.count == 64 { sendHome(&offers, at: midnight, size: size, cells) }
      }
    }
    sendHome(&offers, at: midnight, size: size, cells)
  }

  private mutating func sendHome(
    _ offers: inout [WholesaleOffer], at midnight: Instant, size: CellSize,
    _ cells: UnsafeMutableBufferPointer<Cell>
  ) {
    for offer in offers {
      let tin = offer.taken { member in
        let (cell, index) = size.place(of: member)
        return !cells[cell].rows[index].hasLeft
      }
      guard let tin else { continue }
      let (cell, index) = size.place(of: tin.member)
      cells[cell].expect(tin, index, after: midnight)
      sentHome += 1
    }
    offers.removeAll(keepingCapacity: true)
  }
}
