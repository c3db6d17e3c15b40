package import Quantities

/// Scans: what a text submitted is worth, and tins whose codes are known to be good.
extension ProgrammeState {
  /// A member scans tins whose codes are known to be good, as so many times `.scanTin` would: one of
  /// them, and more after it for as long as none moves the tier.
  ///
  /// Only the member's half is done at once; the programme's follows in `concludeScans`, for all scans of
  /// one instant together, or before that where something else could tell the difference.
  ///
  /// - Parameter tins: How many there are, 1 or more.
  /// - Returns: How many of them it were, 1 or more, and the outcome of each; nil for somebody who has
  ///   not signed up.
  /// - Throws: As `commit`.
  package mutating func scanTins(
    _ member: UInt32, _ tins: Int64, at time: Instant
  ) throws(CommitError) -> (count: Int64, outcome: ScanOutcome)? {
    if !wins.isEmpty { wins = [] }
    guard members.knows(member) else { return nil }
    do throws(MoneyError) {
      if gathered.time != time { try concludeGathered() }
      guard members.account(of: member).isEligible else {
        count(.memberIneligible, of: member)
        return (1, .memberIneligible)
      }
      // One by one, each award is a transaction before the next scan is made.
      let isPaidAtOnce = programme.books.rules.payouts.batch.microseconds == 0
      let (scan, count, reward) = try accept(member, isPaidAtOnce ? 1 : tins, at: time)
      gathered.add(scan, count, reward: reward)
      self.count(.accepted, count, of: member)
      if isPaidAtOnce { try concludeGathered() }
      return (count, .accepted)
    } catch { throw Self.commitError(error) }
  }

  /// The programme's half of the scans that `scanTins` gathered, in their order; `wins` has what they won.
  ///
  /// - Throws: As `commit`.
  package mutating func concludeScans() throws(CommitError) {
    begin()
    do throws(MoneyError) { try concludeGathered() } catch { throw Self.commitError(error) }
  }

  /// Concludes what is gathered; what it wins is added to the wins.
  mutating func concludeGathered() throws(MoneyError) {
    guard gathered.count > 0 else { return }
    try programme.conclude(&gathered, &members, draws: draws, wins: &wins)
    gathered.removeAll()
  }

  /// Whether scans are to be concluded before a request, which could tell the difference.
  func isConcluded(before request: ProgrammeRequest) -> Bool {
    guard gathered.count > 0 else { return false }
    return switch request {
    case .sell: false
    // Who may be drawn is who was there at the scan.
    case .signUp, .refer: hasDraws
    default: true
    }
  }

  /// Whether winners are drawn among all members.
  private var hasDraws: Bool {
    programme.books.rules.prizes.contains { $0.allocation == .draw }
  }

  /// A text that somebody submits, who may be no member.
  mutating func scan(
    _ member: UInt32?, _ text: String, at time: Instant
  ) throws(MoneyError) -> ProgrammeAnswer {
    let known = member.flatMap { members.knows($0) ? $0 : nil }
    let eligible = known.map { members.account(of: $0).isEligible } ?? false
    let (outcome, serial) = prints.submit(text, eligible: eligible)
    return try conclude(outcome, known, serial.map { Catalogue.product(ofSerial: $0) }, at: time)
  }

  /// Counts a submission whose outcome is known, does what it asks for, and answers it.
  mutating func conclude(
    _ outcome: ScanOutcome, _ member: UInt32?, _ product: Product?, at time: Instant
  ) throws(MoneyError) -> ProgrammeAnswer {
    guard let member else {
      outcomes[Int(outcome.rawValue)] += 1
      return .scan(
        try ScanAnswer(
          outcome, product: product, standing: MemberStanding(), rules: rules, reward: .zero))
    }
    let reward = outcome == .accepted ? try accept(member, at: time) : .zero
    count(outcome, of: member)
    let own = wins.filter { $0.member == member }
    return .scan(
      try ScanAnswer(
        outcome, product: product, standing: members.account(of: member).standing, rules: rules,
        reward: reward, id: reward > .zero ? programme.books.desk.lastAward(.scanReward) : nil,
        wins: own))
  }

  /// Counts a member's submissions.
  private mutating func count(_ outcome: ScanOutcome, _ count: Int64 = 1, of member: UInt32) {
    outcomes[Int(outcome.rawValue)] += count
    if watch?.note(outcome, of: member) ?? false { members.expel(member) }
  }

  /// Whether the chips of one more accepted scan fit the member's vault: `commit` throws where they do not.
  package func hasRoomForChips(of member: UInt32) -> Bool {
    guard rules.chips.enabled, members.knows(member), members.account(of: member).isEligible
    else { return true }
    return members.purses[Int(member)].vault.hasRoom(for: rules.chips.perScan, lot: chipLot)
  }

  /// Both halves of an accepted scan.
  ///
  /// - Returns: Its reward.
  private mutating func accept(
    _ member: UInt32, at time: Instant
  ) throws(MoneyError) -> MicroUSDT {
    let (scan, _, reward) = try accept(member, 1, at: time)
    var single = SingleScan(scan: scan, reward: reward)
    try programme.conclude(&single, &members, draws: draws, wins: &wins)
    return reward
  }

  /// The member's half of accepted scans: of one, and of more after it for as long as none of them moves
  /// the member to another tier.
  ///
  /// - Returns: Each of them, how many they are, 1 or more, and the reward of each.
  private mutating func accept(
    _ member: UInt32, _ tins: Int64, at time: Instant
  ) throws(MoneyError) -> (each: AcceptedScan, count: Int64, reward: MicroUSDT) {
    let tiers = programme.books.rules.tiers
    let rewards = programme.rewards
    var overflow = Overflow()
    let (count, effect) = try members.change(member) { (account) throws(MoneyError) in
      account.acceptScans(tins, tiers, rewards, &overflow)
    }
    guard !overflow.happened else { throw .overflow("the comps of one member") }
    try members.credit(effect.reward, times: count, to: member)
    if programme.books.rules.chips.enabled {
      for _ in 0..<count {
        let isIssued = members.purses[Int(member)].earnChips(
          programme.books.rules.chips, lot: chipLot, &chips)
        guard isIssued else { throw .overflow(Self.chipWords) }
      }
    }
    let mark = ScanMark(tier: effect.tier, affiliate: members.account(of: member).affiliate)
    return (AcceptedScan(time: time, member: member, mark: mark), count, effect.reward)
  }
}
