internal import Quantities

// The members of a cell by tier: counted as they go, again for checks, and when a quarter turns.
extension Cell {
  /// Counts the members again, for checks.
  func recount() -> (census: TierCensus, living: PerTier<Int64>) {
    var census = TierCensus()
    var living = PerTier<Int64>(repeating: 0)
    for row in rows where row.account.hasSignedUp {
      census.add(row.account)
      if !row.hasLeft { living[row.account.standing.tier] += 1 }
    }
    return (census, living)
  }

  /// Changes a member's account from outside, with what is counted by it.
  mutating func change<Answer>(
    _ index: Int, _ body: (inout MemberAccount) throws(MoneyError) -> Answer
  ) throws(MoneyError) -> Answer {
    let before = rows[index].account.standing
    let answer = try body(&rows[index].account)
    if rows[index].account.hasSignedUp {
      move(from: before, to: rows[index].account.standing, hasLeft: rows[index].hasLeft)
    }
    return answer
  }

  /// Begins a quarter: each member's scans of it start from zero.
  mutating func turnQuarter() {
    census = TierCensus()
    living = PerTier(repeating: 0)
    for index in rows.indices where rows[index].account.hasSignedUp {
      let before = rows[index].account.standing.tier
      rows[index].account.turnQuarter(tierRules)
      if rows[index].account.standing.tier < before { lapse(index) }
      census.add(rows[index].account)
      if !rows[index].hasLeft { living[rows[index].account.standing.tier] += 1 }
    }
  }
}
