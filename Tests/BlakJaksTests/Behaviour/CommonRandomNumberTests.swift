import BlakJaks
// Goal: a member keeps its luck between two scenarios that differ elsewhere.
// Method: every draw of some members, read under edited settings, in other orders and over other
// windows, compared bit by bit with the draws under the defaults.
import EventKernel
import Population
import Quantities
import Testing

/// Everything that one member draws.
private struct Luck: Equatable {
  var traits: MemberTraits
  var purchases: [PurchaseDraw]
  var scans: [ScanDraw]
  var isAffiliate: Bool
  var referrer: UInt32?
  var refusedBefore: Int64
  var guess: UInt64

  init(_ model: BehaviourModel, _ member: UInt32) {
    traits = model.traits(member: member, referred: false)
    purchases = (0..<6).map { model.purchase(member: member, index: $0) }
    scans = (0..<6).map { model.scan(member: member, index: $0) }
    isAffiliate = model.isAffiliate(member)
    referrer = model.referrer(of: member)
    refusedBefore = model.refusedBefore(member)
    var stream = model.guessing(member: member, index: 3)
    guess = stream.nextUInt64()
  }
}

/// A change of settings, and what it may change of a member's luck.
private struct Change: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var edit: @Sendable (inout PopulationSettings) -> Void
  /// Copies what may differ from the changed luck to the usual one.
  var mayChange: @Sendable (_ usual: inout Luck, _ changed: Luck) -> Void = { _, _ in }
}

private let changes: [Change] = [
  Change(testDescription: "ten members instead of 100,000", edit: { $0.members = 10 }),
  Change(
    testDescription: "another adoption curve",
    edit: {
      $0.adoption.model = .rate
      $0.adoption.perDay = 7
      $0.adoption.monthly = [4]
      $0.adoption.imitation = 1
    }),
  Change(
    testDescription: "another season",
    edit: {
      $0.season.enabled = false
      $0.season.holidays = [HolidayFactor(date: CivilDate("2026-02-14")!, factor: 3)]
    }),
  Change(
    testDescription: "another age gate", edit: { $0.underAge = 0.5 },
    mayChange: { $0.refusedBefore = $1.refusedBefore }),
  Change(
    testDescription: "more mischief",
    edit: { $0.mischief.duplicates = 0.5 },
    mayChange: { usual, changed in
      for place in usual.scans.indices {
        usual.scans[place].duplicates = changed.scans[place].duplicates
      }
    }),
  Change(
    testDescription: "another dropout distribution", edit: { $0.purchase.a = 3 },
    mayChange: { $0.traits.dropout = $1.traits.dropout }),
  Change(
    testDescription: "another model", edit: { $0.purchase.model = .paretoNbd },
    mayChange: { $0.traits.dropout = $1.traits.dropout }),
  Change(
    testDescription: "steadier gaps", edit: { $0.purchase.erlang = 5 }, mayChange: copyGaps),
  Change(
    testDescription: "much steadier gaps", edit: { $0.purchase.erlang = 40 }, mayChange: copyGaps),
  Change(
    testDescription: "more tins a week", edit: { $0.tins.perWeek = 6 },
    mayChange: { $0.traits.meanGapWeeks = $1.traits.meanGapWeeks }),
  Change(
    testDescription: "more tins scanned", edit: { $0.tins.scanned = 0.9 },
    mayChange: { usual, changed in
      for place in usual.purchases.indices {
        usual.purchases[place].scanned = changed.purchases[place].scanned
      }
    }),
  Change(
    testDescription: "tins opened sooner", edit: { $0.tins.openedOver = 0.25 },
    mayChange: { usual, changed in
      for place in usual.purchases.indices {
        usual.purchases[place].firstOpening = changed.purchases[place].firstOpening
      }
      for place in usual.scans.indices { usual.scans[place].gap = changed.scans[place].gap }
    }),
  Change(
    testDescription: "a busier shop", edit: { $0.tins.shop = 0.9 },
    mayChange: { usual, changed in
      for place in usual.purchases.indices {
        usual.purchases[place].inShop = changed.purchases[place].inShop
      }
    }),
  Change(
    testDescription: "more referrals", edit: { $0.referral.referred = 0.9 },
    mayChange: { $0.referrer = $1.referrer }),
  Change(
    testDescription: "more affiliates", edit: { $0.referral.affiliates = 0.4 },
    mayChange: {
      $0.referrer = $1.referrer
      $0.isAffiliate = $1.isAffiliate
    }),
  Change(testDescription: "more loyal friends", edit: { $0.referral.dropoutFactor = 0.5 }),
]

@Sendable private func copyGaps(_ usual: inout Luck, _ changed: Luck) {
  for place in usual.purchases.indices {
    usual.purchases[place].gap = changed.purchases[place].gap
  }
}

@Suite struct CommonRandomNumberTests {
  @Test("A change of settings moves only the draws that it is about", arguments: changes)
  private func settings(change: Change) {
    let usual = BehaviourModel(PopulationSettings(), seed: 11)
    var edited = PopulationSettings()
    change.edit(&edited)
    let changed = BehaviourModel(edited, seed: 11)
    for member in UInt32(0)..<400 {
      var expected = Luck(usual, member)
      let actual = Luck(changed, member)
      change.mayChange(&expected, actual)
      #expect(actual == expected, "member \(member)")
    }
  }

