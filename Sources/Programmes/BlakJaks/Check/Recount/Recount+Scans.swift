internal import Quantities
internal import RewardModel

extension Recount {
  /// A submitted code.
  func scan(
    _ member: UInt32?, _ text: String, at time: Instant, _ answer: ProgrammeAnswer,
    _ state: ProgrammeState
  ) throws(RecountFailure) {
    let person = member.flatMap { members[$0] }
    let outcome: ScanOutcome
    var serial: UInt64?
    if let code = Self.spelled(text) {
      if let tin = tins[code] {
        if claimed.contains(code) {
          outcome = .alreadyScanned
        } else if let person, !isSuspended(person) {
          outcome = .accepted
          claimed.insert(code)
          serial = tin
        } else {
          outcome = .memberIneligible
          if let person { note(person.isExpelled ? "expelled_scan" : "suspended_scan") }
        }
      } else {
        outcome = .unknownCode
      }
    } else {
      outcome = .invalidCode
    }
    if watchesSubmissions, let person, outcome != .accepted, outcome != .memberIneligible {
      let bad = person.badCodes.date == date ? person.badCodes.count + 1 : 1
      person.badCodes = (date, bad)
      if rules.abuse.refusals > 0, bad >= rules.abuse.refusals {
        person.expelledOn = person.expelledOn ?? date
        note("expelled")
      }
    }
    let product = serial.map { Catalogue.product(ofSerial: $0) }
    try conclude(outcome, person, product, at: time, answer, state)
  }

  /// A code as it is printed: upper case, with its hyphens; nil for what is no code.
  private static func spelled(_ text: String) -> String? {
    var plain: [UInt8] = []
    var hyphens: [Int] = []
    for byte in text.utf8 {
      if byte == UInt8(ascii: "-") { hyphens.append(plain.count) } else { plain.append(byte) }
    }
    for place in plain.indices where (97...122).contains(plain[place]) { plain[place] -= 32 }
    guard plain.count == 12, plain.allSatisfy({ symbols.contains($0) }),
      [[], [4], [8], [4, 8]].contains(hyphens)
    else { return nil }
    return [plain[0..<4], plain[4..<8], plain[8..<12]]
      .map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-")
  }

  private static let symbols = Set("ABCDEFGHJKLMNPQRSTUVWXYZ23456789".utf8)

  /// What a scan leads to, and whether the answer says so.
  func conclude(
    _ outcome: ScanOutcome, _ person: PlainMember?, _ product: Product?, at time: Instant,
    _ answer: ProgrammeAnswer, _ state: ProgrammeState
  ) throws(RecountFailure) {
    outcomes[Int(outcome.rawValue)] += 1
    guard case .scan(let given) = answer else {
      throw RecountFailure(law: .answers, facts: "a scan was answered with \(answer)", members: [])
    }
    let who = person.map { [$0.number] } ?? []
    let wrong = "a code is \(given.outcome.key), not \(outcome.key)"
    let law: RecountLaw =
      given.outcome == .accepted && outcome == .memberIneligible ? .suspension : .codesOnce
    try expect(law, given.outcome == outcome, who, wrong)
    var reward: Int64 = 0
    var own: [ScanAnswer.Milestone] = []
    if outcome == .accepted, let person {
      let accepted = try accept(person, at: time, state)
      reward = accepted.reward
      own = accepted.milestones
    }
    try expect(
      .rewards, given.earned.microunits == reward, who,
      "a scan paid \(given.earned), not \(MicroUSDT(microunits: reward))")
    let number = payouts.awards[.scanReward]?.count ?? 0
    let id = reward > 0 ? AwardID(type: .scanReward, number: Int64(number)) : nil
    try expect(
      .answers, given.rewardID == id, who, "a reward has another id than number \(number)")
    try expect(
      .answers, given.product == (outcome == .accepted ? product : nil), who,
      "the answer names another product")
    let tier = person.map { self.tier($0) } ?? .standard
    try expect(
      .tiers, given.progress.tier == tier && given.multiplier == rules.scanReward.multiplier[tier],
      who, "the answer's tier is \(given.progress.tier.name), not \(tier.name)")
    let count = person?.scans[date.quarterIndex] ?? 0
    try expect(
      .tiers, Int(given.progress.quarterScans) == count, who,
      "the answer counts \(given.progress.quarterScans) scans this quarter, not \(count)")
    try checkProgress(given, tier, count, who)
    try expect(
      .prizesInOrder, given.milestones == own, who,
      "the answer tells of \(given.milestones.map(\.dueScan)), not of \(own.map(\.dueScan))")
    try expect(
      .prizesInOrder,
      given.compEarned.microunits == own.reduce(0) { $0 + $1.amount.microunits }, who,
      "the answer's comps are \(given.compEarned)")
  }

