// Goal: simulate → calibrate → simulate closes: what a simulation was made with is what is fitted
// to its history, and what is fitted is what the next simulation takes.
// Method: the real program in a folder of its own; members whose rates are known, with one seed. How
// often the intervals of other seeds hold them is measured by Scripts/coverage.
import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct LoopCommandTests {
  private static let rates = ["r": 0.8, "alpha": 4, "a": 0.9, "b": 3]

  private func scenario(_ bench: Workbench) throws {
    try bench.write(
      "truth.yaml",
      """
      name: truth
      seed: 2
      calendar: {days: 250}
      population:
        members: 700
        adoption: {model: cohort}
        season: none
        referral: {affiliates: 0}
        purchase: {model: mbg_nbd, r: 0.8, alpha: 4, a: 0.9, b: 3, erlang: 1}
      rules: {guarantee: {enabled: false}}
      """)
  }

  private struct Fit: Decodable {
    struct Model: Decodable {
      struct Parameter: Decodable {
        var low: Double
        var high: Double
      }
      var parameters: [String: Parameter]
    }
    var models: [Model]
  }

  @Test func ratesOfASimulationAreFoundInItsHistoryAndSimulatedAgain() throws {
    let bench = try Workbench()
    try scenario(bench)
    let run = try bench.run(
      "run", "truth.yaml", "--history", "h.csv", "--members", "--out", "run", "--plotly", "cdn")
    #expect([0, 99].contains(run.code), "\(run.errors)")
    let fitted = try bench.run(
      "calibrate", "h.csv", "--model", "mbg_nbd", "--format", "json", "--out", "fit", "--plotly",
      "cdn")
    #expect(fitted.code == 0, "\(fitted.errors)")
    let fit = try JSONDecoder().decode(Fit.self, from: Data(fitted.output.utf8))
    let model = try #require(fit.models.first)
    #expect(model.parameters.count == 4)
    for (name, parameter) in model.parameters {
      let truth = try #require(Self.rates[name])
      #expect(
        parameter.low < truth && truth < parameter.high,
        "\(name) is \(truth), the interval \(parameter.low) to \(parameter.high)")
    }
    // The block is a part of a scenario, which simulates.
    try bench.write(
      "again.yaml", "name: again\ncalendar: {days: 30}\n" + bench.read("fit/purchase.yaml"))
    let again = try bench.run(
      "run", "again.yaml", "--set", "population.members=100", "--plotly", "cdn", "--out", "again")
    #expect([0, 99].contains(again.code), "\(again.errors)")
    // The history replays with the scans that were accepted.
    let back = try bench.run(
      "backtest", "truth.yaml", "--history", "h.csv", "--strict", "--out", "back", "--plotly",
      "cdn")
    #expect([0, 99].contains(back.code), "\(back.errors)")
    func scans(_ folder: String) throws -> Int? {
      let object = try JSONSerialization.jsonObject(
        with: Data(bench.read("\(folder)/summary.json").utf8))
      return (object as? [String: Any])?["accepted_scans"] as? Int
    }
    #expect(try scans("run") == scans("back"))
  }

  @Test func membersAreListedInTheRunFolderAndReplacedWithIt() throws {
    let bench = try Workbench()
    let file = try bench.small("calendar: {days: 5}\n")
    func run(_ flags: String...) throws -> Outcome {
      try bench.run(["run", file, "--out", "run", "--plotly", "cdn"] + flags, environment: [:])
    }
    #expect(try run().code == 0)
    let plain = try bench.read("run/summary.json")
    #expect(try run("--members").code == 0)
    let summary = try bench.read("run/summary.json")
    let lines = try bench.read("run/members.csv").split(separator: "\n")
    #expect(lines[0].hasPrefix("member,signed_up,channel,referrer,purchases,"))
    #expect(summary.contains("\"members\": \(lines.count - 1)"))
    #expect(summary.contains("\"name\": \"members.csv\""))
    func fingerprint(_ text: String) -> Substring? {
      text.split(separator: "\n").first { $0.contains("\"fingerprint\"") }
    }
    #expect(fingerprint(summary) == fingerprint(plain))
    #expect(try bench.names().sorted() == ["run", file].sorted(), "nothing is left beside it")
    #expect(try run().code == 0)
    #expect(!(try bench.names("run").contains("members.csv")))
  }

  @Test func aHistoryIsNeverWrittenOver() throws {
    let bench = try Workbench()
    let file = try bench.small("calendar: {days: 5}\n")
    try bench.write("mine.csv", "kept")
    let outcome = try bench.run("run", file, "--history", "mine.csv", "--plotly", "cdn")
    #expect(outcome.code == 74 && outcome.errors.contains("mine.csv: already exists"))
    #expect(try bench.read("mine.csv") == "kept")
  }

  @Test func ordersOfAnotherProgramAreReadBack() throws {
    let bench = try Workbench()
    try bench.write(
      "e.yaml",
      "name: e\nprogramme: embera\ncalendar: {days: 40}\npopulation: {members: 120}\n")
    let run = try bench.run(
      "run", "e.yaml", "--history", "h.csv", "--members", "--out", "run", "--plotly", "cdn")
    #expect([0, 99].contains(run.code), "\(run.errors)")
    #expect(try bench.read("h.csv").hasPrefix("time,member,event,amount,other\n"))
    #expect(try bench.read("run/members.csv").hasPrefix("member,signed_up,referrer,visits,orders,"))
    let fit = try bench.run(
      "calibrate", "h.csv", "--programme", "embera", "--model", "bg_nbd", "--plotly", "cdn")
    #expect(fit.code == 0, "\(fit.errors)")
  }
}
