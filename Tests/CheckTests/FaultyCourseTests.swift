// Goal: faults of a course are counted where they happen alone.
// Method: courses of one or two submissions, with one kind of fault that is sure to be drawn.
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

@testable import BlakJaks

@Suite struct FaultyCourseTests {
  typealias Kind = BlakJaksFaults.Course

  private struct Outcome: Equatable {
    var counted: Int64
    var arrived: Int

    init(_ counted: Int64, _ arrived: Int) { (self.counted, self.arrived) = (counted, arrived) }
  }

  private let input: WorldInput

  init() throws {
    input = try WorldInput(Scenario.load(text: "name: x\ncalendar: {days: 30}\n", file: "x"))
  }

  private func scan(_ member: UInt32, day: Int) -> BlakJaks.JournalEntry {
    entry(.scan(member: member, code: "AAAA-AAAA-AAAA"), day: day)
  }

  private func entry(
    _ request: ProgrammeRequest, day: Int, later: Int64 = 0
  ) -> BlakJaks.JournalEntry {
    BlakJaks.JournalEntry(
      time: input.calendar.dayStarts[day] + TimeSpan(microseconds: later), request: request)
  }

  /// How often a kind of fault counts, and how many requests arrive.
  private func course(
    _ kind: Kind, _ entries: [BlakJaks.JournalEntry], end: Instant? = nil
  ) -> Outcome {
    var plan = CheckPlan()
    plan.rates = [kind.rawValue: 1]
    var course = FaultyCourse(input, entries, plan, until: end ?? input.calendar.end)
    var arrived = 0
    while course.next() != nil { arrived += 1 }
    return Outcome(course.counts[kind, default: 0], arrived)
  }

  @Test(
    "A request that would come after the end is no fault",
    arguments: [Kind.delayed, .replayed, .duplicated, .boundary])
  func end(kind: Kind) {
    let early = course(kind, [scan(0, day: 3)])
    #expect(early.counted == 1, "\(kind)")
    #expect(early.arrived == (kind == .replayed || kind == .duplicated ? 2 : 1))
    // The submission itself is the last that comes; a midnight is its own.
    let last = input.calendar.dayStarts[3] + TimeSpan(microseconds: 1)
    let late = course(kind, [scan(0, day: 3)], end: last)
    let isAtOnce = kind == .duplicated || kind == .boundary
    #expect(late.counted == (isAtOnce ? 1 : 0), "\(kind)")
    #expect(late.arrived == (kind == .duplicated ? 2 : kind == .delayed ? 0 : 1), "\(kind)")
    #expect(course(kind, [scan(0, day: 3)], end: input.calendar.dayStarts[3]) == Outcome(0, 0))
  }

  @Test func aRequestThatNobodyOvertakesIsNotReordered() {
    #expect(course(.reordered, [scan(0, day: 3)]) == Outcome(0, 1))
    #expect(course(.reordered, [scan(0, day: 3), scan(1, day: 4)]) == Outcome(0, 2))
    // A sale is never held back.
    let sale = entry(.sell(tins: 1), day: 3, later: 1)
    #expect(course(.reordered, [scan(0, day: 3), sale]) == Outcome(1, 2))
  }

  @Test func twoMembersSendACodeOnlyWhereThereAreTwo() {
    func signUp(_ member: UInt32) -> BlakJaks.JournalEntry {
      entry(.signUp(member: member, state: 0), day: 1)
    }
    let alone = course(.sameCode, [signUp(0), scan(0, day: 3)])
    #expect(alone == Outcome(0, 3))
    let many = (0..<40).map { signUp($0) } + (0..<40).map { scan($0, day: 3) }
    let outcome = course(.sameCode, many)
    #expect(outcome.arrived == 120)
    // Of 42 numbers that are drawn, 39 are those of others.
    #expect((24...40).contains(outcome.counted), "\(outcome)")
  }
}
