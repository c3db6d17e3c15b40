package import BlakJaks
package import Foundation
internal import Quantities

/// The CSV exports of a run. Later versions only append columns.
package enum CSVExports {
  /// The file names, in the order of `all`.
  static let names = [
    "awards.csv", "months.csv", "tiers.csv", "payouts.csv", "daily.csv", "pools.csv",
    "ledger.csv", "series.csv", "reconciliations.csv",
  ]

  /// Every export.
  static func all(_ record: BlakJaksRecord) -> [RunFolder.ExtraFile] {
    let texts = [
      awards(record), months(record), tiers(record), payouts(record), daily(record),
      pools(record), ledger(record), series(record), reconciliations(record),
    ]
    return zip(names, texts).map { RunFolder.ExtraFile(name: $0, contents: $1) }
  }

  /// One row per milestone comp, in order.
  package static func awards(_ record: BlakJaksRecord) -> Data {
    var csv = CSVText(header: "award,prize,kind,amount_micro,due_scan,won_scan,time,member")
    for row in record.awards {
      csv.add(row.award)
      csv.add(row.prize)
      csv.add(row.kind.rawValue)
      csv.add(row.amount.microunits)
      csv.add(row.dueScan)
      csv.add(row.wonScan)
      csv.add(row.time.description)
      csv.add(row.member)
      csv.endLine()
    }
    return csv.data
  }

  /// One row per local month.
  package static func months(_ record: BlakJaksRecord) -> Data {
    var csv = CSVText(
      header: "month,tins_sold,accepted_scans,gross_profit_micro,budget_micro,"
        + "spend_cash_micro,spend_accrual_micro,utilisation_bp,status")
    for row in record.months {
      csv.add(row.month)
      csv.add(row.tinsSold)
      csv.add(row.acceptedScans)
      csv.add(row.grossProfit.microunits)
      csv.add(row.budget.microunits)
      csv.add(row.spendCash.microunits)
      csv.add(row.spendAccrual.microunits)
      csv.add(row.utilisationBasisPoints)
      csv.add(row.status?.rawValue ?? "")
      csv.endLine()
    }
    return csv.data
  }

  /// Members by tier at each quarter's last instant.
  package static func tiers(_ record: BlakJaksRecord) -> Data {
    var csv = CSVText(header: "quarter,standard,vip,high_roller,whale")
    for row in record.quarters {
      csv.add(row.quarter)
      for count in row.tiers.all { csv.add(count) }
      csv.endLine()
    }
    return csv.data
  }

  /// The payout ledger with its total row.
  package static func payouts(_ record: BlakJaksRecord) -> Data {
    var csv = CSVText(header: "type,count,total_micro,share_bp")
    for row in record.payouts + [record.payoutTotal] {
      csv.add(row.type)
      csv.add(row.count)
      csv.add(row.total.microunits)
      csv.add(row.shareBasisPoints)
      csv.endLine()
    }
    return csv.data
  }

  /// One row per local day.
  package static func daily(_ record: BlakJaksRecord) -> Data {
    var csv = CSVText(
      header: "date,signups,members,purchases,tins_sold,submitted,accepted_scans,standard,vip,"
        + "high_roller,whale,gross_profit_micro,spend_cash_micro,spend_accrual_micro,"
        + "projected_bp,status")
    for row in record.days {
      csv.add(row.date.description)
      csv.add(row.signups)
      csv.add(row.members)
      csv.add(row.purchases)
      csv.add(row.tinsSold)
      csv.add(row.submitted)
      csv.add(row.acceptedScans)
      for count in row.tiers.all { csv.add(count) }
      csv.add(row.grossProfit.microunits)
      csv.add(row.spendCash.microunits)
      csv.add(row.spendAccrual.microunits)
      csv.add(row.projectedBasisPoints)
      csv.add(row.status?.rawValue ?? "")
      csv.endLine()
    }
    return csv.data
  }

  /// One row per weekly affiliate pool.
  package static func pools(_ record: BlakJaksRecord) -> Data {
    var csv = CSVText(header: "time,pool_micro,chips,holders,paid_micro,carry_micro")
    for row in record.pools {
      csv.add(row.time.description)
      csv.add(row.pool.microunits)
      csv.add(row.chips)
      csv.add(row.holders)
      csv.add(row.paid.microunits)
      csv.add(row.carry.microunits)
      csv.endLine()
    }
    return csv.data
  }

  /// One row per ledger account; the balances sum to zero.
  package static func ledger(_ record: BlakJaksRecord) -> Data {
    var csv = CSVText(header: "account,balance_micro,postings")
    for row in record.accounts {
      csv.add(row.account)
      csv.add(row.balance.microunits)
      csv.add(row.postings)
      csv.endLine()
    }
    return csv.data
  }
}
