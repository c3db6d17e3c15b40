extension BrokenScenario {
  /// Numbers and other scalars of the wrong type or range.
  static let numbers: [BrokenScenario] = [
    BrokenScenario(
      "A list in place of a number is refused",
      """
      name: a
      calendar:
        days: [1, 2]

      """,
      says:
        """
        t.yaml:3:9: calendar.days: is a list; write a whole number from 1 to 3660
        """),
    BrokenScenario(
      "A group in place of a number is refused",
      """
      name: a
      seed:
        value: 1

      """,
      says:
        """
        t.yaml:3:3: seed: is a group of keys; write a whole number from 0 to 2^64-1
        """),
    BrokenScenario(
      "A setting that may be left open says how",
      """
      name: a
      programme: embera
      rules:
        expiry_months: never

      """,
      says:
        """
        t.yaml:4:18: rules.expiry_months: 'never' is not a number; write a whole number from 1 \
        to 1200, or none
        """),
    BrokenScenario(
      "A number in place of a group is refused",
      """
      name: a
      population: 5

      """,
      says:
        """
        t.yaml:2:13: population: is '5', not a group of keys; write its keys below it: \
        members, adoption, purchase, tins, season, referral, mischief, under_age, response, \
        shop, wallet, wholesale, chat
        """),
    BrokenScenario(
      "A number in quotes is text",
      """
      name: a
      calendar:
        days: "365"

      """,
      says:
        """
        t.yaml:3:9: calendar.days: '365' is text in quotes; write a whole number from 1 to \
        3660, without quotes
        """),
    BrokenScenario(
      "A fraction is not a whole number",
      """
      name: a
      calendar:
        days: 1.5

      """,
      says:
        """
        t.yaml:3:9: calendar.days: 1.5 is not a whole number; write a whole number from 1 to 3660
        """),
    BrokenScenario(
      "A word is no number",
      """
      name: a
      seed: lucky

      """,
      says:
        """
        t.yaml:2:7: seed: 'lucky' is not a number; write a whole number from 0 to 2^64-1
        """),
    BrokenScenario(
      "A number beyond its range is refused",
      """
      name: a
      population:
        members: 100000001

      """,
      says:
        """
        t.yaml:3:12: population.members: 100000001 is out of range; write a whole number from \
        1 to 100000000
        """),
    BrokenScenario(
      "A run of no days is refused",
      """
      name: a
      calendar:
        days: 0

      """,
      says:
        """
        t.yaml:3:9: calendar.days: 0 is out of range; write a whole number from 1 to 3660
        """),
    BrokenScenario(
      "A huge number is refused without overflow",
      """
      name: a
      population:
        members: 99999999999999999999999999999999999999999

      """,
      says:
        """
        t.yaml:3:12: population.members: '99999999999999999999999999999999999999999' has too \
        many digits; write a whole number from 1 to 100000000
        """),
    BrokenScenario(
      "A huge exponent is refused without overflow",
      """
      name: a
      seed: 1e300

      """,
      says:
        """
        t.yaml:2:7: seed: 1e300 is out of range; write a whole number from 0 to 2^64-1
        """),
    BrokenScenario(
      "A seed beyond 64 bits is refused",
      """
      name: a
      seed: 18446744073709551616

      """,
      says:
        """
        t.yaml:2:7: seed: 18446744073709551616 is out of range; write a whole number from 0 \
        to 2^64-1
        """),
    BrokenScenario(
      "A negative seed is refused",
      """
      name: a
      seed: -1

      """,
      says:
        """
        t.yaml:2:7: seed: -1 is out of range; write a whole number from 0 to 2^64-1
        """),
    BrokenScenario(
      "NaN and infinity are refused",
      """
      name: a
      population:
        tins:
          per_week: .nan
          shape: .inf

      """,
      says:
        """
        t.yaml:4:15: population.tins.per_week: '.nan' is not a finite number; write a number, \
        more than 0, at most 1000
        t.yaml:5:12: population.tins.shape: '.inf' is not a finite number; write a number, \
        more than 0, at most 10000
        """),
    BrokenScenario(
      "Thousands separators are refused with the plain number",
      """
      name: a
      population:
        members: 100_000

      """,
      says:
        """
        t.yaml:3:12: population.members: '100_000' has separators between digits; write 100000
        """),
    BrokenScenario(
      "Blanks and apostrophes between thousands are separators, not units",
      """
      name: a
      economy:
        price: 1'000 USDT
        gross_profit: 1 234.50
      population:
        members: 1 000 000
        tins: {per_week: 5 3, scanned: "1 000,50"}

      """,
      says:
        """
        t.yaml:3:10: economy.price: '1'000 USDT' has separators between digits; write 1000 USDT
        t.yaml:4:17: economy.gross_profit: '1 234.50' has separators between digits; write 1234.50
        t.yaml:6:12: population.members: '1 000 000' has separators between digits; write 1000000
        t.yaml:7:20: population.tins.per_week: '5 3' is not a number; write a number, more \
        than 0, at most 1000
        t.yaml:7:34: population.tins.scanned: '1 000,50' is not a number; write a share such as 0.6 \
        or 60 %, 0 % to 100 %
        """),
    BrokenScenario(
      "A unit on a plain number is refused",
      """
      name: a
      calendar:
        days: 7 days

      """,
      says:
        """
        t.yaml:3:9: calendar.days: '7 days' has a unit, 'days'; write a whole number from \
        1 to 3660, without one
        """),
    BrokenScenario(
      "A number in another base is refused, and told in decimal",
      """
      name: a
      seed: 0x10
      calendar:
        days: 0b101

      """,
      says:
        """
        t.yaml:2:7: seed: '0x10' is not a decimal number; write 16
        t.yaml:4:9: calendar.days: '0b101' is not a decimal number; write 5
        """),
  ]
}
