package import Quantities
package import RewardModel

/// Everything that one run of the roastery's program showed.
package struct EmberaRecord: ProgrammeRecord, Equatable {
  package var header: RunHeader
  package var days: [Day] = []
  package var months: [Month] = []
  /// Offers, in the order of the rules.
  package var offers: [OfferRow] = []
  /// Redemptions of each offer in each month, the months in order.
  package var offerMonths: [OfferMonth] = []
  /// Orders placed on devices by weekday and local hour: 168 rows.
  package var hours: [HourRow] = []
  /// Members who have not left, by the month of their sign-up, at each month's end; none in a
  /// replay, where nobody says that they leave.
  package var cohorts: [CohortRow] = []
  /// Members signed up by tier, lowest first, and how long it took to reach it.
  package var tiers: [TierRow] = []
  /// Orders of the run's end by status: `delivered` are all that came in the record's days.
  package var statuses: [NamedCount] = []
  /// Checkouts by outcome of the payment.
  package var checkouts: [Checkouts] = []
  package var sync = Sync()
  /// Attempts to sign in by what came of them.
  package var ceremonies: [NamedCount] = []
  /// Ledger accounts with their balances; credits are positive.
  package var accounts: [AccountRow] = []
  package var total = Totals()
  /// What had happened when the record's days begin; nothing where they begin with the program.
  package var opening = Opening()

  /// A record with a header and no rows.
  package init(header: RunHeader) { self.header = header }

  package var series: [DailySeries] { EmberaSeries.series(self) }

  /// Whether redemptions, and so what rewards cost, are known: a history has none.
  package var knowsRedemptions: Bool { header.source == .simulation }
}

extension EmberaRecord {
  /// What had happened when a record's days begin.
  package struct Opening: Sendable, Equatable {
    package var signUps: Int64
    package var issued: Int64
    package var redeemed: Int64
    package var expired: Int64

    /// The part of some sums that figures of later days build on; nothing by default.
    package init(_ sums: ProgramSums = ProgramSums()) {
      signUps = sums.signUps
      issued = sums.issued
      redeemed = sums.redeemed
      expired = sums.expired
    }

    /// Points that members held.
    package var outstanding: Int64 { issued - redeemed - expired }
  }

  /// A local day, as the server saw it.
  package struct Day: Sendable, Equatable, Codable {
    package var date: CivilDate
    package var signUps: Int64 = 0
    /// Orders placed on devices, received or not.
    package var placed: Int64 = 0
    /// Orders that the server received, deliveries among them.
    package var orders: Int64 = 0
    package var deliveries: Int64 = 0
    package var revenue = MicroUSDT.zero
    /// What offers redeemed on the day cost the roastery.
    package var rewardCost = MicroUSDT.zero
    package var issued: Int64 = 0
    package var redeemed: Int64 = 0
    package var expired: Int64 = 0
    /// At the day's end: points held, orders under way by status, entries that wait on devices.
    package var outstanding: Int64 = 0
    package var processing: Int64 = 0
    package var roasting: Int64 = 0
    package var shipping: Int64 = 0
    package var waiting: Int64 = 0
    /// At the day's end: members by tier, those whose subscription runs.
    package var ember: Int64 = 0
    package var aura: Int64 = 0
    package var halo: Int64 = 0
    package var subscribers: Int64 = 0
  }

  /// A local month, closed; the last one at the run's end, whole or not.
  package struct Month: Sendable, Equatable {
    /// `YYYY-MM`.
    package var month: String
    package var orders: Int64
    package var deliveries: Int64
    package var revenue: MicroUSDT
    package var discounts: MicroUSDT
    package var shipping: MicroUSDT
    package var tax: MicroUSDT
    package var costOfGoods: MicroUSDT
    package var issued: Int64
    package var redeemed: Int64
    package var expired: Int64
    package var outstanding: Int64
    package var rewardCost: MicroUSDT
    package var status: BudgetStatus
    package var valuation: PointsValuation

    /// Revenue less the cost of goods.
    package var grossProfit: MicroUSDT {
      MicroUSDT(microunits: revenue.microunits - costOfGoods.microunits)
    }

    /// Reward cost ÷ revenue; nil without revenue.
    package var rewardRate: Double? { EmberaRecord.rate(rewardCost, revenue) }
  }

  /// Redemptions of one offer.
  package struct OfferRow: Sendable, Equatable {
    package var id: String
    package var title: String
    package var redemptions: Int64
    package var points: Int64
    package var cost: MicroUSDT
  }

