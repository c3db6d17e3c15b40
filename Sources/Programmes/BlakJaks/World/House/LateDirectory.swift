internal import Quantities

/// The members of a world as its house reaches them.
protocol WorldDirectory: MemberDirectory {
  /// Enters a trip into what a member was given; the other prizes are in the account.
  mutating func noteTrip(_ amount: MicroUSDT, to member: UInt32)
}

/// What came of a window for a member, where it was concluded beside the next one's cells.
struct MemberNote: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    /// A comp that counts in the account.
    case comp
    /// A trip, which does not.
    case trip
    /// An award that is credited to the wallet.
    case credit(CreditKind)
    /// A credit of the wallet turns available.
    case release
  }

  var member: UInt32
  var kind: Kind
  var amount: MicroUSDT
  /// When a credit was awarded; nothing for what else there is.
  var time = Instant.distantPast
}

/// The members while their cells run: what is theirs is noted down until the cells are back.
///
/// It is for worlds without bans, in which nobody is suspended.
struct LateDirectory: WorldDirectory {
  /// The member behind each row of the affiliate table.
  let owners: [UInt32]
  /// How members are split into cells.
  let size: CellSize
  let keepsReceivers: Bool
  /// For the members of each cell.
  var notes: [[MemberNote]]

  func owner(of affiliate: UInt32) -> UInt32 { owners[Int(affiliate)] }

  func isSuspended(_ member: UInt32) -> Bool { false }

  private mutating func note(_ note: MemberNote) {
    notes[size.place(of: note.member).cell].append(note)
  }

  mutating func count(comp: MicroUSDT, to member: UInt32) {
    note(MemberNote(member: member, kind: .comp, amount: comp))
  }

  mutating func noteTrip(_ amount: MicroUSDT, to member: UInt32) {
    note(MemberNote(member: member, kind: .trip, amount: amount))
  }

  mutating func credit(
    _ amount: MicroUSDT, _ kind: CreditKind, to member: UInt32, at time: Instant
  ) {
    guard keepsReceivers else { return }
    note(MemberNote(member: member, kind: .credit(kind), amount: amount, time: time))
  }

  mutating func release(_ amount: MicroUSDT, to member: UInt32) {
    note(MemberNote(member: member, kind: .release, amount: amount))
  }

  mutating func release(_ awards: [Award]) {
    // Lent, so that the list of lists is not looked at for each of them.
    notes.withUnsafeMutableBufferPointer { notes in
      for award in awards {
        notes[size.place(of: award.receiver).cell].append(
          MemberNote(member: award.receiver, kind: .release, amount: award.amount))
      }
    }
  }

  // Its cells have the accounts: see `House.mayConcludeLater`.

  func account(of member: UInt32) -> MemberAccount { Self.isAway(member) }

  mutating func change<Answer>(
    _ member: UInt32, _ body: (inout MemberAccount) throws(MoneyError) -> Answer
  ) throws(MoneyError) -> Answer { Self.isAway(member) }

  func drawWeight(atLeast tier: Tier) -> Int64 { Self.isAway(nil) }

  func member(atLeast tier: Tier, place: Int64, except weight: [UInt32: Int64]) -> UInt32? {
    Self.isAway(nil)
  }

  private static func isAway(_ member: UInt32?) -> Never {
    let who = member.map { "member \($0 + 1)" } ?? "members"
    fatalError("a rule asks for \(who) while the cells run")
  }
}
