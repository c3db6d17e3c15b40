internal import EventKernel
internal import Population
internal import Quantities

extension House {
  /// The social side of the day that ends, hour by hour, among the members at its end.
  mutating func hostSocial(_ cells: UnsafeMutableBufferPointer<Cell>) {
    defer { wins.removeAll(keepingCapacity: true) }
    guard social != nil else { return }
    var living = SIMD4<Int>()
    for cell in cells.indices {
      for tier in Tier.allCases { living[Int(tier.rawValue)] += Int(cells[cell].living[tier]) }
    }
    let today = programme.books.today
    var start = calendar.dayStarts[today]
    while start < calendar.dayStarts[today + 1] {
      let end = min(start + .hours(1), calendar.dayStarts[today + 1])
      let hours = Double((end - start).microseconds) / 3.6e9
      let operational = season.operationalHours(at: end) - season.operationalHours(at: start)
      social?.host(
        SocialInput(
          index: socialHours, start: start, end: end, rateFactor: operational / hours,
          living: living, wins: wins.count { $0 >= start && $0 < end }), &chronicle)
      socialHours += 1
      start = end
    }
    let size = min(social?.sampleSize ?? 0, Int(total.signUps))
    let sample = (0..<UInt32(size)).compactMap { member -> SocialSample.Member? in
      let (cell, index) = cellSize.place(of: member)
      let row = cells[cell].rows[index]
      return row.hasLeft
        ? nil : SocialSample.Member(number: member, tier: row.account.standing.tier)
    }
    social?.hostSample(day: today, until: calendar.dayStarts[today + 1], living: living, sample)
  }
}
