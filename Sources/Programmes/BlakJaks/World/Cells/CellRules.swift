internal import Population
internal import Quantities
internal import RewardModel

/// What the house tells the cells at a window's start.
struct CellBroadcast: Sendable, Codable {
  /// The scan reward by tier, after what the guard leaves of it.
  var rewards: ScanRewardTable
  /// Whether a calendar quarter begins with the window.
  var turnsQuarter = false
  /// The month that ended with the last window, whose chips expire, when one did.
  var endedMonth: ChipLot?
  /// The lot of chips from scans of the window's day.
  var chipLot: ChipLot
  /// The lot of the window's month, the oldest that can be alive.
  var oldestLot: ChipLot
  /// Whether the sunset engine is active: nobody who signs up was referred.
  var isSunset = false
  /// Whether members who live in a state are suspended from rewards, one flag a state.
  var bans = StateFlags()
  /// Whether a ban began with the window.
  var bansChanged = false
  /// Whether members who look at what the house decides wait until it has told what became of the
  /// window before. Never where a run is saved, which has been told everything.
  var holdsBack = false

  /// All but `holdsBack`.
  private enum CodingKeys: CodingKey {
    case rewards, turnsQuarter, endedMonth, chipLot, oldestLot, isSunset, bans, bansChanged
  }
}

/// One flag for each of up to 256 states.
struct StateFlags: Sendable, Equatable, Codable {
  private var words = SIMD4<UInt64>()

  subscript(state: UInt8) -> Bool {
    get { words[Int(state >> 6)] >> UInt64(state & 63) & 1 != 0 }
    set {
      let bit = UInt64(1) << UInt64(state & 63)
      words[Int(state >> 6)] =
        newValue ? words[Int(state >> 6)] | bit : words[Int(state >> 6)] & ~bit
    }
  }
}

/// What all cells of a run share and nobody changes.
final class CellRules: Sendable {
  let rules: ProgrammeRules
  let behaviour: BehaviourModel
  let season: SeasonTable
  let codes: CodeBook
  let origin: Instant
  /// Slots of one window's length.
  let clock: SlotClock
  static var minuteMicros: Int64 { 60_000_000 }
  /// First days of the run's local months.
  let monthStarts: [Instant]
  /// Sales tax by state, one row at least.
  let taxes: [TaxRate]
  let shopRules: ShopRules
  let price: MicroUSDT
  let grossProfit: MicroUSDT
  /// How members behave in the shop and where they live.
  let shop: ShopBehaviour
  /// How members use chips, wallet and card.
  let wallet: WalletBehaviour
  /// How members who won buy; nil where wins do not matter.
  let uplift: PurchaseUplift?
  let hasShop: Bool
  let hasChips: Bool
  let hasVisits: Bool
  /// Whether anything needs `MemberExtras`.
  let hasExtras: Bool

  init(_ input: WorldInput, behaviour: BehaviourModel, season: SeasonTable, states: StateTable) {
    rules = input.rules
    self.behaviour = behaviour
    self.season = season
    codes = CodeBook(key: input.seed)
    origin = input.calendar.start
    clock = SlotClock(origin: origin, length: input.window)
    taxes = (0..<max(states.count, 1)).map { states.tax(for: UInt8($0)) }
    shopRules = input.rules.shop
    price = input.rules.economy.price
    grossProfit = input.rules.economy.grossProfit
    let calendar = input.calendar
    monthStarts = (0..<calendar.dayCount).filter { $0 == 0 || calendar.startsMonth($0) }
      .map { calendar.dayStarts[$0] }
    shop = ShopBehaviour(
      input.population.shop, stateWeights: states.weights, share: input.population.tins.shop,
      seed: input.seed)
    wallet = WalletBehaviour(input.population.wallet, seed: input.seed)
    uplift = PurchaseUplift(input.population.response)
    hasShop = rules.shop.enabled
    hasChips = rules.chips.enabled
    hasVisits = input.population.wallet.enabled
    hasExtras = rules.hasExtras(wallets: hasVisits)
  }

  /// The row of the local month that contains an instant of the run.
  func month(of instant: Instant) -> Int {
    (monthStarts.lastIndex { $0 <= instant }) ?? 0
  }
}
