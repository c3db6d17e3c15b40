// Goal: tins are opened when they are due, and none where there is none.
// Method: random purchases and openings, and the same counted with whole numbers and plain questions.
import EventKernel
import Population
import Testing

@testable import BlakJaks

@Suite struct MemberCourseTests {
  @Test("A first tin is opened after a part of the spacing, another one after a gap")
  func openings() {
    var seen: [String: Int] = [:]
    for round in 0..<200 {
      var stream = RandomStream(seed: 4, purpose: 5, entity: UInt64(round))
      let gapWeeks = Float([1e-6, 0.5, 3, 1e12][round % 4])
      var course = MemberCourse()
      course.begin(MemberTraits(meanGapWeeks: gapWeeks, dropout: 0.1))
      var (held, pace, hours) = (0, 0, 10.0)
      for _ in 0..<60 {
        hours += stream.uniform()
        if held == 0 || stream.uniform() < 0.4 {
          let tins = [0, 1, 2, 7, 70_000][Int(stream.uniformIndex(below: 5))]
          let part = stream.uniform()
          let isFirst = held == 0 && tins > 0
          held = min(held + tins, 65_535)
          if tins > 0 { pace = held }
          let expected =
            isFirst ? hours + part * Double(gapWeeks) * 168 / Double(pace) : .infinity
          let told = course.firstOpeningHours(taking: tins, firstOpening: part, at: hours)
          #expect(told == expected)
          seen[isFirst ? "first" : held == 0 ? "none" : "more", default: 0] += 1
        } else {
          let gap = 0.5 + stream.uniform()
          held -= 1
          let expected =
            held > 0 ? hours + gap * (Double(gapWeeks) * 168 / Double(pace)) : .infinity
          #expect(course.openingHours(afterGap: gap, at: hours) == expected)
          seen[held > 0 ? "next" : "last", default: 0] += 1
        }
        #expect(Int(course.tinsHeld) == held)
      }
    }
    #expect(seen.count == 5 && seen.values.allSatisfy { $0 > 20 }, "sometimes: \(seen)")
  }
}
