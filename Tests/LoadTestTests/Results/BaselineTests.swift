// Goal: a change between two loads is called real as often as the interval says, and only of loads that
// can be compared.
// Method: made-up seconds; a second writing of the statistics with Student's quantiles from a table;
// many pairs drawn from one law; documents that are no baseline.
import EventKernel
import Foundation
import Quantities
import Testing

@testable import LoadTest

/// Seconds drawn from one law.
private struct Law {
  private var stream: RandomStream
  /// How far a second's level is from where it would be alone: its share of the one before.
  private let memory: Double
  private var level = 0.0

  init(seed: UInt64, memory: Double = 0) {
    stream = RandomStream(seed: seed, purpose: 1, entity: 0)
    self.memory = memory
  }

  mutating func seconds(_ count: Int) -> [LoadSecond] {
    (0..<count).map { place in
      level = memory * level + (1 - memory * memory).squareRoot() * stream.normal()
      var second = LoadSecond(second: place)
      second.done = max(Int(300 + 17 * level), 0)
      second.median = Int64(2e6 * exp(0.2 * level))
      second.p99 = Int64(2e7 * exp(0.6 * stream.normal()))
      return second
    }
  }
}

@Suite struct BaselineTests {
  private typealias Figure = BaselineComparison.Figure

  private func result(_ seconds: [LoadSecond], length: Double? = nil) -> LoadResult {
    var shape = LoadFixture.shape
    shape.seconds = length ?? Double(seconds.count)
    var measures = LoadMeasures(journeys: 2, steps: 3)
    measures.elapsed = Double(seconds.count)
    measures.seconds = seconds
    return LoadFixture.result(measures, shape: shape)
  }

  private func comparison(
    _ before: [LoadSecond], _ after: [LoadSecond], length: Double? = nil
  ) throws -> BaselineComparison {
    let earlier = LoadDocument.json(result(before, length: length))
    return BaselineComparison(
      result(after, length: length), to: try LoadBaseline(Data(earlier.utf8), source: "before"))
  }

  private func row(
    _ comparison: BaselineComparison, _ figure: Figure, _ step: String? = nil
  ) throws -> BaselineComparison.Row {
    try #require(comparison.rows.first { $0.figure == figure && $0.step == step })
  }

  // MARK: - Statistics

  @Test("The interval is what a second writing makes of the windows", arguments: [60, 100, 21, 8])
  func secondWriting(count: Int) throws {
    var law = Law(seed: 5)
    let (before, after) = (law.seconds(count), law.seconds(count))
    let comparison = try comparison(before, after)
    // Student's 97.5 % quantiles by degrees of freedom, from a table.
    let quantiles = [7: 2.364624, 9: 2.262157, 10: 2.228139, 18: 2.100922]
    let skipped = count > 10 ? 2 : 0
    let length = max((count - skipped) / 10, 1)
    let windows = (count - skipped) / length
    #expect(comparison.windowSeconds == length)
    for (figure, value) in [
      (Figure.answers, { (second: LoadSecond) in Double(second.done) }),
      (.median, { Double($0.median) }), (.p99, { Double($0.p99) }),
    ] {
      var differences: [Double] = []
      for window in 0..<windows {
        var sum = 0.0
        for place in 0..<length {
          let second = skipped + window * length + place
          sum += value(after[second]) - value(before[second])
        }
        differences.append(sum / Double(length))
      }
      let mean = differences.reduce(0, +) / Double(windows)
      let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      let quantile = try #require(quantiles[windows - 1], "\(windows)")
      let half = quantile * (squares / Double(windows - 1) / Double(windows)).squareRoot()
      let row = try row(comparison, figure)
      #expect(row.windows == windows)
      #expect(abs(row.difference - mean) <= 1e-6 * max(abs(mean), 1))
      #expect(abs(try #require(row.halfWidth) - half) <= 1e-5 * half)
      #expect(abs(row.after - row.before - mean) <= 1e-6 * abs(row.before))
      #expect(row.isReal == (abs(mean) > half))
    }
  }

  /// How many of many pairs from one law are called different, as a share, by figure.
  private func called(memory: Double, pairs: UInt64) -> [Figure: Double] {
    var real: [Figure: Double] = [:]
    for seed in 0..<pairs {
      var law = Law(seed: seed, memory: memory)
      let comparison = BaselineComparison(
        law.seconds(62), law.seconds(62), steps: [], source: "before", differences: [])
      for row in comparison.rows where row.isReal { real[row.figure, default: 0] += 1 }
    }
    return real.mapValues { $0 / Double(pairs) }
  }

  @Test("Two halves of one law are called different in about one of twenty draws")
  func nothingHasChanged() throws {
    let called = called(memory: 0, pairs: 1_000)
    for figure in [Figure.answers, .median, .p99] {
      // Three standard deviations of a binomial share of 5 % among 1,000 are 2.1 %.
      let share = try #require(called[figure])
      #expect((0.029...0.071).contains(share), "\(figure): \(share)")
    }
    #expect(called[.errors] == nil)
  }

