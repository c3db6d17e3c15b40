internal import Foundation
internal import NIOSSL

/// One connection to a service before anything is sent to it, by https with a handshake, so that what is
/// wrong with it or its certificate is said once and in words.
struct TLSGreeting {
  /// Milliseconds in which a service has to answer.
  private static let patience: Int32 = 10_000

  private let target: TargetURL
  private let address: SocketAddress

  /// - Throws: `Poller.Failure` where the host has no address.
  init(_ target: TargetURL) throws(Poller.Failure) {
    self.target = target
    address = try SocketAddress(target)
  }

  /// Greets the service, where it speaks https, and says goodbye.
  ///
  /// - Returns: Why a load could send nothing to it; nil where it could.
  func trouble() -> String? {
    guard let client = target.tls else {
      return isListening ? nil : "\(target.authority) \(words(.noConnection))"
    }
    do {
      return attempt(try client.session()).map { "\(target.authority) \(words($0))" }
    } catch {
      return "\(target.authority): \(error)"
    }
  }

  // MARK: - What was wrong

  private enum Trouble {
    case noConnection, silence, ended
    case tls(any Error)
  }

  private func words(_ trouble: Trouble) -> String {
    switch trouble {
    case .noConnection: "gives no answer (no_connection)"
    case .silence:
      "says nothing to a greeting by TLS within \(Self.patience / 1_000) s; is it http://?"
    case .ended:
      "ends the connection when it is greeted by TLS 1.2 or 1.3; is it http://, or older than them?"
    case .tls(let error): words(error)
    }
  }

  private func words(_ error: any Error) -> String {
    if let error = error as? NIOSSLExtraError, error == .failedToValidateHostname {
      return "shows a certificate of another name than '\(target.host)'"
    }
    let text = String(describing: error)
    if text.contains("CERTIFICATE_VERIFY_FAILED") { return certificateTrouble }
    if ["WRONG_VERSION_NUMBER", "HTTP_REQUEST", "INVALID_OUTER_RECORD_TYPE"]
      .contains(where: text.contains)
    {
      return "answers a greeting by TLS with something else; is it http://?"
    }
    if text.contains("PROTOCOL_VERSION") || text.contains("UNSUPPORTED_PROTOCOL") {
      return "speaks neither TLS 1.2 nor 1.3"
    }
    if text.contains("EOF during handshake") { return words(.ended) }
    return "fails the handshake of TLS: \(text)"
  }

  /// Looks at a certificate that was not believed, by a handshake that believes any.
  private var certificateTrouble: String {
    let stranger =
      target.namesAuthorities
      ? "shows a certificate that no authority of --ca-file signed for a server; if one did, what "
        + "is missing is an intermediate certificate, which the service has to show as well"
      : "shows a certificate that no trusted authority signed; name yours with --ca-file"
    guard let client = try? TLSClient(.anybody, host: target.host, port: target.port),
      let session = try? client.session()
    else { return stranger }
    _ = attempt(session)
    guard let validity = session.validity else { return stranger }
    let now = Int(Date().timeIntervalSince1970)
    if now > validity.until {
      return "shows a certificate that ended at \(Self.time(validity.until))"
    }
    if now < validity.from {
      return "shows a certificate that begins at \(Self.time(validity.from))"
    }
    return stranger
  }

  private static func time(_ seconds: Int) -> String {
    Date(timeIntervalSince1970: Double(seconds)).formatted(.iso8601)
  }

  // MARK: - A handshake

  private var isListening: Bool {
    guard let socket = try? address.connect() else { return false }
    defer { close(socket) }
    return wait(socket, POLLOUT) && address.isConnected(socket)
  }

  /// - Returns: Nil once the service has shown who it is.
  private func attempt(_ session: TLSSession) -> Trouble? {
    guard let socket = try? address.connect() else { return .noConnection }
    defer {
      session.end()
      send(session, socket)
      close(socket)
    }
    guard wait(socket, POLLOUT), address.isConnected(socket) else { return .noConnection }
    session.begin()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    // A handshake takes a few rounds; a service that goes on for ever is none.
    for _ in 0..<100 {
      send(session, socket)
      guard !session.isReady else { return nil }
      if let error = session.failure { return .tls(error) }
      guard wait(socket, POLLIN) else { return .silence }
      let count = buffer.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
      guard count > 0 else { return .ended }
      var plain: [UInt8] = []
      buffer.withUnsafeBytes {
        session.receive(UnsafeRawBufferPointer(rebasing: $0[..<count]), &plain)
      }
    }
    return .silence
  }

  private func send(_ session: TLSSession, _ socket: Int32) {
    var bytes: [UInt8] = []
    session.drain(&bytes)
    // Some hundred bytes go into an empty socket at once.
    _ = bytes.withUnsafeBytes {
      Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  private func wait(_ socket: Int32, _ events: Int32) -> Bool {
    var wait = pollfd(fd: socket, events: Int16(events), revents: 0)
    return poll(&wait, 1, Self.patience) == 1
  }
}
