// Goal: what is saved as packed rows comes back as it was, bytes that say anything else are refused,
// and the queue of promises is the plain list that it stands for.
// Method: rows of the greatest and least numbers there are; every cut of a text of bytes; random calls
// beside an array.
import EventKernel
import Foundation
import Quantities
import RewardModel
import Testing

@testable import BlakJaks

@Suite struct PackedTests {
  private static let numbers: [Int64] = [
    0, 1, -1, 63, 64, -64, -65, 127, 128, 8_191, 8_192, .max, .min, .max - 1, .min + 1,
  ]

  private struct Saved: Codable, Equatable {
    @Packed var accounts: [MemberAccount] = []
    @Packed var purses: [MemberPurse] = []
    @Packed var states: [UInt8?] = []
    @Packed var awards: [Award] = []
  }

  @Test func numbersOfAllSizesComeBack() throws {
    var writer = PackedWriter()
    for number in Self.numbers { writer.append(number) }
    var reader = PackedReader(writer.bytes)
    for number in Self.numbers { #expect(try reader.next(Int64.self) == number) }
    #expect(reader.left == 0)
    #expect(throws: PackedError.ended) { try reader.next(Int64.self) }
  }

  @Test func aNumberThatItsPlaceCannotHoldIsRefused() {
    func read<Value: FixedWidthInteger>(_ bytes: [UInt8], _ type: Value.Type) throws -> Value {
      var reader = PackedReader(bytes)
      return try reader.next(type)
    }
    #expect(throws: PackedError.outOfRange(offset: 0)) { try read([1], UInt32.self) }
    #expect(throws: PackedError.outOfRange(offset: 0)) { try read([0x80, 0x04], UInt8.self) }
    let endless = [UInt8](repeating: 0xFF, count: 11)
    #expect(throws: PackedError.outOfRange(offset: 0)) { try read(endless, Int64.self) }
    #expect(throws: PackedError.ended) { try read([0x80], Int64.self) }
  }

  @Test func listsAndDictionariesComeBack() throws {
    struct Kept: Codable, Equatable {
      @Packed var hours: [[Int64]] = []
      @PackedSorted var orders: [ShopDesk.OrderKey: ShopDesk.OpenOrder] = [:]
      @PackedSorted var rows: [UInt32: Int64] = [:]
    }
    let prices = try OrderTotals(
      subtotal: MicroUSDT(microunits: .max - 7), shipping: .zero, tax: MicroUSDT(microunits: 7))
    let amounts = try OrderAmounts(tins: 3, totals: prices, grossProfit: MicroUSDT(microunits: 2))
    var kept = Kept(hours: [[], Self.numbers, [5]])
    for member in [9, 0, UInt32.max] {
      for (number, status) in OrderStatus.allCases.enumerated() {
        kept.orders[ShopDesk.OrderKey(member: member, number: UInt32(number))] =
          ShopDesk.OpenOrder(status: status, amounts: amounts)
      }
      kept.rows[member] = Self.numbers[Int(member % 7)]
    }
    let text = try JSONEncoder().encode(kept)
    #expect(try JSONDecoder().decode(Kept.self, from: text) == kept)
    // Equal states are saved equally, in whatever order they came about.
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    var again = Kept(hours: kept.hours)
    for (key, order) in kept.orders.sorted(by: { $0.key > $1.key }) { again.orders[key] = order }
    for (key, row) in kept.rows.sorted(by: { $0.key > $1.key }) { again.rows[key] = row }
    #expect(try encoder.encode(again) == encoder.encode(kept))
    // A list that says that it is longer than the bytes that follow.
    var reader = PackedReader([4, 2])
    #expect(throws: PackedError.outOfRange(offset: 0)) { try [Int64](packed: &reader) }
  }

  private func members() throws -> Saved {
    var saved = Saved()
    var stream = RandomStream(seed: 7, purpose: 902, entity: 0)
    for row in 0..<200 {
      var account = MemberAccount()
      account.comps = MicroUSDT(microunits: Self.numbers[row % Self.numbers.count])
      account.affiliate = UInt32(row) &* 20_000_003
      account.enroll(guarantee: row % 3 == 0)
      account.raiseFloor(to: Tier.allCases[row % Tier.allCases.count])
      saved.accounts.append(account)
      var purse = MemberPurse()
      try purse.credit(MicroUSDT(microunits: Int64(stream.uniform() * 1e12)))
      for lot in 0..<ChipVault.lots {
        purse.vault.earnedLots[lot] = UInt16(stream.uniform() * 65_535)
      }
      saved.purses.append(purse)
      saved.states.append(row % 4 == 0 ? nil : UInt8(row))
      saved.awards.append(
        Award(to: UInt32(row), purse.wallet.pending, at: Instant(microseconds: -Int64(row))))
    }
    return saved
  }

  @Test func membersComeBackAndTakeATenthOfTheirJSON() throws {
    let saved = try members()
    let text = try JSONEncoder().encode(saved)
    #expect(try JSONDecoder().decode(Saved.self, from: text) == saved)
    let plain = try JSONEncoder().encode(saved.accounts) + JSONEncoder().encode(saved.purses)
    #expect(text.count * 3 < plain.count)
  }

  @Test func whereverTheBytesAreCutTheyAreRefused() throws {
    struct One: Codable { @Packed var purses: [MemberPurse] = [] }
    let text = try JSONEncoder().encode(One(purses: Array(try members().purses.prefix(3))))
    let object = try #require(try JSONSerialization.jsonObject(with: text) as? [String: String])
    let bytes = try #require(Data(base64Encoded: object["purses"] ?? ""))
    func decode(_ bytes: Data) throws -> One {
      let text = try JSONSerialization.data(withJSONObject: ["purses": bytes.base64EncodedString()])
      return try JSONDecoder().decode(One.self, from: text)
    }
    #expect(try decode(bytes).purses.count == 3)
    for count in 0..<bytes.count {
      #expect(throws: PackedError.ended) { try decode(bytes.prefix(count)) }
    }
    #expect(throws: PackedError.leftOver(bytes: 1)) { try decode(bytes + [0]) }
    // No file makes us believe in more rows than it has bytes.
    var hostile = PackedWriter()
    hostile.append(Int64.max)
    #expect(throws: PackedError.ended) { try decode(Data(hostile.bytes)) }
    hostile = PackedWriter()
    hostile.append(-1)
    #expect(throws: PackedError.outOfRange(offset: 0)) { try decode(Data(hostile.bytes)) }
  }

  // MARK: - Promises

  private func promise(_ number: Int64, at second: Int64) throws -> Promise {
    let time = Instant(microseconds: second * 1_000_000)
    let type: PayoutType = number % 5 == 0 ? .prize(Int(number % 3)) : .scanReward
    var run = AwardRun(Award(to: UInt32(number), MicroUSDT(microunits: number), at: time))
    if number % 4 == 0 { run = AwardRun(count: number + 1, amount: .zero, at: time, offsets: 5) }
    for second in 0..<(number % 7 == 0 ? 30 : 0) {
      let award = Award(to: 7, MicroUSDT(microunits: 1), at: time + .seconds(Int64(second)))
      try run.append(award, keepsReceiver: number % 4 != 0)
    }
    return Promise(type: type, number: number, time: time, run: run)
  }

  private func list(_ queue: PromiseQueue) -> [Promise] {
    var all: [Promise] = []
    queue.visit { promise in all.append(promise) }
    return all
  }

  @Test(arguments: [1, 2, 3]) func theQueueOfPromisesIsAPlainList(_ seed: UInt64) throws {
    var stream = RandomStream(seed: seed, purpose: 903, entity: 0)
    var queue = PromiseQueue()
    var plain: [Promise] = []
    var number: Int64 = 0
    for _ in 0..<40 {
      for _ in 0..<Int(stream.uniform() * 400) {
        number += 1
        // Now and then something is told late; not where the type has a later one.
        var next = try promise(number, at: number - (stream.uniform() < 0.01 ? 50 : 0))
        next.time = max(next.time, plain.last { $0.type == next.type }?.time ?? .distantPast)
        queue.append(next)
        plain.append(next)
      }
      #expect(queue.count == plain.count && queue.earliest == plain.map(\.time).min())
      let skipped = Int(stream.uniform() * Double(plain.count + 2))
      var rest: [Int64] = []
      queue.visit(after: skipped) { promise in rest.append(promise.number) }
      #expect(rest == plain.dropFirst(skipped).map(\.number))
      let copy = queue
      let bound = Instant(microseconds: (number - Int64(stream.uniform() * 3_000)) * 1_000_000)
      let awards = plain.filter { $0.type == .scanReward && $0.time >= bound }.map(\.run.count)
      #expect(queue.count(of: .scanReward, in: bound ..< .distantFuture) == awards.reduce(0, +))
      var taken: [Promise] = []
      while let type = queue.earliestType(), let first = queue.first(of: type), first.time < bound {
        let popped = queue.popFirst(of: type)
        let run = try #require(popped)
        taken.append(Promise(type: type, number: first.number, time: first.time, run: run))
      }
      queue.findEarliest()
      // By instant, and of one instant in the order in which they were made.
      let order = plain.indices.filter { plain[$0].time < bound }
        .sorted { (plain[$0].time, $0) < (plain[$1].time, $1) }
      #expect(taken.map(\.number) == order.map { plain[$0].number })
      #expect(zip(taken, order).allSatisfy { $0.run == plain[$1].run })
      plain.removeAll { $0.time < bound }
      // A copy keeps what was taken.
      #expect(list(copy).count == taken.count + plain.count)
      try check(queue, plain)
    }
    #expect(number > 5_000)
  }

  /// A queue holds these promises, and so does what is read of what was saved of it.
  private func check(_ queue: PromiseQueue, _ plain: [Promise]) throws {
    #expect(list(queue).map(\.number) == plain.map(\.number))
    let text = try JSONEncoder().encode(queue)
    let again = try JSONDecoder().decode(PromiseQueue.self, from: text)
    let order = plain.indices.sorted { (plain[$0].time, $0) < (plain[$1].time, $1) }
    let saved = list(again)
    #expect(saved.map(\.number) == order.map { plain[$0].number })
    #expect(saved.map(\.type) == order.map { plain[$0].type })
    #expect(again.earliest == queue.earliest)
    #expect(zip(saved, order).allSatisfy { $0.run == plain[$1].run && $0.time == plain[$1].time })
    #expect(try JSONEncoder().encode(again) == text)
  }

  @Test func promisesOutOfOrderAreRefused() throws {
    struct Saved: Codable { @Packed var promises: [Promise] = [] }
    let saved = Saved(promises: [try promise(1, at: 2), try promise(2, at: 1)])
    let text = try JSONEncoder().encode(saved)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(PromiseQueue.self, from: text) }
  }
}
