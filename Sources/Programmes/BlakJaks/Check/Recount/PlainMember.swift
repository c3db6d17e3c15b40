internal import Quantities

/// A member as a recount keeps one: lists of what happened.
final class PlainMember {
  /// A gold chip.
  struct Chip {
    /// Month with which it expires, counted from year 0.
    var expires: Int
    var isBonus: Bool
    var isVaulted = false
    /// Whether it lay in the vault when the month began.
    var isQuiet = false
  }

  let number: UInt32
  let state: UInt8?
  let signedUp: Instant
  let signUpDate: CivilDate
  /// Accepted scans by quarter, counted from year 0.
  var scans: [Int: Int] = [:]
  var lifetime = 0
  /// Rewards, crypto and casino prizes, and the guarantee, in micro-USDT.
  var comps: Int64 = 0
  /// The member who referred this one.
  var affiliate: UInt32?
  /// Accepted scans of members whom this one referred.
  var referredScans: Int64 = 0
  /// Floors with the day from which they count.
  var floors: [(from: CivilDate, tier: Tier)] = []
  /// Bad codes of the latest day that had any.
  var badCodes: (date: CivilDate?, count: Int64) = (nil, 0)
  var isExpelled: Bool { expelledOn != nil }
  var expelledOn: CivilDate?
  /// How often the guarantee was looked at.
  var guaranteeLooks = 0
  /// Gold chips in the order in which they were earned.
  var chips: [Chip] = []
  /// Months with which chips of referred scans expire, and how many with each.
  var affiliateChips: [Int: Int64] = [:]
  var available: Int64 = 0
  var card = CardState.none
  var cart: [(sku: String, tins: Int)] = []
  var orders: [UInt32: (status: OrderStatus, amounts: OrderAmounts)] = [:]

  init(_ number: UInt32, state: UInt8?, at time: Instant, on date: CivilDate) {
    self.number = number
    self.state = state
    signedUp = time
    signUpDate = date
  }
}

extension CivilDate {
  /// Months since year 0.
  var monthIndex: Int { year * 12 + month - 1 }
  /// Quarters since year 0.
  var quarterIndex: Int { year * 4 + (month - 1) / 3 }
}

/// `amount × numerator ÷ denominator`, rounded down, also below zero.
func portion(_ amount: Int64, _ numerator: Int64, of denominator: Int64) -> Int64 {
  let product = Int128(amount) * Int128(numerator)
  let wide = Int128(denominator)
  let rest = (product % wide + wide) % wide
  return Int64((product - rest) / wide)
}
