internal import EventKernel
internal import Foundation
internal import RewardModel

extension ServiceApplication {
  /// For Prometheus.
  func metrics() async -> String {
    let values = engine.metrics.values
    let lines: [(String, String, String, String)] = [
      ("pitboss_requests_total", "counter", "Requests that are durable", "\(values.requests)"),
      (
        "pitboss_followed_total", "counter", "Requests of other processes", "\(values.followed)"
      ),
      ("pitboss_batches_total", "counter", "Transactions", "\(values.batches)"),
      ("pitboss_largest_batch", "gauge", "Requests of the largest one", "\(values.largestBatch)"),
      ("pitboss_waiting", "gauge", "Requests that wait for the writer", "\(engine.waiting)"),
      ("pitboss_refused_total", "counter", "Refused because too many waited", "\(values.refused)"),
      (
        "pitboss_late_total", "counter",
        "Answered with 503 because the writer or the database took too long",
        "\(values.late)"
      ),
      (
        "pitboss_writer_busy_seconds", "gauge",
        "For how long the writer has been at what it does now", "\(engine.busySeconds)"
      ),
      (
        "pitboss_rules_seconds_total", "counter", "Time of the writer in the rules",
        "\(values.rulesSeconds)"
      ),
      ("pitboss_listeners", "gauge", "Listeners of pages", "\(await feed.listeners)"),
      (
        "pitboss_listeners_dropped_total", "counter", "Listeners who did not take their events",
        "\(await feed.dropped)"
      ),
      (
        "pitboss_disk_seconds_total", "counter", "Time of the writer in writing",
        "\(values.diskSeconds)"
      ),
      (
        "pitboss_writer_cpu_seconds_total", "counter", "Time of a processor that the writer took",
        "\(values.writerSeconds)"
      ),
      (
        "process_cpu_seconds_total", "counter", "Time of processors that the service took",
        "\(Double(Foundation.clock()) / Double(CLOCKS_PER_SEC))"
      ),
      (
        "pitboss_processors", "gauge", "Processors that the service may use at once",
        "\(Processors.usable)"
      ),
    ]
    return lines.map { "# HELP \($0) \($2)\n# TYPE \($0) \($1)\n\($0) \($3)\n" }.joined()
  }
}
