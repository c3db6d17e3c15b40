import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import Quantities
import RewardModel
import Synchronization
import Testing

@testable import BlakJaks
@testable import Service

@Suite("The service over HTTP", .timeLimit(.minutes(5)))
struct ServiceHTTPTests {
  @Test("A member joins, scans, looks at the wallet, orders, and finds it all in lists")
  func journey() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    let token = try await served.join("ann")
    let codes = try await served.codes(3)
    for (place, code) in codes.enumerated() {
      let scan = try await served.ask(
        "POST", "/scans/submit", "{\"code\": \"\(code.lowercased())\"}", token: token,
        key: "k\(place)")
      #expect(scan.status == 200)
      #expect(scan.json["success"] as? Bool == true)
      #expect(scan.json["usdt_earned"] as? Double == 0.2)
    }
    let again = try await served.ask(
      "POST", "/scans/submit", "{\"code\": \"\(codes[0])\"}", token: token)
    #expect(again.json["success"] as? Bool == false)
    let wallet = try await served.ask("GET", "/users/me/wallet", token: token)
    #expect(wallet.json["pending"] as? Double == 0.6)
    try await served.service.advance(.hours(1))
    let later = try await served.ask("GET", "/users/me/wallet", token: token)
    #expect(later.json["available"] as? Double == 0.6)
    let recent = try await served.ask("GET", "/scans/recent", token: token)
    #expect((recent.json["scans"] as? [[String: Any]])?.map { $0["number"] as? Int } == [3, 2, 1])
    let order = try await served.ask("POST", "/orders/create", "{\"tins\": 2}", token: token)
    #expect(order.status == 201)
    #expect(order.json["total"] as? Double == 12.99)
    let orders = try await served.ask("GET", "/users/me/orders", token: token)
    #expect((orders.json["orders"] as? [[String: Any]])?.count == 1)
    let moved = try await served.ask(
      "POST", "/admin/orders/0/1/shipped", token: served.administrator)
    #expect(moved.status == 200, "\(moved.text)")
    #expect(
      try await served.ask("GET", "/users/me", token: token).json["tier"] as? String == "standard")
  }

  @Test("A member sees only their own, and nobody gets in without a token of theirs")
  func guards() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    let (ann, bob) = (try await served.join("ann"), try await served.join("bob"))
    let code = try await served.codes(1)[0]
    _ = try await served.ask(
      "POST", "/scans/submit", "{\"code\": \"\(code)\"}", token: ann, key: "same")
    let theirs = try await served.ask("GET", "/scans/recent", token: bob)
    #expect((theirs.json["scans"] as? [Any])?.isEmpty == true)
    // The same key of another member is another key.
    let other = try await served.ask(
      "POST", "/scans/submit", "{\"code\": \"\(code)\"}", token: bob, key: "same")
    #expect(other.json["success"] as? Bool == false)
    for token in [nil, "", "x.y.z", ann + "x", served.administrator, "Bearer"] {
      let refused = try await served.ask("GET", "/users/me", token: token)
      #expect(refused.status == 401)
      #expect(refused.type == "application/problem+json")
    }
    #expect(try await served.ask("POST", "/admin/tins", "{\"count\": 1}", token: ann).status == 403)
    #expect(try await served.ask("POST", "/admin/tins", "{\"count\": 1}").status == 401)
    let young = try await served.ask(
      "POST", "/auth/signup",
      #"{"email": "y@example.com", "password": "0123456789", "birth_date": "2005-01-06"}"#)
    #expect(young.status == 403)
    let old = try await served.ask(
      "POST", "/auth/signup",
      #"{"email": "o@example.com", "password": "0123456789", "birth_date": "2005-01-05"}"#)
    #expect(old.status == 201)
    // No year was numbered 0.
    let never = try await served.ask(
      "POST", "/auth/signup",
      #"{"email": "n@example.com", "password": "0123456789", "birth_date": "0000-02-29"}"#)
    #expect(never.status == 422)
    #expect(never.json["detail"] as? String == "birth_date has to be a date like 1990-12-31")
    let twice = try await served.ask(
      "POST", "/auth/signup",
      #"{"email": "O@example.com", "password": "0123456789", "birth_date": "1980-01-05"}"#)
    #expect(twice.status == 409)
    let wrong = try await served.ask(
      "POST", "/auth/login", #"{"email": "o@example.com", "password": "0123456788"}"#)
    #expect(wrong.status == 401)
  }

  @Test(
    "What does not fit is refused with its status, as a problem, and changes nothing",
    arguments: [
      ("POST", "/scans/submit", "{", 400), ("POST", "/scans/submit", "[]", 400),
      ("POST", "/scans/submit", "{}", 422), ("POST", "/scans/submit", "{\"code\": 5}", 422),
      ("POST", "/scans/submit", "{\"code\": \"A\", \"x\": 1}", 422),
      ("POST", "/scans/submit", "{\"code\": \"\(String(repeating: "A", count: 65))\"}", 422),
      ("POST", "/scans/submit", String(repeating: "[", count: 60_000), 400),
      ("POST", "/scans/submit", String(repeating: "a", count: 70_000), 413),
      ("POST", "/wallet/withdraw", "{\"amount\": -1}", 422),
      ("POST", "/wallet/withdraw", "{\"amount\": 0}", 422),
      ("POST", "/wallet/withdraw", "{\"amount\": 1e300}", 422),
      ("POST", "/wallet/withdraw", "{\"amount\": 0.0000001}", 422),
      ("POST", "/wallet/withdraw", "{\"amount\": \"5\"}", 422),
      ("POST", "/wallet/withdraw", "{\"amount\": 5}", 409),
      ("POST", "/orders/create", "{\"tins\": 9223372036854775807}", 422),
      ("POST", "/orders/create", "{\"tins\": 1.5}", 422),
      ("GET", "/scans/recent?before=x", "", 422), ("GET", "/scans/recent?before=12x", "", 422),
      ("POST", "/cart/add", "{\"sku\": \"BJ-XXX-06\"}", 404),
      ("POST", "/cart/add", "{\"sku\": \"BJ-MIC-06\", \"tins\": 0}", 422),
      ("POST", "/cart/add", "{\"sku\": \"BJ-MIC-06\", \"tins\": 1000}", 422),
      ("PUT", "/cart/update", "{\"sku\": \"BJ-MIC-06\", \"tins\": 1}", 404),
      ("DELETE", "/cart/remove?sku=BJ-MIC-06", "", 404), ("DELETE", "/cart/remove", "", 422),
      ("POST", "/orders/create", "{}", 409), ("POST", "/tax/estimate", "{}", 409),
      ("POST", "/social/channels/vip-chat/messages", "{\"text\": \"hi\"}", 403),
      ("POST", "/social/channels/announcements/messages", "{\"text\": \"hi\"}", 403),
      ("POST", "/social/channels/nowhere/messages", "{\"text\": \"hi\"}", 404),
      ("POST", "/social/channels/general-chat/messages", "{\"text\": \" \\n\"}", 409),
      ("POST", "/social/channels/general-chat/messages", "{\"text\": \"\"}", 422),
      ("GET", "/social/channels/vip-chat/messages", "", 403),
      ("GET", "/social/channels/nowhere/messages", "", 404), ("GET", "/../secrets.json", "", 404),
      ("GET", "/users/1", "", 404), ("DELETE", "/scans/submit", "", 405),
    ])
  func refusals(method: String, path: String, body: String, status: Int) async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    let token = try await served.join("ann")
    let before = try await served.service.saved()
    let answer = try await served.ask(method, path, body.isEmpty ? nil : body, token: token)
    #expect(answer.status == status, "\(answer.text.prefix(300))")
    #expect(answer.type == "application/problem+json")
    #expect(answer.json["detail"] is String)
    let changes = try await differences(before, served.service.saved())
    // Messages that a channel does not take are counted for the pages.
    let isMessage = method == "POST" && path.hasSuffix("/messages") && [403, 409].contains(status)
    #expect(changes == (isMessage ? [".live.totals.refusedMessages: 0, 1"] : []))
  }

  @Test("A key of a sign-up holds all that was said but the password")
  func keyOfSignUp() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    func join(_ more: String, password: String = "0123456789") async throws -> Int {
      try await served.ask(
        "POST", "/auth/signup",
        #"{"email": "ann@example.com", "password": "\#(password)", "birth_date": "1980-01-31"\#(more)}"#,
        key: "one"
      ).status
    }
    #expect(try await join(#", "state": "NY""#) == 201)
    #expect(try await join(#", "state": "NY""#) == 201)
    #expect(try await join(#", "state": "NY""#, password: "9876543210") == 201)
    #expect(try await join(#", "state": "NJ""#) == 409)
    #expect(try await join("") == 409)
  }

  @Test("A key keeps what the rules answer, done or refused, and nothing that never came to them")
  func keysOfRefusals() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    let token = try await served.join("ann")
    func update(_ tins: Int, key: String) async throws -> Int {
      try await served.ask(
        "PUT", "/cart/update", #"{"sku": "BJ-MIC-06", "tins": \#(tins)}"#, token: token, key: key
      ).status
    }
    #expect(try await update(2, key: "rules") == 404)
    #expect(try await update(0, key: "values") == 422)
    let added = try await served.ask(
      "POST", "/cart/add", #"{"sku": "BJ-MIC-06"}"#, token: token, key: "add")
    #expect(added.status == 200)
    #expect(try await update(2, key: "rules") == 404)
    #expect(try await update(2, key: "values") == 200)
    #expect(try await update(3, key: "values") == 409)
    func join(_ more: String) async throws -> String? {
      let joined = try await served.ask(
        "POST", "/auth/signup",
        #"{"email": "b@example.com", "password": "0123456789", "birth_date": "1980-01-31"\#(more)}"#,
        key: "join")
      return joined.status == 201 ? "done" : joined.json["title"] as? String
    }
    let code = #", "referral_code": "BJ-0099-ST""#
    #expect(try await join(code) == "unknown referral code")
    #expect(try await join("") == "done")
    #expect(try await join(code) == "key used before")
    #expect(try await join("") == "done")
  }

  @Test("The scheme of a token is the same in any case, and who has none hears which it is")
  func scheme() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    let token = try await served.join("ann")
    for (scheme, status) in [("bearer", 200), ("BEARER", 200), ("Basic", 401)] {
      var request = HTTPClientRequest(url: "http://127.0.0.1:\(served.port)/users/me")
      request.headers.add(name: "Authorization", value: "\(scheme) \(token)")
      let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(20))
      #expect(Int(answer.status.code) == status, "\(scheme)")
      #expect(answer.headers.first(name: "WWW-Authenticate") == (status == 401 ? "Bearer" : nil))
    }
  }

  @Test("Where a clock is behind the state, pages and ages go by the state's last instant")
  func clockBehind() async throws {
    let service = try ServiceFixture()
    try await service.advance(.days(3))
    try await service.submit(.signUp(member: 0, state: nil))
    service.close()
    // As that of a process may be which shares a database with others.
    try service.open { _ in ManualClock(ServiceFixture.start) }
    let served = try await Served(service)
    defer { served.stop() }
    let last = service.clock.now.description
    let page = try await served.ask("GET", "/insights/overview").json["as_of"] as? [String: Any]
    #expect(try #require(page?["time"] as? String) >= last)
    #expect(try await served.ask("GET", "/healthz").json["clock"] as? String == last)
    // 21 since the day before that instant.
    let ann = #"{"email": "a@example.com", "password": "0123456789", "birth_date": "2005-01-07"}"#
    #expect(try await served.ask("POST", "/auth/signup", ann).status == 201)
  }

  @Test("A list of twenty rows is whole, one of twenty-one goes on")
  func endOfList() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    let token = try await served.join("ann")
    let codes = try await served.codes(21)
    for (place, code) in codes.enumerated() {
      _ = try await served.ask("POST", "/scans/submit", "{\"code\": \"\(code)\"}", token: token)
      guard place >= 18 else { continue }
      let page = try await served.ask("GET", "/scans/recent", token: token).json
      #expect((page["scans"] as? [Any])?.count == min(place + 1, 20))
      #expect((page["next"] is NSNull) == (place < 20))
    }
  }

  @Test("A flood for a page is answered from one that was just made; few get it as it is")
  func pageCache() async throws {
    let cache = PageCache<String>()
    let made = Mutex(0)
    func ask() async throws -> String {
      try await cache.page("overview") {
        let number = made.withLock {
          $0 += 1
          return $0
        }
        return "\(number)"
      }
    }
    for number in 1...20 { #expect(try await ask() == "\(number)") }
    let began = ContinuousClock.now
    for _ in 0..<5_000 { _ = try await ask() }
    let seconds = Int((ContinuousClock.now - began).components.seconds) + 1
    let times = made.withLock { $0 }
    #expect(times <= 20 + seconds * 10 + 1)
  }

  @Test("Who asks too often waits; the others do not")
  func rate() async throws {
    let served = try await Served(ServiceFixture(), perSecond: 1)
    defer { served.stop() }
    let (ann, bob) = (try await served.join("ann"), try await served.join("bob"))
    var statuses: [Int] = []
    for _ in 0..<8 {
      statuses.append(try await served.ask("GET", "/users/me", token: ann).status)
    }
    #expect(statuses.contains(429))
    var later = try await served.retryAfter("/users/me", token: ann)
    while later.0 != 429 { later = try await served.retryAfter("/users/me", token: ann) }
    #expect(later.seconds == "1")
    #expect(try await served.ask("GET", "/users/me", token: bob).status == 200)
  }

  @Test("The description names each route, and each route that it names is there")
  func openAPI() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    let document = try await served.ask("GET", "/openapi.json").json
    #expect(document["openapi"] as? String == "3.1.0")
    let paths = try #require(document["paths"] as? [String: [String: Any]])
    var named: Set<String> = []
    for (path, methods) in paths {
      for (method, operation) in methods {
        let responses = (operation as? [String: Any])?["responses"] as? [String: [String: Any]]
        for status in ["429", "503"] {
          let headers = responses?[status]?["headers"] as? [String: Any]
          #expect(headers?["Retry-After"] != nil, "\(status) of \(method) \(path)")
        }
        named.insert("\(method.uppercased()) \(path)")
        let filled = path.replacing("{member}", with: "0").replacing("{number}", with: "1")
          .replacing("{status}", with: "shipped")
          .replacing("{id}", with: path.hasPrefix("/pages") ? "treasury" : "general-chat")
        // The stream of events has no end; its own test listens to it.
        if path == "/insights/events" { continue }
        let answer = try await served.ask(method.uppercased(), filled)
        #expect(answer.status != 404, "\(method) \(path)")
      }
    }
    // What every service has, and what pages load, is not part of a program's interface.
    let others: Set = [
      "GET /healthz", "GET /readyz", "GET /metrics", "GET /openapi.json", "GET /pages/style.css",
      "GET /pages/script.js",
    ]
    let routes = Set(try await served.application().routes)
    #expect(routes.subtracting(others) == named)
    #expect(others.isSubset(of: routes))
    #expect(try await served.ask("GET", "/readyz").status == 200)
    let health = try await served.ask("GET", "/healthz").json
    #expect(health["clock"] as? String == served.service.clock.now.description)
    #expect(health["speed"] as? Double == 0 && health["up"] as? Bool == true)
    #expect(try await served.ask("GET", "/metrics").text.contains("pitboss_requests_total"))
  }
}
