internal import Quantities
internal import RewardModel

/// What the treasuries of a run held at each day's end, and by how much what they owed exceeded it.
///
/// What is owed counts with the network fees of paying it. A treasury is short by what the next morning's
/// sweep could not bring it. Members and trips are paid out of the member wallet, the Reserve and the Comp
/// Pool account, and out of Operating above its float where that backs them; what they lack would have to be
/// put into the Comp Pool account. Affiliates and wholesale accounts are paid out of their wallets, which
/// Operating fills with what it has left after the shop's debts; the shop's debts are paid out of Operating,
/// and out of Reserve.
struct CashStatement {
  let accounts: [CashAccount]

  /// - Returns: No accounts where the record does not say what treasuries hold.
  /// - Complexity: O(days of the record).
  init(_ record: BlakJaksRecord) {
    let reader = Reader(record)
    guard !record.days.isEmpty, reader.held.count == Treasury.allCases.count else {
      accounts = []
      return
    }
    let ends = record.days.indices.filter { row in
      row + 1 == record.days.count
        || record.days[row + 1].date.monthLabel != record.days[row].date.monthLabel
    }
    let rules = record.rulesInForce
    let opening = rules.treasury.opening
    let shorts = record.days.indices.map { day in
      reader.short(on: day, profit: record.days[day].grossProfit, rules)
    }
    accounts = Treasury.allCases.map { treasury in
      let held = reader.held[treasury.rawValue]
      var first = 0
      let months = ends.map { end in
        defer { first = end + 1 }
        let lowest = (first...end).min { held[$0] < held[$1] } ?? end
        return CashAccount.Month(
          end: held[end].usdt, lowest: held[lowest].usdt, lowestDay: lowest,
          short: (first...end).map { shorts[$0][treasury.rawValue].usdt }.max() ?? 0)
      }
      let title = treasury.title
      return CashAccount(
        id: "treasury.\(treasury.key)", title: title.prefix(1).uppercased() + title.dropFirst(),
        opening: opening[treasury].usdt, months: months)
    }
  }

  /// What payouts lack at the last day's end, by the raw value of the treasury that is short of it, as in
  /// the statement; what is set aside for trips that nobody has won is no payout. Empty where the record
  /// does not say what treasuries hold.
  static func lacking(_ record: BlakJaksRecord) -> [MicroUSDT] {
    let reader = Reader(record)
    guard let last = record.days.last, reader.held.count == Treasury.allCases.count else {
      return []
    }
    return reader.short(
      on: record.days.count - 1, profit: last.grossProfit, record.rulesInForce, hasTrips: false)
  }

  /// The series that the statement is made of.
  private struct Reader {
    /// By treasury and day; empty where the record lacks one.
    let held: [[MicroUSDT]]
    private let members: [Int64?]
    private let affiliates: [Int64?]
    private let wholesale: [Int64?]
    private let shop: [Int64?]
    private let trips: [Int64?]

    init(_ record: BlakJaksRecord) {
      var all: [String: [Int64?]] = [:]
      for series in record.series { all[series.key] = series.values }
      held = Treasury.allCases.compactMap { treasury in
        all["treasury.\(treasury.key)"].map { $0.map { MicroUSDT(microunits: $0 ?? 0) } }
      }
      /// What is owed with its network fees, which a run of an earlier version does not tell.
      func owed(_ to: String) -> [Int64?] {
        let (amounts, fees) = (all["payable.\(to)"] ?? [], all["fees.\(to)"] ?? [])
        guard fees.count == amounts.count else { return amounts }
        // Fees are in no account, so that no books have refused what they come to.
        return zip(amounts, fees).map { amount, fee in
          amount.map { $0 < 1 << 62 ? $0 + min(fee ?? 0, 1 << 61) : $0 }
        }
      }
      members = owed("member")
      affiliates = owed("affiliate")
      wholesale = owed("wholesale")
      shop = all["payable.shop"] ?? []
      trips = all["trip_reserve"] ?? []
    }

    /// What each treasury is short of at a day's end, by its raw value.
    ///
    /// - Parameters:
    ///   - profit: Gross profit of the day.
    ///   - hasTrips: Whether trips that are set aside count, and what the Reserve account has for them.
    func short(
      on day: Int, profit: MicroUSDT, _ rules: ProgrammeRules, hasTrips: Bool = true
    ) -> [MicroUSDT] {
      func owed(_ values: [Int64?]) -> Int64 { day < values.count ? values[day] ?? 0 : 0 }
      func held(_ treasury: Treasury) -> Int64 { self.held[treasury.rawValue][day].microunits }
      var short = [Int64](repeating: 0, count: Treasury.allCases.count)
      // No sum of what a run holds and owes leaves 64 bits: its books would have refused it.
      var reserve = held(.reserveBank)
      let debts = owed(shop)
      if debts > held(.operatingBank) {
        let lent = min(debts - held(.operatingBank), max(reserve, 0))
        reserve -= lent
        short[Treasury.operatingBank.rawValue] = debts - held(.operatingBank) - lent
      }
      var free = max(held(.operatingBank) - debts - rules.treasury.float.microunits, 0)
      /// Takes from Operating what it has; the rest is short.
      func fill(_ lacking: Int64, upTo limit: Int64, _ treasury: Treasury) {
        let taken = min(max(lacking, 0), limit, free)
        free -= taken
        short[treasury.rawValue] = max(lacking, 0) - taken
      }
      let earned = (try? profit.share(rules.compPool.share)) ?? .zero
      let trips = hasTrips ? owed(trips) - reserve : 0
      fill(
        owed(members) + trips - held(.memberWallet) - held(.compPoolBank),
        // Without backing, the morning moves the pool's share of the day and no more.
        upTo: rules.treasury.operatingBacks ? .max : earned.microunits, .compPoolBank)
      fill(owed(affiliates) - held(.affiliateWallet), upTo: .max, .affiliateWallet)
      fill(owed(wholesale) - held(.wholesaleWallet), upTo: .max, .wholesaleWallet)
      return short.map { MicroUSDT(microunits: $0) }
    }
  }
}
