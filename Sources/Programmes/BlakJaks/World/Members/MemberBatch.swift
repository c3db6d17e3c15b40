internal import EventKernel
internal import Population
internal import Quantities

/// Members of a cell whose next openings and purchases are drawn, printed and adjudicated together,
/// so that the processor works on several at a time.
///
/// Its memory is scratch: nothing in it outlives the batch.
struct MemberBatch: ~Copyable {
  /// What a member of the batch does first.
  enum Step: UInt8 { case other, opens, buys }

  /// Members of a batch at most: what they need fits the first cache.
  static let capacity = 256
  /// Rows that are asked for before they are looked at: so long before that their way from memory
  /// is over, and not so many that they drive each other out of the cache.
  static let rowsAhead = 512
  /// Extras that are asked for before they are looked at.
  static let extrasAhead = 24
  /// Two codes and their numbers, two plans, three blocks of four words and whom and where they are
  /// of, a step.
  private static let byteCount = capacity * (2 * 8 + 2 * (8 + 8 + 2) + 12 * 4 + 4 * 4 + 1)

  /// One for each member.
  let steps: UnsafeMutablePointer<Step>
  private var members = 0
  // One or two for each member: when the next opening or purchase is.
  private let planHours: UnsafeMutablePointer<Double>
  private let planInstants: UnsafeMutablePointer<Int64>
  private let planPlaces: UnsafeMutablePointer<UInt16>
  private var planCount = 0
  private static let purchaseBit: UInt16 = 1 << 15
  // One for each opening.
  private let codeMemory: UnsafeMutablePointer<UInt64>
  private let serialMemory: UnsafeMutablePointer<UInt64>
  private let scans: UnsafeMutablePointer<UInt32>
  private let scanners: UnsafeMutablePointer<UInt32>
  private let scanWords: UnsafeMutablePointer<UInt32>
  private var scanCount = 0
  // One for each purchase.
  private let blocks: UnsafeMutablePointer<UInt32>
  private let buyers: UnsafeMutablePointer<UInt32>
  private let firstWords: UnsafeMutablePointer<UInt32>
  private let secondWords: UnsafeMutablePointer<UInt32>
  private var purchaseCount = 0

