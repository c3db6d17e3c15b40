extension BrokenScenario {
  /// Lists, and rules that bind several settings.
  static let lists: [BrokenScenario] = [
    BrokenScenario(
      "A weekday list has seven entries",
      """
      name: a
      population:
        season:
          weekdays: [1, 1, 1]

      """,
      says:
        """
        t.yaml:4:15: population.season.weekdays: has 3 entries; write exactly 7
        """),
    BrokenScenario(
      "A bad entry of a list is named by its index",
      """
      name: a
      population:
        season:
          hours: [1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,-1]

      """,
      says:
        """
        t.yaml:4:59: population.season.hours[23]: -1 is out of range; write a number, 0 to 1000
        """),
    BrokenScenario(
      "Weights are not all zero",
      """
      name: a
      population:
        season:
          weekdays: [0, 0, 0, 0, 0, 0, 0]

      """,
      says:
        """
        t.yaml:4:15: population.season.weekdays: has only zeros; write at least one weight \
        above 0
        """),
    BrokenScenario(
      "A season is none or a group",
      """
      name: a
      population:
        season: summer

      """,
      says:
        """
        t.yaml:3:11: population.season: 'summer' is not a group of settings; write none, or the \
        settings of this group
        """),
    BrokenScenario(
      "A prize needs its fields and knows no others",
      """
      name: a
      rules:
        prizes:
          - name: Car
            kind: crypto
            ammount: 5

      """,
      says:
        """
        t.yaml:4:7: rules.prizes[0].amount: is missing; write amount: and an amount in USDT \
        with up to 6 decimals, 0 to 1000000000
        t.yaml:4:7: rules.prizes[0].every: is missing; write every: and a whole number from 1 \
        to 1000000000000
        t.yaml:6:7: rules.prizes[0].ammount: unknown key; did you mean 'amount'?
        """),
    BrokenScenario(
      "Prize names are unique",
      """
      name: a
      rules:
        prizes:
          - {name: A, kind: crypto, amount: 1, every: 5}
          - {name: A, kind: casino, amount: 1, every: 5}

      """,
      says:
        """
        t.yaml:5:14: rules.prizes[1].name: 'A' is the name of rules.prizes[0] too; give each \
        its own
        """),
    BrokenScenario(
      "A prize is never due at every zeroth scan",
      """
      name: a
      rules:
        prizes:
          - {name: A, kind: crypto, amount: 1, every: 0, tier: gold}

      """,
      says:
        """
        t.yaml:4:49: rules.prizes[0].every: 0 is out of range; write a whole number from 1 to \
        1000000000000
        t.yaml:4:58: rules.prizes[0].tier: 'gold' is not known; write one of standard, \
        vip, high_roller, whale
        """),
    BrokenScenario(
      "Tier thresholds ascend",
      """
      name: a
      rules:
        tiers:
          high_roller: 5

      """,
      says:
        """
        t.yaml:4:18: rules.tiers.high_roller: is 5; it must exceed rules.tiers.vip (7)
        """),
    BrokenScenario(
      "A tier threshold above a default one is refused where it was set",
      """
      name: a
      rules:
        tiers:
          vip: 15

      """,
      says:
        """
        t.yaml:4:10: rules.tiers.vip: is 15; it must stay below rules.tiers.high_roller (15)
        """),
    BrokenScenario(
      "Floors ascend",
      """
      name: a
      rules:
        tiers:
          floors:
            whale: 2100

      """,
      says:
        """
        t.yaml:5:14: rules.tiers.floors.whale: is 2100; it must exceed \
        rules.tiers.floors.high_roller (2100)
        """),
    BrokenScenario(
      "Warning stands below Critical",
      """
      name: a
      rules:
        budget_health:
          warning: 1.0

      """,
      says:
        """
        t.yaml:4:14: rules.budget_health.warning: is 100 %; it must stay below \
        rules.budget_health.critical (100 %)
        """),
    BrokenScenario(
      "Gross profit is at most the price",
      """
      name: a
      economy:
        price: 1.50

      """,
      says:
        """
        t.yaml:3:10: economy.price: is 1.5; it must be at least economy.gross_profit (2)
        """),
    BrokenScenario(
      "The shares of gross profit are at most the whole",
      """
      name: a
      rules:
        comp_pool:
          share: 95 %

      """,
      says:
        """
        t.yaml:4:12: rules.comp_pool.share: makes the three shares of gross profit 102 %; \
        keep them at 100 % or less
        """),
    BrokenScenario(
      "A market holds all members",
      """
      name: a
      population:
        adoption:
          market: 99999

      """,
      says:
        """
        t.yaml:4:13: population.adoption.market: is 99999; it must be at least \
        population.members (100000)
        """),
    BrokenScenario(
      "A plan needs its months",
      """
      name: a
      population:
        adoption:
          model: plan

      """,
      says:
        """
        t.yaml:4:12: population.adoption.model: plan needs population.adoption.monthly; write \
        it, as in [5000, 8000]
        """),
    BrokenScenario(
      "A holiday is written once",
      """
      name: a
      population:
        season:
          holidays:
            - {date: 2026-07-04, factor: 2}
            - {date: 2026-07-04, factor: 3}

      """,
      says:
        """
        t.yaml:6:16: population.season.holidays[1].date: 2026-07-04 is the date of \
        population.season.holidays[0] too; write each date once
        """),
    BrokenScenario(
      "A threshold names a known figure",
      """
      name: a
      expect:
        - budget.utilization.p95 < 1
        - zebra < 1

      """,
      says:
        """
        t.yaml:3:5: expect[0]: unknown figure 'budget.utilization.p95'; did you mean \
        'budget.utilisation.p95'?
        t.yaml:4:5: expect[1]: unknown figure 'zebra'; figures are budget.utilisation.year, \
        budget.utilisation.max, budget.utilisation.mean, budget.utilisation.p50, \
        budget.utilisation.p95, budget.spend.year, budget.months.warning, \
        budget.months.critical, members.total, scans.accepted, tins.sold, payouts.total, \
        prizes.awarded, scans.error_rate, reconciliation.alerts, cost.total, cost.comp_pool, \
        cost.affiliate_pool, cost.wholesale_pool, cost.operating, guarantee.cost_per_member, \
        cost_per_scan.total, cost_per_scan.crypto, cost_per_scan.casino, cost_per_scan.trip, \
        cost_per_scan.scan_reward, cost_per_scan.guarantee, cost_per_scan.match, \
        cost_per_scan.pool, cost_per_scan.wholesale, cost_per_scan.chips, liability.chips, \
        liability.trip_reserve, liability.total, liability.trips_accrued, liability.trips_won, \
        liability.chips_issued, liability.chips_redeemed, liability.chips_expired, \
        liability.payouts_pending, trips.first_day, bank.first_shortfall_day, bank.deepest_shortfall, \
        bank.topped_up, runway.wallet_member, runway.wallet_affiliate, \
        runway.wallet_wholesale, runway.bank_operating, runway.bank_reserve, \
        runway.bank_comp_pool, reinvestment.standard, reinvestment.vip, \
        reinvestment.high_roller, reinvestment.whale, value.standard, value.vip, \
        value.high_roller, value.whale, value.retail, value.shop, series.KEY, peak.KEY
        """),
    BrokenScenario(
      "A threshold compares with a number",
      """
      name: a
      expect:
        - members.total == 5
        - members.total > many
        - members.total

      """,
      says:
        """
        t.yaml:3:5: expect[0]: '==' is not a comparison; write one of < <= > >=
        t.yaml:4:5: expect[1]: 'many' is not a number to compare with; write figure, one of < <= \
        > >=, and a number, as in 'budget.utilisation.year < 1.0'
        t.yaml:5:5: expect[2]: 'members.total' has no comparison; write figure, one of < <= > \
        >=, and a number, as in 'budget.utilisation.year < 1.0'
        """),
    BrokenScenario(
      "A prize cannot take the name of another line of the payout ledger",
      """
      name: a
      rules:
        prizes:
          - {name: Scan reward, kind: crypto, amount: 1, every: 10}

      """,
      says:
        """
        t.yaml:4:14: rules.prizes[0].name: 'Scan reward' is another line of the payout ledger; \
        give the prize its own name
        """),
    BrokenScenario(
      "A market that brings more members than fit is refused",
      """
      name: a
      population:
        adoption:
          market: 9000000000

      """,
      says:
        """
        t.yaml:4:13: population.adoption.market: brings 321,823,478 members in 365 days; keep \
        them at 100,000,000 or less
        """),
    BrokenScenario(
      "A plan that brings more members than fit is refused",
      """
      name: a
      population:
        adoption:
          model: plan
          monthly: [50000000]

      """,
      says:
        """
        t.yaml:5:14: population.adoption.monthly: brings up to 750,000,000 members in 365 days; \
        keep them at 100,000,000 or less
        """),
  ]
}
