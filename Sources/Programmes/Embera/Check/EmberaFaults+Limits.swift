internal import Quantities
internal import RewardModel

extension EmberaFaults {
  /// Which rare cases show that a kind of fault happened.
  static let evidence: [String: [String]] = [
    "early_expiry": ["points_expired"],
    "early_estimate": ["share_estimated"],
    "subscribers": ["delivery"],
    "tight_budget": ["budget_critical"],
    "tier_multipliers": ["points_multiplied"],
    "dear_offers": ["points_worth_it_all"],
  ]

  /// Requests at the end of what can be written; each is refused and leaves no trace.
  static func refused(_ member: UInt32, _ rules: EmberaRules) -> [EmberaRequest] {
    var requests: [EmberaRequest] = []
    for contents in contents(rules) {
      requests.append(
        .order(member: member, channel: .firstDevice, number: .max, contents: contents))
    }
    let coffee = OrderContents.amount(MicroUSDT(microunits: 1))
    for channel in EntryChannel.allCases {
      requests += [
        .order(member: member, channel: channel, number: .max, contents: coffee),
        .order(member: member, channel: channel, number: 0, contents: coffee),
        .order(member: .max, channel: channel, number: 1, contents: coffee),
        .redeem(member: member, channel: channel, number: .max, offer: rules.offers[0].id),
        .redeem(member: member, channel: channel, number: 0, offer: ""),
        .redeem(member: .max, channel: channel, number: 1, offer: rules.offers[0].id),
        .challenge(member: .max, channel: channel),
        .signIn(member: .max, channel: channel, counter: .max),
      ]
    }
    requests += [
      .challenge(member: member, channel: .subscription),
      .signIn(member: member, channel: .subscription, counter: 1),
    ]
    if rules.states.count < 256 { requests.append(.signUp(state: .max)) }
    return requests
  }

  /// Orders that have no price.
  private static func contents(_ rules: EmberaRules) -> [OrderContents] {
    func item(_ quantity: Int, every weeks: Int? = nil) -> OrderItem {
      OrderItem(
        product: String(repeating: "é", count: 300), grind: .fine, bag: .large, brew: .moka,
        quantity: quantity, intervalWeeks: weeks)
    }
    func bags(_ edit: (inout BagCounts) -> Void) -> OrderContents {
      var bags = BagCounts()
      edit(&bags)
      return .bags(bags)
    }
    return [
      .amount(.zero), .amount(MicroUSDT(microunits: -1)), .amount(MicroUSDT(microunits: .min)),
      .amount(MicroUSDT(microunits: .max)),
      .amount(MicroUSDT(microunits: 1_000_000_000_000_001)), .items([]), .items([item(0)]),
      .items([item(-1)]), .items([item(1_001)]), .items([item(.max)]), .items([item(.min)]),
      .items([item(1), item(1, every: 53)]), .items([item(1, every: .min)]),
      .items(Array(repeating: item(1), count: 1_001)), .bags(BagCounts()),
      bags { $0.once[0] = -1 }, bags { $0.once[0] = .max }, bags { $0.subscribed[2] = 1_000_001 },
      bags {
        $0.once[0] = 1
        $0.subscribed[1] = .min
      },
      bags { $0.once[3] = 1 },
      bags {
        $0.once[0] = 1
        $0.once[3] = -1
      },
      bags { $0.subscribed[3] = .max },
    ]
  }

  /// Orders as large as they may be; each is an entry as any other.
  static let large: [OrderContents] = [
    .amount(.whole(1_000_000_000)), .amount(MicroUSDT(microunits: 1)),
    .items(
      BagSize.allCases.map {
        OrderItem(product: "", grind: .beans, bag: $0, brew: .press, quantity: 1_000)
      }),
  ]

  /// Rules under which one order leaves 64 bits, or nearly does.
  static func dear(_ rules: EmberaRules) -> EmberaRules {
    var dear = rules
    dear.pointsPerDollar = 10_000
    dear.tiers.multipliers = [1_000_000, 1_000_000, 1_000_000]
    dear.orders.prices = [.whole(1), .whole(1_000_000), .whole(1_000_000_000)]
    for row in dear.offers.indices { dear.offers[row].price = .whole(1_000_000_000) }
    return dear
  }

  /// Orders for `dear` rules, by the number of bags of each size.
  static let dearBags: [[Int32]] = [
    [1, 0, 0], [1_000_000, 0, 0], [0, 1_000_000, 0], [0, 9_000, 0], [0, 0, 1], [0, 0, 90],
    [0, 0, 4_600], [0, 0, 9_200], [0, 0, 9_300], [0, 0, 1_000_000],
    [1_000_000, 1_000_000, 1_000_000],
  ]
}
