// Goal: what members do first is told alike for many at once and for each by itself.
// Method: random members, and the rule written down once more, one question after another.
import CKernel
import EventKernel
import Quantities
import Testing

@testable import BlakJaks

@Suite struct FirstStepTests {
  private let end = Instant(microseconds: 1_000_000)

  /// Members of any kind: signed up, suspended, about to leave, with a guarantee pending.
  private func rows(_ count: Int, _ stream: inout RandomStream) -> [MemberRow] {
    (0..<count).map { _ in
      var row = MemberRow()
      row.signUp = instant(&stream)
      row.course = MemberCourse(signUp: instant(&stream))
      if stream.uniform() < 0.9 { row.course.open(at: instant(&stream)) }
      // Both at once now and then.
      if stream.uniform() < 0.1 { row.course.buy(at: row.course.nextScan) }
      if stream.uniform() < 0.9 { row.account.enroll(guarantee: stream.uniform() < 0.5) }
      if stream.uniform() < 0.1 { row.account.suspend(true) }
      if stream.uniform() < 0.2 { leaveNext(&row) }
      return row
    }
  }

  private func instant(_ stream: inout RandomStream) -> Instant {
    Instant(microseconds: Int64(stream.uniformIndex(below: 40)) * 50_000)
  }

  private func leaveNext(_ row: inout MemberRow) {
    withUnsafeMutableBytes(of: &row) {
      $0.bindMemory(to: ck_member.self)[0].purchases |= MemberCourse.leavesBit
    }
  }

  private enum Kind { case opens, buys, other }

  /// The rule, one question after another.
  private func kind(_ row: MemberRow, _ extras: MemberExtras?, _ rules: GuaranteeRules) -> Kind {
    let next = min(row.course.nextPurchase, row.course.nextScan)
    if next >= end || !row.account.hasSignedUp || row.account.isSuspended { return .other }
    if row.account.guaranteePending, rules.due(signedUp: row.signUp) <= next { return .other }
    if let extras, extras.nextEvent <= next { return .other }
    guard row.course.nextPurchase == next else { return .opens }
    return row.course.leavesNext ? .other : .buys
  }

  @Test("Members are told apart by what they do first", arguments: [false, true])
  func members(haveExtras: Bool) {
    var rules = GuaranteeRules()
    var seen: [Kind: Int] = [:]
    for round in 0..<40 {
      rules.afterDays = Int64(round % 2)
      var stream = RandomStream(seed: 5, purpose: 3, entity: UInt64(round))
      var rows = rows(300, &stream)
      var extras = (0..<300).map { _ in
        var own = MemberExtras()
        if stream.uniform() < 0.3 { own.nextVisit = instant(&stream) }
        if stream.uniform() < 0.3 { own.nextDelivery = instant(&stream) }
        if stream.uniform() < 0.3 { own.nextReturn = instant(&stream) }
        return own
      }
      let count = [0, 1, 7, 8, 9, MemberBatch.capacity][round % 6]
      var places = (0..<300).map(UInt16.init).filter { _ in stream.uniform() < 0.6 }
      places = Array(places.prefix(count + MemberBatch.rowsNear))
      let kinds = places.prefix(count).map {
        kind(rows[Int($0)], haveExtras ? extras[Int($0)] : nil, rules)
      }
      for kind in kinds { seen[kind, default: 0] += 1 }
      let tins = [UInt32](repeating: 0, count: 300)
      rows.withUnsafeMutableBufferPointer { rows in
        extras.withUnsafeMutableBufferPointer { extras in
          places.withUnsafeBufferPointer { places in
            MemberBatch.withMemory { batch in
              batch.take(
                UnsafeBufferPointer(rebasing: places[..<count]), rows.baseAddress!,
                haveExtras ? extras.baseAddress : nil, FirstStepRules(rules, before: end), tins)
              expect(batch, kinds, Array(places))
            }
          }
        }
      }
    }
    #expect(seen.count == 3 && seen.values.allSatisfy { $0 > 50 }, "sometimes: \(seen)")
  }

