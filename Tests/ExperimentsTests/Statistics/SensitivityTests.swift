import EventKernel
import Experiments
// Goal: screening and variance shares are those of functions worked out by hand.
// Method: linear functions with known effects; the Ishigami function (a = 7, b = 0.1), whose
// indices are .3139 .4424 0 and .5576 .4424 .2437 (Ishigami and Homma 1990,
// doi:10.1109/ISUMA.1990.151285); an additive function, whose total indices equal the first.
import Foundation
import Testing

@Suite struct SensitivityTests {
  static func ishigami(_ shares: [Double]) -> Double {
    let x = shares.map { (2 * $0 - 1) * Double.pi }
    let wave = sin(x[1])
    return sin(x[0]) + 7 * wave * wave + 0.1 * x[2] * x[2] * x[2] * x[2] * sin(x[0])
  }

  @Test("A trajectory moves every axis once, by the same jump, within the levels")
  func trajectories() throws {
    let screening = try MorrisScreening(factors: 5, trajectories: 8, levels: 4, seed: 1)
    #expect(screening.points.count == 8 * 6)
    for trajectory in 0..<8 {
      var moved: [Int] = []
      for step in (trajectory * 6)..<(trajectory * 6 + 5) {
        let changes = (0..<5).filter {
          screening.points[step][$0] != screening.points[step + 1][$0]
        }
        #expect(changes.count == 1)
        let factor = changes[0]
        moved.append(factor)
        let jump = abs(screening.points[step][factor] - screening.points[step + 1][factor])
        #expect(near(jump, 2.0 / 3))
      }
      #expect(moved.sorted() == Array(0..<5))
    }
    let values = screening.points.flatMap { $0 }
    for value in values { #expect([0, 1.0 / 3, 2.0 / 3, 1].contains { near(value, $0) }) }
    let other = try MorrisScreening(factors: 5, trajectories: 8, levels: 4, seed: 2)
    #expect(screening.points != other.points)
  }

  @Test("Effects of a linear function are its coefficients, without spread")
  func linear() throws {
    let screening = try MorrisScreening(factors: 4, trajectories: 10, seed: 3)
    let effects = try screening.analyse(
      screening.points.map { 3 * $0[0] - 2 * $0[1] + 0.5 * $0[2] })
    for (effect, expected) in zip(effects, [3, -2, 0.5, 0]) {
      #expect(near(effect.mean, expected))
      #expect(near(effect.size.mean, abs(expected)))
      #expect(effect.deviation < 1e-9)
      #expect(effect.size.halfWidth < 1e-9)
    }
  }

  @Test("An interaction has a spread, and signs that cancel leave the size")
  func interaction() throws {
    let screening = try MorrisScreening(factors: 3, trajectories: 200, seed: 4)
    let effects = try screening.analyse(
      screening.points.map { ($0[0] - 0.5) * ($0[1] - 0.5) * 4 + 0.1 * $0[2] })
    #expect(abs(effects[0].mean) < 0.4)
    #expect(effects[0].size.mean > 1)
    #expect(effects[0].deviation > 1)
    #expect(effects[2].deviation < 1e-9)
  }

  @Test("Morris ranks the Ishigami function's axes above one that does nothing")
  func morrisIshigami() throws {
    let screening = try MorrisScreening(factors: 4, trajectories: 60, seed: 5)
    let effects = try screening.analyse(screening.points.map(Self.ishigami))
    for factor in 0..<3 { #expect(effects[factor].size.mean > 1) }
    #expect(effects[3].size.mean == 0)
  }

  @Test("Screening refuses bad sizes and values")
  func morrisRefusals() throws {
    #expect(throws: StatisticsError.self) { try MorrisScreening(factors: 0, seed: 0) }
    #expect(throws: StatisticsError.self) {
      try MorrisScreening(factors: 2, trajectories: 1, seed: 0)
    }
    #expect(throws: StatisticsError.estimator(.badParameter(name: "levels", value: 5))) {
      try MorrisScreening(factors: 2, levels: 5, seed: 0)
    }
    let screening = try MorrisScreening(factors: 2, trajectories: 2, seed: 0)
    #expect(throws: StatisticsError.lengths(name: "values", count: 5, needed: 6)) {
      try screening.analyse([1, 2, 3, 4, 5])
    }
    #expect(throws: StatisticsError.self) { try screening.analyse([1, 2, 3, 4, 5, .nan]) }
  }

  @Test("The indices of the Ishigami function are found", arguments: UInt64(0)..<3)
  func ishigami(seed: UInt64) throws {
    let sampling = try SobolIndices(factors: 3, base: 2_048, seed: seed)
    let analysis = try sampling.analyse(
      sampling.points.map(Self.ishigami), resamples: 100, seed: seed)
    for (index, (first, total)) in zip(
      analysis.indices, [(0.3139, 0.5576), (0.4424, 0.4424), (0, 0.2437)])
    {
      #expect(abs(index.first.estimate - first) < 0.02, "\(index.first.estimate) for \(first)")
      #expect(abs(index.total.estimate - total) < 0.02, "\(index.total.estimate) for \(total)")
      #expect(index.first.contains(first))
      #expect(index.total.contains(total))
    }
    // Mean a / 2; variance a²/8 + bπ⁴/5 + b²π⁸/18 + 1/2.
    #expect(abs(analysis.mean - 3.5) < 0.02)
    #expect(near(analysis.variance, 13.8446, 0.01))
  }

  @Test("From the stated number of base points on, intervals cover at least as often as they say")
  func coverage() throws {
    let truths = [(0.3139, 0.5576), (0.4424, 0.4424), (0, 0.2437)]
    var coverage = CoverageCount()
    for repetition in UInt64(0)..<40 {
      let sampling = try SobolIndices(
        factors: 3, base: SobolIndices.baseForIntervals, seed: 1_000 + repetition)
      let analysis = try sampling.analyse(
        sampling.points.map(Self.ishigami), resamples: 100, seed: repetition)
      for (index, truth) in zip(analysis.indices, truths) {
        coverage.count(index.first.contains(truth.0))
        coverage.count(index.total.contains(truth.1))
      }
    }
    // With 16 base points it is about 91 %.
    #expect(coverage.repetitions == 240 && coverage.share >= 0.95, "\(coverage.share)")
  }

  @Test("Without interactions the total indices equal the first, in proportion to the variances")
  func additive() throws {
    let sampling = try SobolIndices(factors: 3, base: 1_024, seed: 1)
    let analysis = try sampling.analyse(
      sampling.points.map { 1e6 + $0[0] + 2 * $0[1] }, resamples: 100)
    for (index, expected) in zip(analysis.indices, [0.2, 0.8, 0]) {
      #expect(abs(index.first.estimate - expected) < 0.01)
      #expect(abs(index.total.estimate - expected) < 0.01)
    }
    #expect(analysis.indices[2].total.estimate == 0)
  }

  @Test("A share alone that its error puts above the share in all is taken down to it, and told")
  func capped() throws {
    var told = 0
    for seed in UInt64(0)..<8 {
      let sampling = try SobolIndices(factors: 2, base: 16, seed: seed)
      // Every other one with an interaction, which keeps the first well below the total.
      let values = sampling.points.map {
        $0[0] + 0.3 * $0[1] + (seed % 2 == 0 ? 0 : 8 * ($0[0] - 0.5) * ($0[1] - 0.5))
      }
      let indices = try sampling.analyse(values, resamples: 100, seed: seed).indices
      for (place, index) in indices.enumerated() {
        // Jansen's estimators, written out.
        let rows = stride(from: 0, to: values.count, by: 4).map { Array(values[$0..<$0 + 4]) }
        let all = rows.flatMap { $0[..<2] }
        let mean = all.reduce(0, +) / Double(all.count)
        let variance = all.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(all.count - 1)
        func share(_ side: Int) -> Double {
          rows.reduce(0) { $0 + ($1[side] - $1[2 + place]) * ($1[side] - $1[2 + place]) }
            / Double(2 * rows.count) / variance
        }
        let (first, total) = (1 - share(1), share(0))
        #expect(abs(index.total.estimate - total) < 1e-9)
        #expect(abs(index.first.estimate - min(first, total)) < 1e-9)
        #expect((index.firstBeforeCap != nil) == (first > total))
        if let before = index.firstBeforeCap {
          told += 1
          #expect(abs(before - first) < 1e-9)
        }
      }
    }
    #expect((1..<16).contains(told), "\(told) of 16")
  }

  @Test("Points come base point by base point, AB_i with one coordinate from B")
  func order() throws {
    let sampling = try SobolIndices(factors: 2, base: 8, seed: 1)
    #expect(sampling.points.count == 32)
    for row in stride(from: 0, to: 32, by: 4) {
      let (a, b) = (sampling.points[row], sampling.points[row + 1])
      #expect(sampling.points[row + 2] == [b[0], a[1]])
      #expect(sampling.points[row + 3] == [a[0], b[1]])
    }
  }

  @Test("Indices refuse bad sizes, constants and values that are not finite")
  func sobolRefusals() throws {
    #expect(throws: StatisticsError.count(name: "factors", count: 21, allowed: 1...20)) {
      try SobolIndices(factors: 21, base: 8, seed: 0)
    }
    #expect(throws: StatisticsError.self) { try SobolIndices(factors: 2, base: 7, seed: 0) }
    let sampling = try SobolIndices(factors: 1, base: 8, seed: 0)
    let flat = [Double](repeating: 4, count: 24)
    #expect(throws: StatisticsError.noVariation(name: "values")) { try sampling.analyse(flat) }
    #expect(throws: StatisticsError.lengths(name: "values", count: 1, needed: 24)) {
      try sampling.analyse([1])
    }
    let values = sampling.points.map { $0[0] }
    #expect(throws: StatisticsError.self) { try sampling.analyse(values, resamples: 99) }
    #expect(throws: StatisticsError.self) { try sampling.analyse(values, level: 1) }
    #expect(throws: StatisticsError.self) { try sampling.analyse(values.map { $0 / 0 }) }
  }
}
