// Goal: a setting of how members behave moves the figure that its documentation names, as far as it
// says.
// Method: a table of settings; small worlds, or the model alone, that differ in one of them. Shares
// have 4 standard errors; where all or nothing is set, figures are exact.
import BlakJaks
import Foundation
import Population
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

/// Members who all sign up at the start, and of whom nobody leaves.
private let small = [
  "calendar.days=60", "population.members=300", "population.adoption.model=cohort",
  "population.purchase.a=0.0001", "population.purchase.b=10000",
]
/// Members come so often that all have been at their wallets a few times.
private let wallets =
  small + [
    "population.wallet.enabled=true", "population.wallet.visits_per_week=20", "calendar.days=30",
    "population.wallet.spends=0 %",
  ]
/// Two messages a member and day, answers among them, about 36,000 in all.
private let talk =
  small + [
    "population.chat.enabled=true", "population.chat.messages_per_member_day=1",
    "population.chat.proposals.per_month=20",
  ]
private let shop =
  small + [
    "rules.shop.enabled=true", "population.tins.shop=100 %", "population.shop.come_back=0 %",
    "population.shop.to_retail=0 %",
  ]

private func end(_ record: BlakJaksRecord, _ key: String) throws -> Double {
  Double(try #require(try record.values(key).last))
}

private let worlds = [
  // Nearly 4,000 purchases after the first day, in eight whole weeks: 4 standard errors of a half.
  SettingTurn<BlakJaksRecord>(
    "population.season.weekdays",
    ["[0, 1, 1, 1, 1, 1, 1]", "[6, 1, 1, 1, 1, 1, 1]", "[1, 0, 0, 0, 0, 0, 0]"],
    .figures([0, 0.5, 1], within: 0.033), "part of the purchases that are made on Mondays",
    with: small + [
      "calendar.start=2026-01-01", "calendar.days=57", "population.members=1000",
    ]
  ) { record in
    let days = record.days.dropFirst()
    let mondays = days.filter { $0.date.weekday == 0 }.reduce(0) { $0 + $1.purchases }
    return Double(mondays) / Double(days.reduce(0) { $0 + $1.purchases })
  },
  // 400 accounts have more than 6,800 orders: 4 standard errors of a mean of 2.
  SettingTurn<BlakJaksRecord>(
    "population.wholesale.orders_per_week", ["0.5", "2"], .figures([0.5, 2], within: 0.097),
    "orders a week of a wholesale account",
    with: small + [
      "rules.wholesale.accounts=400", "population.wholesale.reference_members=300",
      "population.wholesale.onboarding_days=0", "population.wholesale.scanned=0 %",
    ]
  ) { try end($0, "wholesale.orders") / 400 / (60 / 7) },
  // More than 2,000 purchases: 4 standard errors of a share of one half.
  SettingTurn<BlakJaksRecord>(
    "population.shop.reference", ["0.027936", "0.055872", "0.111744"],
    .figures([1, 0.5, 0.25], within: 0.045), "part of the purchases in the shop that are made",
    with: shop
  ) { record in
    let orders = try end(record, "shop.orders")
    return try orders / (orders + end(record, "shop.lost"))
  },
  SettingTurn<BlakJaksRecord>(
    "population.wallet.withdraw_share", ["1 %", "10 %", "80 %"], .rises, "withdrawn",
    with: wallets + ["rules.wallet.minimum_withdrawal=0.000001"]
  ) { try end($0, "wallet.withdrawn") },
  SettingTurn<BlakJaksRecord>(
    "population.wallet.wants_card", ["0 %", "100 %"], .figures([0, 1]),
    "applications for a card, a member", with: wallets
  ) { try end($0, "wallet.card_applied") / Double($0.members) },
  SettingTurn<BlakJaksRecord>(
    "population.wallet.passes_kyc", ["0 %", "100 %"], .figures([0, 1]),
    "applicants verified, a member", with: wallets + ["population.wallet.wants_card=100 %"]
  ) { try end($0, "wallet.card_verified") / Double($0.members) },
  SettingTurn<BlakJaksRecord>(
    "population.wallet.passes_kyc", ["0 %", "100 %"], .figures([1, 0]),
    "applicants refused, a member", with: wallets + ["population.wallet.wants_card=100 %"]
  ) { try end($0, "wallet.card_refused") / Double($0.members) },
  SettingTurn<BlakJaksRecord>(
    "population.wallet.activates", ["0 %", "100 %"], .figures([0, 1]), "active cards, a member",
    with: wallets + ["population.wallet.wants_card=100 %", "population.wallet.passes_kyc=100 %"]
  ) { try end($0, "wallet.card_active") / Double($0.members) },
  SettingTurn<BlakJaksRecord>(
    "population.chat.read_only_attempts", ["0 %", "20 %", "50 %"],
    .figures([0, 0.25, 1], within: 0.03), "refused in the read-only channel, a sampled message",
    with: talk
  ) { record in
    try end(record, "social.sample.read_only") / end(record, "social.sample.messages")
  },
  SettingTurn<BlakJaksRecord>(
    "population.chat.reactions_per_message", ["0", "0.75", "6"],
    .figures([0, 0.75, 6], within: 0.052), "reactions to a message", with: talk
  ) { try end($0, "social.reactions") / end($0, "social.messages") },
  SettingTurn<BlakJaksRecord>(
    "population.chat.push_opt_in", ["0 %", "30 %", "100 %"], .rises, "notifications", with: talk
  ) { try end($0, "social.notifications") },
  SettingTurn<BlakJaksRecord>(
    "population.chat.samples_per_day", ["0", "7", "25"], .figures([0, 7, 25]),
    "messages a day that the feed tells of, of which it keeps 25", with: talk
  ) { Double($0.feed.count { $0.kind == "message" }) / Double($0.days.count) },
  SettingTurn<BlakJaksRecord>(
    "population.chat.channels.voting", ["0", "0.05", "5"], .rises, "messages in #voting",
    with: talk
  ) { try end($0, "social.messages.governance/voting") },
  SettingTurn<BlakJaksRecord>(
    "population.chat.proposals.voting", ["1 d", "7 d", "30 d"], .figures([1, 7, 30]),
    "days from a proposal's opening to its close", with: talk
  ) { record in
    let days = record.proposals.compactMap { row in
      row.closed.map { ($0 - row.opened).inSeconds / 86_400 }
    }
    #expect(days.min() == days.max())
    return try #require(days.first)
  },
]

private let traits = [
  // Of a gamma distribution with shape 4: 4 standard errors of 20,000 members are 0.013.
  SettingTurn<BehaviourModel>(
    "population.tins.shape", ["4", "20"], .figures([0.25, 0.05], within: 0.013),
    "squared variation of purchase rates over members", with: []
  ) { model in
    var rates = Moments(around: 1)
    for member in 0..<UInt32(20_000) {
      rates.add(1 / Double(model.traits(member: member, referred: false).meanGapWeeks))
    }
    return rates.variance / (rates.mean * rates.mean)
  }
]

private let withdrawals = [
  SettingTurn<WalletBehaviour>(
    "population.wallet.withdraw_share", ["10 %", "80 %", "100 %"], .figures([10, 80, 100]),
    "withdrawn of 100 USDT", with: []
  ) { try $0.withdrawal(of: .whole(100)).usdt }
]

// MARK: - Chat

/// What ten days of 100,000 members, all of them High Rollers or Whales, said and did.
private struct Said {
  var days = 10
  var living = 0
  var run: SocialRun
  var windows: [SocialWindow]

  init(_ settings: ChatSettings) throws {
    run = try SocialRun(days: days)
    run.settings = settings
    run.living = SIMD4(0, 0, 80_000, 20_000)
    living = run.living.wrappedSum()
    windows = run.run().map(\.window)
  }

  func sum(_ part: (SocialWindow) -> Int) -> Double {
    Double(windows.reduce(0) { $0 + part($1) })
  }
}

private let quiet = [
  "population.chat.streams.viewers_share=0 %", "population.chat.proposals.per_month=0",
]

private let chat = [
  // 40,000 messages, clustered by their answers: 4 standard errors of a share are 0.02 at most.
  SettingTurn<Said>(
    "population.chat.read_only_attempts", ["0 %", "20 %", "50 %"],
    .figures([0, 0.25, 1], within: 0.02), "refused in the read-only channel, a message",
    with: quiet
  ) { said in said.sum(\.refusedReadOnly) / said.sum(\.messages) },
  SettingTurn<Said>(
    "population.chat.push_opt_in", ["0 %", "25 %", "100 %"],
    .figures([0, 0.25, 1], within: 0.006), "notifications of a live stream, a member", with: []
  ) { said in
    let streams = said.sum { $0.streamStarted == nil ? 0 : 1 }
    return said.sum(\.notifications.streams) / (streams * Double(said.living))
  },
  SettingTurn<Said>(
    "population.chat.push_opt_in", ["0 %", "100 %"], .figures([0, 1]),
    "notifications of a proposal, a member", with: ["population.chat.proposals.per_month=20"]
  ) { said in
    let proposals = said.sum(\.proposalsOpened.count)
    return said.sum(\.notifications.proposals) / (proposals * Double(said.living))
  },
  SettingTurn<Said>(
    "population.chat.samples_per_day", ["0", "7", "25"], .figures([0, 7, 25]),
    "sample messages a day", with: quiet
  ) { said in said.sum(\.samples.count) / Double(said.days) },
  SettingTurn<Said>(
    "population.chat.proposals.voting", ["1 d", "7 d", "30 d"], .figures([1, 7, 30]),
    "days from a proposal's opening to its close",
    with: ["population.chat.proposals.per_month=20"]
  ) { said in
    let open = said.windows.flatMap(\.proposalsOpened).map { ($0.closes - $0.opens).inSeconds }
    #expect(open.min() == open.max())
    return try #require(open.first) / 86_400
  },
]

/// Wins of a minute draw 300,000 messages, of which 1 − (1 − exp(−x)) ÷ x are written in it,
/// x = ln 2 · a minute ÷ half-life: 4 standard errors are 0.005 at most.
private let answers = [
  SettingTurn<SocialRun>(
    "population.chat.half_life", ["30s", "60s", "600s"],
    .figures([0.4590, 0.2787, 0.0338], within: 0.005),
    "part of what a minute's wins draw that is written in that minute",
    with: quiet + [
      "population.chat.branching=0 %", "population.chat.messages_per_member_day=0",
      "population.chat.messages_per_win=3",
    ]
  ) { run in
    var model = run.model
    let start = run.calendar.start
    let window = model.window(
      SocialInput(
        index: 0, start: start, end: start + .minutes(1), rateFactor: 1, living: run.living,
        wins: 100_000))
    return Double(window.messages) / 300_000
  }
]

/// The feed tells of 1,500 messages: 4 standard errors of a share are 0.052 at most.
private let toldLanguages = [("en", 0.70), ("es", 0.20), ("pt", 0.10)].map { key, usual in
  SettingTurn<BlakJaksRecord>(
    "population.chat.languages.\(key)", weights(usual), .figures([0.25, 0.5], within: 0.052),
    "part of the feed's messages in \(key)",
    with: talk + ["population.chat.samples_per_day=25"]
  ) { record in
    let told = record.feed.filter { $0.kind == "message" }
    return Double(told.count { $0.text.hasSuffix("(\(key))") }) / Double(told.count)
  }
}

/// A language has the share of its weight; those of the others add up to 1 less the default.
private let languages = [
  ("en", 0.70, ChatLanguage.english), ("es", 0.20, .spanish), ("pt", 0.10, .portuguese),
].map { key, usual, language in
  SettingTurn<Said>(
    "population.chat.languages.\(key)", weights(usual), .figures([0.25, 0.5], within: 0.02),
    "part of the messages in \(key)", with: quiet
  ) { said in said.sum { $0.messagesByLanguage[language.rawValue] } / said.sum(\.messages) }
}

/// A channel that everybody may write in has the share of its weight, too.
private let channels = [
  ("general_chat", 0.40, "general/general-chat"),
  ("introductions", 0.06, "general/introductions"), ("vip_chat", 0.08, "lounge/vip-chat"),
  ("exclusive_deals", 0.04, "lounge/exclusive-deals"),
  ("comp_claims", 0.14, "comps/comp-claims"), ("wallet_talk", 0.08, "comps/wallet-talk"),
  ("trading_tips", 0.10, "comps/trading-tips"), ("proposals", 0.05, "governance/proposals"),
  ("voting", 0.05, "governance/voting"),
].map { key, usual, id in
  SettingTurn<Said>(
    "population.chat.channels.\(key)", weights(usual), .figures([0.25, 0.5], within: 0.02),
    "part of the messages in #\(key)", with: quiet
  ) { said in
    let row = said.run.row(id)
    return said.sum { $0.messagesByChannel[row] } / said.sum(\.messages)
  }
}

/// The weights that are a quarter and a half of all, where all are 1 by default.
private func weights(_ usual: Double) -> [String] {
  [(1 - usual) / 3, 1 - usual].map { "\($0)" }
}

@Suite(.tags(.slow)) struct TurnedBehaviourTests {
  private func settings(_ overrides: [String]) throws -> BlakJaksSettings {
    try story("launch-year", overrides).blakJaks
  }

  @Test(
    "A setting moves the figure that its documentation names", arguments: worlds + toldLanguages)
  fileprivate func worldMoves(_ turn: SettingTurn<BlakJaksRecord>) throws {
    let fault = try turn.fault(in: "launch-year") { try told(try story("launch-year", $0)) }
    #expect(fault == nil)
  }

  @Test("A setting of members' traits moves how they differ", arguments: traits)
  fileprivate func traitsMove(_ turn: SettingTurn<BehaviourModel>) throws {
    let fault = try turn.fault(in: "launch-year") {
      BehaviourModel(try settings($0).population, seed: 7)
    }
    #expect(fault == nil)
  }

  @Test("A setting of withdrawals moves their amounts", arguments: withdrawals)
  fileprivate func withdrawalsMove(_ turn: SettingTurn<WalletBehaviour>) throws {
    let fault = try turn.fault(in: "launch-year") {
      WalletBehaviour(try settings($0).population.wallet, seed: 7)
    }
    #expect(fault == nil)
  }

  @Test("A setting of answers moves how soon they come", arguments: answers)
  fileprivate func answersMove(_ turn: SettingTurn<SocialRun>) throws {
    let fault = try turn.fault(in: "launch-year") { overrides in
      var run = try SocialRun(days: 1)
      run.settings = try settings(overrides).population.chat
      return run
    }
    #expect(fault == nil)
  }

  @Test(
    "A setting of the chat moves what its documentation names",
    arguments: chat + languages + channels)
  fileprivate func chatMoves(_ turn: SettingTurn<Said>) throws {
    let fault = try turn.fault(in: "launch-year") { try Said(settings($0).population.chat) }
    #expect(fault == nil)
  }
}
