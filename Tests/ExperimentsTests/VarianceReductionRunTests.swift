// Goal: a projection runs the pairs and uses the controls that it says, and says what they gained.
// Method: seeds of the replications; half-widths again from the replications' values; trials with
// made-up values of known gain.
import EventKernel
import Experiments
import Scenario
import Synchronization
import Testing

@Suite struct VarianceReductionRunTests {
  private struct Done {
    var fold: ProjectionFold
    var seeds: [UInt64]
  }

  /// Short runs with one window a day.
  private func project(
    _ count: Int, _ antithetic: Antithetic, controls: Bool = false, threads: Int = 2
  ) throws -> Done {
    let scenario = try smallScenario(
      "calendar.days=14", "calendar.window=24h", "population.adoption.model=cohort")
    let seeds = Mutex<[UInt64]>([])
    let projector = Projector(
      try smallRunner(scenario, threads: threads), target: .replications(count),
      antithetic: antithetic, controls: controls)
    let fold = try projector.run(
      cash: false, each: { replication in seeds.withLock { $0.append(replication.seed) } },
      proceed: { _, _ in true })
    return Done(fold: try #require(fold), seeds: seeds.withLock { $0 })
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
    let values = try #require(done.fold.values(of: name)).compactMap(\.self)
    let means = [0, 2, 4].map { (values[$0] + values[$0 + 1]) / 2 }
    let centre = means.reduce(0, +) / 3
    let variance = means.reduce(0) { $0 + ($1 - centre) * ($1 - centre) } / 2
    // Student's t at two degrees of freedom.
    let half = 4.302652729911275 * (variance / 3).squareRoot()
    #expect(near(done.fold.halfWidth(of: name), half, 1e-8))
    let projection = Projection(done.fold, seed: 7, dates: [], prizes: [])
    let figure = try #require(projection.figures.first { $0.name == name })
    #expect(near(figure.mean, centre) && near(figure.halfWidth, half, 1e-8))
    #expect(near(projection.months.first?.budget.halfWidth, half * 1, 1e-8), "a USDT a tin")
  }

  @Test("Pairs are tried where forty replications are to run, and gone on with only if they help")
  func trial() throws {
    let few = try project(39, .auto)
    #expect(few.fold.trial.verdict == .tooFew && few.fold.trial.pairs.isEmpty)
    #expect((1..<39).allSatisfy { !isMirrored(few.seeds, $0) })
    let done = try project(44, .auto)
    let alone = try project(44, .auto, threads: 1)
    #expect(done.seeds == alone.seeds)
    #expect(done.fold.trial == alone.fold.trial)
    let trial = done.fold.trial
    let gain = try #require(trial.gain)
    #expect(trial.verdict == (gain >= PairTrial.gainNeeded ? .helped : .noHelp))
    #expect(stride(from: 1, to: 20, by: 2).allSatisfy { isMirrored(done.seeds, $0) })
    for number in stride(from: 21, to: 44, by: 2) {
      #expect(isMirrored(done.seeds, number) == (trial.verdict == .helped))
    }
    #expect(done.seeds.prefix(1) == few.seeds.prefix(1), "number 0 has the scenario's seed")
  }

  /// Twenty values that are each other's opposites, and twenty that are not.
  @Test("A trial goes on with pairs that err in opposite directions and with no others")
  func verdicts() throws {
    var stream = repetitionStream(0, purpose: 40)
    let luck = (0..<10).map { _ in stream.normal() }
    let opposite = luck.flatMap { [5 + $0, 5 - 0.9 * $0] }
    let alike = luck.flatMap { [5 + $0, 5 + 0.9 * $0] }
    for (values, verdict) in [(opposite, PairTrial.Verdict.helped), (alike, .noHelp)] {
      var fold = ProjectionFold(catalog: FigureCatalog(), cash: false, antithetic: .auto)
      #expect(fold.trial.verdict == .tooFew && fold.trial.pairs.isEmpty)
      fold.trial.begin(at: 0)
      #expect(fold.trial.pairs == 0..<20)
      fold.trial.end(values, controls: [])
      #expect(fold.trial.verdict == verdict)
      #expect(fold.trial.pairs == (verdict == .helped ? 0..<Int.max : 0..<20))
    }
    var flat = PairTrial(.auto)
    flat.begin(at: 10)
    flat.end(Array(repeating: 1, count: 30), controls: [])
    #expect(flat.verdict == .noHelp && flat.gain == nil && flat.pairs == 10..<30)
  }

  @Test("Controls narrow what follows purchases, and leave percentiles alone")
  func controls() throws {
    let plain = try project(30, .off)
    let done = try project(30, .off, controls: true)
    #expect(plain.seeds == done.seeds)
    #expect(plain.fold.reduced(of: "tins.sold") == nil)
    let tins = try #require(done.fold.reduced(of: "tins.sold"))
    #expect(tins.usesControls && tins.pairGain == nil)
    // Sign-ups of a cohort leave nothing else to vary: purchases and tins are all there is.
    #expect((tins.gain ?? .infinity) > 100)
    let scans = try #require(done.fold.reduced(of: "scans.accepted"))
    #expect(scans.usesControls && (scans.gain ?? 0) > 2)
    let projection = Projection(done.fold, seed: 7, dates: [], prizes: [])
    let without = Projection(plain.fold, seed: 7, dates: [], prizes: [])
    for (one, other) in zip(projection.figures, without.figures) {
      #expect(one.estimate.percentiles == other.estimate.percentiles)
      #expect(one.estimate.mean == other.estimate.mean && other.reduced == nil)
    }
    let month = try #require(projection.months.first)
    #expect(month.budget.halfWidth == without.months.first?.budget.halfWidth)
  }

  @Test("A figure that some replications lack is not adjusted")
  func lacking() throws {
    let fold = try project(30, .off, controls: true).fold
    let lacking = fold.catalog.names.filter { fold.values(of: $0)?.contains(nil) ?? false }
    #expect(!lacking.isEmpty)
    #expect(lacking.allSatisfy { fold.reduced(of: $0) == nil })
    #expect(fold.reduced(of: "no such figure") == nil)
  }
}
