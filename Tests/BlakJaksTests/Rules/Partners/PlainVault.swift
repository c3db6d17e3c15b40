import BlakJaks
// Goal: a second opinion on one member's gold chips.
// Method: every chip is a row of its own with its birthday; nothing is summed up or packed.
import Quantities

/// One gold chip.
struct PlainChip {
  var born: CivilDate
  /// The last date of the month with which it expires.
  var lastDate: CivilDate
  var isBonus: Bool
  var isVaulted: Bool
  /// Whether it has been in the vault since the month began.
  var isQuiet = false
}

/// One member's chips, in the order in which they were issued.
struct PlainVault {
  let rules: ChipRules
  var chips: [PlainChip] = []
  var issued = 0
  var redeemed = 0
  var expired = 0

  init(rules: ChipRules) { self.rules = rules }

  private func chip(_ date: CivilDate, isBonus: Bool) -> PlainChip {
    let last = date.adding(days: rules.expiryDays)
    let days = CivilDate.days(in: last.month, of: last.year)
    return PlainChip(
      born: date, lastDate: CivilDate(year: last.year, month: last.month, day: days),
      isBonus: isBonus, isVaulted: isBonus)
  }

  mutating func earn(_ count: Int, on date: CivilDate) {
    for _ in 0..<count { chips.append(chip(date, isBonus: false)) }
    issued += count
  }

  mutating func vaultHeld() {
    for place in chips.indices { chips[place].isVaulted = true }
  }

  /// Takes the chip that expires first, of those the earned ones, of those the oldest.
  mutating func redeem(_ count: Int) {
    for _ in 0..<count {
      let first = chips.indices.min { a, b in
        if chips[a].lastDate != chips[b].lastDate { return chips[a].lastDate < chips[b].lastDate }
        if chips[a].isBonus != chips[b].isBonus { return chips[b].isBonus }
        return a < b
      }
      guard let first else { return }
      chips.remove(at: first)
      redeemed += 1
    }
  }

  /// The end of a month.
  ///
  /// - Parameter date: Its last date.
  mutating func turnMonth(_ date: CivilDate) -> (bonus: Int, expired: Int) {
    let counting = chips.count { $0.isQuiet && (rules.compounding || !$0.isBonus) }
    let bonus = counting / Int(rules.bonusEvery)
    for _ in 0..<bonus { chips.append(chip(date, isBonus: true)) }
    issued += bonus
    let before = chips.count
    chips.removeAll { $0.lastDate <= date }
    let gone = before - chips.count
    expired += gone
    for place in chips.indices { chips[place].isQuiet = chips[place].isVaulted }
    return (bonus, gone)
  }
}
