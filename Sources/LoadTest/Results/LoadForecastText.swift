internal import Foundation
internal import Quantities
internal import Reports
package import RewardModel

/// What a load would offer, and how it goes, in words.
package enum LoadForecastText {
  /// A table of sessions and requests, ending with a line feed.
  package static func text<Crowd: LoadCrowd>(
    _ forecast: LoadForecast, _ crowd: Crowd.Type, _ offer: String, _ target: TargetURL
  ) -> String {
    var sessions = TextTable([("Journey", .left), ("Sessions", .right), ("A second", .right)])
    for (name, count) in zip(Crowd.journeys, forecast.sessions) where count > 0 {
      sessions.add([
        TextTable.Cell(name), TextTable.Cell(count.grouped),
        TextTable.Cell(rate(Double(count) / forecast.seconds)),
      ])
    }
    var requests = TextTable([("Step", .left), ("Requests", .right), ("A second", .right)])
    for (step, count) in zip(Crowd.steps, forecast.requests) where count > 0 {
      requests.add([
        TextTable.Cell(step.name), TextTable.Cell(count.grouped),
        TextTable.Cell(rate(Double(count) / forecast.seconds)),
      ])
    }
    let end = forecast.end.map { ", up to \($0.description.prefix(16))" } ?? ""
    return
      ([
        "Would be sent to \(target.authority); nothing was sent.", "\(offer)\(end)",
        members(forecast),
        "",
      ] + sessions.lines(colour: false) + [""] + requests.lines(colour: false)
      + ["Requests are counted as if every answer were well."]).joined(separator: "\n") + "\n"
  }

  private static func members(_ forecast: LoadForecast) -> String {
    let joins = forecast.joins == 0 ? "" : " are there beforehand, \(forecast.joins.grouped) join"
    return "\(forecast.members.count.grouped) members\(joins)"
      + "\(joins.isEmpty ? " act and" : "; they") use up \(forecast.codes.grouped) codes."
  }

  /// How a load goes, on one line.
  package static func line(_ progress: LoadProgress) -> String {
    guard let second = progress.second else { return "first second" }
    var words =
      "\((second.done + second.refused).grouped)/s  p50 \(DurationText.short(second.median))"
      + "  p99 \(DurationText.short(second.p99))"
    if second.errors > 0 { words += "  \(second.errors.grouped) errors/s" }
    words += "  \(progress.underWay.grouped) under way"
    if progress.waiting > 0 { words += ", \(progress.waiting.grouped) wait" }
    if progress.isDraining { words += "  (\(progress.open.grouped) sessions to end)" }
    return words
  }

  private static func rate(_ value: Double) -> String {
    value < 100 ? String(format: "%.1f", value) : Int64(value.rounded()).grouped
  }
}
