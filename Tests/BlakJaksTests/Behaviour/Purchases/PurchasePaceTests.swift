// Goal: a win shortens the gap under way and those after it as an uplifted rate does, exactly.
// Method: the gap's end against the integral of the rate in steps of a hundredth of an hour.
import BlakJaks
import EventKernel
import Quantities
import Testing

@Suite struct PurchasePaceTests {
  private func uplift(_ u: Double, days: Int64) throws -> PurchaseUplift {
    var settings = ResponseSettings()
    settings.uplift = u
    settings.upliftLasts = .days(days)
    return try #require(PurchaseUplift(settings))
  }

  /// When a gap ends, by adding up the rate step by step.
  private func end(_ gap: Double, from start: Double, wins: [Double], _ uplift: PurchaseUplift)
    -> Double
  {
    let step = 0.01
    var (now, done) = (start, 0.0)
    while done < gap {
      let isQuick = wins.contains { $0 <= now && now < $0 + uplift.hours }
      done += step * (isQuick ? uplift.factor : 1)
      now += step
    }
    return now
  }

  @Test("The end of a gap is where the integral of the rate reaches it")
  func integral() throws {
    let uplift = try uplift(0.5, days: 2)
    #expect(uplift.factor == 1.5 && uplift.hours == 48)
    var stream = RandomStream(seed: 1, purpose: 90, entity: 1)
    for _ in 0..<40 {
      let gap = 10 + 150 * stream.uniform()
      let start = 100 * stream.uniform()
      // Wins under way, with an uplift that runs out before the next or is extended by it.
      var wins: [Double] = []
      var at = start
      for _ in 0..<3 {
        at += 60 * stream.uniform()
        wins.append(at)
      }
      var pace = PurchasePace()
      var next = pace.begin(gap, at: start, uplift)
      #expect(next == start + gap)
      var taken: [Double] = []
      for win in wins where win < next {
        let sooner = pace.win(at: win, uplift)
        #expect(sooner <= next + 1e-9 && sooner >= win)
        next = sooner
        taken.append(win)
      }
      #expect(abs(next - end(gap, from: start, wins: taken, uplift)) < 0.05)
    }
  }

  @Test func anUpliftOutlivesThePurchaseAndEnds() throws {
    let uplift = try uplift(1, days: 10)
    var pace = PurchasePace()
    _ = pace.begin(100, at: 0, uplift)
    // 60 of the 100 hours are left at the win and take 30.
    #expect(pace.win(at: 40, uplift) == 70)
    #expect(pace.begin(100, at: 70, uplift) == 120)
    // The uplift ends at 280: 60 hours of it count twice, then the rest.
    #expect(pace.begin(200, at: 220, uplift) == 280 + 200 - 120)
    #expect(pace.begin(50, at: 300, uplift) == 350)
  }

  @Test func withoutUpliftThereIsNothingToKeep() {
    #expect(PurchaseUplift(ResponseSettings()) == nil)
  }
}
