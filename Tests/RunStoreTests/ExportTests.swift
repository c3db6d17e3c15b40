// Goal: the exports have exactly the promised headers and rows. Method: golden text, written by
// hand from the specification; the summary against its own JSON Schema by a small validator.

import BlakJaks
import Documents
import Foundation
import Quantities
import RewardModel
import RunStore
import TestSupport
import Testing

@Suite struct ExportTests {
  private func string(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }

  private func export(_ file: String, _ record: BlakJaksRecord) -> String? {
    CSVExports.text(record, file: file).map(string)
  }

  @Test func goldenExports() {
    let record = smallRecord()
    #expect(
      export("awards.csv", record) == """
        award,prize,kind,amount_micro,due_scan,won_scan,time,member
        1,"Crypto $100, or ""more""\",crypto,100000000,2,3,2026-01-02T00:00:00.123456Z,"Ann, ""the
        whale""\"

        """)
    #expect(
      export("months.csv", record) == """
        month,tins_sold,accepted_scans,gross_profit_micro,budget_micro,spend_cash_micro,\
        spend_accrual_micro,utilisation_bp,status
        2026-01,4,3,8000000,4000000,600000,1800000,4500,Normal
        2026-02,0,0,0,0,0,0,,

        """)
    #expect(
      export("tiers.csv", record) == """
        quarter,standard,vip,high_roller,whale
        2026-Q1,1,0,0,0

        """)
    #expect(
      export("payouts.csv", record) == """
        type,count,total_micro,share_bp
        Crypto $100,1,100000000,9940
        Scan reward,3,600000,59
        Total,4,100600000,10000

        """)
    #expect(
      export("daily.csv", record) == """
        date,signups,members,purchases,tins_sold,submitted,accepted_scans,standard,vip,\
        high_roller,whale,gross_profit_micro,spend_cash_micro,spend_accrual_micro,\
        projected_bp,status
        2026-01-01,1,0,0,0,0,0,0,0,0,0,0,0,0,,
        2026-01-02,0,1,2,4,4,3,10,20,30,40,8000000,600000,1800000,4500,Normal

        """)
    #expect(
      export("pools.csv", record) == """
        time,pool_micro,chips,holders,paid_micro,carry_micro
        2026-01-02T13:00:00.000000Z,2000000,3,1,1999998,2

        """)
    #expect(
      export("ledger.csv", record) == """
        account,balance_micro,postings
        sales,-8000000,2
        comp_pool,8000000,7

        """)
    #expect(
      export("series.csv", record) == """
        date,key,unit,value
        2026-01-01,payouts.queue,count,0
        2026-01-01,"ledger.Crypto $100, or ""more"".total",money,-1
        2026-01-01,payouts.confirm_mean,micros,
        2026-01-01,sunset.active,flag,0
        2026-01-01,share,basis_points,
        2026-01-02,payouts.queue,count,12
        2026-01-02,"ledger.Crypto $100, or ""more"".total",money,0
        2026-01-02,payouts.confirm_mean,micros,14500000
        2026-01-02,sunset.active,flag,1
        2026-01-02,share,basis_points,

        """)
    #expect(
      export("reconciliations.csv", record) == """
        time,wallet,ledger_micro,chain_micro,difference_micro,balanced
        2026-01-01T05:00:00.000000Z,member,100000000,88000000,-12000000,false
        2026-01-02T05:00:00.000000Z,member,1000000,1000000,0,true

        """)
  }

  @Test func emptyRunHasHeadersAndAZeroTotal() {
    let record = BlakJaksRecord()
    #expect(
      export("payouts.csv", record) == "type,count,total_micro,share_bp\nTotal,0,0,10000\n")
    #expect(export("tiers.csv", record) == "quarter,standard,vip,high_roller,whale\n")
  }

  @Test(
    "Fields are quoted after RFC 4180",
    arguments: [
      ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""),
      ("a\nb", "\"a\nb\""), ("a\r\nb", "\"a\r\nb\""), (" x ", " x "),
      ("naïve 🎰", "naïve 🎰"),
      // Spreadsheets take these for formulas; numbers stay numbers.
      ("=1+1", "\"'=1+1\""), ("@SUM(A1)", "\"'@SUM(A1)\""), ("+1+1", "\"'+1+1\""),
      ("-cmd|' /C calc'!A0", "\"'-cmd|' /C calc'!A0\""), ("-=\"a\"", "\"'-=\"\"a\"\"\""),
      ("\n=1", "\"'\n=1\""), ("-", "\"'-\""), ("-1.50", "-1.50"), ("+3", "+3"), ("-1e-7", "-1e-7"),
    ])
  func quoting(field: String, expected: String) {
    var csv = CSVText(header: "h")
    csv.add(field)
    csv.add("")
    csv.add(Int64.min)
    csv.endLine()
    #expect(string(csv.data) == "h\n\(expected),,-9223372036854775808\n")
  }

  @Test func summaryKeepsItsOrderAndItsLargeNumbers() throws {
    var record = smallRecord()
    record.interrupted = true
    record.scenario = "a \"b\"\n\u{1}\\ </script> \u{1F3B0}"
    let summary = RunSummary.text(of: record)
    let lines = summary.split(separator: "\n").filter { $0.hasPrefix("  \"") }
    let keys = lines.map { $0.dropFirst(3).prefix { $0 != "\"" } }.map(String.init)
    #expect(
      keys == [
        "schema_version", "scenario", "seed", "fingerprint", "interrupted", "members",
        "accepted_scans", "outcomes", "tins_sold", "events", "wall_seconds", "scans_per_second",
        "peak_memory_bytes", "months", "payouts", "prizes", "tiers", "source", "start", "end",
        "zone", "affiliates", "pools", "accounts", "files", "description", "refused_under_age",
        "tins_sold_in_shop", "payout_total", "awards", "threads", "data_quality", "final_tins",
        "final_scans", "final_comps", "thresholds",
      ])
    #expect(summary.contains("\"seed\": 18446744073709551615,"))
    #expect(summary.contains("\"interrupted\": true,"))
    #expect(summary.contains("\"wall_seconds\": 0.3,"))
    #expect(summary.contains("\"scans_per_second\": 10.0,"))
    #expect(summary.contains(#""scenario": "a \"b\"\n\u0001\\ </script> 🎰","#))
    #expect(summary.hasSuffix("}\n"))
  }

  @Test("Every summary validates against the schema", arguments: ["small", "year", "empty"])
  func summaryValidates(which: String) throws {
    try withFolder { folder in
      let record =
        switch which {
        case "small": smallRecord()
        case "year": try SampleRun.year()
        default: BlakJaksRecord()
        }
      let summary = try RunFolder.write(record, to: folder + "/run")
      let schema = try MiniSchema(SummarySchema.text(of: BlakJaksProgramme.self))
      #expect(schema.problems(in: summary) == [])
      #expect(
        schema.problems(in: summary.replacing("\"source\"", with: "\"sauce\"")) == [
          "$: lacks source"
        ])
      #expect(
        schema.problems(in: summary.replacing("\"members\": ", with: "\"members\": -1")) != [])
    }
  }

  @Test func summaryListsTheFilesWithTheirDigests() throws {
    try withFolder { folder in
      let summary = try RunFolder.write(smallRecord(), to: folder + "/run")
      // printf '%s\n' account,balance_micro,postings sales,-8000000,2 comp_pool,8000000,7 |
      //   sha256sum
      let digest = "fb011905dfbdaf998ac5107c52c50ff6fcc9328c8efabd12bee532135dcfdff9"
      #expect(
        summary.contains(
          "{\"name\": \"ledger.csv\", \"bytes\": 68, \"sha256\": \"\(digest)\"}"))
      for name in try names(in: folder + "/run") where name != "summary.json" {
        let size = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/run/\(name)")).count
        #expect(summary.contains("{\"name\": \"\(name)\", \"bytes\": \(size), "))
      }
    }
  }
}
