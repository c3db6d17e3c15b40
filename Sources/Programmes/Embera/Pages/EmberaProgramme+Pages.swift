internal import Quantities
package import RewardModel

extension EmberaProgramme {
  package static var pages: [PageDescription] { EmberaPage.allCases.map(\.description) }

  /// A page as of the end of a day.
  package static func page(
    _ id: String, of record: EmberaRecord, at instant: String?
  ) throws(PageError) -> Page {
    guard let page = EmberaPage(rawValue: id) else {
      throw .unknownPage(id, known: pages.map(\.id))
    }
    return try EmberaAsOf(record, at: instant).page(page)
  }

  package static var specimen: EmberaRecord {
    var record = EmberaRecord(header: RunHeader(programme: id))
    record.zone = "UTC"
    record.days = [EmberaRecord.Day(date: CivilDate(year: 2026, month: 1, day: 1))]
    return record
  }

  /// What `report.html` shows.
  package static func report(of record: EmberaRecord) -> RunReport {
    EmberaReport(record).report
  }

  /// What the terminal shows after a run.
  package static func summary(of record: EmberaRecord) -> RunSummary {
    EmberaSummary(record).summary
  }

  /// Several runs, compared with the first.
  package static func comparison(of runs: [NamedRun<EmberaRecord>]) -> RunComparison {
    EmberaComparison(runs).comparison
  }
}
