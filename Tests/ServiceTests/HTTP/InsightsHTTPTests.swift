import AsyncHTTPClient
import Foundation
import NIOCore
// Goal: the pages over HTTP say what the state says, over the trailing day, and their listeners
// hear of what happens, as far as there is room for them.
// Method: a real server with a clock that the test moves; one feed of pages without a server.
import NIOHTTP1
import Quantities
import Reports
import RewardModel
import Synchronization
import Testing

@testable import BlakJaks
@testable import Service

@Suite("Insights over HTTP", .timeLimit(.minutes(5)))
struct InsightsHTTPTests {
  private static func data(
    _ served: Served, _ page: String
  ) async throws -> [String: [String: Any]] {
    let answer = try await served.ask("GET", "/insights/\(page)")
    #expect(answer.status == 200, "\(answer.text.prefix(300))")
    return (answer.json["data"] as? [String: Any])?.compactMapValues { $0 as? [String: Any] } ?? [:]
  }

  @Test("A page takes no parameters, and says which it does not take")
  func parameters() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    #expect(try await served.ask("GET", "/insights/overview").status == 200)
    let refused = try await served.ask("GET", "/insights/overview?days=3")
    #expect(refused.status == 422 && refused.text.contains("days is not taken here"))
  }

  @Test("What is canceled or refunded leaves no revenue, shipping or tax on the pages")
  func shopMoney() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    _ = try await served.join("ann")
    func shop() async throws -> [Int?] {
      let shop = try #require(try await Self.data(served, "overview")["shop"])
      return ["revenue_micro", "shipping_micro", "tax_micro"].map { shop[$0] as? Int }
    }
    func place(_ number: UInt32, tins: Int64) async throws {
      try await served.service.submit(.placeOrder(member: 0, number: number, tins: tins))
    }
    func move(_ number: UInt32, _ steps: [OrderStatus]) async throws {
      for step in steps {
        try await served.service.submit(.moveOrder(member: 0, number: number, to: step))
      }
    }
    try await place(1, tins: 3)
    let one = try await shop()
    #expect((one[0] ?? 0) > 0 && one[1] != nil && one[2] != nil, "\(one)")
    try await place(2, tins: 4)
    #expect(try await shop() != one)
    try await move(2, [.cancelled])
    #expect(try await shop() == one)
    try await place(3, tins: 2)
    try await move(3, [.shipped, .delivered, .refunded])
    #expect(try await shop() == one)
    try await move(1, [.shipped, .delivered])
    #expect(try await shop() == one)
  }

  @Test("The pages say what happened, and what of it happened within 24 hours")
  func trailing() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    let (ann, _) = (
      try await served.join("ann"),
      try await served.join("bob", #", "referral_code": "BJ-0001-ST""#)
    )
    // Sign-ups are among the requests whose processing is timed.
    let joined = try #require(try await Self.data(served, "systems")["scan_velocity"])
    #expect((joined["processing_mean_us"] as? Int ?? 0) > 0)
    let words = try await served.ask("GET", "/pages/systems").text
    #expect(words.contains("of the last 1,024 requests, sign-ups included"))
    for code in try await served.codes(9) {
      _ = try await served.ask("POST", "/scans/submit", "{\"code\": \"\(code)\"}", token: ann)
    }
    _ = try await served.ask("POST", "/scans/submit", #"{"code": "nonsense"}"#, token: ann)
    var programme = try #require(try await Self.data(served, "overview")["programme"])
    #expect(programme["global_scans"] as? Int == 9)
    #expect(programme["scans_today"] as? Int == 9)
    #expect(programme["active_members"] as? Int == 1)
    #expect(programme["members"] as? Int == 2)
    #expect(programme["payouts_24h"] as? Int == 0)
    var velocity = try #require(try await Self.data(served, "systems")["scan_velocity"])
    #expect(velocity["per_minute"] as? Int == 9)
    #expect(velocity["last_hour"] as? Int == 9)
    #expect(velocity["error_rate_bp"] as? Int == 1_000)
    #expect((velocity["processing_mean_us"] as? Int ?? 0) > 0)
    let affiliates = try #require(try await Self.data(served, "partners")["affiliates"])
    #expect(affiliates["active"] as? Int == 1)
    #expect(affiliates["referred"] as? Int == 1)
    // Confirmed within minutes; the calendar day ends 13 hours later and takes nothing with it.
    try await served.service.advance(.hours(20))
    programme = try #require(try await Self.data(served, "overview")["programme"])
    #expect(programme["scans_today"] as? Int == 0)
    #expect(programme["payouts_24h"] as? Int == 9)
    #expect(programme["payouts_24h_value_micro"] as? Int == 6 * 200_000 + 3 * 250_000)
    velocity = try #require(try await Self.data(served, "systems")["scan_velocity"])
    #expect(velocity["per_minute"] as? Int == 0)
    #expect(velocity["last_hour"] as? Int == 0)
    try await served.service.advance(.hours(5))
    programme = try #require(try await Self.data(served, "overview")["programme"])
    #expect(programme["payouts_24h"] as? Int == 0)
    #expect(programme["global_scans"] as? Int == 9)
    // After 30 local days without a scan nobody is active.
    try await served.service.advance(.days(30))
    programme = try #require(try await Self.data(served, "overview")["programme"])
    #expect(programme["active_members"] as? Int == 0)
    let treasury = try await Self.data(served, "treasury")
    let history = try #require(treasury["balance_history"])
    #expect((history["dates"] as? [String])?.count == 32)
    let held = try await served.service.ask {
      $0.state.programme.books.holding(.memberWallet).microunits
    }
    #expect(treasury["wallets"]?["member_micro"] as? Int64 == held)
    let budget = try #require(try await Self.data(served, "systems")["budget"])
    #expect(budget["budget_micro"] as? Int == 0)
  }

  @Test("A service names no setting for what only simulated runs have")
  func unknownFigures() async throws {
    let served = try await Served(
      ServiceFixture(
        "rules: {shop: {enabled: true}, chips: {enabled: false}}\npopulation: {chat: {enabled: true}}\n"
      ))
    defer { served.stop() }
    for (page, figure, setting) in [
      ("overview", "shop.visits", nil), ("overview", "social.reactions", nil),
      ("systems", "vault.liability_micro", "rules.chips.enabled"),
    ] {
      let answer = try await served.ask("GET", "/insights/\(page)").json
      let missing = answer["not_in_this_run"] as? [[String: Any]] ?? []
      let row = try #require(missing.first { $0["figure"] as? String == figure }, "\(missing)")
      #expect(row["setting"] as? String == setting)
      #expect(
        row["reason"] as? String
          == setting.map { "not in this run; \($0) switches it on" }
          ?? "not known to a service; only simulated runs have it")
    }
  }

  @Test("Before its first morning a service has reconciled nothing yet, which is no absence")
  func beforeTheFirstReconciliation() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    for page in ["treasury", "systems"] {
      let answer = try await served.ask("GET", "/insights/\(page)").json
      let missing = answer["not_in_this_run"] as? [[String: Any]] ?? []
      #expect(
        !missing.contains { ($0["figure"] as? String)?.contains("reconciliation") == true },
        "\(missing)")
      let sync = missing.contains { ($0["figure"] as? String)?.hasSuffix("last_sync") == true }
      #expect(!sync, "\(missing)")
    }
    let health = try #require(try await Self.data(served, "systems")["reconciliation"])
    #expect(health["wallets"] as? Int == 0 && health["status"] is NSNull)
    try await served.service.advance(.days(1))
    let after = try #require(try await Self.data(served, "systems")["reconciliation"])
    #expect(after["wallets"] as? Int == 3 && after["status"] is String)
  }

  @Test("The feed is read newest first, 20 a page, to its beginning")
  func feed() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    for member in 0..<UInt32(30) {
      try await served.service.submit(.signUp(member: member, state: nil))
    }
    var rows: [String] = []
    var query = ""
    for _ in 0..<5 {
      let page = try await served.ask("GET", "/insights/feed\(query)").json
      let part = page["feed"] as? [[String: Any]] ?? []
      #expect(part.count <= 20)
      rows += part.compactMap { $0["text"] as? String }
      guard let next = page["next"] as? Int64 else { break }
      query = "?before=\(next)"
    }
    #expect(rows == (1...30).reversed().map { "member \($0) signed up" })
  }

  @Test("Who listens hears of a scan at once: the page, or what changed of the web page")
  func listening() async throws {
    let served = try await Served(ServiceFixture(), listeners: 2)
    defer { served.stop() }
    let token = try await served.join("ann")
    let codes = try await served.codes(1)
    func listen(_ query: String) async throws -> HTTPClientResponse {
      let request = HTTPClientRequest(
        url: "http://127.0.0.1:\(served.port)/insights/events\(query)")
      return try await HTTPClient.shared.execute(request, timeout: .seconds(60))
    }
    let json = try await listen("")
    let html = try await listen("?page=overview&form=html")
    #expect(json.headers.first(name: "Content-Type") == "text/event-stream")
    var pages = Events(json.body).makeAsyncIterator()
    var parts = Events(html.body).makeAsyncIterator()
    #expect(try await pages.next()?.contains("\"global_scans\": 0") == true)
    let whole = try #require(try await parts.next())
    #expect(whole.contains("block-programme") && whole.contains("block-feed"))
    // There is room for two.
    #expect(try await listen("").status == .tooManyRequests)
    #expect(try await listen("?page=nowhere").status == .notFound)
    #expect(try await listen("?form=xml").status == .unprocessableEntity)
    let clock = ContinuousClock()
    _ = try await served.ask(
      "POST", "/scans/submit", "{\"code\": \"\(codes[0])\"}", token: token)
    let answered = clock.now
    #expect(try await pages.next()?.contains("\"global_scans\": 1") == true)
    // It is told within half a second where there is a processor for it; beside other tests there may be none.
    #expect(clock.now - answered < .seconds(30))
    let changed = try #require(try await parts.next())
    #expect(changed.contains("block-programme") && !changed.contains("block-feed"))
  }

  @Test("A page for a browser is whole without its script, and escapes what people wrote")
  func html() async throws {
    let served = try await Served(
      ServiceFixture(
        "rules:\n  prizes:\n    - {name: '<script>x</script> & more', kind: crypto, every: 500, amount: 100}\n"
      ))
    defer { served.stop() }
    for page in BlakJaksMachine.pages {
      let answer = try await served.ask("GET", "/pages/\(page.id)")
      #expect(answer.status == 200)
      #expect(answer.type == "text/html; charset=utf-8")
      #expect(answer.text.contains("<h1>\(page.title)</h1>"))
      #expect(!answer.text.contains("http://") && !answer.text.contains("https://"))
    }
    let overview = try await served.ask("GET", "/").text
    #expect(overview.contains("<h1>Overview</h1>"))
    #expect(overview.contains("&lt;script&gt;x&lt;/script&gt; &amp; more"))
    #expect(!overview.contains("<script>x"))
    #expect(try await served.ask("GET", "/pages/nowhere").status == 404)
    #expect(try await served.ask("GET", "/pages/script.js").type.hasPrefix("text/javascript"))
    #expect(try await served.ask("GET", "/pages/style.css").type.hasPrefix("text/css"))
  }

  @Test("Who does not take what is sent is dropped, and room is there again")
  func slow() async throws {
    let service = try ServiceFixture()
    _ = try await service.begin(members: 1, tins: 1)
    let page = try #require(
      try await service.ask { $0.page("overview", at: ServiceFixture.start, ServiceMeasures()) })
    let number = Counter()
    let feed = PageFeed(
      most: 1, happened: { number.next() },
      page: { _ in
        var news = page
        news.blocks[0].title = "\(number.next())"
        return news
      })
    let closed = Counter()
    let topic = PageFeed.Topic(page: "overview", form: .html)
    let (_, events) = try await feed.listen(to: topic) { _ = closed.next() }
    await #expect(throws: PageFeed.Full.self) { try await feed.listen(to: topic) {} }
    for _ in 0..<40 { await feed.look() }
    #expect(closed.value == 1)
    #expect(await feed.listeners == 0)
    #expect(await feed.dropped == 1)
    var taken = 0
    for await _ in events { taken += 1 }
    #expect(taken == 16)
    _ = try await feed.listen(to: topic) {}
  }
}

/// The events of a stream.
private struct Events: AsyncSequence {
  private let body: HTTPClientResponse.Body

  init(_ body: HTTPClientResponse.Body) { self.body = body }

  struct AsyncIterator: AsyncIteratorProtocol {
    var bytes: HTTPClientResponse.Body.AsyncIterator
    var text = ""

    /// The next event with news: neither a comment nor the time alone.
    mutating func next() async throws -> String? {
      while true {
        while let end = text.firstRange(of: "\n\n") {
          let event = String(text[..<end.lowerBound])
          text.removeSubrange(..<end.upperBound)
          if event.contains("data: "), !event.contains("\"parts\": {}") { return event }
        }
        guard let more = try await bytes.next() else { return nil }
        text += String(buffer: more)
      }
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(bytes: body.makeAsyncIterator()) }
}

/// Counts calls.
private final class Counter: Sendable {
  private let count = Mutex<Int64>(0)

  var value: Int64 { count.withLock { $0 } }

  func next() -> Int64 {
    count.withLock {
      $0 += 1
      return $0
    }
  }
}
