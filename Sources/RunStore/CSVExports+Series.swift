package import BlakJaks
package import Foundation
internal import Quantities

extension CSVExports {
  /// The daily series, one row a day and key; an undefined value is an empty field.
  ///
  /// - Complexity: O(days × series).
  package static func series(_ record: BlakJaksRecord) -> Data {
    var csv = CSVText(header: "date,key,unit,value")
    for (day, row) in record.days.enumerated() {
      let date = row.date.description
      for series in record.series where day < series.values.count {
        csv.add(date)
        csv.add(series.key)
        csv.add(series.unit.rawValue)
        csv.add(series.values[day])
        csv.endLine()
      }
    }
    return csv.data
  }

  /// One row per reconciliation of a wallet.
  package static func reconciliations(_ record: BlakJaksRecord) -> Data {
    var csv = CSVText(
      header: "time,wallet,ledger_micro,chain_micro,difference_micro,balanced")
    for row in record.reconciliations {
      csv.add(row.time.description)
      csv.add(row.wallet)
      csv.add(row.ledger.microunits)
      csv.add(row.chain.microunits)
      csv.add(row.difference.microunits)
      csv.add(row.balanced ? "true" : "false")
      csv.endLine()
    }
    return csv.data
  }
}
