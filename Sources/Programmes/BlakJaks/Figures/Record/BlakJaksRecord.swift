package import Quantities
package import RewardModel

/// Everything that one run showed: headers, time series, awards and totals.
///
/// It is a plain value: writers and reports need nothing else. Rows are in the order of the
/// exports. Only the block `Timing` depends on the machine; all else is a pure function of
/// (scenario, seed, overrides) or of (scenario, history).
package struct BlakJaksRecord: ProgrammeRecord {
  package var header: RunHeader
  /// Where the program was when the record's days begin.
  package var opening = Opening()
  /// The rules of the run; nil of a record that was read back from a folder.
  package var rules: ProgrammeRules?

  /// Members signed up.
  package var members: Int64 = 0
  /// Applicants refused at the age gate.
  package var refusedUnderAge: Int64 = 0
  package var acceptedScans: Int64 = 0
  package var tinsSold: Int64 = 0
  /// Tins sold through the shop; the rest is retail. Histories do not tell.
  package var tinsSoldInShop: Int64 = 0
  /// Submissions by outcome, in the order of `ScanOutcome`.
  package var outcomes: [NamedCount] = []
  /// Members by effective tier at the end.
  package var tiers = PerTier<Int64>(repeating: 0)
  package var finalTiers = FinalTiers()

  /// One row per local day.
  package var days: [DayRow] = []
  /// One row per local month.
  package var months: [MonthRow] = []
  /// One row per calendar quarter.
  package var quarters: [QuarterRow] = []
  /// One row per milestone comp awarded, in order.
  package var awards: [AwardRow] = []
  /// One row per prize of the scenario.
  package var prizes: [PrizeRow] = []
  /// The payout ledger in its given order, without the total row.
  package var payouts: [PayoutRow] = []
  /// One row per weekly pool.
  package var pools: [PoolRow] = []
  /// One row per ledger account; the balances sum to zero.
  package var accounts: [AccountRow] = []
  /// Figures about affiliates at the end.
  package var affiliates = AffiliateFigures()
  /// Figures of every day, by key.
  package var series: [Series] = []
  /// Accepted scans of the 24 local hours: one row per day, or none at all.
  package var scanHours: [[Int64]] = []
  /// In the order of time.
  package var reconciliations: [ReconciliationRow] = []
  /// In the order of time; not part of the fingerprint.
  package var feed: [FeedRow] = []
  /// Transactions of the traced members, in the order of time.
  package var transactions: [TransactionRow] = []
  /// In the order of time.
  package var streams: [StreamRow] = []
  /// In the order of opening.
  package var proposals: [ProposalRow] = []
  /// What the run's members did beyond what was to be expected of them; nil where nobody asked for
  /// it, or the run was interrupted. Not part of the fingerprint.
  package var controls: PurchaseControls?
  /// What each member bought and was given, where somebody asked for it. Not part of the
  /// fingerprint.
  package var memberValues: MemberValues?

  /// A record with a header and no rows.
  package init(header: RunHeader = RunHeader(programme: BlakJaksProgramme.id)) {
    self.header = header
  }

  /// The sum of the payout ledger.
  package var payoutTotal: PayoutRow {
    PayoutRow(
      type: "Total", count: payouts.reduce(0) { $0 + $1.count },
      total: MicroUSDT(microunits: payouts.reduce(0) { $0 + $1.total.microunits }),
      shareBasisPoints: 10_000)
  }
}

extension BlakJaksRecord {
  /// A name with a count.
  package struct NamedCount: Sendable {
    package var name: String
    package var count: Int64

    /// A count with its name.
    package init(name: String, count: Int64) {
      self.name = name
      self.count = count
    }
  }

  /// What members did and were given in the whole run, by the effective tier that each ends in; 0
  /// for a history, which does not tell.
  package struct FinalTiers: Sendable, Equatable {
    /// Tins bought.
    package var tins = PerTier<Int64>(repeating: 0)
    /// Accepted scans.
    package var scans = PerTier<Int64>(repeating: 0)
    /// Scan rewards, guarantees, redeemed chips and won prizes, in micro-USDT.
    package var comps = PerTier<Int64>(repeating: 0)

    /// Of nobody.
    package init() {}
  }

  /// One local day.
  package struct DayRow: Sendable, Equatable, Codable {
    package var date: CivilDate
    package var signups: Int64 = 0
    /// Members signed up by the day's last instant.
    package var members: Int64 = 0
    package var purchases: Int64 = 0
    package var tinsSold: Int64 = 0
    /// Codes submitted, whatever the outcome.
    package var submitted: Int64 = 0
    package var acceptedScans: Int64 = 0
    /// Members by effective tier at the day's last instant.
    package var tiers = PerTier<Int64>(repeating: 0)
    package var grossProfit = MicroUSDT.zero
    package var spendCash = MicroUSDT.zero
    package var spendAccrual = MicroUSDT.zero
    /// Projected end-of-month spend over budget at the day's end; nil without a budget.
    package var projectedBasisPoints: Int64?
    /// Health by the projection: `Normal`, `Warning`, `Critical`, or nil where there
    /// is neither a budget nor spend.
    package var status: BudgetStatus?

    /// A day on which nothing has been counted.
    package init(date: CivilDate) { self.date = date }
  }

