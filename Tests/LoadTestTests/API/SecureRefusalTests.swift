// Goal: a load sends nothing to an https service that no trusted authority vouches for, and says why.
// Method: the service in Python with certificates that openssl makes for the test, one for each way to be
// wrong. Nothing here is measured, so that it may run beside other tests.
import Foundation
import LoadTest
import TestSupport
import Testing

@Suite(
  .enabled(if: TestAuthority.canRun, "there is no /usr/bin/python3 or no /usr/bin/openssl"))
struct SecureRefusalTests {
  /// Waits aside, as the greeting of a service that does not answer it takes its time.
  private func refusal(_ target: TargetURL) async throws -> String {
    let failure = await #expect(throws: LoadSetup.Failure.self) {
      try await blocking { _ = try SecureCampaign.make(target) }
    }
    return failure?.description ?? ""
  }

  @Test("A certificate that nobody trusted has signed is refused before anything is sent")
  func strangers() async throws {
    let (authority, other) = (try TestAuthority(), try TestAuthority())
    let certificate = try authority.certificate(for: "IP:127.0.0.1")
    for (trust, words) in [
      (ServerTrust.system, "no trusted authority signed; name yours with --ca-file"),
      (try ServerTrust(authorities: other.file), "no authority of --ca-file signed for a server"),
    ] {
      let server = try StampServer("--certificate", certificate, trust: trust)
      #expect(try await refusal(server.target).contains(words))
    }
  }

  @Test(
    "A certificate of another name is refused",
    arguments: [
      ("127.0.0.1", "DNS:localhost,IP:127.0.0.2"), ("localhost", "IP:127.0.0.1,DNS:example.com"),
    ])
  func names(_ host: String, _ names: String) async throws {
    let authority = try TestAuthority()
    let server = try StampServer(
      "--certificate", authority.certificate(for: names), host: host,
      trust: ServerTrust(authorities: authority.file))
    #expect(try await refusal(server.target).contains("another name than '\(host)'"))
  }

  @Test("A certificate that has ended is refused, with its end")
  func ended() async throws {
    let authority = try TestAuthority()
    let server = try StampServer(
      "--certificate", authority.certificate(for: "IP:127.0.0.1", days: -1),
      trust: ServerTrust(authorities: authority.file))
    #expect(try await refusal(server.target).contains("a certificate that ended at 20"))
  }

  @Test("An http service that is greeted by TLS is named as such")
  func plainService() async throws {
    let server = try StampServer(scheme: "https")
    let words = try await refusal(server.target)
    #expect(words.contains("is it http://?"), "\(words)")
  }

  @Test("An https service that is asked without TLS is named as such")
  func secureService() async throws {
    let authority = try TestAuthority()
    let server = try StampServer(
      "--certificate", authority.certificate(for: "IP:127.0.0.1"), scheme: "http")
    let target = server.target
    let failure = await #expect(throws: LoadSetup.Failure.self) {
      try await blocking { _ = try StampServer.state(at: target) }
    }
    #expect(failure?.description.contains("is it https://?") ?? false)
  }

  @Test("A file without certificates is refused")
  func files() throws {
    let authority = try TestAuthority()
    for text in ["", "no certificate\n", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END"] {
      let file = try authority.write(text)
      #expect(throws: ServerTrust.Failure.self) { try ServerTrust(authorities: file) }
    }
    let missing = #expect(throws: ServerTrust.Failure.self) {
      try ServerTrust(authorities: "/none.pem")
    }
    #expect(missing?.description == "/none.pem: cannot be read; give a file of certificates in PEM")
    #expect(throws: TargetURL.Refusal.self) {
      try TargetURL(
        "http://127.0.0.1", allowed: [], trust: ServerTrust(authorities: authority.file))
    }
  }
}
