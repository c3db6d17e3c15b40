// Goal: the same run gives the same fingerprint for any number of threads, in debug and release
// builds, and in a fresh process, on every scenario.
// Method: the real program runs each scenario at reduced size; Results/reference holds what the
// release build gave (Scripts/reference writes it anew).
import Foundation
import TestSupport
import Testing

private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()

private let scenarios =
  ((try? FileManager.default.contentsOfDirectory(
    atPath: root.appendingPathComponent("Scenarios").path)) ?? [])
  .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()

@Suite(.tags(.slow)) struct ReferenceTests {
  @Test func everyScenarioIsTested() { #expect(scenarios.count >= 5) }

  @Test("A scenario gives its reference for 1, 2 and 8 threads", arguments: scenarios)
  func reference(name: String) throws {
    let file = root.appendingPathComponent("Results/reference/\(name).txt")
    let expected = try String(contentsOf: file, encoding: .utf8)
    let bench = try Workbench()
    for threads in ["1", "2", "8"] {
      let run = try bench.run(
        "run", root.appendingPathComponent("Scenarios/\(name).yaml").path, "--set",
        "population.members=3000", "--set", "population.adoption.per_day=5", "--threads", threads,
        "--out", "run", "--plotly", "cdn")
      // Thresholds are written for the scenario's own size.
      #expect([0, 99].contains(run.code), "\(run.errors)")
      let line = run.output.split(separator: "\n").first { $0.hasPrefix("Fingerprint") } ?? ""
      let seen = "\(line)\n" + (try bench.read("run/months.csv"))
      #expect(
        seen == expected,
        "replay: pitboss run \(name) --threads \(threads) --set population.members=3000")
    }
  }
}
