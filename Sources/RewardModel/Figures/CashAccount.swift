/// What one account of a program held, month by month, and by how much it was short.
///
/// Money is in whole units of the program's currency.
package struct CashAccount: Sendable, Equatable {
  /// One month.
  package struct Month: Sendable, Equatable {
    /// Held at the month's end.
    package var end: Double
    /// The least held at the end of a day, and that day's place in the run, from 0.
    package var lowest: Double
    package var lowestDay: Int
    /// The most by which what was owed out of it exceeded what it and the accounts that fill it held,
    /// at the end of a day; 0 where there was always enough.
    package var short: Double

    /// One month; see the properties.
    package init(end: Double, lowest: Double, lowestDay: Int, short: Double) {
      self.end = end
      self.lowest = lowest
      self.lowestDay = lowestDay
      self.short = short
    }
  }

  /// As figures name it, and as people read it.
  package let id: String
  package let title: String
  /// Held at the start.
  package let opening: Double
  package var months: [Month]

  /// One account; see the properties.
  package init(id: String, title: String, opening: Double, months: [Month]) {
    self.id = id
    self.title = title
    self.opening = opening
    self.months = months
  }
}
