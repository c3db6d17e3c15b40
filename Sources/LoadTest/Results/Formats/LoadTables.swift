internal import Documents
internal import Foundation

/// The tables that a load leaves, as comma-separated values.
///
/// Durations are nanoseconds; a field without a value is empty.
package enum LoadTables {
  /// `steps.csv`: a row a step.
  package static func steps(_ result: LoadResult) -> String {
    let kinds = LoadErrorKind.allCases
    let percentiles = ["p50", "p90", "p99", "p999", "max"]
    var csv = CSVText(
      header: (["step", "offered", "sent", "done", "refused", "errors", "retries", "given_up"]
        + kinds.map(\.word) + percentiles.map { "latency_\($0)_ns" }
        + percentiles.map { "service_\($0)_ns" }).joined(separator: ","))
    for (name, measure) in result.usedSteps {
      csv.add(name)
      let counts =
        [
          measure.offered, measure.sent, measure.done, measure.refused, measure.failed,
          measure.retries, measure.givenUp,
        ] + kinds.map { measure.errors[$0.rawValue] }
      for count in counts { csv.add(Int64(count)) }
      for summary in [measure.latency.summary, measure.service.summary] {
        for value in [
          summary?.median, summary?.p90, summary?.p99, summary?.p999, summary?.greatest,
        ] {
          csv.add(value)
        }
      }
      csv.endLine()
    }
    return String(decoding: csv.data, as: UTF8.self)
  }

  /// `seconds.csv`: a row a second, from the beginning on.
  package static func seconds(_ result: LoadResult) -> String {
    var csv = CSVText(
      header: "second,sessions,sent,done,refused,errors,p50_ns,p99_ns,under_way,waiting")
    for second in result.measures.seconds {
      for count in [
        second.second, second.sessions, second.sent, second.done, second.refused, second.errors,
      ] {
        csv.add(Int64(count))
      }
      csv.add(second.answered > 0 ? second.median : nil)
      csv.add(second.answered > 0 ? second.p99 : nil)
      csv.add(Int64(second.underWay))
      csv.add(Int64(second.waiting))
      csv.endLine()
    }
    return String(decoding: csv.data, as: UTF8.self)
  }
}

extension CSVText {
  /// A whole number, or an empty field.
  fileprivate mutating func add(_ number: Int64?) {
    if let number { add(number) } else { add("") }
  }
}
