extension BrokenScenario {
  /// Text that is not YAML of ours.
  static let syntax: [BrokenScenario] = [
    BrokenScenario(
      "A tab does not indent",
      """
      name: a
      calendar:
      \tdays: 5

      """,
      says:
        """
        t.yaml:3:1: a tab indents this line; indent with spaces
        """),
    BrokenScenario(
      "A text with a NUL character is refused before anything is computed",
      """
      name: a
      description: "a\\0b"

      """,
      says:
        """
        t.yaml:2:14: description: holds a NUL character; leave it out
        """),
    BrokenScenario(
      "A syntax error has its place",
      """
      name: a
      calendar: [1, 2

      """,
      says:
        """
        t.yaml:3:1: is not YAML: did not find expected ',' or ']'; check quotes, brackets and \
        indentation
        """),
    BrokenScenario(
      "A second colon on a line is refused",
      """
      name: a
      description: cost: how much

      """,
      says:
        """
        t.yaml:2:18: is not YAML: there is a second ':' here; put the text in quotes, or \
        indent this line as the one above
        """),
    BrokenScenario(
      "A second document is refused",
      """
      name: a
      ---
      name: b

      """,
      says:
        """
        t.yaml:2:1: a second document begins here; write one document a file
        """),
    BrokenScenario(
      "An empty file is refused",
      """

      """,
      says:
        """
        t.yaml:1:1: is empty; write at least 'name: my-scenario'
        """),
    BrokenScenario(
      "A file of comments only is refused",
      """
      # nothing

      """,
      says:
        """
        t.yaml:1:1: is empty; write at least 'name: my-scenario'
        """),
    BrokenScenario(
      "A root that is text is refused",
      """
      hello

      """,
      says:
        """
        t.yaml:1:1: is 'hello', not a group of keys; write 'key: value' lines
        """),
    BrokenScenario(
      "A root that is a list is refused",
      """
      - name: a

      """,
      says:
        """
        t.yaml:1:1: is a list, not a group of keys; write 'key: value' lines
        """),
    BrokenScenario(
      "Anchors are refused",
      """
      name: a
      seed: &s 5

      """,
      says:
        """
        t.yaml:2:7: seed: anchors ('&') are refused; write the value out where it is needed
        """),
    BrokenScenario(
      "Aliases are refused before they are expanded",
      """
      name: a
      a: &a [x, x]
      b: &b [*a, *a]

      """,
      says:
        """
        t.yaml:2:4: anchors ('&') are refused; write the value out where it is needed
        t.yaml:3:4: anchors ('&') are refused; write the value out where it is needed
        t.yaml:3:8: aliases ('*') are refused; write the value out where it is needed
        t.yaml:3:12: aliases ('*') are refused; write the value out where it is needed
        """),
    BrokenScenario(
      "Tags are refused",
      """
      name: a
      seed: !!int 5

      """,
      says:
        """
        t.yaml:2:7: seed: the tag 'tag:yaml.org,2002:int' is refused; write the value without \
        a tag
        """),
    BrokenScenario(
      "A merge key is an unknown key",
      """
      name: a
      <<: {seed: 1}

      """,
      says:
        """
        t.yaml:2:1: <<: unknown key; keys here are name, description, programme, seed, \
        calendar, rules, economy, population, faults, expect, uncertain, correlated, sources, check
        """),
    BrokenScenario(
      "A key that is a list is refused",
      """
      name: a
      ? [a, b]
      : 1

      """,
      says:
        """
        t.yaml:2:3: a key is a list or a group; write a plain word
        """),
    BrokenScenario(
      "A control character is refused",
      """
      name: a
      description: a\u{1}b

      """,
      says:
        """
        t.yaml:2:15: is not YAML text: control characters are not allowed; remove the character
        """),
    BrokenScenario(
      "Everything wrong is told at once, by position",
      """
      nane: a
      seed: x
      calendar:
        days: 0
        window: 5
      rules:
        tiers:
          vip: 99

      """,
      says:
        """
        t.yaml:1:1: nane: unknown key; did you mean 'name'?
        t.yaml:1:1: name: is missing; write name: and text of 1 to 120 characters
        t.yaml:2:7: seed: 'x' is not a number; write a whole number from 0 to 2^64-1
        t.yaml:4:9: calendar.days: 0 is out of range; write a whole number from 1 to 3660
        t.yaml:5:11: calendar.window: 5 has no unit; write a number with its unit (us, ms, s, \
        min, h, d, w), 1 s to 1 d
        t.yaml:8:10: rules.tiers.vip: is 99; it must stay below rules.tiers.high_roller (15)
        """),
  ]

