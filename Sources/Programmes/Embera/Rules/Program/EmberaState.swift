package import Quantities

/// The program as a deterministic state machine: the same requests at the same instants give the
/// same answers and the same state, in a simulation's journal, a replay or a service.
package struct EmberaState: Sendable {
  /// One member at the server.
  package struct Member: Sendable, Equatable, Codable {
    package fileprivate(set) var account: MemberAccount
    /// One row a device.
    fileprivate var credentials = [PasskeyCredential(), PasskeyCredential()]
    fileprivate var challenges: [PasskeyChallenge?] = [nil, nil]

    fileprivate init(state: UInt8) { account = MemberAccount(state: state) }

    /// The counter of a device's last ceremony; 0 before the first.
    package func counter(_ device: EntryChannel) -> UInt32 {
      credentials[Int(device.rawValue)].counter
    }

    /// A device's last challenge; nil before the first.
    package func challenge(_ device: EntryChannel) -> PasskeyChallenge? {
      challenges[Int(device.rawValue)]
    }
  }

  /// All that has to be kept between two requests.
  package struct Snapshot: Sendable, Equatable, Codable {
    package fileprivate(set) var members: [Member] = []
    package fileprivate(set) var books: EmberaBooks
    fileprivate var vintages = PointVintages()
    package fileprivate(set) var last = Instant.distantPast
  }

  /// The state as it can be saved.
  package private(set) var snapshot: Snapshot
  package let rules: EmberaRules
  /// Whether redemptions are among the requests.
  private let hasRedemptions: Bool
  private var terms: ProgramTerms

  /// A program without members.
  ///
  /// - Parameters:
  ///   - rules: They hold for the whole life of the state.
  ///   - month: The first month: 12 × year + month − 1.
  ///   - hasRedemptions: False where they are not known: the share of points that is redeemed then
  ///     stays the prior one.
  package init(_ rules: EmberaRules, month: Int32, hasRedemptions: Bool = true) {
    self.init(
      rules, Snapshot(books: EmberaBooks(rules, month: month)), hasRedemptions: hasRedemptions)
  }

  /// A program that was saved, under the rules that it had.
  package init(_ rules: EmberaRules, restoring snapshot: Snapshot) {
    self.init(rules, snapshot, hasRedemptions: true)
  }

  private init(_ rules: EmberaRules, _ snapshot: Snapshot, hasRedemptions: Bool) {
    self.rules = rules
    self.snapshot = snapshot
    self.hasRedemptions = hasRedemptions
    terms = ProgramTerms(rules, month: snapshot.books.month, share: snapshot.books.share)
  }

  /// The members' accounts, by number.
  package var accounts: [MemberAccount] { snapshot.members.map(\.account) }

  /// What concerns everybody.
  package var books: EmberaBooks { snapshot.books }

  /// Answers one request.
  ///
  /// - Parameters:
  ///   - request: What happens.
  ///   - instant: At or after that of the last request.
  /// - Throws: `MoneyError.overflow`; the state is then unchanged.
  package mutating func commit(
    _ request: EmberaRequest, at instant: Instant
  ) throws(MoneyError) -> EmberaAnswer {
    guard instant >= snapshot.last else { return .refused(.clock) }
    let answer: EmberaAnswer
    switch request {
    case .signUp(let state):
      guard Int(state) < max(rules.states.count, 1) else { return .refused(.unknownState) }
      var books = snapshot.books
      var sums = ProgramSums()
      sums.signUps = 1
      try books.post(sums, rules)
      snapshot.books = books
      snapshot.members.append(Member(state: state))
      answer = .signedUp(member: UInt32(snapshot.members.count - 1))
    case .order(let member, let channel, let number, let contents):
      let content: EntryContent
      do {
        content = try self.content(contents)
      } catch { return .refused(.order(error)) }
      answer = try enter(
        LogEntry(channel: channel, number: number, content: content), of: member)
    case .redeem(let member, let channel, let number, let offer):
      let row = rules.offers.firstIndex { $0.id == offer } ?? rules.offers.count
      answer = try enter(
        LogEntry(channel: channel, number: number, content: .redemption(UInt8(row))), of: member)
    case .closeMonth(let isComplete):
      answer = .closed(try closeMonth(isComplete: isComplete))
    case .challenge(let member, let channel):
      guard isDevice(channel, of: member) else { return .refused(.unknownMember) }
      snapshot.members[Int(member)].challenges[Int(channel.rawValue)] =
        PasskeyChallenge(issued: instant)
      answer = .challenged
    case .signIn(let member, let channel, let counter):
      guard isDevice(channel, of: member) else { return .refused(.unknownMember) }
      answer = signIn(Int(member), Int(channel.rawValue), counter, at: instant)
    }
    // What is refused before it counts does not move the clock either.
    if answer != .refused(.unknownMember), answer != .refused(.entry(.gap)) {
      snapshot.last = instant
    }
    return answer
  }

  private func content(_ contents: OrderContents) throws(OrderRefusal) -> EntryContent {
    switch contents {
    case .items(let items): return .order(try rules.orders.bags(items))
    case .bags(let bags):
      let counts = (0..<4).flatMap { [bags.once[$0], bags.subscribed[$0]] }
      guard counts.allSatisfy({ (0...1_000_000).contains($0) }), bags.hasOnlySizes else {
        throw .quantity
      }
      guard bags.count > 0 else { throw .empty }
      return .order(bags)
    case .amount(let amount):
      guard amount > .zero else { throw .empty }
      guard amount <= .whole(1_000_000_000) else { throw .amount }
      return .amount(amount)
    }
  }

  private func isDevice(_ channel: EntryChannel, of member: UInt32) -> Bool {
    channel != .subscription && Int(member) < snapshot.members.count
  }

  private mutating func enter(
    _ entry: LogEntry, of member: UInt32
  ) throws(MoneyError) -> EmberaAnswer {
    guard Int(member) < snapshot.members.count else { return .refused(.unknownMember) }
    var account = snapshot.members[Int(member)].account
    var books = snapshot.books
    var sums = ProgramSums()
    let answer = try account.answer(entry, terms, &sums)
    try books.post(sums, rules)
    snapshot.members[Int(member)].account = account
    snapshot.books = books
    switch answer {
    case .ordered(let amounts, let points, let tier):
      return .ordered(amounts: amounts, points: points, balance: account.balance, tier: tier)
    case .redeemed(let range): return .redeemed(points: range, balance: account.balance)
    case .repeated: return .repeated
    case .refused(let refusal): return .refused(.entry(refusal))
    }
  }

  private mutating func closeMonth(isComplete: Bool) throws(MoneyError) -> MonthClose {
    var next = snapshot
    var sums = ProgramSums()
    let month = next.books.month
    for row in next.members.indices where isComplete {
      _ = next.members[row].account.expire(after: month, rules, &sums)
    }
    try next.books.post(sums, rules)
    // A part of a month makes no points a month older.
    let seen =
      isComplete && hasRedemptions
      ? next.vintages.close(next.members.lazy.map(\.account), horizon: rules.liability.months)
      : SeenPoints()
    let close = try next.books.closeMonth(rules, seen)
    snapshot = next
    terms.month = next.books.month
    terms.share = next.books.share
    return close
  }

  private mutating func signIn(
    _ member: Int, _ device: Int, _ counter: UInt32, at instant: Instant
  ) -> EmberaAnswer {
    guard var challenge = snapshot.members[member].challenges[device] else {
      return .refused(.passkey(.used))
    }
    _ = snapshot.members[member].credentials[device].resetIfExpired(at: instant)
    defer { snapshot.members[member].challenges[device] = challenge }
    do {
      try snapshot.members[member].credentials[device].signIn(
        &challenge, counter: counter, at: instant, rules: rules.passkeys)
    } catch { return .refused(.passkey(error)) }
    return .signedIn(
      sessionEnds: snapshot.members[member].credentials[device].sessionEnds)
  }
}
