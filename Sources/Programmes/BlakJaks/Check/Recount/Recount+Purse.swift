internal import Quantities
internal import RewardModel

extension Recount {
  /// What a member does with chips and wallet.
  func purse(_ request: ProgrammeRequest, at time: Instant) -> ProgrammeAnswer {
    guard let number = request.member, let person = members[number] else {
      return .refused(.unknownMember(request.member ?? 0))
    }
    let available = MicroUSDT(microunits: person.available)
    switch request {
    case .vaultChips:
      for place in person.chips.indices { person.chips[place].isVaulted = true }
    case .redeemChips(_, let count): return redeem(Int(count), person, at: time)
    case .withdraw(_, let amount):
      guard amount > .zero else { return .refused(.wallet(.notPositive(amount))) }
      let least = rules.wallet.minimumWithdrawal
      guard amount >= least else {
        return .refused(.wallet(.belowMinimum(minimum: least, amount: amount)))
      }
      guard amount <= available else {
        return .refused(.wallet(.insufficient(available: available, amount: amount)))
      }
      person.available -= amount.microunits
      return .amount(amount)
    case .reverseWithdrawal(_, let amount):
      guard amount > .zero else { return .refused(.wallet(.notPositive(amount))) }
      person.available += amount.microunits
      return .amount(amount)
    case .payByCard(_, let amount):
      guard amount > .zero else { return .refused(.wallet(.notPositive(amount))) }
      guard person.card == .active else { return .refused(.wallet(.noActiveCard(person.card))) }
      guard amount <= available else {
        return .refused(.wallet(.insufficient(available: available, amount: amount)))
      }
      person.available -= amount.microunits
      return .amount(amount)
    case .moveCard(_, let next):
      let steps: [(CardState, CardState)] = [
        (.none, .applied), (.applied, .refused), (.applied, .verified), (.verified, .active),
      ]
      guard steps.contains(where: { $0 == (person.card, next) }) else {
        return .refused(.wallet(.cardStep(from: person.card, to: next)))
      }
      person.card = next
    default: break
    }
    return .done
  }

  /// The oldest chips first, of one month earned before bonus.
  private func redeem(
    _ wanted: Int, _ person: PlainMember, at time: Instant
  ) -> ProgrammeAnswer {
    let order = person.chips.indices.sorted { a, b in
      let (first, second) = (person.chips[a], person.chips[b])
      if first.expires != second.expires { return first.expires < second.expires }
      if first.isBonus != second.isBonus { return second.isBonus }
      return a < b
    }
    let taken = Set(order.prefix(wanted))
    person.chips = person.chips.indices.filter { !taken.contains($0) }.map { person.chips[$0] }
    chips.redeemed += Int64(taken.count)
    if !taken.isEmpty { note("chips_redeemed") }
    let worth = rules.chips.value.microunits * Int64(taken.count)
    promise(.chipRedemption, worth, to: person.number, at: time)
    return .amount(MicroUSDT(microunits: worth))
  }

  // MARK: - Channels

  /// Messages and live streams.
  func board(
    _ request: ProgrammeRequest, at time: Instant, _ answer: ProgrammeAnswer
  ) -> ProgrammeAnswer {
    func isText(_ text: String) -> Bool {
      text.unicodeScalars.count <= 2_000 && text.contains { !$0.isWhitespace }
    }
    switch request {
    case .post(let member, let id, let text):
      if let member, members[member] == nil { return .refused(.unknownMember(member)) }
      guard let channel = PlainChannel.named(id, rules.social) else {
        return .refused(.channel(.unknown(id: id)))
      }
      if let person = member.flatMap({ members[$0] }) {
        if let required = channel.tier, tier(person) < required {
          return .refused(.channel(.tierLocked(id: id, required: required)))
        }
        guard !channel.isReadOnly else { return .refused(.channel(.readOnly(id: id))) }
      }
      guard isText(text) else { return .refused(.text) }
      messages += 1
      return .message(messages)
    case .startStream(let title):
      guard liveStream == nil else { return .refused(.streamIsOn) }
      guard isText(title) else { return .refused(.text) }
      streams += 1
      let stream = MessageBoard.LiveStream(number: streams, title: title, started: time)
      liveStream = stream
      return .stream(stream)
    default:
      guard let stream = liveStream else { return .refused(.noStream) }
      liveStream = nil
      return .stream(stream)
    }
  }
}
