internal import Quantities

/// The sums of one order, in micro-USD, worked out bag by bag.
struct PlainPrice: Equatable {
  var list = 0
  var discount = 0
  var shipping = 0
  var tax = 0
  var cost = 0

  var subtotal: Int { list - discount }
}

/// One member as lists of what happened: nothing is summed before it is asked for.
final class PlainAccount {
  struct Bought {
    var channel: EntryChannel
    var price: PlainPrice
    var points: Int
    /// The part of the price allotted to points.
    var allotted: Int
    /// Number of the month.
    var month: Int
    /// Months that had closed before.
    var closes: Int
  }

  struct Redeemed {
    var offer: Int
    var points: Int
    var closes: Int
  }

  struct Expired {
    var points: Int
    var closes: Int
  }

  /// What is left of an order's points, and the number of the first of them.
  struct Lot {
    var first: Int
    var left: Int
  }

  struct Challenge {
    var issued: Instant
    var isUsed = false
  }

  /// What the server knows of a device.
  struct Device {
    var challenges: [Challenge] = []
    /// Counters of the answers that were proper.
    var counters: [UInt32] = []
  }

  let state: Int
  /// Months that had closed before the sign-up.
  let closes: Int
  var orders: [Bought] = []
  var redemptions: [Redeemed] = []
  var expiries: [Expired] = []
  /// Months that had closed before each redemption that the balance did not cover.
  var refusals: [Int] = []
  var lots: [Lot] = []
  /// Numbers that were answered, one set a channel.
  var answered = EntryChannel.allCases.map { _ in Set<UInt32>() }
  var devices = EntryChannel.devices.map { _ in Device() }

  init(state: Int, closes: Int) {
    self.state = state
    self.closes = closes
  }

  var earned: Int { orders.reduce(0) { $0 + $1.points } }
  var redeemed: Int { redemptions.reduce(0) { $0 + $1.points } }
  var expired: Int { expiries.reduce(0) { $0 + $1.points } }
  var held: Int { lots.reduce(0) { $0 + $1.left } }
}
