// The Operating and Reserve accounts of the plain whole world, next to wallets and a Comp Pool
// account that never run short.

/// Two bank accounts, and what the shop owes, in micro-USDT.
struct PlainBanks {
  let float: Int64
  var operating: Int64
  var reserve: Int64
  /// Owed to customers and the carrier.
  var owed: Int64 = 0
  /// What Operating lacked on the last morning.
  var short: Int64 = 0
  /// What Reserve put in, and what of it has not come back.
  var put: Int64 = 0
  var lent: Int64 = 0
  private var movedToPool: Int64 = 0
  private var movedForTrips: Int64 = 0

  init(operating: Int64, reserve: Int64, float: Int64) {
    self.operating = operating
    self.reserve = reserve
    self.float = float
  }

  private var spare: Int64 { max(operating - float, 0) }

  /// 05:00: what is owed, what Reserve lent, the comp pool's share of all gross profit so far, and
  /// what was set aside for trips so far, from the Comp Pool account.
  mutating func openMorning(share: Int64, trips: Int64) {
    short = max(owed - operating, 0)
    let help = min(short, reserve)
    reserve -= help
    put += help
    lent += help
    let paid = min(owed, operating + help)
    operating += help - paid
    owed -= paid
    let back = min(lent, spare)
    operating -= back
    reserve += back
    lent -= back
    let moved = min(share - movedToPool, spare)
    operating -= moved
    movedToPool += moved
    reserve += trips - movedForTrips
    movedForTrips = trips
  }
}
