// Goal: only who has the address that the studio printed can ask it anything, and whatever is asked
// gets an answer in words.
// Method: a real server on loopback, asked with wrong tokens, hosts, origins, bodies and values.
import Foundation
import NIOHTTP1
import Scenario
import TestSupport
import Testing

@testable import Studio

@Suite(.tags(.slow)) struct StudioHTTPTests {
  private static let reads = [
    "/", "/style.css", "/script.js", "/settings", "/find?q=a", "/picture?after=-1",
    "/scenario.yaml", "/report.html", "/nothing",
  ]
  private static let writes = [
    "/move", "/open", "/keep", "/drop", "/restore", "/seek", "/seek/cancel", "/save",
  ]

  @Test("Without the token nothing is answered, whether it exists or not")
  func noToken() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let token = studio.token.text
    let wrong: [[(String, String)]] = [
      [], [("Authorization", "Bearer ")], [("Authorization", "Bearer \(token)0")],
      [("Authorization", "Bearer \(token.dropLast())")], [("Authorization", token)],
      [("Authorization", "Bearer \(String(token.reversed()))")], [("Cookie", "token=\(token)")],
    ]
    for headers in wrong {
      for path in Self.reads {
        #expect(try await studio.ask("GET", path, headers: headers).status == 403, "\(path)")
      }
      for path in Self.writes {
        #expect(try await studio.ask("POST", path, "{}", headers: headers).status == 403)
      }
    }
    // What changes something takes the token in a header alone, which no other page can send.
    for path in Self.writes {
      let answer = try await studio.ask("POST", "\(path)?token=\(token)", "{}", headers: [])
      #expect(answer.status == 403)
    }
    for path in ["/", "/style.css", "/scenario.yaml"] {
      #expect(try await studio.ask("GET", "\(path)?token=\(token)", headers: []).status == 200)
    }
    #expect(StudioToken().text != StudioToken().text && token.count == 64)
  }

  @Test("A name that leads here by another site's DNS is not answered, nor is another origin")
  func rebinding() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let own = ("Authorization", "Bearer \(studio.token.text)")
    for host in ["evil.example", "evil.example:\(studio.port)", "127.0.0.1", "127.0.0.1:1", "0"] {
      let answer = try await studio.ask("GET", "/settings", headers: [own, ("Host", host)])
      #expect(answer.status == 403, "\(host)")
    }
    for origin in ["http://evil.example", "null", "https://127.0.0.1:\(studio.port)"] {
      let answer = try await studio.ask(
        "POST", "/keep", "{}", headers: [own, ("Origin", origin)])
      #expect(answer.status == 403, "\(origin)")
    }
    for host in ["127.0.0.1:\(studio.port)", "localhost:\(studio.port)"] {
      let answer = try await studio.ask(
        "GET", "/settings", headers: [own, ("Host", host), ("Origin", "http://\(host)")])
      #expect(answer.status == 200, "\(host)")
    }
  }

  @Test("The port is part of the name, except HTTP's own, which browsers leave out")
  func names() {
    let place = StudioPlace()
    #expect(place.names.isEmpty)
    place.port = 8_080
    #expect(place.names == ["127.0.0.1:8080", "localhost:8080"])
    place.port = 80
    #expect(place.names == ["127.0.0.1:80", "localhost:80", "127.0.0.1", "localhost"])
  }

  @Test("Every answer says what pages may do with it")
  func headers() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    for path in Self.reads {
      let answer = try await studio.ask("GET", path)
      let policy = answer.headers.first(name: "Content-Security-Policy") ?? ""
      #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
      #expect(!policy.contains("script-src 'self' 'unsafe") && !policy.contains("http:"))
      #expect(answer.headers.first(name: "X-Content-Type-Options") == "nosniff", "\(path)")
      #expect(answer.headers.first(name: "Referrer-Policy") == "no-referrer")
      #expect(answer.headers.first(name: "Cache-Control") == "no-store")
    }
    #expect(try await studio.ask("GET", "/nothing").status == 404)
    let page = try await studio.ask("GET", "/").text
    #expect(!page.contains("<script>") && !page.contains("onclick") && !page.contains("://"))
  }

  @Test("Values that the reader refuses come back with its words, and broken requests too")
  func refusals() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let refused = try await studio.ask(
      "POST", "/move", #"{"path": "rules.comp_pool.share", "value": "130 %"}"#)
    #expect(refused.status == 422)
    #expect((refused.json["message"] as? String)?.contains("out of range") == true)
    #expect(refused.json["path"] as? String == "rules.comp_pool.share")
    let moved = try await studio.ask(
      "POST", "/move", #"{"path": "rules.comp_pool.share", "value": "40 %"}"#)
    #expect(moved.status == 200 && moved.json["revision"] as? Int == 2)
    for body in ["", "{", "[]", #"{"path": 5}"#, "null"] {
      #expect(try await studio.ask("POST", "/move", body).status == 400, "\(body)")
    }
    let own = ("Authorization", "Bearer \(studio.token.text)")
    let plain = try await studio.ask(
      "POST", "/keep", "{}", headers: [own, ("Content-Type", "text/plain")])
    #expect(plain.status == 415)
    let large = String(repeating: "a", count: 7 << 20)
    let opened = try? await studio.ask("POST", "/open", #"{"name": "a", "text": "\#(large)"}"#)
    #expect(opened.map { $0.status == 413 } ?? true)
    let broken = try await studio.ask("POST", "/open", #"{"name": "b.yaml", "text": "name: [}"}"#)
    #expect(broken.status == 422)
    #expect((broken.json["message"] as? String)?.hasPrefix("b.yaml:1:") == true)
    let sought = try await studio.ask(
      "POST", "/seek",
      #"{"path": "seed", "low": "1", "high": "9", "condition": "P(critical) < 0.1"}"#)
    #expect(sought.status == 422)
    #expect(try await studio.ask("POST", "/restore", "{}").status == 422)
    #expect(studio.session.settings.revision == 2)
  }

  @Test("A picture is waited for, and comes with a move")
  func waits() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    let last = try await studio.session.settled().version
    async let next = studio.ask("GET", "/picture?after=\(last)")
    try await Task.sleep(for: .milliseconds(100))
    _ = try await studio.ask(
      "POST", "/move", #"{"path": "rules.guarantee.amount", "value": "9"}"#)
    let picture = try await next
    #expect(picture.json["revision"] as? Int == 2)
    #expect((picture.json["version"] as? Int ?? 0) > last)
  }

  @Test("The scenario and the report are files; a scenario is saved in the folder alone")
  func files() async throws {
    let studio = try await ServedStudio()
    defer { studio.stop() }
    _ = try await studio.session.settled()
    _ = try await studio.ask("POST", "/move", #"{"path": "rules.guarantee.amount", "value": "9"}"#)
    _ = try await studio.session.settled()
    let file = try await studio.ask("GET", "/scenario.yaml")
    #expect(
      file.headers.first(name: "Content-Disposition") == "attachment; filename=\"small.yaml\"")
    let again = try Scenario.load(text: file.text, file: "small.yaml")
    #expect(again.canonicalText == studio.session.scenario.canonicalText)
    let report = try await studio.ask("GET", "/report.html")
    #expect(report.text.contains("<h1>Projection of small</h1>"))
    let saved = try await studio.ask("POST", "/save", #"{"path": "new/mine.yaml"}"#)
    #expect(saved.status == 200 && saved.json["path"] as? String == "new/mine.yaml")
    let place = studio.folder.appending(path: "new/mine.yaml")
    #expect(try String(contentsOf: place, encoding: .utf8) == file.text)
    let twice = try await studio.ask("POST", "/save", #"{"path": "new/mine.yaml"}"#)
    #expect(twice.status == 409 && twice.json["mayReplace"] as? Bool == true)
    let replaced = try await studio.ask(
      "POST", "/save", #"{"path": "new/mine.yaml", "replace": true}"#)
    #expect(replaced.status == 200)
    let outside = try await studio.ask("POST", "/save", #"{"path": "../mine.yaml"}"#)
    #expect(outside.status == 422)
  }
}

/// Alone, as it measures time.
@Suite(.tags(.slow, .alone)) struct StudioEndTests {
  @Test("A studio that ends lets go whoever waits")
  func ends() async throws {
    let studio = try await ServedStudio()
    let last = try await studio.session.settled().version
    let began = ContinuousClock.now
    async let next = studio.session.picture(after: last, seconds: 20)
    try await Task.sleep(for: .milliseconds(100))
    studio.stop()
    #expect(await next.version == last)
    #expect(ContinuousClock.now - began < .seconds(10))
  }
}
