// Goal: a load reaches an https service whose certificate a trusted authority signed for its name, and
// sends nothing to any other.
// Method: the service in Python with certificates that openssl makes for the test: a good one, and one
// for each way to be wrong. The service counts what reached it.
import Foundation
import LoadTest
import RewardModel
import TestSupport
import Testing

/// Loads of an https service: 600 scans in two seconds.
enum SecureCampaign {
  static func make(
    _ target: TargetURL, map: String = StampServer.map
  ) throws -> LoadCampaign<StampCrowd> {
    var settings = ServiceLoad<StampCrowd>.Settings()
    settings.backOff = 0.02
    settings.drain = 30
    let map = try ServiceMap(map, file: "stamps.yaml", steps: StampCrowd.steps, fixed: [:])
    let offer = LoadOffer(
      StampCrowd(), from: StampCrowd.start, [0],
      .rate(LoadProfile(.constant, rate: 300, seconds: 2), .even, seed: 1))
    return try LoadCampaign(target, map, offer, key: "tls", settings: settings)
  }
}

@Suite(
  .serialized, .tags(.alone),
  .enabled(if: TestAuthority.canRun, "there is no /usr/bin/python3 or no /usr/bin/openssl"))
struct SecureLoadTests {
  private func run(_ target: TargetURL) throws -> LoadMeasures {
    try #require(try SecureCampaign.make(target).run())
  }

  @Test("A load over TLS counts what the service counts", arguments: ["127.0.0.1", "localhost"])
  func counts(_ host: String) throws {
    let authority = try TestAuthority()
    let server = try StampServer(
      "--certificate", authority.certificate(for: "IP:127.0.0.1,DNS:localhost"), host: host,
      trust: ServerTrust(authorities: authority.file))
    let measures = try run(server.target)
    let state = try server.state()
    #expect(measures.steps[0].done == 600 && measures.steps[0].refused == 60)
    #expect(measures.steps[0].failed == 0 && measures.unfinished == 0)
    #expect(state["stamps"] == 600 && state["attempts"] == 660)
    // 660 handshakes would say that connections are not kept; a slow machine has many in use at once.
    #expect(measures.connects < 600, "\(measures.connects) connections")
  }

  @Test(
    "Connections that break under TLS are made again, a key counts once, what was taken is an error",
    arguments: [[], ["--reset"]])
  func breaks(_ way: [String]) throws {
    let authority = try TestAuthority()
    let server = try StampServer(
      way + [
        "--drop-every", "11", "--fail-every", "7", "--certificate",
        authority.certificate(for: "IP:127.0.0.1"),
      ], trust: ServerTrust(authorities: authority.file))
    let scan = try run(server.target).steps[0]
    let state = try server.state()
    #expect(scan.done == 600 && scan.refused == 60 && scan.givenUp == 0)
    #expect(state["stamps"] == 600 && state["keys"] == 660)
    #expect(scan.errors[LoadErrorKind.closed.rawValue] > 20)
    #expect(state["repeats"] == scan.errors[LoadErrorKind.closed.rawValue])
    #expect(scan.resent == 0)
  }

  @Test("Pages that a service feeds are watched over TLS, and opened again after a break")
  func watching() throws {
    let authority = try TestAuthority()
    let server = try StampServer(
      "--certificate", authority.certificate(for: "IP:127.0.0.1"),
      trust: ServerTrust(authorities: authority.file))
    let map = try ServiceMap(
      "steps: {scan: {get: /}}\nwatch: {get: /events}\n", file: "events.yaml",
      steps: StampCrowd.steps, fixed: [:])
    let watchers = LoadWatchers(server.target, try #require(map.watch), count: 3, bearer: "")
    Thread.sleep(forTimeInterval: 2)
    let seen = watchers.stop()
    #expect(seen.opened == 3 && seen.broken == 3 && seen.unreached == 0, "\(seen)")
    #expect(seen.events == 60)
  }

  @Test("Any certificate will do where the check is skipped, on this machine alone")
  func skipped() throws {
    let authority = try TestAuthority()
    let server = try StampServer(
      "--certificate", authority.certificate(for: "DNS:example.com", days: -1), trust: .anybody)
    let measures = try run(server.target)
    #expect(measures.steps[0].done == 600 && measures.steps[0].failed == 0)
    #expect(throws: TargetURL.Refusal.self) {
      try TargetURL("https://example.com", allowed: ["example.com"], trust: .anybody)
    }
  }

  @Test("A service that changes its certificate within a load for a bad one gets nothing more")
  func changes() throws {
    let (authority, other) = (try TestAuthority(), try TestAuthority())
    let trust = try ServerTrust(authorities: authority.file)
    let first = try StampServer(
      "--certificate", authority.certificate(for: "IP:127.0.0.1"), trust: trust)
    let campaign = try SecureCampaign.make(
      first.target, map: "steps: {scan: {put: '/v2/cards/{member}', key: X-Request-Id}}")
    first.stop()
    let second = try StampServer(
      "--certificate", other.certificate(for: "IP:127.0.0.1"), "--port",
      String(first.target.port), trust: trust)
    let scan = try #require(try campaign.run()).steps[0]
    #expect(scan.done == 0 && scan.givenUp == scan.offered)
    let kinds = [LoadErrorKind.connect, .unanswered]
    #expect(kinds.reduce(0) { $0 + scan.errors[$1.rawValue] } == scan.failed)
    // Who believes anybody can ask what has reached it.
    let asked = try TargetURL(
      "https://127.0.0.1:\(second.target.port)", allowed: [], trust: .anybody)
    #expect(try second.state(asked)["attempts"] == 0)
  }
}
