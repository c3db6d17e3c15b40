// A made-up launch year for the tests: plausible shapes, exact sums, no simulation behind it.
// Ledger, months, days and prizes agree with each other as they do in a real record.

package import BlakJaks
import Quantities
import RewardModel

/// Makes records to store and to show.
package struct SampleRun {
  private var state: UInt64
  private var record = BlakJaksRecord()
  private var match = MicroUSDT.zero
  private var rewards = MicroUSDT.zero
  private var matches: Int64 = 0

  /// A year of a program that grows to 100,000 members.
  ///
  /// - Parameter days: 1...365 days from 2026-01-01 in New York.
  package static func year(days: Int = 365, seed: UInt64 = 7) throws -> BlakJaksRecord {
    var sample = SampleRun(state: seed)
    return try sample.make(days: days, seed: seed)
  }

  private init(state: UInt64) { self.state = state }

  /// A draw from 0..<1. SplitMix64.
  private mutating func uniform() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Double((z ^ (z >> 31)) >> 11) * 0x1p-53
  }

  private mutating func make(days: Int, seed: UInt64) throws -> BlakJaksRecord {
    let calendar = try ProgrammeCalendar(
      zone: "America/New_York", firstDate: CivilDate(year: 2026, month: 1, day: 1), days: days)
    record.scenario = "launch-year"
    record.scenarioDescription =
      "What does the programme cost in its first year, and does it hold its budget?"
    record.seed = seed
    record.zone = calendar.zoneName
    record.start = calendar.start
    record.end = calendar.end
    record.prizes = Prize.brief.map {
      BlakJaksRecord.PrizeRow(prize: $0, awarded: 0, waiting: 0, nextDue: $0.every, away: 0)
    }
    for row in 0..<calendar.dayCount { addDay(row, calendar) }
    addMonths()
    addQuarters()
    addTotals()
    addPools(calendar)
    addSettings()
    return record
  }

  private mutating func addDay(_ row: Int, _ calendar: ProgrammeCalendar) {
    var day = BlakJaksRecord.DayRow(date: calendar.dates[row])
    let t = Double(row) / 365
    let growth = 1 / (1 + exp10(-3.2 * (t - 0.45)))
    let week = [0.9, 0.9, 0.95, 1, 1.15, 1.2, 0.9][day.date.weekday]
    day.signups = Int64(Double(100_000) * growth * (1 - growth) / 51 * week) + 3
    record.members += day.signups
    day.members = record.members
    let active = Double(record.members) * (0.5 + 0.3 * (1 - t))
    day.purchases = Int64(active * 0.045 * week * (0.9 + 0.2 * uniform()))
    day.tinsSold = day.purchases * 2
    day.acceptedScans = Int64(Double(day.tinsSold) * 0.83)
    day.submitted = day.acceptedScans + day.acceptedScans / 37
    let quarterDay = Double(row % 91) / 91
    day.tiers.vip = Int64(active * 0.17 * (0.25 + 0.75 * quarterDay))
    day.tiers.highRoller = Int64(active * 0.07 * (0.2 + 0.8 * quarterDay))
    day.tiers.whale = Int64(active * 0.018 * (0.15 + 0.85 * quarterDay))
    day.tiers.standard =
      day.members - day.tiers.vip - day.tiers.highRoller - day.tiers.whale
    day.grossProfit = .whole(day.tinsSold * 2)
    let reward = MicroUSDT(microunits: day.acceptedScans * 262_500)
    rewards.microunits += reward.microunits
    day.spendCash = reward
    addAwards(&day, from: calendar.dayStarts[row])
    record.acceptedScans += day.acceptedScans
    record.tinsSold += day.tinsSold
    let trips = record.awards.filter { $0.kind == .trip && $0.time >= calendar.dayStarts[row] }
    day.spendAccrual = day.spendCash
    day.spendAccrual.microunits -= trips.reduce(0) { $0 + $1.amount.microunits }
    day.spendAccrual.microunits += day.acceptedScans * 400_000
    let budget = day.grossProfit.microunits / 2
    day.projectedBasisPoints =
      budget == 0 ? nil : Int64(9_300 - 2_000 * t + 900 * (uniform() - 0.5))
    day.status = day.projectedBasisPoints.map {
      $0 < 8_500 ? .normal : $0 <= 10_000 ? .warning : .critical
    }
    record.days.append(day)
  }

  /// Ten to a power, without the platform's mathematics library.
  private func exp10(_ x: Double) -> Double {
    var term = 1.0
    var sum = 1.0
    for n in 1..<60 {
      term *= x * 2.302_585_092_994_046 / Double(n)
      sum += term
    }
    return sum
  }

  private mutating func addAwards(_ day: inout BlakJaksRecord.DayRow, from midnight: Instant) {
    guard day.acceptedScans > 0 else { return }
    var due: [(scan: Int64, prize: Int)] = []
    for (index, row) in record.prizes.enumerated() {
      var scan = (record.acceptedScans / row.prize.every + 1) * row.prize.every
      while scan <= record.acceptedScans + day.acceptedScans {
        due.append((scan, index))
        scan += row.prize.every
      }
    }
    due.sort { ($0.scan, $0.prize) < ($1.scan, $1.prize) }
    for (scan, index) in due {
      let prize = record.prizes[index].prize
      let offset = (scan - record.acceptedScans - 1) * 86_000_000_000 / day.acceptedScans
      let member = Int64(uniform() * Double(record.members)) + 1
      record.awards.append(
        BlakJaksRecord.AwardRow(
          award: Int64(record.awards.count) + 1, prize: prize.name, kind: prize.kind,
          amount: prize.amount, dueScan: scan, wonScan: scan + Int64(uniform() * 9),
          time: midnight + TimeSpan(microseconds: offset), member: String(member)))
      record.prizes[index].awarded += 1
      day.spendCash.microunits += prize.amount.microunits
      if prize.kind == .crypto, uniform() < 0.2 {
        let share = prize.amount.microunits * 21 / 100
        match.microunits += share
        matches += 1
        day.spendCash.microunits += share
      }
    }
  }

  private mutating func addMonths() {
    for day in record.days {
      if record.months.last?.month != day.date.monthLabel {
        record.months.append(BlakJaksRecord.MonthRow(month: day.date.monthLabel))
      }
      let last = record.months.count - 1
      record.months[last].tinsSold += day.tinsSold
      record.months[last].acceptedScans += day.acceptedScans
      record.months[last].grossProfit.microunits += day.grossProfit.microunits
      record.months[last].budget.microunits += day.grossProfit.microunits / 2
      record.months[last].spendCash.microunits += day.spendCash.microunits
      record.months[last].spendAccrual.microunits += day.spendAccrual.microunits
    }
    for index in record.months.indices {
      let month = record.months[index]
      record.months[index].utilisationBasisPoints = BudgetHealth.utilisation(
        spend: month.spendAccrual, budget: month.budget)
      record.months[index].status = BudgetHealth.status(
        spend: month.spendAccrual, budget: month.budget, rules: BudgetHealthRules())
    }
  }

  private mutating func addQuarters() {
    for (index, day) in record.days.enumerated() {
      let next = index + 1 < record.days.count ? record.days[index + 1].date : nil
      if next?.quarterLabel != day.date.quarterLabel {
        record.quarters.append(
          BlakJaksRecord.QuarterRow(quarter: day.date.quarterLabel, tiers: day.tiers))
      }
    }
  }

  private mutating func addTotals() {
    let scans = record.acceptedScans
    for index in record.prizes.indices {
      let every = record.prizes[index].prize.every
      record.prizes[index].nextDue = (scans / every + 1) * every
      record.prizes[index].away = record.prizes[index].nextDue - scans
    }
    if record.prizes.count > 3 { record.prizes[3].waiting = 1 }
    record.tiers = record.days.last?.tiers ?? PerTier(repeating: 0)
    record.refusedUnderAge = record.members / 60
    record.tinsSoldInShop = record.tinsSold / 3
    record.events = scans * 3 + record.members * 2
    let outcomes: [(String, Int64)] = [
      ("accepted", scans), ("invalid_code", scans / 90), ("unknown_code", scans / 400),
      ("already_scanned", scans / 70), ("member_ineligible", 0), ("server_error", 0),
      ("network_error", 0),
    ]
    record.outcomes = outcomes.map { BlakJaksRecord.NamedCount(name: $0.0, count: $0.1) }
    var rows: [(String, Int64, MicroUSDT)] = record.prizes.map {
      (
        $0.prize.name, $0.awarded,
        MicroUSDT(microunits: $0.prize.amount.microunits * $0.awarded)
      )
    }
    rows.append(("guarantee", 214, MicroUSDT(microunits: 214 * 41_350_000)))
    rows.append(("match", matches, match))
    rows.append(("pool", 41_877, MicroUSDT(microunits: 58_204_118_000)))
    rows.append(("wholesale", 0, .zero))
    rows.append(("scan_reward", scans, rewards))
    rows.append(("chips", 0, .zero))
    let total = rows.reduce(Int64(0)) { $0 + $1.2.microunits }
    record.payouts = rows.map { name, count, amount in
      BlakJaksRecord.PayoutRow(
        type: name, count: count, total: amount,
        shareBasisPoints: total == 0 ? 0 : amount.microunits / (total / 10_000))
    }
    let profit = record.months.reduce(Int64(0)) { $0 + $1.grossProfit.microunits }
    record.accounts = [
      BlakJaksRecord.AccountRow(account: "sales", balance: amount(-profit), postings: 1),
      BlakJaksRecord.AccountRow(
        account: "comp_pool", balance: amount(profit / 2), postings: Int64(record.days.count)),
      BlakJaksRecord.AccountRow(
        account: "operating", balance: amount(profit - profit / 2), postings: scans),
    ]
    record.affiliates.active = record.members / 50
    record.affiliates.referred = record.members / 5
    record.affiliates.chipsIssued = scans / 5
    record.affiliates.chipsUnexpired = scans / 5
    record.affiliates.matchPaid = match
    record.affiliates.poolPaid = amount(58_204_118_000)
    record.affiliates.floors = PerTier(standard: 1_700, vip: 271, highRoller: 29, whale: 0)
    record.timing.wallSeconds = 0.812_5
    record.timing.threads = 2
    record.timing.peakMemoryBytes = 71_303_168
  }

  private func amount(_ microunits: Int64) -> MicroUSDT { MicroUSDT(microunits: microunits) }

  private mutating func addPools(_ calendar: ProgrammeCalendar) {
    var carry = MicroUSDT.zero
    let mornings = ProgrammeRules.mornings(calendar)
    for row in record.days.indices where record.days[row].date.weekday == 0 {
      let pool = MicroUSDT(
        microunits: record.days[row].grossProfit.microunits * 7 / 20 + carry.microunits)
      let chips = record.days[row].members * 3
      carry = MicroUSDT(microunits: chips == 0 ? pool.microunits : pool.microunits % chips)
      record.pools.append(
        BlakJaksRecord.PoolRow(
          time: mornings[row], pool: pool, chips: chips,
          holders: record.days[row].members / 50,
          paid: MicroUSDT(microunits: pool.microunits - carry.microunits), carry: carry))
    }
  }

  private mutating func addSettings() {
    let rows = [
      ("name", "launch-year", "set"), ("seed", "7", "set"),
      ("calendar.start", "2026-01-01", "set"), ("calendar.days", "365", "set"),
      ("calendar.zone", "America/New_York", "assumed"), ("calendar.window", "1 h", "assumed"),
      ("rules.comp_pool.share", "50 %", "given"), ("rules.tiers.high_roller", "15", "given"),
      ("rules.tiers.whale", "30", "given"), ("rules.tiers.vip", "7", "assumed"),
      ("rules.scan_reward.base", "0.20", "assumed"),
      ("rules.comp_pool.recognition", "accrual", "assumed"),
      ("population.members", "100000", "set"),
      ("population.purchase.model", "bg_nbd", "sourced"),
      ("population.purchase.r", "0.243", "sourced"),
    ]
    record.settings = rows.map { RunHeader.SettingRow(path: $0.0, value: $0.1, mark: $0.2) }
  }
}
