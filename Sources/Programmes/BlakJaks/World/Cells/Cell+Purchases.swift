internal import EventKernel
internal import Population
internal import Quantities

// The stages of purchases, many at a time. Each of them is what `purchase` does for one: the same draws,
// the same course.
extension Cell {
  /// Whether all purchases are made in retail, and nothing but their draws says when the next one is.
  private var buysPlainly: Bool { !shared.hasShop && shared.uplift == nil && steps.isEmpty }

  /// Lets the members of a batch who buy first do so.
  mutating func buy(
    _ batch: inout MemberBatch, _ extras: UnsafeMutablePointer<MemberExtras>?, _ shared: CellRules
  ) {
    let purchases = batch.purchases
    let count = purchases.count
    let drawn = MemberBatch.padded(count)
    MemberBatch.pad(purchases.members, from: count)
    MemberBatch.pad(purchases.counters, from: count)
    drawBlocks(purchases, into: purchases.first, drawn, shared.behaviour.seed)
    for place in 0..<drawn { purchases.counters[place] &+= 1 }
    drawBlocks(purchases, into: purchases.second, drawn, shared.behaviour.seed)
    tally.events += Int64(count)
    shared.season.operationalHours(
      of: UnsafeBufferPointer(start: purchases.instants, count: count), from: window.start,
      until: window.end, into: purchases.hours)
    purchases.findLogs(firstRow, shared.behaviour.buying)
    if buysPlainly {
      takeHome(purchases, shared.behaviour, shared.season)
    } else {
      buyAnywhere(purchases, extras, shared)
    }
    planPurchases(&batch, extras, shared.season)
  }

  private func drawBlocks(
    _ purchases: MemberBatch.Purchases, into words: UnsafeMutablePointer<UInt32>, _ count: Int,
    _ seed: UInt64
  ) {
    RandomStream.blocks(
      seed: seed, purpose: RandomPurpose.purchase.rawValue,
      entities: UnsafeBufferPointer(start: purchases.members, count: count),
      counters: UnsafeBufferPointer(start: purchases.counters, count: count),
      into: UnsafeMutableBufferPointer(start: words, count: 4 * count))
  }

  /// Purchases in retail, whose tins are at home at once.
  private mutating func takeHome(
    _ purchases: MemberBatch.Purchases, _ behaviour: BehaviourModel, _ season: SeasonTable
  ) {
    let (base, tinsBought) = (firstRow, firstTins)
    var (tins, inShop): (Int64, Int64) = (0, 0)
    var overflow = tally.overflow
    withUnsafeTemporaryAllocation(of: Int64.self, capacity: Tier.allCases.count) { byTier in
      byTier.initialize(repeating: 0)
      for place in 0..<purchases.count {
        let index = purchases.index(place)
        let row = base + index
        let hours = purchases.hours[place]
        let draw = purchases.draw(place, index: row.pointee.course.purchases, behaviour)
        tins &+= Int64(draw.tins)
        inShop &+= draw.inShop ? Int64(draw.tins) : 0
        byTier[Int(row.pointee.account.standing.tier.rawValue)] &+= Int64(draw.tins)
        overflow.add(UInt32(clamping: draw.tins), to: &tinsBought[index])
        purchases.openingHours[place] = row.pointee.course.firstOpeningHours(
          taking: draw.scanned, firstOpening: draw.firstOpening, at: hours)
        if let gap = row.pointee.course.gap(after: draw, behaviour) {
          purchases.hours[place] = row.pointee.course.purchaseHours(
            hours + gap, signUp: row.pointee.signUp, behaviour, season)
        } else {
          purchases.hours[place] = .infinity
          leave(
            &row.pointee, purchases.members[place],
            Instant(microseconds: purchases.instants[place]))
        }
      }
      for tier in Tier.allCases { tally.tins[tier] += byTier[Int(tier.rawValue)] }
    }
    tally.overflow.merge(overflow)
    tally.purchases += Int64(purchases.count)
    tally.neededTins += tins
    tally.tinsSold += tins
    tally.tinsSoldInShop += inShop
  }

  /// Purchases one by one, wherever they are made.
  private mutating func buyAnywhere(
    _ purchases: MemberBatch.Purchases, _ extras: UnsafeMutablePointer<MemberExtras>?,
    _ shared: CellRules
  ) {
    let base = firstRow
    for place in 0..<purchases.count {
      let index = purchases.index(place)
      let draw = purchases.draw(
        place, index: base[index].course.purchases, shared.behaviour)
      let plan = purchase(
        draw, &base[index], extras.map { $0 + index }, purchases.members[place],
        Instant(microseconds: purchases.instants[place]), shared)
      purchases.openingHours[place] = plan.opening ?? .infinity
      purchases.hours[place] = plan.purchase ?? .infinity
    }
  }

  /// Finds the instants of the next purchases, and of the openings that these ones bring, and tells
  /// them to the members.
  private mutating func planPurchases(
    _ batch: inout MemberBatch, _ extras: UnsafeMutablePointer<MemberExtras>?,
    _ season: SeasonTable
  ) {
    let purchases = batch.purchases
    season.instants(
      of: UnsafeBufferPointer(start: purchases.openingHours, count: purchases.count),
      after: purchases.instants, into: purchases.openingInstants)
    season.instants(
      of: UnsafeBufferPointer(start: purchases.hours, count: purchases.count),
      after: purchases.instants, into: purchases.nextInstants)
    let base = firstRow
    let ahead = Ahead(self, extras)
    for place in 0..<purchases.count {
      let index = purchases.index(place)
      // Whoever has a tin open has none opened first by a purchase.
      base[index].course.open(
        at: min(
          base[index].course.nextScan, Instant(microseconds: purchases.openingInstants[place])))
      base[index].course.buy(at: Instant(microseconds: purchases.nextInstants[place]))
      batch.set(purchases.position(place), hasMore: ahead.look(base + index, index))
    }
  }
}
