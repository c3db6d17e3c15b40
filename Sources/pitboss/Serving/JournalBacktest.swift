internal import ArgumentParser
internal import Foundation
internal import Quantities
internal import RewardModel
internal import Scenario
internal import Service

/// `pitboss backtest SCENARIO --journal DIR`: a service's past under its own rules and others.
struct JournalBacktest {
  var scenario: String
  var source: ScenarioOptions
  var folder: String

  func run() throws {
    // What the service began with, and the same with what the flags change.
    let recorded = try ScenarioOptions.parse([]).scenario(scenario)
    try compare(try recorded.plan(), with: try source.scenario(scenario))
  }

  private func compare<Plan: RunPlan>(_ plan: Plan, with other: Scenario) throws {
    guard let served = Plan.served else {
      complain("\(scenario): \(ServeCommand.unserved(Plan.Programme.id))")
      throw ExitStatus.badInput
    }
    try compare(served, plan, try other.plan())
  }

  private func compare<Served: ServedProgramme>(
    _ served: Served.Type, _ plan: some RunPlan, _ other: some RunPlan
  ) throws {
    guard let settings = plan.settings as? Served.Settings,
      let others = other.settings as? Served.Settings
    else { fatalError("a plan has the settings of its program") }
    let backtest = try reportingServiceFailures(folder) {
      try ServiceBacktest(
        Served.self, folder: URL(fileURLWithPath: folder), recorded: (plan.frame, settings),
        other: (other.frame, others))
    }
    try printResult(text(backtest))
  }

  private func text(_ backtest: ServiceBacktest) -> String {
    let changes = source.set.isEmpty ? "nothing; give --set" : source.set.joined(separator: ", ")
    var lines = [
      "Journal    \(folder): \(backtest.requests.grouped) requests of clients"
        + (backtest.span.map { ", \($0.lowerBound) to \($0.upperBound)" } ?? ""),
      "Changed    \(changes)",
      "Answers    \(backtest.answeredOtherwise.grouped) requests get another status", "",
    ]
    let rows = backtest.figures.map { figure in
      (
        figure.name, Self.text(figure.recorded, figure.kind), Self.text(figure.other, figure.kind),
        figure.recorded == figure.other ? "" : Self.change(figure)
      )
    }
    let head = ("", "recorded", "changed", "difference")
    func width(_ column: ((String, String, String, String)) -> String) -> Int {
      ([head] + rows).map { column($0).count }.max() ?? 0
    }
    let widths = (width(\.0), width(\.1), width(\.2), width(\.3))
    for row in [head] + rows {
      lines.append(
        row.0.padding(toLength: widths.0, withPad: " ", startingAt: 0) + "  "
          + Self.right(row.1, widths.1) + "  " + Self.right(row.2, widths.2) + "  "
          + Self.right(row.3, widths.3))
    }
    return lines.map { line in
      var line = line
      while line.hasSuffix(" ") { line.removeLast() }
      return line
    }.joined(separator: "\n") + "\n"
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(width - text.count, 0)) + text
  }

  private static func text(_ value: Int64, _ kind: FieldKind) -> String {
    if case .money = kind { return MicroUSDT(microunits: value).cents }
    return value.grouped
  }

  private static func change(_ figure: ServiceBacktest.Figure) -> String {
    let (difference, overflows) = figure.other.subtractingReportingOverflow(figure.recorded)
    guard !overflows else { return "" }
    return (difference > 0 ? "+" : "") + text(difference, figure.kind)
  }
}