  /// One local month.
  package struct MonthRow: Sendable {
    /// `YYYY-MM`.
    package var month: String
    package var tinsSold: Int64 = 0
    package var acceptedScans: Int64 = 0
    package var grossProfit = MicroUSDT.zero
    package var budget = MicroUSDT.zero
    package var spendCash = MicroUSDT.zero
    package var spendAccrual = MicroUSDT.zero
    /// Recognized spend over budget, rounded down; nil without a budget.
    package var utilisationBasisPoints: Int64?
    /// Nil where there is neither a budget nor spend.
    package var status: BudgetStatus?

    /// A month in which nothing has been counted.
    package init(month: String) { self.month = month }
  }

  /// One calendar quarter, at its last instant.
  package struct QuarterRow: Sendable, Codable {
    /// `YYYY-Qn`.
    package var quarter: String
    package var tiers: PerTier<Int64>

    /// Members by tier at the end of a quarter.
    package init(quarter: String, tiers: PerTier<Int64>) {
      self.quarter = quarter
      self.tiers = tiers
    }
  }

  /// One milestone comp.
  package struct AwardRow: Sendable, Equatable, Codable {
    /// 1, 2, 3 … in the order of awarding.
    package var award: Int64
    package var prize: String
    package var kind: PrizeKind
    package var amount: MicroUSDT
    /// The global scan number at which it fell due.
    package var dueScan: Int64
    /// The global scan number at which it was won.
    package var wonScan: Int64
    package var time: Instant
    /// The history's name, or the sequence number of a synthetic member.
    package var member: String

    /// One award; see the properties.
    package init(
      award: Int64, prize: String, kind: PrizeKind, amount: MicroUSDT, dueScan: Int64,
      wonScan: Int64, time: Instant, member: String
    ) {
      self.award = award
      self.prize = prize
      self.kind = kind
      self.amount = amount
      self.dueScan = dueScan
      self.wonScan = wonScan
      self.time = time
      self.member = member
    }
  }

  /// One prize at the run's end.
  package struct PrizeRow: Sendable {
    package var prize: Prize
    package var awarded: Int64
    /// Due and not yet awarded.
    package var waiting: Int64
    /// The next global scan number at which it falls due.
    package var nextDue: Int64
    /// Accepted scans until then.
    package var away: Int64

    /// One prize with its counts at the end.
    package init(prize: Prize, awarded: Int64, waiting: Int64, nextDue: Int64, away: Int64) {
      self.prize = prize
      self.awarded = awarded
      self.waiting = waiting
      self.nextDue = nextDue
      self.away = away
    }
  }

  /// One line of the payout ledger.
  package struct PayoutRow: Sendable {
    /// `PayoutType.id`.
    package var type: String
    package var count: Int64
    package var total: MicroUSDT
    /// Share of the total of all payouts, rounded down.
    package var shareBasisPoints: Int64

    /// One line of the payout ledger.
    package init(type: String, count: Int64, total: MicroUSDT, shareBasisPoints: Int64) {
      self.type = type
      self.count = count
      self.total = total
      self.shareBasisPoints = shareBasisPoints
    }
  }

  /// One weekly affiliate pool.
  package struct PoolRow: Sendable, Equatable, Codable {
    package var time: Instant
    /// The week's share of gross profit and the carry of earlier weeks.
    package var pool: MicroUSDT
    package var chips: Int64
    /// Affiliates paid; holders whose share rounds down to nothing are none.
    package var holders: Int64
    package var paid: MicroUSDT
    package var carry: MicroUSDT

    /// One weekly pool; see the properties.
    package init(
      time: Instant, pool: MicroUSDT, chips: Int64, holders: Int64, paid: MicroUSDT,
      carry: MicroUSDT
    ) {
      self.time = time
      self.pool = pool
      self.chips = chips
      self.holders = holders
      self.paid = paid
      self.carry = carry
    }
  }

  /// One ledger account; credits are positive.
  package struct AccountRow: Sendable {
    package var account: String
    package var balance: MicroUSDT
    package var postings: Int64

    /// One account at the end.
    package init(account: String, balance: MicroUSDT, postings: Int64) {
      self.account = account
      self.balance = balance
      self.postings = postings
    }
  }

  /// Affiliates at the run's end.
  package struct AffiliateFigures: Sendable {
    /// Members with at least one referred member.
    package var active: Int64 = 0
    /// Members who were referred.
    package var referred: Int64 = 0
    package var chipsIssued: Int64 = 0
    package var chipsUnexpired: Int64 = 0
    package var matchPaid = MicroUSDT.zero
    package var poolPaid = MicroUSDT.zero
    /// Members by permanent floor.
    package var floors = PerTier<Int64>(repeating: 0)
  }
}
