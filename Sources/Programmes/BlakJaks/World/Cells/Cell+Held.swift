internal import CKernel
internal import EventKernel
internal import Quantities

/// The members of a cell who wait in a window until the house has told what became of the one before.
struct HeldMembers: Sendable {
  /// Their places in the cell, the first `count` of them.
  var places: [UInt16]
  private(set) var count = 0
  /// Of them, those who are due in the window only since the house has told something.
  private(set) var added = 0
  /// Places below it are of members whom somebody follows step by step.
  private let traced: Int

  /// Nobody waits.
  ///
  /// - Parameters:
  ///   - room: For members, and for places that loops look ahead at.
  ///   - traced: May be less than 0.
  init(room: Int, traced: Int) {
    places = Array(repeating: 0, count: room)
    self.traced = traced
  }

  /// Begins a window, in which nobody waits yet.
  mutating func begin() { (count, added) = (0, 0) }

  /// Takes out those who wait: who visits their wallet, whose guarantee is looked at, and who is traced.
  ///
  /// - Parameters:
  ///   - places: In whose beginning the others are left.
  ///   - rows: The cell's members.
  ///   - end: That of the window.
  /// - Returns: How many the others are.
  mutating func take(
    from places: UnsafeMutableBufferPointer<UInt16>,
    _ rows: UnsafeMutablePointer<MemberRow>, _ extras: UnsafePointer<MemberExtras>,
    _ guarantee: GuaranteeClock, before end: Instant
  ) -> Int {
    var (kept, taken) = (0, count)
    let (traced, ahead) = (traced, 16)
    self.places.withUnsafeMutableBufferPointer { held in
      for next in places.indices {
        // The first to look at members' rows, which are in the second cache at best.
        let coming = Int(places[min(next + ahead, places.count - 1)])
        ck_prefetch(rows + coming)
        ck_prefetch(extras + coming)
        let place = places[next]
        let index = Int(place)
        let row = rows + index
        let visits = extras[index].nextVisit < end ? 1 : 0
        // Both are asked, as a branch that is guessed wrong would wait for the row.
        let isPending = row.pointee.account.guaranteePending ? 1 : 0
        let looks = isPending & (guarantee.due(row) < end ? 1 : 0)
        let waits = visits | looks | (index < traced ? 1 : 0)
        // Written in any case: it is taken back by the next one.
        places[kept] = place
        held[taken] = place
        kept += 1 - waits
        taken += waits
      }
    }
    count = taken
    return kept
  }

  /// Adds a member who is due in the window only since the house has told something.
  mutating func add(_ place: UInt16) {
    guard !places[..<count].contains(place) else { return }
    places[count] = place
    count += 1
    added += 1
    places[..<count].sort()
  }
}

// What members learn of the house, and those who act only then.
extension Cell {
  /// Puts members of a batch among `held`.
  ///
  /// - Returns: The others.
  mutating func holdBack(
    _ places: UnsafeMutableBufferPointer<UInt16>, _ extras: UnsafePointer<MemberExtras>
  ) -> UnsafeMutableBufferPointer<UInt16> {
    // Apart, as the cell would be copied where it is asked while its list is changed.
    let (rows, clock, end) = (firstRow, GuaranteeClock(guarantee), window.end)
    let kept = held.take(from: places, rows, extras, clock, before: end)
    return UnsafeMutableBufferPointer(rebasing: places[..<kept])
  }

  /// Enters what the house tells the members of a window that is over.
  ///
  /// - Parameter end: That of the window.
  mutating func hear(toldAt end: Instant) {
    guard !news.isEmpty else { return }
    var news: [MemberNote] = []
    swap(&news, &self.news)
    let wallets = shared.hasVisits ? extras.baseAddress : nil
    let first = firstMember
    var released: Int64 = 0
    // Receivers are anywhere in memory, so theirs is asked for some notes ahead.
    let ahead = 24
    for (place, note) in news.enumerated() {
      if let wallets, place + ahead < news.count {
        ck_prefetch_far(wallets + Int(news[place + ahead].member - first))
      }
      // Most of them are that: what `release` does, with one sum for all.
      if let wallets, note.kind == .release {
        wallets[Int(note.member - first)].purse.wallet.release(note.amount)
        released &+= note.amount.microunits
      } else {
        hear(note, toldAt: end)
      }
    }
    walletPending &-= released
    // A day's payouts at once do not stay in memory for the rest of the run.
    news.removeAll(keepingCapacity: news.capacity < 8 * news.count + 1_024)
    swap(&news, &self.news)
  }

  private mutating func hear(_ note: MemberNote, toldAt end: Instant) {
    let index = Int(note.member - firstMember)
    switch note.kind {
    case .release: release(note.amount, to: index)
    case .comp:
      do {
        try change(index) { (account) throws(MoneyError) in try account.count(comp: note.amount) }
      } catch {
        tally.overflow.note()
      }
    case .trip: noteTrip(note.amount, to: index)
    case .credit(let kind):
      award(note.amount, kind, to: index, at: note.time, toldAt: end)
      // Between windows nobody is due in one.
      if end < window.end, extras[index].nextVisit < window.end { held.add(UInt16(index)) }
    }
  }
}
