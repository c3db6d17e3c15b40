internal import Quantities
internal import RewardModel

/// What members bought and were given, taken from the cells at the end of each month.
struct MemberCensus {
  /// First instants of the run's months.
  private let months: [Instant]
  private let grossProfit: MicroUSDT
  /// The month that is not closed yet.
  private var open = 0
  private var values: MemberValues

  /// A census of nobody.
  init(_ calendar: ProgrammeCalendar, grossProfit: MicroUSDT) {
    let days = (0..<calendar.dayCount).filter { $0 == 0 || calendar.startsMonth($0) }
    months = days.map { calendar.dayStarts[$0] }
    self.grossProfit = grossProfit
    values = MemberValues(
      action: "Scans",
      groupings: [
        MemberValues.Grouping(title: "Tier at the end", groups: Tier.allCases.map(\.name)),
        MemberValues.Grouping(title: "Buys first in", groups: ["The shop", "Retail"]),
        MemberValues.Grouping(
          title: "Came", groups: ["By themselves", "Brought by another member"]),
        MemberValues.Grouping(
          title: "Signed up in", groups: days.map { calendar.dates[$0].monthLabel }),
      ])
  }

  /// The end of the month that is not closed yet; nil in the last one.
  var next: Instant? { open + 1 < months.count ? months[open + 1] : nil }

  /// Closes a month.
  ///
  /// - Complexity: O(members).
  mutating func closeMonth(_ cells: UnsafeMutableBufferPointer<Cell>) {
    var rows = (0...open).map { MemberValues.Cohort(signUpMonth: $0, month: open) }
    var kept = rows.map { _ in Int64(0) }
    var comps = rows.map { _ in Int64(0) }
    // Members are numbered by sign-up.
    var cohort = 0
    for cell in cells.indices {
      let members = cells[cell].rows
      for index in members.indices where members[index].account.hasSignedUp {
        while cohort < open, members[index].signUp >= months[cohort + 1] { cohort += 1 }
        let steps = cells[cell].steps[index]
        rows[cohort].members += 1
        if !members[index].hasLeft { rows[cohort].living += 1 }
        if steps.lastPurchase >= months[open] { rows[cohort].active += 1 }
        rows[cohort].purchases += Int(steps.purchases)
        rows[cohort].actions += Int(members[index].account.standing.lifetimeScans)
        kept[cohort] += Int64(cells[cell].tinsBought[index]) - steps.takenBack
        comps[cohort] += cells[cell].comps(of: index)
      }
    }
    for cohort in rows.indices {
      rows[cohort].profit = Double(kept[cohort]) * grossProfit.usdt
      rows[cohort].cost = MicroUSDT(microunits: comps[cohort]).usdt
    }
    values.add(rows)
    open += 1
  }

  /// Adds a member as the run leaves it.
  private mutating func add(_ member: BlakJaksMember) {
    values.add(
      profit: member.grossProfit.usdt, cost: member.comps.usdt,
      groups: [
        Tier.allCases.firstIndex(of: member.tier) ?? 0, member.channel == .shop ? 0 : 1,
        member.referrer == nil ? 0 : 1, (months.lastIndex { $0 <= member.signUp }) ?? 0,
      ])
  }

  /// Closes the open month, if the run reached into it, and takes every member as the run leaves it.
  mutating func close(
    _ cells: UnsafeMutableBufferPointer<Cell>, affiliates: [UInt32], at end: Instant
  ) -> MemberValues {
    if open == 0 || end > months[open] { closeMonth(cells) }
    World.list(cells, affiliates: affiliates) { add($0) }
    return values
  }
}
