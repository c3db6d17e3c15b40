internal import EventKernel
internal import Population
internal import Quantities

/// The members of a world, cell by cell, as the programme's half of a rule reaches them.
struct CellDirectory: WorldDirectory {
  let cells: UnsafeMutableBufferPointer<Cell>
  let size: CellSize
  /// The member behind each row of the affiliate table.
  let owners: [UInt32]
  /// Members by permanent floor above Standard; floors raised are counted here.
  var floors: PerTier<Int64>
  let keepsReceivers: Bool

  private func place(_ member: UInt32) -> (cell: Int, index: Int) { size.place(of: member) }

  func noteTrip(_ amount: MicroUSDT, to member: UInt32) {
    let (cell, index) = place(member)
    cells[cell].noteTrip(amount, to: index)
  }

  /// A member won a milestone comp on the day that ends.
  func cheer(_ member: UInt32, at midnight: Instant) {
    let (cell, index) = place(member)
    cells[cell].cheer(index, at: midnight)
  }

  func account(of member: UInt32) -> MemberAccount {
    let (cell, index) = place(member)
    return cells[cell].rows[index].account
  }

  func isSuspended(_ member: UInt32) -> Bool {
    // Only where they have extras do members of a world live anywhere, and so under a ban.
    keepsReceivers && account(of: member).isSuspended
  }

  func owner(of affiliate: UInt32) -> UInt32 { owners[Int(affiliate)] }

  mutating func change<Answer>(
    _ member: UInt32, _ body: (inout MemberAccount) throws(MoneyError) -> Answer
  ) throws(MoneyError) -> Answer {
    let (cell, index) = place(member)
    let before = cells[cell].rows[index].account.standing.floor
    let answer = try cells[cell].change(index, body)
    let after = cells[cell].rows[index].account.standing.floor
    if before != after {
      floors[before] -= 1
      floors[after] += 1
    }
    return answer
  }

  mutating func credit(
    _ amount: MicroUSDT, _ kind: CreditKind, to member: UInt32, at time: Instant
  ) throws(MoneyError) {
    let (cell, index) = place(member)
    cells[cell].award(amount, kind, to: index, at: time, toldAt: cells[cell].window.end)
    guard !cells[cell].tally.overflow.happened else {
      throw .overflow("the credits of one wallet")
    }
  }

  mutating func release(_ amount: MicroUSDT, to member: UInt32) {
    let (cell, index) = place(member)
    cells[cell].release(amount, to: index)
  }

  mutating func release(_ awards: [Award]) {
    // Receivers are anywhere in memory, so theirs is asked for some awards ahead.
    let ahead = 24
    for (place, award) in awards.enumerated() {
      if place + ahead < awards.count {
        let (cell, index) = self.place(awards[place + ahead].receiver)
        cells[cell].askForExtras(index)
      }
      release(award.amount, to: award.receiver)
    }
  }

  func drawWeight(atLeast tier: Tier) -> Int64 {
    cells.indices.reduce(0) { $0 + cells[$1].census.weight(atLeast: tier) }
  }

  func member(
    atLeast tier: Tier, place: Int64, except weight: [UInt32: Int64]
  ) -> UInt32? {
    var left = place
    var differing = Array(repeating: Int64(0), count: cells.count)
    for (member, weight) in weight {
      differing[self.place(member).cell] += weight - account(of: member).drawWeight(atLeast: tier)
    }
    for cell in cells.indices {
      let here = cells[cell].census.weight(atLeast: tier) + differing[cell]
      if left >= here {
        left -= here
        continue
      }
      for (index, row) in cells[cell].rows.enumerated() {
        let member = cells[cell].firstMember + UInt32(index)
        left -= weight[member] ?? row.account.drawWeight(atLeast: tier)
        if left < 0 { return member }
      }
    }
    return nil
  }
}

/// The places of prize draws: a pure function of (seed, prize, due number).
package struct SeededDraws: DrawSource {
  let seed: UInt64

  /// The draws of a run.
  package init(seed: UInt64) { self.seed = seed }

  /// See `DrawSource.place`.
  package func place(of prize: Prize, dueScan: Int64, below total: UInt64) -> UInt64 {
    // FNV-1a keeps prizes apart by name; Philox does the rest.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in prize.name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    var stream = RandomStream(
      seed: seed, purpose: RandomPurpose.draw.rawValue,
      entity: hash ^ UInt64(bitPattern: dueScan) &* 0x9E37_79B9_7F4A_7C15)
    return stream.uniformIndex(below: total)
  }
}