  private func expect(_ batch: borrowing MemberBatch, _ kinds: [Kind], _ places: [UInt16]) {
    func positions(_ kind: Kind) -> [Int] { kinds.indices.filter { kinds[$0] == kind } }
    let (openings, purchases) = (batch.openings, batch.purchases)
    let opens = (0..<openings.count).map { openings.position($0) }
    let buys = (0..<purchases.count).map { purchases.position($0) }
    #expect(opens == positions(.opens) && buys == positions(.buys))
    for row in opens.indices { #expect(openings.index(row) == Int(places[opens[row]])) }
    for row in buys.indices { #expect(purchases.index(row) == Int(places[buys[row]])) }
    func left(stagesFollow: Bool) -> [Int] {
      var left: [Int] = []
      batch.forEachLeft(stagesFollow: stagesFollow) { left.append($0) }
      return left
    }
    #expect(left(stagesFollow: true) == positions(.other))
    #expect(left(stagesFollow: false) == positions(.other))
    // Whoever has more to do is visited, too, and in order, unless another batch does it.
    for position in opens { batch.set(position, hasMore: position % 3 == 0) }
    #expect(left(stagesFollow: true) == positions(.other))
    #expect(
      left(stagesFollow: false) == (positions(.other) + opens.filter { $0 % 3 == 0 }).sorted())
  }

  @Test func whoHasMoreToDoWaitsAndIsTakenOnceTheLastFirst() {
    for count in [MemberBatch.capacity, 65, 9, 1, 0] {
      let places = (0..<count).map { UInt16(60_000 - 7 * $0) }
      MemberBatch.withMemory { batch in
        var line: [UInt16] = []
        // Two full batches are the most that ever wait.
        for round in 0...1 {
          batch.takeOthers(count)
          for position in 0..<count {
            let waits = round == 0 || position % 3 != 1
            batch.set(position, hasMore: waits)
            if waits { line.append(places[position]) }
          }
          places.withUnsafeBufferPointer { batch.letWait($0) }
          #expect(batch.waiting == line.count)
        }
        for most in [5, MemberBatch.capacity, MemberBatch.capacity] {
          let some = batch.takeWaiting(most)
          let expected = line.suffix(most)
          #expect(Array(some) == Array(expected))
          line.removeLast(expected.count)
          // Loops look ahead, at members who exist.
          for place in some.count..<some.count + MemberBatch.rowsNear {
            #expect(some.baseAddress?[place] == 0)
          }
        }
        #expect(line.isEmpty && batch.waiting == 0)
      }
    }
  }

  @Test func whereNobodyAsksEverybodyIsVisited() {
    for count in [MemberBatch.capacity, 9, 8, 1, 0] {
      MemberBatch.withMemory { batch in
        batch.takeOthers(MemberBatch.capacity)
        batch.takeOthers(count)
        var others: [Int] = []
        batch.forEachLeft(stagesFollow: true) { others.append($0) }
        #expect(others == Array(0..<count))
        #expect(batch.openings.count == 0 && batch.purchases.count == 0)
      }
    }
  }

  @Test func loopsReadTheRowsThatTheCellsWrite() throws {
    #expect(MemoryLayout<MemberRow>.stride == MemoryLayout<ck_member>.stride)
    #expect(MemoryLayout<MemberExtras>.stride == MemoryLayout<ck_awaited>.stride)
    var row = MemberRow()
    row.signUp = Instant(microseconds: 11)
    row.course = MemberCourse(signUp: Instant(microseconds: 22))
    row.course.open(at: Instant(microseconds: 33))
    row.account.enroll(guarantee: true)
    row.account.affiliate = 44
    row.account.comps = MicroUSDT(microunits: 55)
    var overflow = Overflow()
    for scan in 0..<12 {
      if scan == 3 { row.account.turnQuarter(TierRules()) }
      _ = row.account.acceptScan(TierRules(), try ScanRewardTable(ScanRewardRules()), &overflow)
    }
    row.account.raiseFloor(to: .whale)
    leaveNext(&row)
    #expect(row.course.leavesNext && row.course.purchases == 0 && !row.course.hasLeft)
    let account = row.account
    withUnsafeBytes(of: row) {
      let seen = $0.load(as: ck_member.self)
      #expect((seen.signed_up, seen.purchase, seen.opening) == (11, 22, 33))
      #expect((seen.lifetime, seen.quarter, seen.affiliate) == (12, 9, 44))
      #expect(seen.comps == account.comps.microunits)
      #expect(seen.status == account.standing.status.rawValue)
      #expect(seen.tier == Tier.whale.rawValue && seen.floor == Tier.whale.rawValue)
      #expect(seen.carried == Tier.standard.rawValue)
    }
    var extras = MemberExtras()
    extras.nextVisit = Instant(microseconds: 1)
    extras.nextDelivery = Instant(microseconds: 2)
    extras.nextReturn = Instant(microseconds: 3)
    withUnsafeBytes(of: extras) {
      let seen = $0.load(as: ck_awaited.self)
      #expect((seen.visit, seen.delivery, seen.back) == (1, 2, 3))
    }
  }

  @Test func aGuaranteeIsDueAlikeForOneMemberAndForMany() {
    var rules = GuaranteeRules()
    for days: Int64 in [0, 1, 90, 36_500] {
      rules.afterDays = days
      let clock = GuaranteeClock(rules)
      for isPending in [false, true] {
        var row = MemberRow()
        row.signUp = Instant(microseconds: 1_767_243_617_000_001)
        row.course = MemberCourse(signUp: row.signUp + .days(40))
        row.account.enroll(guarantee: isPending)
        withUnsafeMutablePointer(to: &row) {
          #expect(clock.due($0) == rules.due(signedUp: $0.pointee.signUp))
          #expect(clock.nextEvent($0) == $0.pointee.nextEvent(rules))
        }
      }
    }
  }

  @Test func nothingElseIsSubmittedAfterAUsualScan() {
    var settings = PopulationSettings()
    for rates in [(0.0, 0.0, 0.0), (0.5, 0.25, 0.125), (1.5, 0, 0), (0, 2, 0.5)] {
      settings.mischief.duplicates = rates.0
      settings.mischief.malformed = rates.1
      settings.mischief.guessed = rates.2
      let behaviour = BehaviourModel(settings, seed: 3)
      let usual = behaviour.usualScans
      let edges: [UInt32] = [
        0, 0x1FFF_FFFF, 0x2000_0000, 0x3FFF_FFFF, 0x4000_0000, 0x7FFF_FFFF, 0x8000_0000, .max,
      ]
      for second in edges {
        for third in edges {
          for fourth in edges {
            let draw = behaviour.scan(0, second, third, fourth)
            let isUsual = draw.duplicates + draw.malformed + draw.guesses == 0
            #expect(usual.covers(second, third, fourth) == isUsual)
          }
        }
      }
    }
  }
}
