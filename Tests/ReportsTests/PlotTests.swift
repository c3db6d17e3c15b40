// Goal: plots of short and small runs can be read, and say what they cut off.
// Method: the plots of made-up runs are read back from their pages as plotly.js gets them.

import BlakJaks
import Foundation
import Quantities
import Reports
import RewardModel
import TestSupport
import Testing

@Suite struct PlotTests {
  /// A plot of a page.
  private struct Plot {
    let all: [String: Any]

    init(_ id: String, in page: String) throws {
      let start = try #require(page.firstRange(of: "id=\"plots\">"))
      let rest = page[start.upperBound...]
      let end = try #require(rest.firstRange(of: "</script>"))
      let text = rest[..<end.lowerBound]
      let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
      let plots = try #require(value as? [[String: Any]])
      all = try #require(plots.first { $0["id"] as? String == "plot-\(id)" }, "\(id)")
    }

    var traces: [[String: Any]] { all["data"] as? [[String: Any]] ?? [] }
    var layout: [String: Any] { all["layout"] as? [String: Any] ?? [:] }
    func axis(_ name: String) -> [String: Any] { layout[name] as? [String: Any] ?? [:] }

    /// What the buttons of a plot set in its layout.
    var buttons: [[String: Any]] {
      let menu = (layout["updatemenus"] as? [[String: Any]])?.first
      return (menu?["buttons"] as? [[String: Any]] ?? []).map { button in
        (button["args"] as? [[String: Any]])?.last ?? [:]
      }
    }
  }

  private func page(_ record: BlakJaksRecord) -> String {
    HTMLReport.page(BlakJaksProgramme.self, record, plotly: .cdn, source: nil)
  }

  @Test("Plots of Insights say what their numbers are")
  func named() throws {
    let year = page(try SampleRun.yearWithInsights())
    func title(_ axis: [String: Any]) -> String? {
      (axis["title"] as? [String: Any])?["text"] as? String
    }
    for (id, axis, words) in [
      ("overview-scan-history", "yaxis", "Scans a day"),
      ("systems-vault-history", "yaxis", "Gold chips"),
      ("treasury-balance-history", "yaxis", "USDT"), ("treasury-payout-bars", "xaxis", "USDT"),
      ("systems-tier-bars", "xaxis", "Members by tier"),
      ("comps-milestone-bars", "xaxis", "Progress to the next milestone"),
    ] {
      #expect(title(try Plot(id, in: year).axis(axis)) == words, "\(id)")
    }
    let bar = try Plot("systems-scan-heat", in: year).traces.first?["colorbar"] as? [String: Any]
    #expect(title(bar ?? [:]) == "Mean scans an hour")
  }

  @Test("A page with plots says what is missing without JavaScript")
  func scriptless() throws {
    #expect(page(try SampleRun.year(days: 3)).count(of: "<noscript><p class=\"notice\"") == 1)
    let bare = HTMLReport.page(
      BlakJaksProgramme.self, try SampleRun.year(days: 3), plotly: .inline, source: nil)
    #expect(bare.count(of: "noscript") == 0 && bare.count(of: "made without plotly.js") == 1)
  }

  @Test("A run of one day is a day wide, and its parts are bars")
  func oneDay() throws {
    let first = page(try SampleRun.year(days: 1))
    for id in ["scans", "tiers", "projection"] {
      let axis = try Plot(id, in: first).axis("xaxis")
      #expect(axis["range"] as? [String] == ["2025-12-31 12:00", "2026-01-01 12:00"], "\(id)")
      #expect(axis["dtick"] as? Double == 86_400_000, "\(id)")
    }
    let tiers = try Plot("tiers", in: first)
    #expect(tiers.traces.count == 4)
    #expect(tiers.traces.allSatisfy { $0["type"] as? String == "bar" && $0["mode"] == nil })
    #expect(tiers.traces.allSatisfy { $0["width"] as? Double == 73_440_000 })
    #expect(tiers.layout["barmode"] as? String == "stack")
    #expect(tiers.buttons.map { $0["barnorm"] as? String } == ["", "percent"])
    let bars = try Plot("scans", in: first).traces.filter { $0["type"] as? String == "bar" }
    #expect(bars.map { $0["width"] as? Double } == [73_440_000])
    let insights = page(try SampleRun.yearWithInsights(days: 1))
    #expect(
      try Plot("treasury-balance-history", in: insights).axis("xaxis")["range"] as? [String]
        == ["2025-12-31 12:00", "2026-01-01 12:00"])
  }

  @Test("A longer run leaves the ticks of its days to plotly.js", arguments: [3, 4, 5, 60])
  func longerRuns(days: Int) throws {
    let tiers = try Plot("tiers", in: page(try SampleRun.year(days: days)))
    #expect((tiers.axis("xaxis")["dtick"] != nil) == (days < 5))
    #expect(tiers.traces.allSatisfy { $0["stackgroup"] as? String == "parts" })
    #expect((tiers.axis("xaxis")["range"] as? [String])?.first == "2025-12-31 12:00")
  }

  @Test("An axis of few whole counts has a tick at each, and no other")
  func fewCounts() throws {
    var record = try SampleRun.year(days: 10)
    #expect(try Plot("tiers", in: page(record)).axis("yaxis")["dtick"] == nil)
    for (standard, whale, isFew) in [(3, 2, true), (4, 2, false)] as [(Int64, Int64, Bool)] {
      for row in record.days.indices {
        record.days[row].tiers = PerTier(repeating: 0)
        record.days[row].tiers.standard = standard
        record.days[row].tiers.whale = whale
        record.days[row].acceptedScans = isFew ? 5 : 6
      }
      let small = page(record)
      for id in ["tiers", "scans"] {
        let axis = try Plot(id, in: small).axis("yaxis")
        #expect((axis["dtick"] as? Int == 1) == isFew, "\(id)")
      }
      let buttons = try Plot("tiers", in: small).buttons
      // 100 ticks would be too many.
      let modes = buttons.map { $0["yaxis.tickmode"] as? String }
      #expect(modes == (isFew ? ["linear", "auto"] : [nil, nil]))
    }
  }

  @Test("The axis is called what the pressed button shows")
  func buttons() throws {
    let buttons = try Plot("tiers", in: page(try SampleRun.year(days: 60))).buttons
    #expect(buttons.map { $0["yaxis.title.text"] as? String } == ["Members", "Share"])
    #expect(buttons.map { $0["yaxis.ticksuffix"] as? String } == ["", " %"])
  }

  @Test("Dates under the pointer read as on the axis")
  func hover() throws {
    let year = page(try SampleRun.year())
    for id in ["projection", "milestones"] {
      let words = try Plot(id, in: year).traces.first?["hovertemplate"] as? String
      #expect(words?.hasPrefix("%{x|%b %-d, %Y}") == true, "\(id)")
    }
  }

  @Test("The projection says which values it cuts off")
  func cutOff() throws {
    var record = try SampleRun.year()
    for row in record.days.indices { record.days[row].projectedBasisPoints = 9_000 }
    // On its last day a month shows what was used.
    for row in record.months.indices { record.months[row].utilisationBasisPoints = 9_000 }
    #expect(page(record).count(of: "are cut off.") == 0)
    record.days[2].projectedBasisPoints = 900_000
    let cut = page(record)
    let range = try Plot("projection", in: cut).axis("yaxis")["range"] as? [Any]
    let top = try #require(range?.last as? Double)
    #expect(top < 9_000)
    #expect(cut.contains("Values above \(Int(top)) % are cut off."))
  }
}
