// Goal: the figures for Prometheus are text of OpenMetrics, and say what the seconds say.
// Method: a reader of the grammar, written from the specification and shown to refuse what breaks it,
// reads what made-up loads give; where promtool is, it reads the same.
import Foundation
import Testing

@testable import LoadTest

private let promtool = ["/usr/bin/promtool", "/usr/local/bin/promtool"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}

@Suite struct LoadMetricsTests {
  private func read(_ result: LoadResult) throws -> MetricsGrammar {
    let text = LoadMetrics.text(result)
    #expect(text.hasPrefix(LoadMetrics.start))
    return try MetricsGrammar(text)
  }

  private func values(
    _ grammar: MetricsGrammar, _ name: String, _ labels: [String: String] = [:]
  ) -> [Double] {
    grammar.samples.filter { $0.name == name && $0.labels == labels }.map(\.value)
  }

  @Test func theFiguresAreThoseOfTheSeconds() throws {
    let grammar = try read(try LoadFixture.full())
    let begin = 1_767_225_600.0
    let sessions = grammar.samples.filter { $0.name == "pitboss_load_sessions_total" }
    #expect(sessions.map(\.value) == [10, 20, 30, 40])
    #expect(sessions.map(\.time) == [begin + 1, begin + 2, begin + 3, begin + 4])
    func requests(_ step: String, _ outcome: String) -> [Double] {
      values(grammar, "pitboss_load_requests_total", ["step": step, "outcome": outcome])
    }
    #expect(requests("scan", "done") == [8, 16, 16, 24])
    #expect(requests("scan", "refused") == [1, 2, 2, 3])
    #expect(requests("wallet", "error") == [0, 1, 1, 1] && requests("never", "done").isEmpty)
    #expect(values(grammar, "pitboss_load_errors_total", ["kind": "timeout"]) == [0, 1, 1, 1])
    #expect(values(grammar, "pitboss_load_requests_waiting") == [0, 0, 5, 0])
    let name = "pitboss_load_latency_seconds"
    let p99 = values(grammar, name, ["step": "scan", "quantile": "0.99"])
    // In the third second nothing was answered.
    #expect(p99.count == 3 && p99.allSatisfy { abs($0 - 0.009) < 0.0001 })
    #expect(values(grammar, name, ["step": "all", "quantile": "0.5"]).count == 3)
    #expect(values(grammar, "\(name)_count", ["step": "all"]) == [9, 18, 27])
    #expect(values(grammar, "pitboss_load_offered") == [1])
    #expect(values(grammar, "pitboss_load_checks_failed") == [2])
    #expect(grammar.types["pitboss_load_requests"] == "counter")
    #expect(grammar.types.count == 13)
  }

  @Test(
    "Whatever a scenario is called, and however little was measured, it is OpenMetrics",
    arguments: ["plain", "with \"quotes\" and \\", "two\nlines", "# EOF", "a} 1", "é日"])
  func hostileNames(_ name: String) throws {
    let grammar = try read(LoadFixture.result(scenario: name))
    let info = try #require(grammar.samples.first)
    #expect(info.labels["scenario"] == name && info.value == 1)
    _ = try read(LoadFixture.result(LoadMeasures(journeys: 2, steps: 3), scenario: name))
  }

  @Test(
    "The grammar refuses what breaks it",
    arguments: [
      "a 1\n# EOF\n", "# TYPE a gauge\na 1\n", "# TYPE a gauge\na 1\n# EOF",
      "# TYPE a gauge\n\n# EOF\n",
      "# TYPE a gauge\na  1\n# EOF\n", "# TYPE a gauge\na 1 2 3\n# EOF\n",
      "# TYPE a gauge\na one\n# EOF\n",
      "# TYPE a counter\na 1\n# EOF\n", "# TYPE a counter\na_total -1\n# EOF\n",
      "# TYPE a counter\na_total 2 1\na_total 1 2\n# EOF\n",
      "# TYPE a counter\na_total 1 2\na_total 1 2\n# EOF\n",
      "# TYPE a gauge\na{b=\"1\"} 1 1\na{b=\"2\"} 1 1\na{b=\"1\"} 1 2\n# EOF\n",
      "# TYPE a gauge\na{b=\"1\",b=\"2\"} 1\n# EOF\n", "# TYPE a gauge\na{b=1} 1\n# EOF\n",
      "# TYPE a gauge\na{b=\"\\x\"} 1\n# EOF\n", "# TYPE a gauge\na{b=\"1} 1\n# EOF\n",
      "# TYPE a gauge\na{1b=\"1\"} 1\n# EOF\n", "# TYPE a gauge\n# UNIT a seconds\na 1\n# EOF\n",
      "# TYPE a gauge\na 1\n# TYPE b gauge\nb 1\n# TYPE a gauge\na 2\n# EOF\n",
      "# TYPE a gauge\na 1\n# HELP a late\n# EOF\n", "# TYPE a luck\na 1\n# EOF\n",
      "# TYPE a summary\na{quantile=\"2\"} 1\n# EOF\n", "# TYPE a summary\na 1\n# EOF\n",
      "# TYPE a info\na_info 2\n# EOF\n", "# TYPE 1a gauge\n1a 1\n# EOF\n",
    ])
  func refusals(_ text: String) {
    #expect(throws: MetricsGrammar.Problem.self) { try MetricsGrammar(text) }
  }

  @Test(.enabled(if: promtool != nil, "there is no promtool"))
  func promtoolTakesThemIn() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "metrics-\(UInt64.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "metrics.txt")
    try LoadMetrics.text(try LoadFixture.full()).write(to: file, atomically: true, encoding: .utf8)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(promtool))
    process.arguments = [
      "tsdb", "create-blocks-from", "openmetrics", file.path, folder.appending(path: "db").path,
    ]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
