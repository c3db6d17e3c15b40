// Goal: what a report promises of its first page is on one printed page.
// Method: a real browser prints the page without what follows the summary, and the pages are counted.
import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow), .needsBrowser)
struct FirstPageTests {
  @Test(
    "Verdict, cost and treasury are one page on either paper",
    arguments: ["launch-year", "full-programme", "embera-first-year"])
  func onePage(scenario: String) throws {
    let bench = try Workbench()
    try FileManager.default.createSymbolicLink(
      atPath: bench.folder.path + "/.vendor",
      withDestinationPath: Checkout.root.appending(path: ".vendor").path)
    let file = Checkout.scenarios.appendingPathComponent("\(scenario).yaml").path
    let run = try bench.run(
      "run", file, "--set", "population.members=500", "--out", "one", "--quiet", environment: [:])
    #expect([0, 99].contains(run.code), "\(run.errors)")
    for paper in ["a4", "letter"] {
      let report = try bench.run(
        "report", "one", "--out", "\(paper).html", "--paper", paper, environment: [:])
      #expect(report.code == 0, "\(report.errors)")
      let page = try bench.read("\(paper).html")
      #expect(page.utf8.count > 1_000_000, "its plots are in it")
      let rest = "@media print { main > :not(header, #summary) { display: none !important; } }"
      let first = try pages(
        page.replacing("</style>", with: rest + "</style>", maxReplacements: 1), bench)
      #expect(first == 1, "\(first) pages of \(paper)")
      // Without that rule more is printed, on whatever paper.
      guard paper == "a4" else { continue }
      #expect(try pages(page, bench) > first)
    }
  }

  /// How many pages a browser prints of a page.
  private func pages(_ html: String, _ bench: Workbench) throws -> Int {
    try bench.write("page.html", html)
    let printed = bench.folder.appendingPathComponent("page.pdf")
    try? FileManager.default.removeItem(at: printed)
    let browser = Process()
    browser.executableURL = URL(fileURLWithPath: try #require(Browser.find()).program)
    browser.arguments = [
      "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
      "--user-data-dir=\(bench.folder.path)/profile", "--print-to-pdf=\(printed.path)",
      "--no-pdf-header-footer", "--virtual-time-budget=10000",
      "file://\(bench.folder.path)/page.html#print",
    ]
    browser.standardOutput = FileHandle.nullDevice
    browser.standardError = FileHandle.nullDevice
    try browser.run()
    browser.waitUntilExit()
    let text = String(decoding: try Data(contentsOf: printed), as: UTF8.self)
    return text.ranges(of: "/Type /Page").count - text.ranges(of: "/Type /Pages").count
  }
}
