// Compares a record of the whole world with the plain one that ran beside it.
import BlakJaks
import Population
import Quantities
import RewardModel
import Testing

func expectSame(_ record: BlakJaksRecord, _ plain: PlainFullWorld, replay: Comment) {
  expectSame(record, plain.programme, names: { String($0 + 1) }, replay: replay)
  for (row, day) in record.days.enumerated() {
    #expect(day.purchases == Int64(plain.purchasesByDay[day.date] ?? 0), "\(day.date) \(replay)")
    #expect(day.submitted == plain.submittedByDay[day.date] ?? 0, "\(day.date) \(replay)")
    #expect(day.status == plain.health[row].status, "\(day.date) \(replay)")
    #expect(
      day.projectedBasisPoints == plain.health[row].basisPoints, "\(day.date) \(replay)")
  }
  for outcome in record.outcomes {
    #expect(outcome.count == plain.totals[outcome.name] ?? 0, "\(outcome.name) \(replay)")
  }
  let pools = record.pools.map {
    PlainPool(
      time: $0.time, pool: $0.pool.microunits, chips: $0.chips, holders: $0.holders,
      paid: $0.paid.microunits, carry: $0.carry.microunits)
  }
  #expect(pools == plain.programme.pools, replay)
  for (account, balance) in plain.accounts() {
    let seen = record.accounts.first { $0.account == account }
    #expect(seen?.balance.microunits == balance, "\(account) \(replay)")
  }
  #expect(record.scanHours == plain.scanHours, replay)
  expectSameSeries(record, plain, replay: replay)
  expectSameMembers(record, plain, replay: replay)
}

private func expectSameSeries(_ record: BlakJaksRecord, _ plain: PlainFullWorld, replay: Comment) {
  for (key, values) in plain.figures {
    guard let series = record.series.first(where: { $0.key == key }) else {
      Issue.record("no series \(key); \(replay)")
      continue
    }
    guard series.values != values else { continue }
    let row = zip(series.values, values).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
    let seen = series.values.count > row ? series.values[row] : nil
    let expected = values.count > row ? values[row] : nil
    Issue.record(
      """
      \(key) is \(seen.map(String.init) ?? "nothing") and not \
      \(expected.map(String.init) ?? "nothing") on \(record.days[row].date); \(replay)
      """)
  }
}

private func expectSameMembers(_ record: BlakJaksRecord, _ plain: PlainFullWorld, replay: Comment) {
  let members = plain.programme.members.filter { $0.signUp != nil }
  let owners = Set(members.compactMap(\.affiliate))
  #expect(record.affiliates.active == Int64(owners.count), replay)
  #expect(record.affiliates.referred == Int64(members.count { $0.affiliate != nil }), replay)
  let last = plain.calendar.dates[plain.calendar.dayCount - 1]
  for tier in Tier.allCases {
    let count = members.count { $0.floor(on: last) == tier }
    #expect(record.affiliates.floors[tier] == Int64(count), replay)
  }
  #expect(record.refusedUnderAge == plain.totals["under_age"] ?? 0, replay)
  #expect(
    record.tinsSoldInShop == plain.shop.tins + (plain.totals["retail_in_shop"] ?? 0), replay)
  // Whoever never visits a wallet leaves no trace of transactions.
  let wallets = plain.input.population.wallet
  let traced = wallets.enabled ? wallets.traced : 0
  // A wallet learns of an award in the next window; what is shown is in the order of time, with the
  // sum so far.
  let expected = plain.members.prefix(traced).enumerated().flatMap { index, member in
    let order = member.transactions.indices.sorted {
      (member.transactions[$0].time, $0) < (member.transactions[$1].time, $1)
    }
    var sum: Int64 = 0
    return order.map { place in
      let row = member.transactions[place]
      sum += row.amount
      let status = row.failed ? "failed" : row.isPending ? "pending" : "confirmed"
      return "\(index + 1),\(row.time),\(row.kind),\(row.amount),\(sum),\(status)"
    }
  }
  let seen = record.transactions.map {
    "\($0.member),\($0.time),\($0.kind),\($0.amount.microunits),\($0.balance.microunits),"
      + $0.status
  }
  #expect(seen.sorted() == expected.sorted(), replay)
}