  /// Redemptions of one offer in one month.
  package struct OfferMonth: Sendable, Equatable {
    /// `YYYY-MM`.
    package var month: String
    /// The offer's id.
    package var offer: String
    package var redemptions: Int64
  }

  /// Orders placed in one hour of the week.
  package struct HourRow: Sendable, Equatable {
    /// Monday is 0.
    package var weekday: Int64
    package var hour: Int64
    package var orders: Int64
  }

  /// Members who signed up in one month and have not left by the end of another.
  package struct CohortRow: Sendable, Equatable, Codable {
    /// `YYYY-MM`.
    package var cohort: String
    package var month: String
    package var members: Int64
  }

  /// Members of one tier.
  package struct TierRow: Sendable, Equatable {
    package var tier: EmberaTier
    package var members: Int64
    /// Members who ever reached it, and how long it took them on average; none for the first tier.
    package var reached: Int64
    package var meanTimeToReach: TimeSpan?
  }

  /// A count with an id.
  package struct NamedCount: Sendable, Equatable {
    package var name: String
    package var count: Int64
  }

  /// Checkouts by outcome.
  package struct Checkouts: Sendable, Equatable {
    package var outcome: PaymentOutcome
    package var online: Int64
    package var offline: Int64
  }

  /// How devices and server met.
  package struct Sync: Sendable, Equatable {
    package var offlineOrders: Int64 = 0
    /// Orders that waited and have arrived; the rest waits at the run's end.
    package var arrived: Int64 = 0
    package var waitingOrders: Int64 = 0
    package var waitingRedemptions: Int64 = 0
    package var syncs: Int64 = 0
    /// How long orders waited: mean, 95th percentile (within 1 %), longest. Nil without any.
    package var meanLag: TimeSpan?
    package var lagP95: TimeSpan?
    package var longestLag: TimeSpan?
    package var offlineRedemptions: Int64 = 0
    package var confirmed: Int64 = 0
    /// Redemptions made without a network that the server refused.
    package var conflicts: Int64 = 0
    package var pointsReturned: Int64 = 0
    /// Entries sent once more, each answered as a repetition.
    package var resent: Int64 = 0
    package var looks: Int64 = 0
    package var heldBack: Int64 = 0
  }

  /// A ledger account.
  package struct AccountRow: Sendable, Equatable {
    package var account: EmberaAccount
    package var balance: MicroUSDT
  }

  /// The whole run.
  package struct Totals: Sendable, Equatable {
    package var members: Int64 = 0
    package var visits: Int64 = 0
    package var left: Int64 = 0
    package var subscribers: Int64 = 0
    package var sums = ProgramSums()
    package var rewardCost = MicroUSDT.zero
    /// Of the last close.
    package var valuation: PointsValuation?
    package var status = BudgetStatus.normal
    package var resets: Int64 = 0
  }

  /// A share of money; nil of nothing.
  package static func rate(_ part: MicroUSDT, _ whole: MicroUSDT) -> Double? {
    whole > .zero ? Double(part.microunits) / Double(whole.microunits) : nil
  }

  /// What the points outstanding are worth at the end: that of the last month where the run was
  /// read back.
  package var valuation: PointsValuation? { total.valuation ?? months.last?.valuation }

  /// Points that members hold at the end.
  package var outstanding: Int64 { opening.outstanding + total.sums.outstanding }

  /// Reward cost ÷ revenue; nil without revenue.
  package var rewardRate: Double? {
    EmberaRecord.rate(total.rewardCost, MicroUSDT(microunits: total.sums.revenue))
  }

  /// Points redeemed ÷ points issued; nil without points.
  package var redemptionRate: Double? {
    total.sums.issued > 0 ? Double(total.sums.redeemed) / Double(total.sums.issued) : nil
  }

  /// Share of the points issued that is expected never to be redeemed, as the last month end saw it;
  /// nil without points.
  package var breakage: Double? {
    let issued = months.reduce(opening.issued) { $0 + $1.issued }
    guard let valuation, issued > 0 else { return nil }
    return 1 - Double(valuation.expectedRedeemed) / Double(issued)
  }

  /// Revenue less the cost of goods.
  package var grossProfit: MicroUSDT {
    MicroUSDT(microunits: total.sums.revenue - total.sums.cost)
  }

  /// Members whose subscription runs ÷ members; nil without members.
  package var subscriptionShare: Double? {
    total.members > 0 ? Double(total.subscribers) / Double(total.members) : nil
  }
}