  @Test("Seconds that go together are not taken for so many: windows keep it near one of ten")
  func neighborsGoTogether() {
    // With windows of a second, half of each second's level being the one's before, it would be 28 %.
    let called = called(memory: 0.5, pairs: 600)
    for figure in [Figure.answers, .median] {
      let share = called[figure] ?? 0
      #expect(share < 0.13, "\(figure): \(share)")
    }
  }

  @Test func aChangeOfATenthIsFound() throws {
    var law = Law(seed: 3)
    let before = law.seconds(60)
    let after = law.seconds(60).map { second in
      var slower = second
      slower.median = second.median * 12 / 10
      slower.errors = 2
      return slower
    }
    let comparison = try comparison(before, after)
    #expect(try row(comparison, .median).isReal && row(comparison, .median).difference > 0)
    let errors = try row(comparison, .errors)
    #expect(errors.isReal && errors.difference == 2 && errors.halfWidth == 0)
    #expect(try !row(comparison, .answers).isReal)
  }

  @Test func whatBothLoadsDoAtTheSamePlaceIsNoSpread() throws {
    // A ramp a hundred times as high as the change.
    let before = (0..<62).map { place in
      var second = LoadSecond(second: place)
      second.done = 100 * (place + 1) + place % 2
      return second
    }
    let after = before.map { second in
      var more = second
      more.done = second.done + 10 + second.second % 3
      return more
    }
    let row = try row(try comparison(before, after), .answers)
    #expect(row.isReal && abs(row.difference - 11) < 0.5)
  }

  @Test func secondsWithoutAnswersAreNoLatencyOfZero() throws {
    func seconds(silent: Set<Int>, _ median: Int64) -> [LoadSecond] {
      (0..<8).map { place in
        var second = LoadSecond(second: place)
        second.done = silent.contains(place) ? 0 : 10
        second.median = silent.contains(place) ? 0 : median
        second.p99 = second.median
        return second
      }
    }
    let comparison = try comparison(
      seconds(silent: [2], 1_000_000), seconds(silent: [5], 1_000_000))
    let median = try row(comparison, .median)
    #expect(median.windows == 6 && median.difference == 0 && !median.isReal)
    #expect(try row(comparison, .answers).windows == 8)
    let none = try self.comparison(seconds(silent: Set(0..<8), 1), seconds(silent: [], 1))
    #expect(!none.rows.contains { $0.figure == .median })
  }

  @Test func whatDrainsAfterTheLastStartIsLeftOut() throws {
    var law = Law(seed: 1)
    let (before, after) = (law.seconds(8), law.seconds(8))
    let rest = (8..<40).map { LoadSecond(second: $0) }
    let alone = try comparison(before, after, length: 8)
    #expect(try comparison(before + rest, after, length: 8).rows == alone.rows)
    #expect(try comparison(before, after + rest, length: 8).rows == alone.rows)
  }

  @Test func oneWindowSaysNothing() throws {
    var law = Law(seed: 1)
    let row = try row(try comparison(law.seconds(1), law.seconds(1)), .answers)
    #expect(row.halfWidth == nil && !row.isReal)
    #expect(BaselineText(row).verdict == "too short to say")
  }

  @Test func stepsAreComparedByName() throws {
    let before = LoadFixture.result()
    let earlier = try LoadBaseline(Data(LoadDocument.json(before).utf8), source: "before")
    var slower = LoadFixture.measures()
    slower.elapsed = 4
    let comparison = BaselineComparison(LoadFixture.result(slower), to: earlier)
    let scan = try row(comparison, .p99, "scan")
    // The third second has no answers.
    #expect(scan.windows == 3 && scan.difference == 0 && !scan.isReal)
    #expect(!comparison.rows.contains { $0.step == "wallet" || $0.step == "never" })
  }

  @Test("A load that was stopped is compared as far as it went, and that is said")
  func stopped() throws {
    var law = Law(seed: 1)
    var early = result(law.seconds(5), length: 20)
    early.measures.wasInterrupted = true
    let whole = result(law.seconds(20))
    let before = try LoadBaseline(Data(LoadDocument.json(early).utf8), source: "before")
    let words = "was stopped after 5 of 20 s, and only as many are compared"
    #expect(before.differences(from: whole) == ["the load before \(words)"])
    let notes = BaselineText.notes(BaselineComparison(whole, to: before))
    #expect(notes.count == 1 && notes[0].contains(words), "\(notes)")
    let after = try LoadBaseline(Data(LoadDocument.json(whole).utf8), source: "before")
    #expect(after.differences(from: early) == ["this load \(words)"])
    #expect(after.differences(from: whole).isEmpty)
  }

  // MARK: - What is compared

