// A service whose disk is full: the real program with a limit on the size of its files, which fails
// writes as a full disk does. It says so, ends, and goes on where there is room again.
import Foundation
import RewardModel
import Service
import TestSupport
import Testing

@testable import BlakJaks

@Suite("A service whose disk is full")
struct FullDiskTests {
  @Test("It answers 503, ends with 74, and has everything that it acknowledged after a restart")
  func fullDisk() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "full-\(UInt64.random(in: .min ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (data, scenario) = (folder.appending(path: "data"), folder.appending(path: "full.yaml"))
    try Data("name: full\nseed: 7\n".utf8).write(to: scenario)
    let service = try await blocking {
      try Unchecked(ServiceProcess(data, scenario: scenario, kibibytes: 1_000))
    }.value
    let secrets = try JSONDecoder().decode(
      ServiceSecrets.self, from: try Data(contentsOf: data.appending(path: "secrets.json")))
    for name in ["service.sqlite", "service.sqlite-wal", "secrets.json"] {
      let found = try FileManager.default.attributesOfItem(
        atPath: data.appending(path: name).path)
      #expect(found[.posixPermissions] as? Int == 0o600, Comment(rawValue: name))
    }
    let account = #""email": "ann@example.com", "password": "0123456789""#
    _ = try await service.ask(
      "POST", "/auth/signup", #"{\#(account), "birth_date": "1980-01-31"}"#)
    let logIn = try await service.ask("POST", "/auth/login", "{\(account)}")
    let token = try #require(logIn.json["token"] as? String)
    // How soon the limit is met depends on how often the write-ahead log is emptied.
    for _ in 0..<5 {
      _ = try await service.ask(
        "POST", "/admin/tins", "{\"count\": 2000}", token: secrets.administrator)
    }
    var acknowledged: [String: String] = [:]
    var refused: (status: Int, code: String, text: String)?
    for batch in 0..<5 where refused == nil {
      let tins = try await service.ask(
        "GET", "/admin/tins?from=\(batch * 2_000)&count=2000", token: secrets.administrator)
      for code in try #require(tins.json["codes"] as? [String]) where refused == nil {
        let answer = try await service.ask(
          "POST", "/scans/submit", "{\"code\": \"\(code)\"}", token: token, key: code)
        if answer.status == 200 { acknowledged[code] = answer.text }
        if answer.status >= 500 { refused = (answer.status, code, answer.text) }
      }
    }
    let (status, code, text) = try #require(refused)
    #expect(status == 503)
    #expect(
      text.contains("it may still be done: send it again with the same Idempotency-Key"), "\(text)")
    #expect(acknowledged.count > 10)
    // Its supervisor is to start it again: nobody has to tell it to stop.
    #expect(try await service.end(within: 30) == 74)

    let again = try await blocking {
      try Unchecked(ServiceProcess(data, scenario: scenario, kibibytes: nil))
    }.value
    for (code, text) in acknowledged {
      let answer = try await again.ask(
        "POST", "/scans/submit", "{\"code\": \"\(code)\"}", token: token, key: code)
      #expect(answer.text == text)
    }
    let late = try await again.ask(
      "POST", "/scans/submit", "{\"code\": \"\(code)\"}", token: token, key: code)
    #expect(late.json["success"] as? Bool == true)
    let stats = try await again.ask("GET", "/users/me/stats", token: token)
    #expect(stats.json["scans_ever"] as? Int == acknowledged.count + 1)
    #expect(try await again.stop() == 0)
    let plan = try ServiceFixture.plan(of: "name: full\nseed: 7\n")
    let scratch = folder.appending(path: "scratch")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    let audit = try ServiceAudit(
      BlakJaksProgramme.self, folder: data, frame: plan.frame, settings: plan.settings,
      scratch: scratch)
    #expect(audit.problems == [])
    #expect(audit.requests > Int64(acknowledged.count))
  }
}
