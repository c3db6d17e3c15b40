// Goal: a history that a world with known settings wrote gives these settings back, each within its
// interval, as a scenario whose blocks are marked as sourced; what a history does not tell is said.
// Method: worlds of both programs, calibrated; the written scenario is read back and simulated; histories
// with parts missing.
import BlakJaks
import Embera
import Experiments
import Foundation
import Population
import Quantities
import RewardModel
import Scenario
import TestSupport
import Testing

@Suite(.tags(.slow)) struct CalibrationTests {
  /// Half a year of a market that turns off.
  private static let world = """
    name: known
    seed: 20261
    calendar: { start: 2026-02-01, days: 200, zone: UTC }
    population:
      members: 1500
      adoption: { model: bass, p: 0.5, q: 9, market: 1500 }
      purchase: { model: mbg_nbd, r: 1.4, alpha: 1.6, a: 0.5, b: 9, erlang: 1 }
      tins: { per_purchase: 3.5, scanned: 45 % }
      referral: { affiliates: 20 %, referred: 30 % }
    """

  private func calibration(
    _ history: History, _ programme: any RewardProgramme.Type = BlakJaksProgramme.self,
    zone: String = "UTC", compares: Bool = true
  ) throws -> Calibration {
    let sample = try CalibrationSample(history, zone: zone)
    let report = try CalibrationReport(sample, models: [.mbgNbd])
    var whole = try Calibration(history, of: programme, report, source: "h.csv")
    if compares { try whole.compare(threads: 1) }
    return whole
  }

  @Test("Every setting that made a world is within its interval")
  func holdsTheTruth() throws {
    let whole = try calibration(simulatedHistory(Self.world))
    let bass = try #require(whole.adoption.bass)
    #expect(whole.adoption.model == .bass)
    for (estimate, truth) in zip(bass.estimates, [0.5, 9, 1_500]) {
      #expect(holds(estimate.low, estimate.high, truth), "\(estimate)")
    }
    for (estimate, truth) in zip(whole.report.chosen.fit.estimates, [1.4, 1.6, 0.5, 9]) {
      #expect(holds(estimate.low, estimate.high, truth), "\(estimate)")
    }
    #expect(try #require(whole.amounts).mean.contains(3.5))
    let referral = try #require(whole.referral)
    #expect(referral.refers.contains(0.2) && referral.referred.contains(0.3))
    let season = try #require(whole.season)
    let standard = SeasonSettings()
    let mean = standard.hours.reduce(0, +) / 24
    let held = zip(season.hours, standard.hours).count { $0.contains($1 / mean) }
    // 24 trials at .95 are below 19 once in 300 tries.
    #expect(held >= 19, "\(held) of 24 hours")
    #expect(whole.untold.count == 1 && whole.untold[0].contains("shorter than a year"))
  }

  @Test("The share that is scanned is right where the share so far is too small")
  func scanned() throws {
    let whole = try calibration(simulatedHistory(Self.world))
    let uses = try #require(whole.uses)
    #expect(uses.share.contains(0.45), "\(uses.share)")
    #expect(uses.soFar.high.map { $0 < 0.45 } == true, "\(uses.soFar)")
    #expect(uses.completeness.map { 0.8 < $0 && $0 < 1 } == true)
    let days = try #require(uses.simulatedDays)
    #expect(
      abs(days.half / uses.days.half - 1) < 0.15 && abs(days.most / uses.days.most - 1) < 0.15)
    // Levels of the replay and of simulated members agree, as nothing but luck is between them.
    let levels = try #require(whole.levels)
    #expect(Set(levels.rows.map(\.period)).count == 3 && levels.rows.count == 12)
    for row in levels.rows { #expect(abs(row.simulated - row.share.estimate) < 0.05, "\(row)") }
  }

  @Test("The scenario that is written reads back, marks what was fitted, and runs")
  func scenario() throws {
    let whole = try calibration(simulatedHistory(Self.world))
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for file in CalibrationScenario(whole).files() {
      try Data(file.text.utf8).write(to: folder.appendingPathComponent(file.name))
    }
    let scenario = try Scenario.load(path: folder.appendingPathComponent("scenario.yaml").path)
    let sourced = scenario.settings.filter { $0.source != nil }
    #expect(sourced.allSatisfy { $0.mark == .sourced && $0.source?.contains("h.csv") == true })
    for path in [
      "calendar.days", "population.members", "population.adoption.market", "population.purchase.r",
      "population.tins.per_purchase", "population.tins.scanned", "population.tins.opened_over",
      "population.season.hours",
      "population.season.weekdays", "population.referral.affiliates",
    ] {
      #expect(sourced.contains { $0.path == path }, "\(path)")
    }
    #expect(scenario.settings.first { $0.path == "population.season.holidays" }?.mark == .assumed)
    let population = scenario.population
    #expect(population.adoption.model == .bass && population.purchase.model == .mbgNbd)
    #expect(population.referral.dropoutFactor == 1)
    #expect(abs(population.tins.scanned - (whole.uses?.share.estimate ?? 0)) < 1e-4)
    #expect(scenario.uncertain.count == 7)
    let runner = ReplicationRunner(try scenario.plan(), threads: 1)
    var drawn = runner
    drawn.inputs = try UncertainInputs(scenario)
    let replications = try #require(try drawn.run(0..<3))
    #expect(replications.count == 3)
  }

  @Test(
    "Months are told by what the model expects of those who were there, not by how many there were")
  func months() throws {
    // July has twice the demand, while the membership grows all year.
    let july = (1...31).map { "{ date: 2026-07-\($0 < 10 ? "0" : "")\($0), factor: 2 }" }
    let history = try simulatedHistory(
      """
      name: july
      seed: 5
      calendar: { start: 2026-01-01, days: 365, zone: UTC }
      population:
        members: 1500
        adoption: { p: 0.2, q: 3, market: 1500 }
        purchase: { r: 1.4, alpha: 1.6, a: 0.5, b: 9, erlang: 1 }
        season: { holidays: [\(july.joined(separator: ", "))] }
      """)
    let months = try #require(try calibration(history, compares: false).months)
    let others = months.weights.enumerated().filter { $0.offset != 6 }.map(\.element.estimate)
    let factor = months.weights[6].estimate / (others.reduce(0, +) / 11)
    #expect(abs(factor - 2) < 0.15, "\(factor)")
    #expect(abs(months.weights.reduce(0) { $0 + $1.estimate } - 12) < 1e-9)
    // Repeat purchases: all but the first of each member.
    let buyers = history.rows.filter { history.form.events[Int($0.kind)].isPurchase }.map(\.member)
    #expect(months.actual.reduce(0, +) == buyers.count - Set(buyers).count)
  }

  /// The same history with each purchase written in several rows of one time.
  private func split(_ history: History) -> History {
    var rows: [HistoryRow] = []
    for row in history.rows {
      let isPurchase = history.form.events[Int(row.kind)].isPurchase
      let parts = isPurchase && row.amount > 1 ? 2 : 1 as Int64
      for part in 0..<parts {
        var copy = row
        copy.amount = part == 0 ? row.amount - (parts - 1) : 1
        copy.row = UInt32(rows.count + 1)
        copy.line = copy.row + 1
        rows.append(copy)
      }
    }
    return History(history.form, names: history.members, fileRows: rows)
  }

  @Test("A purchase is one, however many rows it is written in")
  func rowsOfAPurchase() throws {
    let whole = try simulatedHistory(
      """
      name: rows
      seed: 5
      calendar: { start: 2026-01-01, days: 370, zone: UTC }
      population: { members: 600, adoption: { p: 0.2, q: 3, market: 600 } }
      """)
    let parts = split(whole)
    #expect(parts.rows.count > whole.rows.count)
    let (one, other) = (
      try calibration(whole, compares: false), try calibration(parts, compares: false)
    )
    #expect(try #require(one.months) == #require(other.months))
    #expect(try #require(one.season) == #require(other.season))
    #expect(try #require(one.amounts) == #require(other.amounts))
    #expect(one.report.sample.summary == other.report.sample.summary)
  }

  @Test("A program's own histories tell what its settings have, and the rest is said")
  func embera() throws {
    let history = try simulatedHistory(
      """
      name: beans
      programme: embera
      calendar: { days: 150, zone: UTC }
      population: { members: 600, subscriptions: { share: 0 } }
      """)
    let whole = try calibration(history, EmberaProgramme.self)
    #expect(whole.amounts == nil && whole.uses == nil && whole.referral == nil)
    #expect(whole.untold.count == 5, "\(whole.untold)")
    #expect(whole.levels?.rows.count == 3)
    // What an order costs is the program's, whatever those of the history cost; it is said.
    let costs = try #require(whole.untold.first { $0.hasPrefix("What a purchase costs") })
    let orders = history.rows.map { Double($0.amount) / 1e6 }
    let mean = orders.reduce(0, +) / Double(orders.count)
    let said = costs.matches(of: /([0-9.]+) USD/).compactMap { Double($0.1) }
    #expect(said.count == 2 && abs(said[0] - mean) < 0.006, "\(costs)")
    // Also where each order is written in two rows.
    let parts = try calibration(split(history), EmberaProgramme.self)
    #expect(parts.untold.contains(costs), "\(parts.untold)")
    #expect(abs(said[1] / mean - 1) < 0.1, "a simulated history of the same prices: \(costs)")
    let text = try #require(CalibrationScenario(whole).files().first?.text)
    #expect(text.contains("programme: embera") && !text.contains("tins:"))
    let scenario = try Scenario.load(text: text, file: "s.yaml")
    #expect(
      scenario.settings.contains { $0.path == "population.season.hours" && $0.mark == .sourced })
    // The orders that were fitted contain what subscribers have delivered, and are those of all members.
    for (path, value) in [
      ("population.subscriptions.share", "0 %"), ("population.referral.dropout_factor", "1"),
      ("population.payment.cancelled", "0 %"), ("population.payment.no_card", "0 %"),
      ("population.payment.unavailable", "0 %"),
    ] {
      let setting = try #require(scenario.settings.first { $0.path == path })
      #expect(setting.valueText == value && setting.mark == .sourced, "\(setting)")
      #expect(setting.source?.contains("in the fitted purchases already") == true)
    }
  }

  @Test("Purchases of bare dates without scans, sign-ups or referrals tell what they can")
  func bare() throws {
    var lines = ["time,member,event,tins,other"]
    let first = CivilDate(year: 2026, month: 1, day: 1)
    for member in 0..<40 {
      for purchase in 0..<(1 + member % 4) {
        lines.append("\(first.adding(days: member + purchase * 9)),m\(member),purchase,2,")
      }
    }
    let history = try History.read(
      BlakJaksProgramme.history, bytes: Array((lines.joined(separator: "\n") + "\n").utf8),
      file: "h.csv", zone: "UTC")
    let whole = try calibration(history)
    #expect(whole.uses == nil && whole.referral == nil && whole.season?.hours.isEmpty == true)
    #expect(whole.amounts?.mean.estimate == 2 && whole.adoption.model == .plan)
    for part in ["no 'scan' rows", "no 'refer' rows", "without a clock"] {
      #expect(whole.untold.contains { $0.lowercased().contains(part) }, "\(part): \(whole.untold)")
    }
    _ = try Scenario.load(
      text: try #require(CalibrationScenario(whole).files().first?.text), file: "s.yaml")
  }

  /// Members who buy four tins each time and scan some of them five minutes later.
  ///
  /// - Parameters:
  ///   - scanned: How many at once.
  ///   - late: Rows more for each member.
  private func made(scanned: Int, late: (Int) -> [String] = { _ in [] }) throws -> History {
    var lines = ["time,member,event,tins,other"]
    let first = CivilDate(year: 2026, month: 1, day: 1)
    for member in 0..<60 {
      for purchase in 0..<(2 + member % 4) {
        let date = first.adding(days: member % 7 + purchase * 9)
        lines.append("\(date)T10:00:00,m\(member),purchase,4,")
        lines.append("\(date)T10:05:00,m\(member),scan,\(scanned),")
      }
      lines += late(member)
    }
    return try History.read(
      BlakJaksProgramme.history, bytes: Array((lines.joined(separator: "\n") + "\n").utf8),
      file: "h.csv", zone: "UTC")
  }

  @Test("Scans at once are scans at once in the scenario, and none is still to come")
  func atOnce() throws {
    let whole = try calibration(try made(scanned: 3))
    let uses = try #require(whole.uses)
    #expect(uses.span.estimate?.estimate == 0 && uses.span.estimate?.low == nil)
    #expect(uses.objection == nil && uses.completeness.map { $0 > 0.999 } == true)
    #expect(abs(uses.share.estimate - 0.75) < 0.001)
    #expect(uses.simulatedDays.map { $0.most < 0.05 } == true)
    let text = try #require(CalibrationScenario(whole).files().first?.text)
    #expect(text.contains("opened_over: 0  # at once"), "\(text)")
    #expect(!text.contains("population.tins.opened_over ~"))
  }

  @Test("Scans that no setting leads to correct nothing, and that is said")
  func unlike() throws {
    // Most at once, and some after months: the mean is that of neither.
    let history = try made(scanned: 2) { ["2026-07-20T10:05:00,m\($0),scan,1,"] }
    let uses = try #require(try calibration(history).uses)
    #expect(uses.completeness == nil && uses.share == uses.soFar)
    // Both shares are said, as nothing else tells how far off the scenario is.
    let words = try #require(uses.objection)
    #expect(words.contains(#/they have used \d+\.\d % of what they bought/#), "\(words)")
    #expect(
      words.contains("these have used \(String(format: "%.1f", uses.soFar.estimate * 100)) %"))
  }

  @Test("The part of a gap over which tins are opened is found", arguments: [0, 0.3, 1, 2.5])
  func openedOver(part: Double) throws {
    let text = Self.world.replacingOccurrences(
      of: "scanned: 45 % }", with: "scanned: 45 %, opened_over: \(part) }")
    let whole = try calibration(simulatedHistory(text))
    let uses = try #require(whole.uses)
    let span = try #require(uses.span.estimate)
    #expect(holds(span.low, span.high, part) && abs(span.estimate - part) < 0.1 * max(part, 0.1))
    #expect(uses.share.contains(0.45) && uses.objection == nil, "\(uses.share)")
    let scenario = try Scenario.load(
      text: try #require(CalibrationScenario(whole).files().first?.text), file: "s.yaml")
    #expect(abs(scenario.population.tins.openedOver - span.estimate) < 1e-3)
    #expect(
      scenario.uncertain.contains { "\($0)".contains("opened_over") } == (part > 0),
      "\(scenario.uncertain)")
  }
}
