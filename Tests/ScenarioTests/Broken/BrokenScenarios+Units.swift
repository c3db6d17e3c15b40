extension BrokenScenario {
  /// Money, shares, durations, dates and words.
  static let units: [BrokenScenario] = [
    BrokenScenario(
      "A yes or no in quotes is a text, and told so",
      """
      name: a
      rules:
        tiers:
          carry: "true"

      """,
      says:
        """
        t.yaml:4:12: rules.tiers.carry: 'true' in quotes is a text; write true without quotes
        """),
    BrokenScenario(
      "Money finer than a micro-USDT is refused",
      """
      name: a
      economy:
        price: 5.0000001

      """,
      says:
        """
        t.yaml:3:10: economy.price: 5.0000001 has more than 6 decimals; write an amount in \
        USDT with up to 6 decimals, 0 to 1000000000
        """),
    BrokenScenario(
      "Money in another currency is refused",
      """
      name: a
      economy:
        price: 5 EUR
        gross_profit: $2

      """,
      says:
        """
        t.yaml:3:10: economy.price: '5 EUR' has the unit 'EUR'; write an amount in USDT with \
        up to 6 decimals, 0 to 1000000000
        t.yaml:4:17: economy.gross_profit: '$2' has the unit '$'; write an amount in USDT \
        with up to 6 decimals, 0 to 1000000000
        """),
    BrokenScenario(
      "Money that is negative or beyond a billion is refused",
      """
      name: a
      economy:
        price: 1000000001
        gross_profit: -1

      """,
      says:
        """
        t.yaml:3:10: economy.price: 1000000001 is out of range; write an amount in USDT with \
        up to 6 decimals, 0 to 1000000000
        t.yaml:4:17: economy.gross_profit: -1 is out of range; write an amount in USDT with \
        up to 6 decimals, 0 to 1000000000
        """),
    BrokenScenario(
      "A share beyond the whole shows what was meant",
      """
      name: a
      population:
        tins:
          shop: 35

      """,
      says:
        """
        t.yaml:4:11: population.tins.shop: 35 is out of range; write 0.35 or 35 %
        """),
    BrokenScenario(
      "A share finer than a basis point is refused",
      """
      name: a
      rules:
        affiliates:
          match: 21.005 %

      """,
      says:
        """
        t.yaml:4:12: rules.affiliates.match: 21.005 % is finer than 0.01 %; write a share \
        such as 0.6 or 60 %, 0 % to 100 %
        """),
    BrokenScenario(
      "A share with another unit is refused",
      """
      name: a
      population:
        tins:
          shop: 35 pct

      """,
      says:
        """
        t.yaml:4:11: population.tins.shop: '35 pct' has the unit 'pct'; write a share such as \
        0.6 or 60 %, 0 % to 100 %
        """),
    BrokenScenario(
      "A percentage is no decimal",
      """
      name: a
      population:
        referral:
          dropout_factor: 82 %

      """,
      says:
        """
        t.yaml:4:21: population.referral.dropout_factor: '82 %' is a percentage; write 0.82
        """),
    BrokenScenario(
      "A multiplier has four decimals",
      """
      name: a
      rules:
        scan_reward:
          multiplier:
            vip: 1.23456

      """,
      says:
        """
        t.yaml:5:12: rules.scan_reward.multiplier.vip: 1.23456 has more than 4 decimals; \
        write a factor such as 1.25, 0 to 100
        """),
    BrokenScenario(
      "A duration without a unit is refused",
      """
      name: a
      calendar:
        window: 90

      """,
      says:
        """
        t.yaml:3:11: calendar.window: 90 has no unit; write a number with its unit (us, ms, \
        s, min, h, d, w), 1 s to 1 d
        """),
    BrokenScenario(
      "A duration with a unit of another spelling shows the right one",
      """
      name: a
      calendar:
        window: 1 hour

      """,
      says:
        """
        t.yaml:3:11: calendar.window: 'hour' is not a unit of time; \
        write 1 h
        """),
    BrokenScenario(
      "A duration with no unit of time lists them",
      """
      name: a
      calendar:
        window: 3 tins

      """,
      says:
        """
        t.yaml:3:11: calendar.window: 'tins' is not a unit of time; \
        write a number with its unit (us, ms, s, min, h, d, w), 1 s to 1 d
        """),
    BrokenScenario(
      "A duration beyond its range is refused",
      """
      name: a
      calendar:
        window: 25 h

      """,
      says:
        """
        t.yaml:3:11: calendar.window: 25 h is out of range; write a number with its unit (us, \
        ms, s, min, h, d, w), 1 s to 1 d
        """),
    BrokenScenario(
      "A guarantee is settled after whole days",
      """
      name: a
      rules:
        guarantee:
          after: 36 h

      """,
      says:
        """
        t.yaml:4:12: rules.guarantee.after: 36 h is not a whole number of days; write a number \
        with its unit (us, ms, s, min, h, d, w), 1 d to 3660 d
        """),
    BrokenScenario(
      "A date that does not exist is refused",
      """
      name: a
      calendar:
        start: 2026-02-30

      """,
      says:
        """
        t.yaml:3:10: calendar.start: '2026-02-30' is not a date that exists; write a date as \
        YYYY-MM-DD, 1970-01-01 to 2199-12-31
        """),
    BrokenScenario(
      "A date in another form shows the form that is read",
      """
      name: a
      calendar:
        start: 2026-1-1

      """,
      says:
        """
        t.yaml:3:10: calendar.start: '2026-1-1' is not written as YYYY-MM-DD; write 2026-01-01
        """),
    BrokenScenario(
      "A decimal comma is refused with the number that was meant",
      """
      name: a
      economy:
        price: 4,50 USDT
        gross_profit: 1,000
      population:
        tins:
          shop: 0,20
          per_week: 1,5

      """,
      says:
        """
        t.yaml:3:10: economy.price: '4,50 USDT' has a comma; write a decimal point: 4.50 USDT
        t.yaml:4:17: economy.gross_profit: '1,000' has separators between digits; write 1000
        t.yaml:7:11: population.tins.shop: '0,20' has a comma; write a decimal point: 0.20
        t.yaml:8:15: population.tins.per_week: '1,5' has a comma; write a decimal point: 1.5
        """),
    BrokenScenario(
      "A decimal point is not advised where a whole number is wanted",
      """
      name: a
      population:
        members: 1,5

      """,
      says:
        """
        t.yaml:3:12: population.members: '1,5' has a comma; write a whole number from 1 \
        to 100000000
        """),
    BrokenScenario(
      "A number with separators and a unit is refused with the plain number and its unit",
      """
      name: a
      economy:
        price: 1_000 USDT
        gross_profit: 1,234.50 USDT
      calendar:
        window: 1_000 s

      """,
      says:
        """
        t.yaml:3:10: economy.price: '1_000 USDT' has separators between digits; write 1000 USDT
        t.yaml:4:17: economy.gross_profit: '1,234.50 USDT' has separators between digits; write \
        1234.50 USDT
        t.yaml:6:11: calendar.window: '1_000 s' has separators between digits; write 1000 s
        """),
    BrokenScenario(
      "A zone that does not exist is refused",
      """
      name: a
      calendar:
        zone: America/New_Yorck

      """,
      says:
        """
        t.yaml:3:9: calendar.zone: 'America/New_Yorck' is not a known time zone; did you \
        mean 'America/New_York'? Write an IANA time zone such as America/New_York or UTC
        """),
    BrokenScenario(
      "Days without one of them are refused where a zone leapt over it",
      """
      name: a
      calendar:
        start: 2011-12-01
        days: 60
        zone: Pacific/Apia

      """,
      says:
        """
        t.yaml:5:9: calendar.zone: Pacific/Apia has no 2011-12-30: its clocks leapt over that day; \
        choose other days, or another zone
        """),
    BrokenScenario(
      "yes is no truth value",
      """
      name: a
      rules:
        tiers:
          carry: yes

      """,
      says:
        """
        t.yaml:4:12: rules.tiers.carry: 'yes' is neither true nor false; write true or false
        """),
    BrokenScenario(
      "A word beside the list is named with the nearest",
      """
      name: a
      population:
        purchase:
          model: bgnbd

      """,
      says:
        """
        t.yaml:4:12: population.purchase.model: 'bgnbd' is not known; did you mean \
        'bg_nbd'? Write one of bg_nbd, mbg_nbd, pareto_nbd
        """),
    BrokenScenario(
      "Another program is refused",
      """
      name: a
      programme: coffee

      """,
      says:
        """
        t.yaml:2:12: programme: 'coffee' is not known; write one of blakjaks, embera
        """),
    BrokenScenario(
      "A setting without a value is refused",
      """
      name: a
      seed:

      """,
      says:
        """
        t.yaml:2:6: seed: has no value; write a whole number from 0 to 2^64-1
        """),
    BrokenScenario(
      "A name is text",
      """
      name: 2026

      """,
      says:
        """
        t.yaml:1:7: name: 2026 is not text; put it in quotes: "2026"
        """),
    BrokenScenario(
      "A name has to be written",
      """
      seed: 1

      """,
      says:
        """
        t.yaml:1:1: name: is missing; write name: and text of 1 to 120 characters
        """),
    BrokenScenario(
      "A name is not empty",
      """
      name: ""

      """,
      says:
        """
        t.yaml:1:7: name: is empty; write text of 1 to 120 characters
        """),
  ]
}
