// Goal: sessions start at the rates that a profile says.
// Method: even arrivals against the integral of the rate; the number of Poisson arrivals in each piece
// against its mean, over many seeds.
import LoadTest
import Testing

@Suite struct ArrivalTimesTests {
  private func all(_ profile: LoadProfile, _ spacing: Arrivals.Spacing, seed: UInt64 = 1) -> [Int64]
  {
    var times = ArrivalTimes(profile, spacing, seed: seed)
    var starts: [Int64] = []
    while let start = times.next() { starts.append(start) }
    return starts
  }

  /// Sessions up to a time, by adding up a thousand strips a second.
  private func sessions(_ profile: LoadProfile, until time: Double) -> Double {
    var sum = 0.0
    let strips = Int(time * 1_000)
    for strip in 0..<strips { sum += profile.rate(at: (Double(strip) + 0.5) / 1_000) / 1_000 }
    return sum
  }

  @Test(
    "Even arrivals are where the integral of the rate is whole",
    arguments: LoadProfile.Shape.allCases)
  func even(_ shape: LoadProfile.Shape) {
    let profile = LoadProfile(shape, rate: 40, seconds: 20)
    let starts = all(profile, .even)
    #expect(abs(Double(starts.count) - profile.sessions) <= 1)
    #expect(abs(sessions(profile, until: 20) - profile.sessions) < 0.1)
    for place in stride(from: 0, to: starts.count, by: 97) {
      let reached = sessions(profile, until: Double(starts[place]) / 1e9)
      #expect(abs(reached - Double(place)) < 0.4, "arrival \(place)")
    }
    #expect(starts == starts.sorted() && starts.allSatisfy { (0..<20_000_000_000).contains($0) })
  }

  @Test("Poisson arrivals have the mean and the variance of each piece")
  func poisson() {
    let profile = LoadProfile(.spike, rate: 30, seconds: 10)
    var tallies = Array(repeating: (sum: 0.0, squares: 0.0), count: 3)
    let runs = 400
    for seed in 1...UInt64(runs) {
      let starts = all(profile, .poisson, seed: seed).map { Double($0) / 1e9 }
      for (place, range) in [0.0..<4.0, 4.0..<6.0, 6.0..<10.0].enumerated() {
        let count = Double(starts.count { range.contains($0) })
        tallies[place].sum += count
        tallies[place].squares += count * count
      }
    }
    for (place, mean) in [120.0, 300.0, 120.0].enumerated() {
      let average = tallies[place].sum / Double(runs)
      let variance = tallies[place].squares / Double(runs) - average * average
      // Four standard errors each; seeds are fixed.
      #expect(abs(average - mean) < 4 * (mean / Double(runs)).squareRoot())
      #expect(abs(variance / mean - 1) < 4 * (2 / Double(runs)).squareRoot())
    }
  }

  @Test("The shapes do what their names say")
  func shapes() {
    #expect(LoadProfile(.constant, rate: 7, seconds: 9).sessions == 63)
    let ramp = LoadProfile(.ramp, rate: 100, seconds: 10)
    #expect(ramp.rate(at: 0) == 10 && abs(ramp.rate(at: 9.999) - 100) < 0.1)
    #expect(LoadProfile(.spike, rate: 10, seconds: 10).rate(at: 5) == 50)
    let turn = LoadProfile(.quarterTurn, rate: 10, seconds: 10)
    #expect(abs(turn.rate(at: 4.999) - 30) < 0.1 && turn.rate(at: 5.001) == 10)
    let stairs = LoadProfile(.breakpoint, rate: 10, seconds: 10)
    #expect(stairs.rate(at: 1.5) == 12.5 && stairs.peak > 74 && stairs.rate(at: 11) == 0)
  }
}