  @Test func loadsOfAnotherShapeAreComparedWithANote() throws {
    let earlier = try LoadBaseline(
      Data(LoadDocument.json(LoadFixture.result()).utf8), source: "before")
    #expect(earlier.differences(from: LoadFixture.result()).isEmpty)
    var shape = LoadFixture.shape
    shape.rate = 20
    shape.seconds = 3
    shape.profile = "ramp"
    shape.journeys = ["scan"]
    let now = LoadFixture.result(scenario: "other", shape: shape)
    #expect(
      earlier.differences(from: now) == [
        "scenario made-up before, other now", "profile constant before, ramp now",
        "rate 10 sessions a second before, 20 sessions a second now", "length 4 s before, 3 s now",
        "journeys scan+wallet before, scan now",
      ])
    let notes = BaselineText.notes(BaselineComparison(now, to: earlier))
    #expect(notes.count == 1 && notes[0].contains("rate 10 sessions a second before"))
    var paced = LoadFixture.shape
    (paced.profile, paced.rate, paced.speed) = (nil, nil, 60.5)
    #expect(
      paced.differences(from: LoadFixture.shape) == [
        "profile constant before, none now",
        "rate 10 sessions a second before, none sessions a second now",
        "speed none before, 60.5 now",
      ])
  }

  @Test func theDocumentIsReadBackAsItWas() throws {
    let result = try LoadFixture.full()
    let read = try LoadBaseline(Data(LoadDocument.json(result).utf8), source: "x")
    #expect(read.shape == result.shape && read.seed == String(UInt64.max))
    #expect(read.steps == ["scan", "wallet"] && read.seconds.count == 4)
    for (ours, theirs) in zip(result.measures.seconds, read.seconds) {
      #expect(ours.done == theirs.done && ours.p99 == theirs.p99 && ours.errors == theirs.errors)
      #expect(ours.steps == theirs.steps)
    }
  }

  @Test(
    "What is no load is refused in words",
    arguments: [
      ("", "is not the load.json of a load"), ("[]", "is not the load.json of a load"),
      ("{\"schema_version\": 1}", "is not the load.json of a load"),
      ("{\"schema_version\": 1, \"target\": \"engine\"}", "is a stress of the rules in process"),
      ("{\"schema_version\": 9, \"target\": \"a:1\"}", "was written by a later version"),
      ("{\"schema_version\": 1, \"target\": \"a:1\"}", "is not the load.json of a load"),
    ])
  func noLoads(_ text: String, _ words: String) {
    #expect {
      try LoadBaseline(Data(text.utf8), source: "there")
    } throws: { error in
      "\(error)".hasPrefix("there: \(words)")
        && (error as? LoadBaseline.Refusal)?.isUnreadable == false
    }
  }

  @Test func aLoadThatDoesNotCountIsRefused() throws {
    func refusal(_ result: LoadResult) -> String {
      do {
        _ = try LoadBaseline(Data(LoadDocument.json(result).utf8), source: "there")
        return ""
      } catch { return "\(error)" }
    }
    #expect(refusal(try LoadFixture.full { $0.measures.unsent = 100 }).contains("was not offered"))
    #expect(
      refusal(LoadFixture.result(LoadMeasures(journeys: 2, steps: 3)))
        .contains("has not one whole second"))
  }

  @Test("A length that no whole number holds is taken as it is", arguments: [1e300, -1e300, 2.5])
  func anyLength(_ length: Double) throws {
    let text = LoadDocument.json(LoadFixture.result()).replacingOccurrences(
      of: #"("(?:elapsed_)?seconds"): [0-9.]+"#, with: "$1: \(length)",
      options: .regularExpression)
    func count() throws -> Int {
      try LoadBaseline(Data(text.utf8), source: "there").seconds.count
    }
    if length < 0 {
      #expect(throws: LoadBaseline.Refusal.self) { try count() }
    } else {
      #expect(try count() == (length > 4 ? 4 : 2))
    }
  }

  @Test(
    "Figures that no load has are refused before they are added up",
    arguments: ["done", "refused", "errors", "p50_ns", "p99_ns"], [Int64.max, -1])
  func impossibleFigures(_ name: String, _ value: Int64) throws {
    let text = LoadDocument.json(LoadFixture.result())
    let list = try #require(text.range(of: "\"seconds\": ["))
    let figure = try #require(
      text.range(
        of: "\"\(name)\": [0-9]+", options: .regularExpression,
        range: list.upperBound..<text.endIndex))
    let changed = text.replacingCharacters(in: figure, with: "\"\(name)\": \(value)")
    #expect {
      try LoadBaseline(Data(changed.utf8), source: "there")
    } throws: {
      "\($0)" == "there: is not the load.json of a load: seconds[0].\(name) is \(value)"
    }
  }

  @Test func foldersAndFilesAreFound() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "baseline-\(UInt64.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func refusal(_ path: String) -> LoadBaseline.Refusal? {
      do throws(LoadBaseline.Refusal) {
        _ = try LoadBaseline(path: path)
        return nil
      } catch { return error }
    }
    let nowhere = try #require(refusal(folder.path + "/nowhere"))
    #expect(nowhere.isUnreadable && nowhere.description.contains("does not exist"))
    #expect(try #require(refusal(folder.path)).description.contains("holds no load.json"))
    let file = folder.appending(path: LoadDocument.name)
    try LoadDocument.json(LoadFixture.result()).write(to: file, atomically: true, encoding: .utf8)
    #expect(refusal(folder.path) == nil && refusal(file.path) == nil)
  }
}