  private func checkProgress(
    _ given: ScanAnswer, _ tier: Tier, _ count: Int, _ who: [UInt32]
  ) throws(RecountFailure) {
    let thresholds: [(Tier, UInt32)] = [
      (.vip, rules.tiers.vip), (.highRoller, rules.tiers.highRoller), (.whale, rules.tiers.whale),
    ]
    let next = thresholds.first { $0.0 > tier }
    let needed = next.map { max(Int($0.1) - count, 0) } ?? 0
    try expect(
      .tiers, given.progress.next == next?.0 && Int(given.progress.scansNeeded) == needed, who,
      "the answer asks for \(given.progress.scansNeeded) more scans, not \(needed)")
  }

  /// An accepted scan, in the order of the program's rules.
  private func accept(
    _ person: PlainMember, at time: Instant, _ state: ProgrammeState
  ) throws(RecountFailure) -> (reward: Int64, milestones: [ScanAnswer.Milestone]) {
    scans += 1
    person.lifetime += 1
    person.scans[date.quarterIndex, default: 0] += 1
    let tier = tier(person)
    let base = rules.scanReward.base.microunits
    let multiplied = portion(base, rules.scanReward.multiplier[tier].rawValue, of: 10_000)
    let reward = portion(multiplied, rewardFactor, of: 10_000)
    person.comps += reward
    if rules.chips.enabled {
      let month = date.adding(days: rules.chips.expiryDays).monthIndex
      for _ in 0..<rules.chips.perScan {
        person.chips.append(PlainMember.Chip(expires: month, isBonus: false))
      }
      chips.scans += Int64(rules.chips.perScan)
    }
    books.days[date, default: PlainBooks.Day()].scans += 1
    var reserve: Int64 = 0
    for prize in rules.prizes where prize.kind == .trip {
      reserve += portion(prize.amount.microunits, scans, of: prize.every)
    }
    books.reserve(reserve - tripReserved, on: date)
    tripReserved = reserve
    promise(.scanReward, reward, to: person.number, at: time)
    let milestones = try allot(person, tier, at: time, state)
    credit(person)
    return (reward, milestones)
  }

  // MARK: - Prizes

  /// Prizes that this scan wins, and those that are drawn after it.
  private func allot(
    _ person: PlainMember, _ tier: Tier, at time: Instant, _ state: ProgrammeState
  ) throws(RecountFailure) -> [ScanAnswer.Milestone] {
    var expected: [(prize: Int, due: Int64, member: UInt32)] = []
    for (row, prize) in rules.prizes.enumerated() {
      if scans % prize.every == 0 { waiting[row].append(scans) }
      guard prize.allocation == .rollForward, !isDeferring, tier >= prize.requiredTier,
        let due = waiting[row].first
      else { continue }
      waiting[row].removeFirst()
      expected.append((row, due, person.number))
    }
    if !isDeferring { expected += drawn(after: tier) }
    let won = state.wins
    try expect(
      .prizesInOrder, won.count == expected.count, [person.number],
      "scan \(scans) won \(won.count) prizes, not \(expected.count)")
    if expected.count > 1 { note("several_prizes_on_one_scan") }
    var milestones: [ScanAnswer.Milestone] = []
    for (place, want) in expected.enumerated() {
      let (got, prize) = (won[place], rules.prizes[want.prize])
      try expect(
        .prizesInOrder,
        got.award
          == MilestoneAward(prize: want.prize, dueScan: want.due, wonScan: scans)
          && got.time == time,
        [got.member],
        "\(prize.name) number \(want.due) is due at scan \(scans), not number "
          + "\(got.award.dueScan) of prize \(got.award.prize + 1)")
      try expect(
        .prizesToTier, got.member == want.member, [got.member, want.member],
        "\(prize.name) went to member \(got.member + 1), not to \(want.member + 1)")
      awarded[want.prize].append(want.due)
      let id = try win(want.prize, want.member, got, at: time)
      if want.member == person.number {
        milestones.append(
          ScanAnswer.Milestone(
            prize: prize.name, amount: prize.amount, dueScan: want.due, wonScan: scans, id: id))
      }
    }
    return milestones
  }

