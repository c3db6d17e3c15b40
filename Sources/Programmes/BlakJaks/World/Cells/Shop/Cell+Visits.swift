internal import EventKernel
internal import Population
internal import Quantities

// The stages of visits to the wallet, many at a time. Each of them is what `visit` does for one.
extension Cell {
  /// Lets the members of a batch who look at their wallet first do so.
  mutating func lookAtWallets(
    _ batch: inout MemberBatch, _ extras: UnsafeMutablePointer<MemberExtras>, _ shared: CellRules
  ) {
    let visits = batch.visits
    let count = visits.count
    let drawn = MemberBatch.padded(count)
    MemberBatch.pad(visits.members, from: count)
    MemberBatch.pad(visits.counters, from: count)
    RandomStream.blocks(
      seed: shared.wallet.seed, purpose: RandomPurpose.walletVisit.rawValue,
      entities: UnsafeBufferPointer(start: visits.members, count: drawn),
      counters: UnsafeBufferPointer(start: visits.counters, count: drawn),
      into: UnsafeMutableBufferPointer(start: visits.words, count: 4 * drawn))
    tally.events += Int64(count)
    shared.season.operationalHours(
      of: UnsafeBufferPointer(start: visits.instants, count: count), from: window.start,
      until: window.end, into: visits.hours)
    act(visits, extras, shared)
    shared.season.instants(
      of: UnsafeBufferPointer(start: visits.hours, count: count), after: visits.instants,
      into: visits.nextInstants)
    let (base, ahead) = (firstRow, Ahead(self, extras))
    for place in 0..<count {
      let index = Int(visits.places[place])
      extras[index].nextVisit = Instant(microseconds: visits.nextInstants[place])
      batch.steps[Int(visits.positions[place])] = ahead.look(base + index, index)
    }
  }

  /// What they do there, and when they come again.
  private mutating func act(
    _ visits: MemberBatch.Visits, _ extras: UnsafeMutablePointer<MemberExtras>,
    _ shared: CellRules
  ) {
    let base = firstRow
    for place in 0..<visits.count {
      let index = Int(visits.places[place])
      let draw = visits.draw(place, shared.wallet)
      lookAtWallet(
        base[index], &extras[index], draw, visits.members[place],
        Instant(microseconds: visits.instants[place]), shared)
      if extras[index].looksNoMore {
        visits.hours[place] = .infinity
      } else {
        visits.hours[place] += shared.wallet.hours(draw)
        extras[index].visits += 1
      }
    }
  }
}
