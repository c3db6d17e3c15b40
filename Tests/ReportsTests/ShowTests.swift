// Writes the sample to a folder for a person to look at: PITBOSS_SHOW=folder swift test.

import Foundation
import Reports
import Testing

@Test(.enabled(if: ProcessInfo.processInfo.environment["PITBOSS_SHOW"] != nil))
func showSample() throws {
  let folder = ProcessInfo.processInfo.environment["PITBOSS_SHOW"] ?? "."
  let record = try SampleRun.year()
  for file in HTMLReport.files(
    record, plotly: .directory, source: plotlyOfCheckout(),
    links: ["run.sqlite", "summary.json", "awards.csv"])
  {
    try file.contents.write(to: URL(fileURLWithPath: "\(folder)/\(file.name)"))
  }
  print(TerminalSummary.text(record, folder: "Results/launch-year-7", colour: true))
}
