// Goal: cart, channels and live streams behave as the program's rules say, over HTTP, and are kept.
// Method: a member's requests to a real server; tables and restored states are compared.
import Foundation
import GRDB
import Quantities
import RewardModel
import Service
import Testing

@testable import BlakJaks

@Suite("Shop, channels and streams over HTTP", .timeLimit(.minutes(5)))
struct ShopAndChatTests {
  @Test("An order whose price leaves the range of money is refused, and stops nobody")
  func outOfRange() async throws {
    let served = try await Served(ServiceFixture("economy: {price: 1000000000}\n"))
    let token = try await served.join("ann")
    var statuses: [Int] = []
    for _ in 0..<12 {
      statuses.append(
        try await served.ask("POST", "/orders/create", #"{"tins": 1000}"#, token: token).status)
    }
    #expect(statuses.prefix(2) == [201, 201])
    #expect(statuses.suffix(6).allSatisfy { $0 == 422 }, "\(statuses)")
    _ = try await served.ask(
      "POST", "/cart/add", #"{"sku": "BJ-MIC-06", "tins": 99}"#, token: token)
    #expect(
      [201, 422].contains(try await served.ask("POST", "/orders/create", "{}", token: token).status)
    )
    try await served.service.advance(.days(2))
    #expect(served.service.engine.failure == nil)
    try await served.close()
    #expect(try served.service.audit() == [])
  }

  @Test("A cart is filled, changed and ordered; then it is empty, and the order has its lines")
  func cart() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    let token = try await served.join("ann")
    func cart(_ method: String, _ path: String, _ body: String? = nil) async throws
      -> (status: Int, tins: Int?, total: Double?, lines: [[String: Any]])
    {
      let answer = try await served.ask(method, path, body, token: token)
      return (
        answer.status, answer.json["tins"] as? Int, answer.json["total"] as? Double,
        answer.json["lines"] as? [[String: Any]] ?? []
      )
    }
    let added = try await cart("POST", "/cart/add", #"{"sku": "BJ-MIC-06", "tins": 3}"#)
    #expect(added.status == 200 && added.tins == 3)
    #expect(added.lines.map { $0["name"] as? String } == ["Mint Ice 6 mg"])
    _ = try await cart("POST", "/cart/add", #"{"sku": "BJ-SPM-03"}"#)
    let updated = try await cart("PUT", "/cart/update", #"{"sku": "BJ-MIC-06", "tins": 1}"#)
    #expect(updated.tins == 2)
    #expect(updated.total == 12.99)
    _ = try await cart("POST", "/cart/add", #"{"sku": "BJ-BUB-12", "tins": 8}"#)
    _ = try await cart("DELETE", "/cart/remove?sku=BJ-SPM-03")
    // Free shipping begins at 50.
    let full = try await cart("GET", "/cart")
    #expect(full.tins == 9 && full.total == 47.99)
    let estimate = try await served.ask("POST", "/tax/estimate", "{}", token: token)
    #expect(estimate.json["total"] as? Double == 47.99)
    // Another member's cart is another one, and a number of tins leaves it alone.
    let bob = try await served.join("bob")
    #expect(try await served.ask("GET", "/cart", token: bob).json["tins"] as? Int == 0)
    let direct = try await served.ask("POST", "/orders/create", #"{"tins": 2}"#, token: token)
    #expect(direct.json["number"] as? Int == 1)
    let order = try await served.ask("POST", "/orders/create", "{}", token: token, key: "once")
    #expect(order.status == 201 && order.json["number"] as? Int == 2)
    #expect(order.json["total"] as? Double == 47.99)
    #expect((order.json["lines"] as? [Any])?.count == 2)
    let again = try await served.ask("POST", "/orders/create", "{}", token: token, key: "once")
    #expect(again.text == order.text)
    #expect(try await cart("GET", "/cart").tins == 0)
    #expect(try await served.ask("POST", "/orders/create", "{}", token: token).status == 409)
    try served.service.read { database in
      let lines = try Row.fetchAll(
        database, sql: "SELECT sku, tins FROM order_line WHERE number = 2 ORDER BY sku")
      #expect(lines.map { $0["sku"] } == ["BJ-BUB-12", "BJ-MIC-06"])
      #expect(lines.map { $0["tins"] } == [8, 1])
    }
  }

  @Test("A restart knows carts, channels and the live stream")
  func restart() async throws {
    let service = try ServiceFixture(snapshotEvery: 3)
    _ = try await service.begin(members: 1, tins: 1)
    try await service.submit(.addToCart(member: 0, sku: "BJ-MIC-06", tins: 4))
    try await service.submit(
      .post(member: 0, channel: "general/general-chat", text: "hello"))
    try await service.submit(.startStream(title: "Friday"))
    let before = try await service.ask { ($0.state.shop.cart(of: 0), $0.state.board) }
    #expect(before.0.tins == 4 && before.1.messages == 1)
    try service.restart()
    let after = try await service.ask { ($0.state.shop.cart(of: 0), $0.state.board) }
    #expect(after.0 == before.0)
    #expect(after.1 == before.1)
  }

  @Test("Messages are read newest first, 20 a page, by those whose tier suffices")
  func messages() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    let (ann, bob) = (try await served.join("ann"), try await served.join("bob"))
    let path = "/social/channels/general-chat/messages"
    for number in 1...23 {
      let posted = try await served.ask(
        "POST", path, "{\"text\": \"message \(number)\"}", token: ann)
      #expect(posted.status == 201)
    }
    let announced = try await served.ask(
      "POST", "/admin/channels/announcements/messages", #"{"text": "Welcome"}"#,
      token: served.administrator)
    #expect(announced.status == 201)
    func numbers(_ query: String) async throws -> ([Int], Int?) {
      let page = try await served.ask("GET", path + query, token: bob)
      let rows = page.json["messages"] as? [[String: Any]] ?? []
      return (rows.compactMap { $0["number"] as? Int }, page.json["next"] as? Int)
    }
    let (first, next) = try await numbers("")
    #expect(first == Array((4...23).reversed()))
    let (second, end) = try await numbers("?before=\(try #require(next))")
    #expect(second == [3, 2, 1])
    #expect(end == nil)
    let read = try await served.ask(
      "GET", "/social/channels/general%2Fannouncements/messages", token: ann)
    let row = try #require((read.json["messages"] as? [[String: Any]])?.first)
    #expect(row["text"] as? String == "Welcome")
    #expect(row["author"] as? String == "program")
    // 15 scans of the quarter open the lounge.
    for code in try await served.codes(15) {
      _ = try await served.ask("POST", "/scans/submit", "{\"code\": \"\(code)\"}", token: bob)
    }
    let lounge = "/social/channels/vip-chat/messages"
    #expect(
      try await served.ask("POST", lounge, #"{"text": "hi"}"#, token: bob).status == 201)
    let refused = try await served.ask("GET", lounge, token: ann)
    #expect(refused.status == 403 && refused.json["title"] as? String == "tier_locked")
    let list = try await served.ask("GET", "/social/channels", token: bob)
    let channels = try #require(list.json["channels"] as? [[String: Any]])
    #expect(channels.count == 10)
    #expect(channels.count { $0["may_read"] as? Bool == true } == 10)
    #expect(channels.count { $0["may_write"] as? Bool == true } == 9)
  }

  @Test("One live stream at a time is begun and ended by the administrator, seen by anybody")
  func streams() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    func live() async throws -> [String?] {
      let answer = try await served.ask("GET", "/streaming/live")
      return (answer.json["streams"] as? [[String: Any]] ?? []).map { $0["title"] as? String }
    }
    let admin = served.administrator
    #expect(try await live() == [])
    #expect(try await served.ask("POST", "/admin/streams/end", token: admin).status == 409)
    let started = try await served.ask(
      "POST", "/admin/streams/start", #"{"title": "Friday"}"#, token: admin)
    #expect(started.status == 200)
    #expect(try await live() == ["Friday"])
    let second = try await served.ask(
      "POST", "/admin/streams/start", #"{"title": "Saturday"}"#, token: admin)
    #expect(second.status == 409)
    #expect(try await served.ask("POST", "/admin/streams/end", token: admin).status == 200)
    #expect(try await live() == [])
  }

  @Test("After the sunset nobody joins by a referral, and everybody may join without one")
  func sunset() async throws {
    let served = try await Served(
      ServiceFixture("rules:\n  sunset:\n    threshold: 1\n    checks: 1\n"))
    defer { served.stop() }
    let ann = try await served.join("ann")
    let code = try await served.codes(1)[0]
    _ = try await served.ask("POST", "/scans/submit", "{\"code\": \"\(code)\"}", token: ann)
    _ = try await served.join("bob", #", "referral_code": "BJ-0001-ST""#)
    try await served.service.advance(.days(2))
    let refused = try await served.ask(
      "POST", "/auth/signup",
      #"""
      {"email": "c@example.com", "password": "0123456789", "birth_date": "1980-01-31",
       "referral_code": "BJ-0001-ST"}
      """#)
    #expect(refused.status == 409)
    #expect(refused.json["title"] as? String == "sunset")
    _ = try await served.join("c")
  }

  @Test("A referral code is somebody's id, and nothing that only looks like one")
  func otherCodes() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    _ = try await served.ask(
      "POST", "/admin/members", #"{"count": 12}"#, token: served.administrator)
    for code in [
      "2026-12-31", "hello-1-world", "BJ-+1-ST", "BJ-0012", "BJ--0012-ST", "BJ-0012-XX",
      " BJ-0012-ST",
      "BJ-12-ST", "BJ-0012-ST-", "bj-0012-st", "BJ-0000-ST", "BJ-0099-ST",
    ] {
      let refused = try await served.ask(
        "POST", "/auth/signup",
        #"{"email": "c@example.com", "password": "0123456789", "birth_date": "1980-01-31", "#
          + #""referral_code": "\#(code)"}"#)
      #expect(refused.status == 409, "\(code)")
      #expect(refused.json["title"] as? String == "unknown referral code", "\(code)")
    }
    // Whoever has climbed since handed out the code of before.
    _ = try await served.join("bob", #", "referral_code": "BJ-0012-HR""#)
  }

  @Test("A member whose chips of a month are full is refused, and the service goes on")
  func fullVault() async throws {
    let service = try ServiceFixture("rules: {chips: {enabled: true, per_scan: 10}}\n")
    let served = try await Served(service)
    var codes: [String] = []
    for _ in 0..<7 { codes += try await served.codes(1_000) }
    let printed = codes
    let (ann, bob) = (try await served.join("ann"), try await served.join("bob"))
    func scan(_ place: Int, _ token: String) async throws -> (status: Int, problem: String) {
      let answer = try await served.ask(
        "POST", "/scans/submit", "{\"code\": \"\(printed[place])\"}", token: token)
      return (answer.status, "\(answer.json["title"] ?? ""): \(answer.json["detail"] ?? "")")
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for code in printed[..<6_552] {
        group.addTask { _ = try await service.submit(.scan(member: 0, code: code)) }
      }
      try await group.waitForAll()
    }
    #expect(try await scan(6_552, ann).status == 200)
    let full = try await scan(6_553, ann)
    #expect(full.status == 409)
    #expect(full.problem.hasPrefix("too many chips: this member has no room for more gold chips"))
    // The tin is still there for somebody else, and the member is welcome again when chips have expired.
    #expect(try await scan(6_553, bob).status == 200)
    try await served.service.advance(.days(62))
    #expect(try await scan(6_554, ann).status == 200)
    #expect(service.engine.failure == nil)
    try await served.close()
    try #expect(service.audit() == [])
  }

  @Test("Referral codes are told to the administrator; what a form leaves empty is left out")
  func referralCodes() async throws {
    let served = try await Served(ServiceFixture())
    defer { served.stop() }
    let admin = served.administrator
    _ = try await served.ask("POST", "/admin/members", #"{"count": 3}"#, token: admin)
    let empty = #", "state": "", "referral_code": """#
    let ann = try await served.join("ann", empty)
    let standing = try await served.ask("GET", "/users/me", token: ann).json
    #expect(standing["referral_code"] as? String == "BJ-0004-ST")
    let all = try await served.ask("GET", "/admin/members", token: admin).json
    #expect(all["members"] as? Int == 4 && (all["referral_codes"] as? [String])?.isEmpty == true)
    let some = try await served.ask("GET", "/admin/members?from=2&count=9", token: admin).json
    #expect(some["referral_codes"] as? [String] == ["BJ-0003-ST", "BJ-0004-ST"])
    _ = try await served.join("bob", #", "referral_code": "BJ-0003-ST""#)
    let member = try await served.ask("GET", "/admin/members?from=0&count=1", token: ann)
    #expect(member.status == 403)
    let much = try await served.ask("GET", "/admin/members?count=1001", token: admin)
    #expect(much.status == 422)
  }
}

extension ServiceFixture {
  /// Reads the service's file.
  func read(_ body: (Database) throws -> Void) throws {
    var configuration = Configuration()
    configuration.readonly = true
    let database = try DatabaseQueue(
      path: folder.appending(path: "service.sqlite").path, configuration: configuration)
    try database.read(body)
    try database.close()
  }
}
