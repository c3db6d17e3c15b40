// Goal: rings copy as many codes as they are said to, of all tins alike, and have their luck by themselves.
// Method: tins of cells drawn many times; small worlds that grow, in which all codes are copied.
import EventKernel
import Foundation
import Population
import Quantities
import RewardModel
import TestSupport
import Testing

@testable import BlakJaks

@Suite struct RingTests {
  @Test func eachOpenedTinIsAsLikelyAsAnyOther() {
    let opened: [UInt64] = [0, 3, 0, 7, 0]
    let tins = OpenedTins(cells: 5) { opened[$0] }
    var stream = RandomStream(seed: 3, purpose: 999, entity: 1)
    var counts: [String: Int] = [:]
    for _ in 0..<10_000 {
      guard let tin = tins.draw(from: &stream) else { continue }
      #expect(tin.tin < opened[tin.cell])
      counts["\(tin)", default: 0] += 1
    }
    // Binomial with a tenth: a standard deviation of 30.
    #expect(counts.count == 10 && counts.values.allSatisfy { abs($0 - 1_000) < 150 }, "\(counts)")
    #expect(OpenedTins(cells: 3) { _ in 0 }.draw(from: &stream) == nil)
    #expect(OpenedTins(cells: 0) { _ in 1 }.draw(from: &stream) == nil)
  }

  @Suite(.tags(.slow)) struct WorldTests {
    private func run(_ settings: String...) throws -> BlakJaksRecord {
      let input = try WorldInput(
        try story(
          "bot-ring",
          [
            "calendar.start=2026-01-01", "calendar.days=20", "population.mischief.duplicates=0",
            "population.mischief.malformed=0", "population.mischief.guessed=0",
          ] + settings))
      var world = try World(input, threads: 1)
      return try world.run()
    }

    @Test("A ring that copies all of its codes does so long before most members come")
    func copiesEarly() throws {
      let ring = "population.mischief.rings=[{date: 2026-01-05, days: 3, accounts: 5, copied: 1}]"
      // Most sign up on later days, in cells of members of their own.
      let record = try run(
        ring, "calendar.days=12", "population.members=40000", "population.adoption.model=bass",
        "population.adoption.market=60000")
      let submitted = try #require(try record.values("bots.submitted").last)
      #expect(submitted > 400)
      #expect(record.count(of: .alreadyScanned) == submitted, "\(record.outcomes)")
      #expect(record.count(of: .unknownCode) == 0)
    }

    @Test("What a ring submits hangs on no other ring")
    func numbers() throws {
      let late = "{date: 2026-02-10, days: 3, accounts: 9}"
      let early = "{date: 2026-01-05, days: 3, accounts: 5}"
      let first = try run("population.members=300", "population.mischief.rings=[\(late), \(early)]")
      let both = try run(
        "population.members=300", "calendar.days=50",
        "population.mischief.rings=[\(late), \(early)]")
      let counts = (try first.values("bots.submitted"), try both.values("bots.submitted"))
      #expect(counts.0.elementsEqual(counts.1.prefix(20)) && (counts.0.last ?? 0) > 200)
    }
  }
}
