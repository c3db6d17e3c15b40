// Goal: a projection runs the pairs and uses the controls that it says, and says what they gained.
// Method: seeds of the replications; half-widths again from the replications' values; trials with
// made-up values of known gain.
import EventKernel
import Experiments
import Foundation
import Scenario
import Synchronization
import TestSupport
import Testing

@Suite(.tags(.slow)) struct VarianceReductionRunTests {
  private struct Done {
    var fold: ProjectionFold
    var replications: [Replication]

    var seeds: [UInt64] { replications.map(\.seed) }

    func values(_ name: String) -> [Double] {
      replications.compactMap { row in fold.measured.row(of: name).flatMap { row.figures[$0] } }
    }
  }

  /// Short runs with one window a day.
  private func project(
    _ count: Int, _ antithetic: Antithetic, controls: Bool = false, threads: Int = 2
  ) throws -> Done {
    let scenario = try smallScenario(
      "calendar.days=14", "calendar.window=24h", "population.adoption.model=cohort")
    let seen = Mutex<[Replication]>([])
    let projector = Projector(
      try smallRunner(scenario, threads: threads), target: .replications(count),
      antithetic: antithetic, controls: controls)
    let fold = try projector.run(
      each: { replication in seen.withLock { $0.append(replication) } },
      proceed: { _, _ in true })
    return Done(fold: try #require(fold), replications: seen.withLock { $0 })
  }

  private func isMirrored(_ seeds: [UInt64], _ number: Int) -> Bool {
    seeds[number] == RandomStream.mirrored(seeds[number - 1])
  }

  @Test("With pairs on every second replication mirrors the one before it")
  func on() throws {
    let done = try project(6, .on)
    #expect([1, 3, 5].allSatisfy { isMirrored(done.seeds, $0) })
    #expect(done.fold.trial.verdict == .on && done.fold.trial.gain == nil)
    let name = "tins.sold"
    let values = done.values(name)
    let means = [0, 2, 4].map { first -> Double in (values[first] + values[first + 1]) / 2 }
    let centre = means.reduce(0, +) / 3
    var variance = 0.0
    for mean in means { variance += (mean - centre) * (mean - centre) / 2 }
    // Student's t at two degrees of freedom.
    let student = 4.302652729911275 * (variance / 3).squareRoot()
    let half = student * SkewedMean.widening(values, observations: 3)
    #expect(near(done.fold.halfWidth(of: name), half, 1e-8))
    let projection = Projection(done.fold, seed: 7, dates: [])
    let figure = try #require(projection.figures.first { $0.name == name })
    #expect(near(figure.estimate.mean, centre) && near(figure.estimate.halfWidth, half, 1e-8))
    #expect(near(projection.months.first?.budget.halfWidth, half * 1, 1e-8), "a USDT a tin")
  }

  @Test("Pairs are tried where eighty replications are to run, gone on with only if they help")
  func trial() throws {
    let few = try project(79, .auto)
    #expect(few.fold.trial.verdict == .tooFew && few.fold.trial.pairs.isEmpty)
    #expect((1..<79).allSatisfy { !isMirrored(few.seeds, $0) })
    let done = try project(82, .auto)
    let alone = try project(82, .auto, threads: 1)
    #expect(done.seeds == alone.seeds)
    #expect(done.fold.trial == alone.fold.trial)
    let trial = done.fold.trial
    #expect(trial.figure == "budget.utilisation.year")
    let gain = try #require(trial.gain)
    let ends =
      (gain.low ?? 0) > 1 ? (trial.hurt == nil ? PairTrial.Verdict.helped : .hurt) : .notShown
    #expect(trial.verdict == ends)
    #expect(stride(from: 1, to: 40, by: 2).allSatisfy { isMirrored(done.seeds, $0) })
    for number in stride(from: 41, to: 82, by: 2) {
      #expect(isMirrored(done.seeds, number) == (trial.verdict == .helped))
    }
    #expect(done.seeds.prefix(1) == few.seeds.prefix(1), "number 0 has the scenario's seed")
  }

  /// Fisher's z of a correlation of 20 pairs has the standard error 1/√17.
  @Test("A trial goes on with pairs that surely help and with no others")
  func verdicts() throws {
    for (gain, verdict) in [
      (5, PairTrial.Verdict.helped), (1.7, .helped), (1.6, .notShown), (1.0, .notShown),
      (0.6, .notShown), (0.4, .notShown),
    ] {
      var trial = PairTrial(.auto)
      #expect(trial.verdict == .tooFew && trial.pairs.isEmpty && !trial.joins(1))
      trial.begin(at: 10)
      #expect(trial.pairs == 10..<50 && trial.joins(11) && !trial.joins(12) && !trial.joins(51))
      trial.end("budget.spend.year", gain: gain)
      #expect(trial.verdict == verdict, "\(gain)")
      #expect(trial.pairs == (verdict == .helped ? 10..<Int.max : 10..<50))
      #expect(trial.gain?.estimate == gain)
    }
    var trial = PairTrial(.auto)
    trial.begin(at: 0)
    trial.end("x", gain: 2)
    // ρ = −1/2: z = −0.5493, ± 1.6449 / √17 = 0.3989.
    #expect(near(trial.gain?.low, 1 / (1 + tanh(-0.549306144 + 0.398938)), 1e-5))
    #expect(near(trial.gain?.high, 1 / (1 + tanh(-0.549306144 - 0.398938)), 1e-5))
    var flat = PairTrial(.auto)
    flat.begin(at: 10)
    flat.end("x", gain: nil)
    #expect(flat.verdict == .notShown && flat.gain == nil && flat.pairs == 10..<50)
  }

  @Test("Pairs that surely hurt a printed figure are dropped, however much they help another")
  func objections() {
    func trial(_ others: [Double]) -> PairTrial {
      var trial = PairTrial(.auto)
      trial.begin(at: 0)
      trial.end("x", gain: 5, others: others.enumerated().map { ("y\($0.offset)", $0.element) })
      return trial
    }
    #expect(trial([]).verdict == .helped)
    #expect(trial([0.8, 1.3, 0.9]).verdict == .helped, "chance makes as much of so few pairs")
    let hurt = trial([1, 0.55, 0.9])
    #expect(hurt.verdict == .hurt && hurt.pairs == 0..<40)
    #expect(hurt.hurt?.figure == "y1" && hurt.hurt?.gain == 0.55)
    #expect(trial([0.5]).verdict == .hurt, "the two of a pair are the same")
    // ρ = 0.45 is beyond chance for one figure, and not for the worst of twenty.
    #expect(trial([1 / 1.45]).verdict == .hurt)
    #expect(trial([1 / 1.45] + Array(repeating: 1, count: 19)).verdict == .helped)
  }

  @Test("Controls narrow what follows purchases, and leave percentiles alone")
  func controls() throws {
    let plain = try project(30, .off)
    let done = try project(30, .off, controls: true)
    #expect(plain.seeds == done.seeds)
    #expect(plain.fold.estimate(of: "tins.sold")?.reduced == nil)
    let tins = try #require(done.fold.estimate(of: "tins.sold")?.reduced)
    #expect(tins.usesControls && tins.pairGain == nil)
    // Sign-ups of a cohort leave nothing else to vary: purchases and tins are all there is.
    #expect((tins.gain ?? .infinity) > 100)
    let scans = try #require(done.fold.estimate(of: "scans.accepted")?.reduced)
    #expect(scans.usesControls && (scans.gain ?? 0) > 2)
    let projection = Projection(done.fold, seed: 7, dates: [])
    let without = Projection(plain.fold, seed: 7, dates: [])
    for (one, other) in zip(projection.figures, without.figures) {
      #expect(one.estimate.percentiles == other.estimate.percentiles)
      #expect(one.estimate.plainMean == other.estimate.mean && other.estimate.reduced == nil)
    }
    // One quantity has one mean wherever it stands: a tin's budget is 1 USDT.
    let budget = try #require(projection.year?.budget)
    let sold = try #require(projection.figures.first { $0.name == "tins.sold" }).estimate
    #expect(near(budget.mean, sold.mean) && near(budget.halfWidth, sold.halfWidth ?? 0, 1e-6))
    let spend = try #require(projection.figures.first { $0.name == "budget.spend.year" }).estimate
    #expect(near(projection.year?.spendAccrual.mean, spend.mean))
  }
}
