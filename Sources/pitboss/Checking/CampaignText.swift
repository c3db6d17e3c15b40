internal import Check
internal import Foundation
internal import Quantities
internal import Reports
internal import RewardModel

/// What a campaign found, for people.
enum CampaignText {
  /// Tables, findings and the verdict; long lists are broken to a width in columns.
  static func text(_ report: CampaignReport, of campaign: Campaign, width: Int) -> String {
    var table = TextTable([
      ("Scenario", .left), ("Cases", .right), ("Refused", .right), ("Events", .right),
      ("Requests", .right), ("Result", .left),
    ])
    for result in report.results {
      let words =
        result.ran == 0
        ? "no case ran"
        : result.found.isEmpty
          ? "all promises hold"
          : result.found.map { "\($0.invariant) broken \(counted($0.times, "time"))" }
            .joined(separator: ", ")
      table.add([
        TextTable.Cell(DisplayText.safe(result.scenario)), TextTable.Cell(result.cases.grouped),
        TextTable.Cell(result.refused.grouped), TextTable.Cell(result.events.grouped),
        TextTable.Cell(result.requests.grouped), TextTable.Cell(words),
      ])
    }
    var out = table.lines().joined(separator: "\n") + "\n\n"
    var faults = TextTable([("Fault", .left), ("Times", .right), ("What goes wrong", .left)])
    for (programme, kind, times) in report.faults {
      let isNone = times == 0 && report.isImpossible(kind, programme)
      let note = isNone ? " (not expected here)" : ""
      faults.add([
        TextTable.Cell(kind.id), TextTable.Cell(times.grouped),
        TextTable.Cell(kind.sentence + note),
      ])
    }
    out += faults.lines().joined(separator: "\n") + "\n\n"
    for result in report.results {
      for found in result.found { out += finding(found, result, report) }
      if let refusal = result.refusal, result.refused > 0 {
        out +=
          "\(DisplayText.safe(result.scenario)): \(counted(result.refused, "case")) "
          + (result.refused == 1 ? "was refused" : "were refused, the first")
          + " because: \(DisplayText.safe(String(refusal.prefix(200))))\n"
      }
    }
    for missing in report.missing {
      out += "The fault \(missing.kind.id) never happened in \(missing.programme)'s cases"
      out += ", and should have happened within \(counted(missing.expected, "seed")).\n"
    }
    for (programme, rows) in Dictionary(grouping: report.notYetSeen, by: \.programme)
      .sorted(by: { $0.key < $1.key })
    {
      let seeds = rows.map(\.seeds).max() ?? 0
      let kinds = Dictionary(grouping: rows, by: \.expected).sorted { $0.key < $1.key }.map {
        "\($1.map(\.kind.id).joined(separator: ", ")) within \(counted($0, "seed"))"
      }
      let words =
        "Not seen yet in \(programme)'s cases with \(counted(seeds, "seed")), and expected: "
        + kinds.joined(separator: "; ")
      out += DisplayText.wrapped(words, width: width).joined(separator: "\n") + "\n"
    }
    if report.isOfTinyWorlds, !report.notYetSeen.isEmpty {
      out += "Worlds of so few members or days have few occasions for faults; give them more, or "
      out += "more seeds.\n"
    }
    if let failure = report.failure {
      out += "The campaign ended early: \(DisplayText.safe(failure))\n"
    }
    return out + report.verdict + "\n"
  }

  private static func finding(
    _ found: Campaign.Finding, _ result: Campaign.Result, _ report: CampaignReport
  ) -> String {
    let broken = found.smallest?.broken ?? found.answer.broken
    guard let broken else { return "" }
    let sentence = CheckCommand.programmes[result.programme]
      .map { CheckedKinds.invariants($0) }?.first { $0.id == found.invariant }?.sentence
    var out = "\(found.invariant)" + (sentence.map { " — \($0)" } ?? "") + "\n"
    out += "  \(DisplayText.safe(broken.facts))\n"
    if broken.time != 0 { out += "  found at \(Instant(microseconds: broken.time))" }
    if !broken.members.isEmpty {
      out += ", members \(broken.members.prefix(8).map { "\($0)" }.joined(separator: ", "))"
    }
    out += "\n"
    for event in broken.events { out += "    \(DisplayText.safe(event))\n" }
    if let why = found.notSmaller { out += "  no smaller case: \(DisplayText.safe(why))\n" }
    let search = report.searchOn(found, of: result).map { [$0] } ?? []
    for line in report.replays(found, of: result) + search {
      out += "  \(DisplayText.safe(line))\n"
    }
    return out + "\n"
  }

  private static func counted(_ count: Int64, _ word: String) -> String {
    CampaignReport.counted(count, word)
  }
}