  /// Overrides and the environment.
  static let overrides: [BrokenScenario] = [
    BrokenScenario(
      "An override of an unknown path is named by its flag",
      """
      name: a

      """,
      overrides: ["population.membres=5"],
      says:
        """
        --set population.membres: unknown key; did you mean 'members'?
        """),
    BrokenScenario(
      "An override out of range is named by its flag",
      """
      name: a

      """,
      overrides: ["population.members=0"],
      says:
        """
        --set population.members: 0 is out of range; write a whole number from 1 to 100000000
        """),
    BrokenScenario(
      "An override needs an equals sign",
      """
      name: a

      """,
      overrides: ["seed"],
      says:
        """
        --set seed: has no '=' after a path; write path.to.key=value
        """),
    BrokenScenario(
      "An override of a missing prize lists the prizes",
      """
      name: a

      """,
      overrides: ["rules.prizes.Zebra.every=5"],
      says:
        """
        --set rules.prizes.Zebra.every: rules.prizes has no entry 'Zebra'; entries are Crypto \
        $100, Crypto $1K, Crypto $10K, Casino, Trip $200K
        """),
    BrokenScenario(
      "An override beyond a list is refused",
      """
      name: a

      """,
      overrides: ["rules.prizes[9].every=5"],
      says:
        """
        --set rules.prizes[9].every: rules.prizes has 5 entries; write an index from 0 to 4
        """),
    BrokenScenario(
      "An override with a broken index is refused",
      """
      name: a

      """,
      overrides: ["rules.prizes[x].every=5"],
      says:
        """
        --set rules.prizes[x].every: has a broken index; write rules.prizes[0] and what follows
        """),
    BrokenScenario(
      "An override of an unknown field of a prize is refused",
      """
      name: a

      """,
      overrides: ["rules.prizes[0].evry=5"],
      says:
        """
        --set rules.prizes[0].evry: unknown key; did you mean 'every'?
        """),
    BrokenScenario(
      "An override of a part of a number is refused",
      """
      name: a

      """,
      overrides: ["seed.low=5"],
      says:
        """
        --set seed.low: 'seed' has no parts; write seed=value
        """),
    BrokenScenario(
      "An override with broken YAML is refused",
      """
      name: a

      """,
      overrides: ["population.adoption.monthly=[1, 2"],
      says:
        """
        --set population.adoption.monthly: '[1, 2' is not YAML: did not find expected ',' or \
        ']'; check quotes, brackets and indentation
        """),
    BrokenScenario(
      "The environment is named in findings",
      """
      name: a

      """,
      environment: ["PITBOSS_SEED": "x", "PITBOSS_SET": "calendar.days=0;rules.tiers.vip=a"],
      says:
        """
        PITBOSS_SET calendar.days: 0 is out of range; write a whole number from 1 to 3660
        PITBOSS_SET rules.tiers.vip: 'a' is not a number; write a whole number from 1 to 1000000000
        PITBOSS_SEED: 'x' is not a number; write a whole number from 0 to 2^64-1
        """),
    BrokenScenario(
      "Findings of file, environment and flags stand together",
      """
      name: a
      seed: x

      """,
      overrides: ["calendar.days=0"],
      environment: ["PITBOSS_SET": "population.under_age=2"],
      says:
        """
        t.yaml:2:7: seed: 'x' is not a number; write a whole number from 0 to 2^64-1
        PITBOSS_SET population.under_age: 2 is out of range; write 0.02 or 2 %
        --set calendar.days: 0 is out of range; write a whole number from 1 to 3660
        """),
  ]
}