  /// Lends an empty batch.
  @inline(__always)
  static func withMemory(_ body: (inout MemberBatch) -> Void) {
    // To lines of the cache by hand: aligned blocks of the C library, asked for in every window, leave
    // gaps in the heap that grow with the run, to more than the members themselves.
    let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount + 63, alignment: 16)
    defer { memory.deallocate() }
    var batch = MemberBatch(memory.alignedUp(toMultipleOf: 64))
    body(&batch)
  }

  private init(_ memory: UnsafeMutableRawPointer) {
    var next = memory
    func take<Element: BitwiseCopyable>(
      _ count: Int, of type: Element.Type
    ) -> UnsafeMutablePointer<Element> {
      defer { next += count * MemoryLayout<Element>.stride }
      return next.bindMemory(to: type, capacity: count)
    }
    let count = MemberBatch.capacity
    codeMemory = take(count, of: UInt64.self)
    serialMemory = take(count, of: UInt64.self)
    planHours = take(2 * count, of: Double.self)
    planInstants = take(2 * count, of: Int64.self)
    scans = take(count, of: UInt32.self)
    scanners = take(count, of: UInt32.self)
    scanWords = take(4 * count, of: UInt32.self)
    blocks = take(count, of: UInt32.self)
    buyers = take(count, of: UInt32.self)
    firstWords = take(4 * count, of: UInt32.self)
    secondWords = take(4 * count, of: UInt32.self)
    planPlaces = take(2 * count, of: UInt16.self)
    steps = take(count, of: Step.self)
    precondition(next == memory + MemberBatch.byteCount)
  }

  /// Codes of the tins that are opened; numbers of any kind before they are printed.
  var codes: UnsafeMutableBufferPointer<UInt64> {
    UnsafeMutableBufferPointer(start: codeMemory, count: scanCount)
  }

  /// Room for their serial numbers.
  var serials: UnsafeMutableBufferPointer<UInt64> {
    UnsafeMutableBufferPointer(start: serialMemory, count: scanCount)
  }

  /// Empties it.
  mutating func removeAll() { (members, scanCount, purchaseCount, planCount) = (0, 0, 0, 0) }

  /// Adds a member; at most `capacity` in all.
  ///
  /// - Parameters:
  ///   - opens: Whether the member opens a tin first.
  ///   - buys: Whether the member buys first; not both.
  ///   - scan: Tins opened before.
  ///   - purchase: Purchases before.
  @inline(__always)
  mutating func add(opens: Bool, buys: Bool, _ member: UInt32, scan: UInt32, purchase: UInt32) {
    steps[members] = opens ? .opens : buys ? .buys : .other
    members += 1
    // Written in any case and counted where it holds: a branch would be guessed wrong too often.
    scanners[scanCount] = member
    scans[scanCount] = scan
    scanCount += opens ? 1 : 0
    buyers[purchaseCount] = member
    blocks[purchaseCount] = BuyingModel.firstBlock(of: purchase)
    purchaseCount += buys ? 1 : 0
  }

  /// Draws for all openings and purchases.
  mutating func draw(_ behaviour: BehaviourModel) {
    Self.draw(behaviour, .scan, scanners, scans, scanWords, scanCount)
    Self.draw(behaviour, .purchase, buyers, blocks, firstWords, purchaseCount)
    for place in 0..<purchaseCount { blocks[place] &+= 1 }
    Self.draw(behaviour, .purchase, buyers, blocks, secondWords, purchaseCount)
  }

  private static func draw(
    _ behaviour: BehaviourModel, _ purpose: RandomPurpose, _ members: UnsafePointer<UInt32>,
    _ counters: UnsafePointer<UInt32>, _ words: UnsafeMutablePointer<UInt32>, _ count: Int
  ) {
    RandomStream.blocks(
      seed: behaviour.seed, purpose: purpose.rawValue,
      entities: UnsafeBufferPointer(start: members, count: count),
      counters: UnsafeBufferPointer(start: counters, count: count),
      into: UnsafeMutableBufferPointer(start: words, count: 4 * count))
  }

  @inline(__always)
  private static func block(
    _ words: UnsafePointer<UInt32>, _ place: Int, of count: Int
  ) -> SIMD4<UInt32> {
    SIMD4(
      words[place], words[count + place], words[2 * count + place], words[3 * count + place])
  }

  /// The code of an opening's tin.
  @inline(__always)
  func code(_ place: Int) -> TinCode { TinCode(bits: codeMemory[place]) }

  /// The draws of an opening.
  @inline(__always)
  func scan(_ place: Int, _ behaviour: BehaviourModel) -> ScanDraw {
    behaviour.scan(Self.block(scanWords, place, of: scanCount))
  }

  /// The draws of a purchase.
  @inline(__always)
  func purchase(_ place: Int, _ behaviour: BehaviourModel) -> PurchaseDraw {
    let next = blocks[place] &- 1
    return behaviour.purchase(
      member: buyers[place], index: next / BuyingModel.firstBlock(of: 1),
      first: Self.block(firstWords, place, of: purchaseCount),
      second: Self.block(secondWords, place, of: purchaseCount))
  }

  /// Notes when a member's next opening or purchase is; at most two a member.
  ///
  /// - Parameters:
  ///   - place: The member's in the cell, below 32,768.
  ///   - hours: Operational hours; may be infinite.
  ///   - now: It comes later than that.
  @inline(__always)
  mutating func plan(
    _ place: Int, at hours: Double, after now: Instant, isPurchase: Bool
  ) {
    planHours[planCount] = hours
    planInstants[planCount] = now.microseconds
    planPlaces[planCount] = UInt16(truncatingIfNeeded: place) | (isPurchase ? Self.purchaseBit : 0)
    planCount += 1
  }

  /// Finds the instants of all plans at once and tells them to the members.
  func settle(_ rows: UnsafeMutablePointer<MemberRow>, _ season: SeasonTable) {
    season.settle(
      UnsafeBufferPointer(start: planHours, count: planCount),
      after: UnsafeMutableBufferPointer(start: planInstants, count: planCount))
    for plan in 0..<planCount {
      let place = Int(planPlaces[plan] & ~Self.purchaseBit)
      let instant = Instant(microseconds: planInstants[plan])
      if planPlaces[plan] & Self.purchaseBit == 0 {
        rows[place].course.open(at: instant)
      } else {
        rows[place].course.buy(at: instant)
      }
    }
  }
}
