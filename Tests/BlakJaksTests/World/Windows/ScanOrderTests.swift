// Goal: a window's scans are told in the total order wherever the rules look, and what each minute and
// each transaction comes to is what its scans earn.
// Method: random scans of several cells beside one plain sort of all of them.
import EventKernel
import Quantities
import Testing

@testable import BlakJaks

@Suite struct ScanOrderTests {
  private let start = Instant(microseconds: 1_767_243_617_000_000)
  private var window: Window { Window(index: 3, start: start, end: start + .hours(1)) }
  private let noon = Instant(microseconds: 1_767_243_600_000_000)

  /// Random scans in five cells; `crowded` puts most of them into few instants.
  private func harvests(
    _ count: Int, seed: UInt64, crowded: Bool = false
  ) -> (cells: [CellHarvest], sorted: [AcceptedScan]) {
    var stream = RandomStream(seed: seed, purpose: 7, entity: UInt64(count))
    var cells = Array(repeating: CellHarvest(), count: 5)
    var all: [AcceptedScan] = []
    for member in 0..<count {
      var micros = Int64(stream.uniformIndex(below: 3_600_000_000))
      if crowded { micros = micros / 900_000_000 * 900_000_000 }
      let mark = ScanMark(
        tier: Tier.allCases[Int(stream.uniformIndex(below: 4))],
        affiliate: stream.uniform() < 0.5 ? MemberAccount.noAffiliate : UInt32(member / 2))
      let scan = AcceptedScan(
        time: start + TimeSpan(microseconds: micros),
        member: UInt32((member &* 7_919) % max(count, 1)), mark: mark)
      cells[Int(stream.uniformIndex(below: 5))].emissions.append(scan)
      all.append(scan)
    }
    return (cells, all.sorted { ($0.time, $0.member) < ($1.time, $1.member) })
  }

  private func table(_ base: Int64) throws -> ScanRewardTable {
    var rules = ScanRewardRules()
    rules.base = MicroUSDT(microunits: base)
    return try ScanRewardTable(rules)
  }

  /// What is told of those who receive rewards.
  enum Receivers: CaseIterable {
    case unknown, known, numbered
  }

  /// Members below it have awards with numbers of their own.
  private let traced: UInt32 = 20

  private func batch(
    _ cells: [CellHarvest], _ scans: [AcceptedScan], base: Int64 = 200_000, limit: Int64 = 500,
    receivers: Receivers = .unknown, _ overflow: inout Overflow
  ) throws -> WindowScans {
    let table = try table(base)
    var rules = PayoutRules()
    rules.batchLimit = limit
    var desk = PayoutDesk(rules: rules, prizes: [])
    desk.tracedMembers = traced
    let runs = RewardRuns(
      table, desk, rules, origin: noon, from: window.start,
      keepsReceivers: receivers != .unknown, numbersAll: receivers == .numbered)
    var byMinute = ScansByMinute()
    // What the window before left is overwritten.
    var ignored = Overflow()
    byMinute.take(harvests(37, seed: 99).cells, of: window, table, &ignored)
    byMinute.take(cells, of: window, table, &overflow)
    var accepted = PerTier<Int64>(repeating: 0)
    for scan in scans { accepted[scan.tier] += 1 }
    return WindowScans(
      window, harvests: cells, accepted: accepted, byMinute: byMinute, runs: runs)
  }

