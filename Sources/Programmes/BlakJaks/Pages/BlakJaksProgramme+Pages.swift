internal import Quantities
package import RewardModel

extension BlakJaksProgramme {
  package static var pages: [PageDescription] { InsightPage.allCases.map(\.description) }

  /// A page of Insights as of the end of a day.
  package static func page(
    _ id: String, of record: BlakJaksRecord, at instant: String?
  ) throws(PageError) -> Page {
    guard let page = InsightPage(rawValue: id) else {
      throw .unknownPage(id, known: pages.map(\.id))
    }
    return Insights.page(page, try InsightsAsOf(record, at: instant))
  }

  package static var specimen: BlakJaksRecord {
    var record = BlakJaksRecord()
    record.zone = "UTC"
    record.days = [BlakJaksRecord.DayRow(date: CivilDate(year: 2026, month: 1, day: 1))]
    return record
  }

  /// What `report.html` shows.
  package static func report(of record: BlakJaksRecord) -> RunReport {
    BlakJaksReport(RunFigures(record)).report
  }

  /// What the terminal shows after a run.
  package static func summary(of record: BlakJaksRecord) -> RunSummary {
    BlakJaksSummary(RunFigures(record)).summary
  }

  /// Several runs, compared with the first.
  package static func comparison(of runs: [NamedRun<BlakJaksRecord>]) -> RunComparison {
    BlakJaksComparison(runs).comparison
  }
}