  /// Prizes that are drawn after a scan, among all who hold the tier, by scans of the quarter.
  private func drawn(after tier: Tier) -> [(prize: Int, due: Int64, member: UInt32)] {
    var winners: [(prize: Int, due: Int64, member: UInt32)] = []
    for (row, prize) in rules.prizes.enumerated()
    where prize.allocation == .draw && (tier >= prize.requiredTier || scans % prize.every == 0) {
      while let due = waiting[row].first {
        var ballots: [(member: UInt32, weight: UInt64)] = []
        for number in members.keys.sorted() {
          guard let person = members[number], !isSuspended(person),
            self.tier(person) >= prize.requiredTier
          else { continue }
          ballots.append((number, UInt64(person.scans[date.quarterIndex] ?? 0)))
        }
        let total = ballots.reduce(0) { $0 + $1.weight }
        guard total > 0 else { break }
        var place = draws.place(of: prize, dueScan: due, below: total)
        guard
          let winner = ballots.first(where: { ballot in
            if place < ballot.weight { return true }
            place -= ballot.weight
            return false
          })
        else { break }
        waiting[row].removeFirst()
        note("prize_drawn")
        winners.append((row, due, winner.member))
      }
    }
    return winners
  }

  /// Pays a prize, and the affiliate's match.
  private func win(
    _ row: Int, _ member: UInt32, _ got: Win, at time: Instant
  ) throws(RecountFailure) -> AwardID? {
    wins += 1
    let prize = rules.prizes[row]
    guard let person = members[member] else { return nil }
    let amount = prize.amount.microunits
    if prize.kind != .trip { person.comps += amount }
    promise(.prize(row), amount, to: member, at: time)
    var match: Int64 = 0
    if prize.kind == .crypto, let referrer = person.affiliate, let affiliate = members[referrer] {
      if isSuspended(affiliate) {
        note(affiliate.isExpelled ? "match_of_expelled" : "match_of_suspended")
      } else {
        match = portion(amount, rules.affiliates.match.rawValue, of: 10_000)
        promise(.match, match, to: referrer, at: time)
      }
    }
    try expect(
      .match, got.match.microunits == match, [member],
      "the match of \(prize.name) is \(got.match), not \(MicroUSDT(microunits: match))")
    let number = Int64(payouts.awards[.prize(row)]?.count ?? 0)
    let id = amount > 0 ? AwardID(type: .prize(row), number: number) : nil
    try expect(.payoutStates, got.id == id, [member], "\(prize.name) has another id")
    return id
  }

  /// What a referred member's scan gives the affiliate.
  private func credit(_ person: PlainMember) {
    guard let referrer = person.affiliate, let affiliate = members[referrer] else { return }
    let month = date.adding(days: rules.affiliates.chipDays).monthIndex
    affiliate.affiliateChips[month, default: 0] += Int64(rules.affiliates.chipsPerScan)
    affiliate.referredScans += 1
    let count = affiliate.referredScans
    let steps: [(UInt32, Tier)] = [
      (rules.tiers.floorVip, .vip), (rules.tiers.floorHighRoller, .highRoller),
      (rules.tiers.floorWhale, .whale),
    ]
    for (threshold, tier) in steps where count == Int64(threshold) {
      note("floor_reached")
      affiliate.floors.append((date.adding(days: 1), tier))
    }
  }
}
