// Goal: the web pages of a service work in a real browser: they show what the program says, change
// while they are open, and fit a phone.
// Method: a headless Chromium, steered through its debugging protocol, opens pages of a real
// server. Skipped where no Chromium is. With PITBOSS_PICTURES=DIR each form of each page is kept.
import Foundation
import Quantities
import RewardModel
import Service
import TestSupport
import Testing

@testable import BlakJaks

@Suite(
  "Live pages in a browser", .tags(.slow, .alone), .timeLimit(.minutes(5)),
  .enabled(if: Chromium.program != nil, "no Chromium on this machine"))
struct LivePageTests {
  @Test(
    "The number of scans rises on a page that is open, on a phone and on a wide screen",
    arguments: [390, 1_280])
  func rises(width: Int) async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    let token = try await served.join("ann")
    let codes = try await served.codes(3)
    let browser = try Chromium()
    let tab = try await browser.open(
      "http://127.0.0.1:\(served.port)/", width: width, height: 800, dark: false)
    let state = "document.getElementById('state')?.textContent"
    #expect(try await tab.wait(for: "live", state) == "live")
    let scans = "document.getElementById('programme-global_scans').textContent"
    #expect(try await tab.text(scans) == "0")
    for (place, code) in codes.enumerated() {
      _ = try await served.ask(
        "POST", "/scans/submit", "{\"code\": \"\(code)\"}", token: token)
      #expect(try await tab.wait(for: "\(place + 1)", scans) == "\(place + 1)")
    }
    // What did not change was not sent again: the page's own script would have thrown it away.
    #expect(try await tab.text("problems.join()") == "")
    #expect(try await tab.text("document.documentElement.scrollWidth <= innerWidth") == "true")
  }

  @Test("News take neither the keyboard's place nor what is selected")
  func keepsPlaces() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    let token = try await served.join("ann")
    var codes = try await served.codes(3)
    func scan() async throws {
      let code = codes.removeFirst()
      _ = try await served.ask("POST", "/scans/submit", "{\"code\": \"\(code)\"}", token: token)
    }
    let browser = try Chromium()
    let tab = try await browser.open(
      "http://127.0.0.1:\(served.port)/pages/comps", width: 1_280, height: 800, dark: false)
    #expect(
      try await tab.wait(for: "live", "document.getElementById('state')?.textContent") == "live")
    // Which table a scan changes: those that were there are marked.
    let tables = "Array.from(document.querySelectorAll('.table'))"
    let mark = "(() => { \(tables).forEach((box) => { box.dataset.old = 1; }); return ''; })()"
    _ = try await tab.text(mark)
    try await scan()
    let news = "String(\(tables).findIndex((box) => !box.dataset.old))"
    #expect(try await tab.wait(for: "true", "String(\(news) !== '-1')") == "true")
    let place = try #require(Int(try await tab.text(news)))
    _ = try await tab.text(mark)
    _ = try await tab.text("(() => { \(tables)[\(place)].focus(); return ''; })()")
    try await scan()
    let isNew = "!\(tables)[\(place)].dataset.old"
    #expect(try await tab.wait(for: "true", "String(\(isNew))") == "true")
    #expect(try await tab.text("String(document.activeElement === \(tables)[\(place)])") == "true")
    // What is selected waits until it is not any more.
    _ = try await tab.text(mark)
    _ = try await tab.text(
      "(() => { getSelection().selectAllChildren(\(tables)[\(place)]); return ''; })()")
    try await scan()
    try await Task.sleep(for: .seconds(3))
    #expect(try await tab.text("String(\(isNew))") == "false")
    _ = try await tab.text("(() => { getSelection().removeAllRanges(); return ''; })()")
    #expect(try await tab.wait(for: "true", "String(\(isNew))") == "true")
    #expect(try await tab.text("problems.join()") == "")
  }

  @Test("A page that lost the service says so, and is live again after it")
  func reconnects() async throws {
    let served = try await Served(ServiceFixture())
    let browser = try Chromium()
    let tab = try await browser.open(
      "http://127.0.0.1:\(served.port)/", width: 390, height: 800, dark: true)
    let state = "document.getElementById('state')?.textContent"
    #expect(try await tab.wait(for: "live", state) == "live")
    served.stop()
    #expect(try await tab.wait(for: "trying again in 2 s", state) == "trying again in 2 s")
    let again = try await Served(try ServiceFixture(), port: served.port)
    defer { again.stop() }
    #expect(try await tab.wait(for: "live", state) == "live")
  }

  @Test("Every page fits, light and dark, on a phone and on a wide screen, after a month of life")
  func fits() async throws {
    let service = try await Self.month()
    let served = try await Served(service)
    defer { served.stop() }
    let browser = try Chromium()
    let pictures = ProcessInfo.processInfo.environment["PITBOSS_PICTURES"]
    for page in BlakJaksMachine.pages {
      for (width, dark) in [(390, false), (390, true), (1_280, false), (1_280, true)] {
        let tab = try await browser.open(
          "http://127.0.0.1:\(served.port)/pages/\(page.id)", width: width, height: 900,
          dark: dark)
        let state = "document.getElementById('state')?.textContent"
        #expect(try await tab.wait(for: "live", state) == "live")
        let name = "\(page.id)-\(width)-\(dark ? "dark" : "light")"
        let scroll = try await tab.text("document.documentElement.scrollWidth")
        #expect((Int(scroll) ?? .max) <= width, "\(name) is \(scroll) wide")
        #expect(try await tab.text("problems.join()") == "", "\(name)")
        let background = try await tab.text("getComputedStyle(document.body).backgroundColor")
        #expect(background == (dark ? "rgb(18, 22, 28)" : "rgb(244, 245, 247)"))
        let shown = try await tab.text("document.querySelectorAll('section:not(:empty)').length")
        #expect((Int(shown) ?? 0) >= (page.id == "feed" ? 1 : 4), "\(name) has \(shown) parts")
        if let pictures {
          try await tab.picture(URL(filePath: pictures).appending(path: "\(name).png"))
        }
        // A browser opens six connections to one host, and each page holds one.
        try await tab.close()
      }
    }
  }

  /// A service with members of all tiers, a month of scans, orders, messages and referrals.
  private static func month() async throws -> ServiceFixture {
    let service = try ServiceFixture()
    let codes = try await service.begin(members: 40, tins: 2_400)
    for member in 20..<UInt32(40) {
      try await service.submit(.refer(member: member, affiliate: member % 5))
    }
    var next = 0
    for day in 0..<34 {
      for hour in 0..<8 {
        for _ in 0..<(3 + (day + hour * 3) % 11) {
          let member = UInt32(next * next % 40 % (1 + next % 40))
          try await service.submit(.scan(member: member, code: codes[next]))
          next += 1
        }
        if hour == 4 { try await service.submit(.scan(member: 3, code: "AAAA-AAAA-AAAA")) }
        try await service.advance(.hours(3))
      }
      let member = UInt32(day % 40)
      try await service.submit(.addToCart(member: member, sku: "BJ-MIC-06", tins: 12))
      try await service.submit(.orderCart(member: member, number: UInt32(day / 40 + 1)))
      try await service.submit(
        .post(member: member, channel: "general/general-chat", text: "day \(day)"))
    }
    return service
  }
}
