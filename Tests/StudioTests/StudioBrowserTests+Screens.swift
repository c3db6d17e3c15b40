// The page on screens of several widths, light and dark, and by keys alone.
import Foundation
import TestSupport
import Testing

extension StudioBrowserTests {
  @Test(
    "The page fits, has a label for every control and draws its plots, light and dark",
    arguments: [(820, false), (820, true), (1_600, false), (390, true)])
  func fits(width: Int, dark: Bool) async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser, width: width, dark: dark)
    try await tab.click("#keep")
    try await tab.replace(field("rules.scan_reward.base"), with: "0.6")
    try await tab.press("Enter")
    try await holds(tab, "\(state) === '\(done)' && document.body.dataset.shown === '2'")
    let scroll = try await tab.text("document.documentElement.scrollWidth")
    #expect((Int(scroll) ?? .max) <= width, "\(scroll) wide")
    let background = try await tab.text("getComputedStyle(document.body).backgroundColor")
    #expect(background == (dark ? "rgb(18, 22, 28)" : "rgb(244, 245, 247)"))
    _ = try await tab.text(
      "document.querySelectorAll('#groups details').forEach((part) => { part.open = true; })")
    try await holds(tab, "document.querySelectorAll('.setting').length > 300")
    let unnamed = """
      Array.from(document.querySelectorAll('input, select, button'))
        .filter((part) => !part.hidden && !(part.labels && part.labels.length)
          && !part.getAttribute('aria-label') && !part.textContent.trim())
        .map((part) => part.outerHTML).join()
      """
    #expect(try await tab.text(unnamed) == "")
    let ids = "Array.from(document.querySelectorAll('[id]')).map((part) => part.id)"
    #expect(try await tab.text("new Set(\(ids)).size === \(ids).length") == "true")
    if plotlyOfCheckout() != nil {
      let plots = "document.querySelectorAll('#sides .main-svg').length >= 4"
      try await holds(tab, plots)
    }
    #expect(try await tab.text("problems.join()") == "")
    if let pictures = ProcessInfo.processInfo.environment["PITBOSS_PICTURES"] {
      _ = try await tab.text(
        "document.querySelectorAll('#groups details').forEach((part, i) => { part.open = i < 1; })")
      try await tab.picture(
        URL(filePath: pictures).appending(path: "studio-\(width)-\(dark ? "dark" : "light").png"))
    }
  }

  @Test("The first stop of the keyboard leads past the settings, and every stop can be seen")
  func keyboard() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let browser = try Chromium()
    let tab = try await open(studio, browser)
    try await tab.press("Tab")
    #expect(try await tab.text("document.activeElement.className") == "skip")
    var order: [String] = []
    for _ in 0..<12 {
      try await tab.press("Tab")
      order.append(
        try await tab.text("document.activeElement.id || document.activeElement.tagName"))
      let outline = try await tab.text("getComputedStyle(document.activeElement).outlineStyle")
      #expect(outline != "none", "\(order.last ?? "")")
    }
    #expect(order.first == "search" && Set(order).count > 5, "\(order)")
    try await tab.focus(".skip")
    try await tab.press("Enter")
    #expect(try await tab.text("document.activeElement.id") == "picture")
  }

  @Test(
    "That the studio is gone is in sight wherever the page is scrolled to", arguments: [390, 1_280])
  func gone(width: Int) async throws {
    let studio = try await ServedStudio()
    let browser = try Chromium()
    let tab = try await open(studio, browser, width: width)
    _ = try await tab.text("scrollTo(0, document.body.scrollHeight)")
    studio.stop()
    try await holds(tab, "!document.getElementById('lost').hidden")
    let place = "document.getElementById('lost').getBoundingClientRect()"
    try await holds(tab, "\(place).top > 0 && \(place).bottom <= innerHeight")
  }
}
