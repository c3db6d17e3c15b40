internal import Quantities

/// The program's money as a recount keeps it: a row for each day, and movements between treasuries.
struct PlainBooks {
  /// A day's sums, in micro-USDT.
  struct Day {
    var tins: Int64 = 0
    var profit: Int64 = 0
    var cash: Int64 = 0
    var accrual: Int64 = 0
    var scans: Int64 = 0
  }

  let rules: ProgrammeRules
  var days: [CivilDate: Day] = [:]
  /// The first day.
  var first: CivilDate?
  /// Tins sold in retail and the shop, less those given back.
  var tins: Int64 = 0
  var wholesaleTins: Int64 = 0
  /// Charged to each pool, in micro-USDT.
  var charged: [ChargeAccount: Int64] = [:]
  /// What each treasury holds, movement by movement.
  var holdings: [Treasury: Int64] = [:]
  /// Refunds and carriage that the shop owes.
  var shopOwes: Int64 = 0
  var shopPaid: Int64 = 0
  var lent: Int64 = 0
  var shipping: Int64 = 0
  var tax: Int64 = 0
  var carriage: Int64 = 0
  var chainDifference: Int64 = 0
  var sweptCompPool: Int64 = 0
  var sweptTrips: Int64 = 0
  /// Paid from each wallet until the last sweep.
  var paidAtSweep: [Treasury: Int64] = [:]
  /// Differences of the last morning that were alerts, by wallet.
  var alerts: [Treasury: Int64] = [:]
  var lastReconciled: [Reconciliation] = []
  /// Gross profit of weeks that have ended and were not shared.
  var endedWeeks: Int64 = 0
  var poolCarry: Int64 = 0
  var poolDebt: Int64 = 0
  var pools: [ProgrammeBooks.Pool] = []

  init(_ rules: ProgrammeRules) {
    self.rules = rules
    for treasury in Treasury.allCases {
      holdings[treasury] = rules.treasury.opening[treasury].microunits
    }
  }

  /// All gross profit so far.
  var profit: Int64 {
    tins * rules.economy.grossProfit.microunits
      + wholesaleTins * rules.economy.wholesaleGrossProfit.microunits
  }

  mutating func sell(_ count: Int64, on date: CivilDate) {
    let (price, each) = (rules.economy.price.microunits, rules.economy.grossProfit.microunits)
    tins += count
    days[date, default: Day()].tins += count
    days[date, default: Day()].profit += count * each
    // Who gives tins back waits for the money until the morning.
    if count < 0 { shopOwes -= count * price } else { holdings[.operatingBank]! += count * price }
    holdings[.operatingBank]! -= count * (price - each)
  }

  mutating func sellWholesale(_ count: Int64, on date: CivilDate) {
    let each = rules.economy.wholesaleGrossProfit.microunits
    wholesaleTins += count
    days[date, default: Day()].tins += count
    days[date, default: Day()].profit += count * each
    holdings[.operatingBank]! += count * each
  }

  /// An order is paid, or, negative, given back.
  mutating func take(shipping more: Int64, tax levied: Int64) {
    shipping += more
    tax += levied
    for amount in [more, levied] {
      if amount < 0 { shopOwes -= amount } else { holdings[.operatingBank]! += amount }
    }
  }

  /// Charges an award to its pool.
  mutating func charge(_ type: PayoutType, _ amount: Int64, on date: CivilDate) {
    if case .prize(let row) = type, rules.prizes[row].kind == .trip {
      // Its reserve was charged scan by scan.
      if PlainKind(type, rules).pool == .compPool { days[date, default: Day()].cash += amount }
      return
    }
    let account = PlainKind(type, rules).pool
    charged[account, default: 0] += amount
    guard account == .compPool else { return }
    days[date, default: Day()].cash += amount
    days[date, default: Day()].accrual += amount
  }

  /// Sets a part of the trips aside.
  mutating func reserve(_ amount: Int64, on date: CivilDate) {
    let account = rules.compPool.charges.trip
    charged[account, default: 0] += amount
    if account == .compPool { days[date, default: Day()].accrual += amount }
  }
}
