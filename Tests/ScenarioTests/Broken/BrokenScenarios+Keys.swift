extension BrokenScenario {
  /// Keys that are unknown, of a later version, or written twice.
  static let keys: [BrokenScenario] = [
    BrokenScenario(
      "An unknown key near a known one is named with it",
      """
      name: a
      population:
        membres: 10

      """,
      says:
        """
        t.yaml:3:3: population.membres: unknown key; did you mean 'members'?
        """),
    BrokenScenario(
      "An unknown key near nothing lists the known keys",
      """
      name: a
      economy:
        zebra: 1

      """,
      says:
        """
        t.yaml:3:3: economy.zebra: unknown key; keys here are price, gross_profit, \
        wholesale_gross_profit
        """),
    BrokenScenario(
      "A key of another group is pointed to its place",
      """
      name: a
      erlang: 1

      """,
      says:
        """
        t.yaml:2:1: erlang: unknown key; did you mean 'population.purchase.erlang'?
        """),
    BrokenScenario(
      "A path of --set in a file says what to write in place of it",
      """
      name: a
      rules.prizes[*]: 3
      rules.scan_reward.base: 0.3
      rules:
        prizes[*]: 3
        prizes[0].every: 3

      """,
      says:
        """
        t.yaml:2:1: rules.prizes[*]: [*] is for --set and 'uncertain'; in a file write 'rules:', below \
        it 'prizes:', below it every entry of the list after '- '
        t.yaml:3:1: rules.scan_reward.base: dots are for --set and 'uncertain'; in a file write \
        'rules:', below it 'scan_reward:', below it 'base:', each indented further
        t.yaml:5:3: rules.prizes[*]: [*] is for --set and 'uncertain'; in a file write 'prizes:', below \
        it every entry of the list after '- '
        t.yaml:6:3: rules.prizes[0].every: [0] is for --set and 'uncertain'; in a file write \
        'prizes:', below it every entry of the list after '- '
        """),
    BrokenScenario(
      "A life of chips that the vault's lots cannot tell apart is refused",
      """
      name: a
      rules:
        chips:
          expiry_days: 394

      """,
      says:
        """
        t.yaml:4:18: rules.chips.expiry_days: 394 is out of range; write a whole number from 28 to 393
        """),
    BrokenScenario(
      "Faults are a group of settings",
      """
      name: a
      faults: []

      """,
      says:
        """
        t.yaml:2:9: faults: is a list, not a group of keys; write its keys below it: \
        chain, payouts
        """),
    BrokenScenario(
      "A hyphen for an underscore is understood",
      """
      name: a
      population:
        under-age: 0

      """,
      says:
        """
        t.yaml:3:3: population.under-age: unknown key; did you mean 'under_age'?
        """),
    BrokenScenario(
      "A duplicate key is found at its second place, beside other findings",
      """
      name: a
      seed: 1
      seed: 2
      calendar:
        days: 0

      """,
      says:
        """
        t.yaml:3:1: seed: duplicate key, first on line 2; keep one of them
        t.yaml:5:9: calendar.days: 0 is out of range; write a whole number from 1 to 3660
        """),
    BrokenScenario(
      "A duplicate key deeper down is found too",
      """
      name: a
      population:
        members: 1
        tins:
          shop: 0
        members: 2

      """,
      says:
        """
        t.yaml:6:3: population.members: duplicate key, first on line 3; keep one of them
        """),
    BrokenScenario(
      "A duplicate key in braces is found",
      """
      name: a
      economy: {price: 5, price: 6}

      """,
      says:
        """
        t.yaml:2:11: duplicate key 'price'; keep one of them
        """),
  ]
}
