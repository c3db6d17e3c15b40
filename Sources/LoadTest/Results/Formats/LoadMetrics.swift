internal import Foundation
internal import Quantities

/// The seconds of a load in the text form of OpenMetrics 1.0, each with its time on the wall's clock, so
/// that Prometheus can take them in afterwards.
///
/// Source: https://prometheus.io/docs/specs/om/open_metrics_spec/
package struct LoadMetrics {
  /// By these words programs know a file as one of Pitboss, which may be replaced.
  package static let start = "# TYPE pitboss_load info"

  private let result: LoadResult
  private let seconds: [LoadSecond]
  /// Seconds since 1970 at the end of each second.
  private let times: [String]
  private var text = ""

  /// The text ending with `# EOF` and a line feed.
  ///
  /// - Complexity: O(seconds × steps).
  package static func text(_ result: LoadResult) -> String {
    var metrics = LoadMetrics(result)
    metrics.addAll()
    return metrics.text + "# EOF\n"
  }

  private init(_ result: LoadResult) {
    self.result = result
    seconds = result.measures.seconds
    let begin = result.started.microseconds / 1_000
    times = seconds.map { second in
      let milliseconds = begin + Int64(second.second + 1) * 1_000
      return String(format: "%lld.%03lld", milliseconds / 1_000, milliseconds % 1_000)
    }
  }

  private mutating func addAll() {
    let shape = result.shape
    family("pitboss_load", "info", "What was offered, and to which service.")
    sample(
      "pitboss_load_info",
      [
        ("scenario", result.scenario), ("program", result.programme), ("target", result.target),
        ("seed", String(result.seed)), ("profile", shape.profile ?? "speed"),
        ("build", EngineResult.build),
      ], "1", times.last)
    counter("pitboss_load_sessions", "Sessions that started.", [([], { $0.sessions })])
    counter("pitboss_load_attempts", "Attempts that were sent.", [([], { $0.sent })])
    addRequests()
    counter(
      "pitboss_load_errors", "Attempts that brought nothing, by kind.",
      LoadErrorKind.allCases.map { kind in
        (
          [("kind", kind.word)],
          { $0.errorKinds.isEmpty ? 0 : $0.errorKinds[kind.rawValue] }
        )
      })
    addLatencies()
    gauge("pitboss_load_requests_under_way", "Requests without an answer yet.") { $0.underWay }
    gauge("pitboss_load_requests_waiting", "Requests that wait for a connection.") { $0.waiting }
    addWhole()
  }

  // MARK: - Families

  private mutating func addRequests() {
    let outcomes: [(String, (StepSecond) -> Int)] = [
      ("done", { $0.done }), ("refused", { $0.refused }), ("error", { $0.errors }),
    ]
    counter(
      "pitboss_load_requests", "Attempts that ended, by step and outcome.",
      used.flatMap { place in
        outcomes.map { outcome, count in
          (
            [("step", result.steps[place]), ("outcome", outcome)],
            { second in second.steps.first { $0.step == place }.map(count) ?? 0 }
          )
        }
      })
  }

  /// Of all steps together, under the name all, and of each.
  private mutating func addLatencies() {
    let name = "pitboss_load_latency_seconds"
    family(
      name, "summary", "From the intended start to the answer, of the second's answers.",
      unit: "seconds")
    typealias Latency = (answered: Int, median: Int64, p99: Int64)
    func add(_ step: String, _ value: (LoadSecond) -> Latency?) {
      var count = 0
      for (second, time) in zip(seconds, times) {
        guard let latency = value(second), latency.answered > 0 else { continue }
        count += latency.answered
        for (quantile, value) in [("0.5", latency.median), ("0.99", latency.p99)] {
          sample(name, [("step", step), ("quantile", quantile)], Self.seconds(value), time)
        }
        sample("\(name)_count", [("step", step)], String(count), time)
      }
    }
    add("all") { ($0.answered, $0.median, $0.p99) }
    for place in used {
      add(result.steps[place]) { second in
        second.steps.first { $0.step == place }.map { ($0.answered, $0.median, $0.p99) }
      }
    }
  }

  /// What is known of the whole only.
  private mutating func addWhole() {
    let measures = result.measures
    let figures: [(String, String, String)] = [
      ("offered", "Whether the load was offered, 1 or 0.", measures.wasOffered ? "1" : "0"),
      (
        "checks_failed", "Thresholds and other checks that were not met.",
        String(LoadVerdict(result).checks.count { $0.failed })
      ), ("sessions_late", "Sessions that started more than 10 ms late.", String(measures.late)),
      ("sessions_unsent", "Sessions that were never started.", String(measures.unsent)),
    ]
    for (name, help, value) in figures {
      family("pitboss_load_\(name)", "gauge", help)
      sample("pitboss_load_\(name)", [], value, times.last)
    }
    family(
      "pitboss_load_processor_seconds", "gauge", "For how long the generator had a processor.",
      unit: "seconds")
    sample(
      "pitboss_load_processor_seconds", [], String(format: "%.6f", measures.processorSeconds),
      times.last)
  }

  /// Places of the steps of which requests were made.
  private var used: [Int] {
    result.steps.indices.filter { result.measures.steps[$0].offered > 0 }
  }

  // MARK: - Lines

  private mutating func family(_ name: String, _ type: String, _ help: String, unit: String? = nil)
  {
    text += "# TYPE \(name) \(type)\n"
    if let unit { text += "# UNIT \(name) \(unit)\n" }
    text += "# HELP \(name) \(help)\n"
  }

  /// A family of counts up to each second; a counter's points stand together.
  private mutating func counter(
    _ name: String, _ help: String,
    _ members: [(labels: [(String, String)], count: (LoadSecond) -> Int)]
  ) {
    family(name, "counter", help)
    for member in members {
      var count = 0
      for (second, time) in zip(seconds, times) {
        count += member.count(second)
        sample("\(name)_total", member.labels, String(count), time)
      }
    }
  }

  private mutating func gauge(_ name: String, _ help: String, _ value: (LoadSecond) -> Int) {
    family(name, "gauge", help)
    for (second, time) in zip(seconds, times) { sample(name, [], String(value(second)), time) }
  }

  private mutating func sample(
    _ name: String, _ labels: [(String, String)], _ value: String, _ time: String?
  ) {
    text += name
    if !labels.isEmpty {
      text += "{" + labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",") + "}"
    }
    text += " \(value)" + (time.map { " \($0)" } ?? "") + "\n"
  }

  private static func seconds(_ nanoseconds: Int64) -> String {
    String(format: "%.9f", Double(nanoseconds) / 1e9)
  }

  /// A label's value between its quotes.
  private static func escaped(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}
