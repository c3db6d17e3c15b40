package import Quantities

/// Gold chips and the vault: what scans give, what vaulting adds, when chips expire.
package struct ChipRules: Sendable, Equatable, Codable {
  /// Whether gold chips are issued at all.
  package var enabled = false
  /// Chips per accepted scan, 1...10.
  package var perScan: UInt32 = 1
  /// What a chip is worth when it is redeemed.
  package var value = MicroUSDT(microunits: 100_000)
  /// Chips vaulted through a whole calendar month that issue one bonus chip, 1 or more.
  package var bonusEvery: UInt32 = 5
  /// A chip expires with the local month that contains its date plus this many days, 28...393:
  /// longer lives would need more lots than a vault has.
  package var expiryDays = 365
  /// Whether bonus chips count towards further bonus chips.
  package var compounding = false

  /// The defaults.
  package init() {}

  /// The lot of a chip issued on a local date.
  package func lot(ofChipFrom date: CivilDate) -> ChipLot {
    ChipLot(monthOf: date.adding(days: expiryDays))
  }

  /// The lot of the bonus chips of a month: they are issued on its last day.
  ///
  /// - Parameter ending: The month that ends, as a lot.
  package func bonusLot(ending: ChipLot) -> ChipLot { lot(ofChipFrom: ending.lastDate) }

  /// What a number of chips is worth.
  ///
  /// - Throws: `MoneyError.overflow` when it leaves `Int64`.
  package func worth(of count: Int64) throws(MoneyError) -> MicroUSDT {
    try value.multiplied(by: count)
  }
}

/// A calendar month as the lot of the chips that expire with it.
package struct ChipLot: Hashable, Comparable, Sendable, BitwiseCopyable, Codable {
  /// 12 × year + month − 1.
  package let month: Int32
  /// Place in a vault's rings, `0 ..< ChipVault.lots`; worked out once, as each scan needs it.
  let place: Int32

  /// The month that contains a date of the years 1...200,000.
  package init(monthOf date: CivilDate) {
    month = Int32(date.year * 12 + date.month - 1)
    place = month % Int32(ChipVault.lots)
  }

  /// The last date of the month.
  package var lastDate: CivilDate {
    let year = Int(month) / 12
    let number = Int(month) % 12 + 1
    return CivilDate(year: year, month: number, day: CivilDate.days(in: number, of: year))
  }

  /// By month, the earlier first.
  package static func < (a: ChipLot, b: ChipLot) -> Bool { a.month < b.month }
}