  @Test(
    "A scan is found by its place in the total order",
    arguments: [1, 2, 40, 700, 5_000, 40_000], [false, true])
  func places(count: Int, crowded: Bool) throws {
    for seed in UInt64(1)...(count > 5_000 ? 2 : 12) {
      let (cells, sorted) = harvests(count, seed: seed, crowded: crowded)
      var overflow = Overflow()
      var batch = try batch(cells, sorted, &overflow)
      var stream = RandomStream(seed: seed, purpose: 8, entity: 1)
      var (place, adjacent, asked) = (0, 0, 0)
      while place < count {
        let told = batch.scan(at: place)
        #expect(
          told.time == sorted[place].time && told.member == sorted[place].member
            && told.mark == sorted[place].mark, "place \(place) of \(count), seed \(seed)")
        if stream.uniform() < 70 / Double(count + 70) {
          // Once more, and who comes after.
          #expect(batch.scan(at: place).member == sorted[place].member)
          var later: [UInt32: UInt32] = [:]
          for scan in sorted[(place + 1)...] { later[scan.member, default: 0] += 1 }
          #expect(batch.scans(after: place) == later)
        }
        asked += 1
        let isNext = stream.uniform() < 0.4
        adjacent += isNext ? 1 : 0
        place += isNext ? 1 : 1 + Int(stream.uniformIndex(below: 40))
      }
      #expect(count < 700 || (adjacent > 3 && asked - adjacent > 3), "sometimes: both ways to ask")
      // Back to an earlier minute, as whoever begins again asks.
      #expect(batch.scan(at: 0).member == sorted[0].member)
    }
  }

  @Test(
    "Minutes and transactions come to what their scans earn", arguments: [1, 3, 10, 70, 100_000],
    Receivers.allCases)
  func rewards(limit: Int64, receivers: Receivers) throws {
    var (cut, unordered, ordered) = (0, 0, 0)
    for seed in UInt64(1)...6 {
      // Minutes of few scans, and such as are put into spans.
      let count = seed < 5 ? 900 : 6_000
      let (cells, sorted) = harvests(count, seed: seed)
      var overflow = Overflow()
      // Standard members earn nothing where the base is rounded away.
      let base: Int64 = seed % 2 == 0 ? 1 : 200_000
      var batch = try batch(
        cells, sorted, base: base, limit: limit, receivers: receivers, &overflow)
      let table = try table(base)
      var plain: [(key: [Int64], count: Int64, amount: Int64, times: Int64)] = []
      var awards: [[Award]] = []
      var (inBatch, last) = (Int64(0), Int64(-1))
      for scan in sorted where table.amount[scan.tier] > .zero {
        let number = (scan.time - noon).microseconds / 600_000_000
        if number != last { (inBatch, last) = (0, number) }
        let minute = (scan.time - noon).microseconds / 60_000_000
        let key = [number, inBatch / limit, minute]
        if plain.last?.key != key {
          plain.append((key, 0, 0, 0))
          awards.append([])
        }
        awards[awards.count - 1].append(
          Award(to: scan.member, table.amount[scan.tier], at: scan.time))
        plain[plain.count - 1].count += 1
        plain[plain.count - 1].amount += table.amount[scan.tier].microunits
        plain[plain.count - 1].times += (scan.time - noon).microseconds
        inBatch += 1
      }
      let runs = try batch.rewards()
      #expect(runs.map(\.count) == plain.map(\.count), "seed \(seed)")
      #expect(runs.map(\.amount.microunits) == plain.map(\.amount))
      #expect(
        runs.map { ($0.time - noon).microseconds * $0.count + $0.offsets } == plain.map(\.times))
      for (run, own) in zip(runs, awards) {
        guard receivers != .unknown else {
          #expect(run.awards.isEmpty)
          continue
        }
        // What is in a transaction is the same in any case; whose numbers matter has their own.
        #expect(Set(run.awards) == Set(own) && run.awards.count == own.count)
        let isOrdered = run.awards == own
        if receivers == .numbered || own.contains(where: { $0.receiver < traced }) {
          #expect(isOrdered)
          ordered += 1
        } else if !isOrdered {
          unordered += 1
        }
      }
      cut += Set(plain.map { $0.key[2] }).count < plain.count ? 1 : 0
      #expect(!overflow.happened)
      // The scans are still told in their order.
      for place in stride(from: 0, to: count, by: 89) {
        #expect(batch.scan(at: place).member == sorted[place].member)
      }
    }
    #expect(cut > 0 || limit > 1_000, "sometimes: a transaction ends within a minute")
    #expect(receivers == .unknown || ordered > 0, "sometimes: the numbers of some awards matter")
    #expect(
      receivers != .known || limit == 1 || unordered > 0,
      "sometimes: awards change places within a transaction")
  }

  @Test func rewardsOfAMinuteThatLeaveTheirRangeAreNoted() throws {
    let (cells, sorted) = harvests(600, seed: 4)
    var overflow = Overflow()
    _ = try batch(cells, sorted, base: .max / 4, &overflow)
    #expect(overflow.happened)
  }

  @Test func rewardsOfATransactionThatLeaveTheirRangeAreRefused() throws {
    let (cells, sorted) = harvests(900, seed: 5)
    var overflow = Overflow()
    var batch = try batch(cells, sorted, base: .max / 8, limit: 10, &overflow)
    #expect(throws: MoneyError.self) { _ = try batch.rewards() }
  }

  @Test("A mark holds tier and affiliate", arguments: Tier.allCases)
  func marks(tier: Tier) {
    for row in [0, 1, MemberAccount.noAffiliate - 1] {
      let mark = ScanMark(tier: tier, affiliate: row)
      #expect(mark.tier == tier && mark.affiliate == row)
    }
    let nobody = ScanMark(tier: tier, affiliate: MemberAccount.noAffiliate)
    #expect(nobody.tier == tier && nobody.affiliate == nil)
  }
}