  @Test func drawsDoNotDependOnTheOrderInWhichTheyAreMade() {
    let model = BehaviourModel(PopulationSettings(), seed: 12)
    let forwards = (0..<UInt32(200)).map { Luck(model, $0) }
    let backwards = (0..<UInt32(200)).reversed().map { Luck(model, $0) }
    #expect(forwards == backwards.reversed())
    let fresh = BehaviourModel(PopulationSettings(), seed: 12)
    let alone = fresh.purchase(member: 150, index: 5)
    #expect(alone == forwards[150].purchases[5])
    #expect(fresh.scan(member: 199, index: 0) == forwards[199].scans[0])
  }

  @Test func inverseDrawsMoveOneWayWithTheirSetting() {
    func model(_ edit: (inout PopulationSettings) -> Void) -> BehaviourModel {
      var settings = PopulationSettings()
      edit(&settings)
      return BehaviourModel(settings, seed: 13)
    }
    let usual = model { _ in }
    let scanned = model { $0.tins.scanned = 0.8 }
    let shop = model { $0.tins.shop = 0.5 }
    let bigger = model { $0.tins.perPurchase = 6 }
    let mischief = model { $0.mischief.duplicates = 0.3 }
    let affiliates = model { $0.referral.affiliates = 0.2 }
    let gate = model { $0.underAge = 0.3 }
    var moved = [Int](repeating: 0, count: 6)
    for member in UInt32(0)..<5_000 {
      let draw = usual.purchase(member: member, index: 1)
      let more = scanned.purchase(member: member, index: 1).scanned
      #expect(more >= draw.scanned)
      moved[0] += more - draw.scanned
      let inShop = shop.purchase(member: member, index: 1).inShop
      #expect(inShop || !draw.inShop)
      moved[1] += inShop && !draw.inShop ? 1 : 0
      let tins = bigger.purchase(member: member, index: 1).tins
      #expect(tins >= draw.tins)
      moved[2] += tins - draw.tins
      let few = usual.scan(member: member, index: 1).duplicates
      let many = mischief.scan(member: member, index: 1).duplicates
      #expect(many >= few)
      moved[3] += many - few
      #expect(affiliates.isAffiliate(member) || !usual.isAffiliate(member))
      moved[4] += affiliates.isAffiliate(member) && !usual.isAffiliate(member) ? 1 : 0
      #expect(gate.refusedBefore(member) >= usual.refusedBefore(member))
      moved[5] += Int(gate.refusedBefore(member) - usual.refusedBefore(member))
    }
    #expect(moved.allSatisfy { $0 > 100 }, "\(moved)")
  }

  @Test func membersPurchasesAndSeedsShareNoDraw() {
    for shape in [1, 7, 12] {
      var settings = PopulationSettings()
      settings.purchase.erlang = shape
      var gaps: Set<Double> = []
      var words: Set<Double> = []
      for seed in [UInt64(1), 2, 1 << 40] {
        let model = BehaviourModel(settings, seed: seed)
        for member in [UInt32(0), 1, 2, 65_536, .max] {
          for index in UInt32(0)..<40 {
            let draw = model.purchase(member: member, index: index)
            gaps.insert(draw.gap)
            words.insert(draw.dropout)
            words.insert(draw.firstOpening)
          }
        }
      }
      // 32-bit words may meet by chance: 1,200 of them do so once in 6,000 such tests.
      #expect(gaps.count == 3 * 5 * 40)
      #expect(words.count == 2 * 3 * 5 * 40)
    }
  }

  @Test("A longer run repeats the shorter one and goes on", arguments: [true, false])
  func window(season: Bool) throws {
    for model in PurchaseModel.allCases {
      var settings = PopulationSettings()
      settings.season.enabled = season
      settings.purchase.model = model
      let short = try Watch(settings, seed: 14, days: 70)
      settings.members = 7
      settings.adoption.model = .cohort
      let long = try Watch(settings, seed: 14, days: 140)
      var further = 0
      for member in UInt32(0)..<300 {
        let seen = short.member(member, weeks: 10).repeats
        let more = long.member(member, weeks: 20).repeats
        #expect(Array(more.prefix(seen.count)) == seen)
        #expect(more.dropFirst(seen.count).allSatisfy { $0 >= 10 })
        further += more.count - seen.count
      }
      #expect(further > 0)
    }
  }

  @Test func purposesNeverShareAStream() {
    let numbers = RandomPurpose.allCases.map(\.rawValue)
    #expect(Set(numbers).count == numbers.count)
    var first: Set<UInt64> = []
    for purpose in numbers {
      for member in UInt64(0)..<200 {
        var stream = RandomStream(seed: 15, purpose: purpose, entity: member)
        first.insert(stream.nextUInt64())
      }
    }
    #expect(first.count == numbers.count * 200)
  }
}
