internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import Synchronization

/// Lets in only requests that bring the token and were sent to this machine by name: a page of
/// another site can neither know the token nor, by a name of its own that leads here (DNS
/// rebinding), have the right host.
struct StudioGuard<Context: RequestContext>: RouterMiddleware {
  let token: StudioToken
  let place: StudioPlace

  func handle(
    _ request: Request, context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    guard isLocal(request), hasToken(request) else {
      return StudioAnswer.secured(
        Response(
          status: .forbidden, headers: [.contentType: "text/plain; charset=utf-8"],
          body: ResponseBody(
            byteBuffer: ByteBuffer(
              string: "Open the address that 'pitboss studio' printed, with its token.\n"))))
    }
    do {
      return StudioAnswer.secured(try await next(request, context))
    } catch let error as HTTPError {
      return StudioAnswer.secured(Response(status: error.status))
    }
  }

  private func isLocal(_ request: Request) -> Bool {
    guard let host = request.head.authority?.lowercased(), place.names.contains(host) else {
      return false
    }
    guard let origin = request.headers[.origin] else { return true }
    return place.names.contains { origin.lowercased() == "http://\($0)" }
  }

  /// The token is in a header; what only reads may have it in its address, as links do.
  private func hasToken(_ request: Request) -> Bool {
    if let header = request.headers[.authorization], header.hasPrefix("Bearer ") {
      return token.matches(String(header.dropFirst("Bearer ".count)))
    }
    guard request.method == .get || request.method == .head else { return false }
    return request.uri.queryParameters["token"].map { token.matches(String($0)) } ?? false
  }
}

/// Where a studio listens, as far as that is known.
final class StudioPlace: Sendable {
  private let known = Mutex<Int?>(nil)

  /// Nil before it listens.
  var port: Int? {
    get { known.withLock { $0 } }
    set { known.withLock { $0 = newValue } }
  }

  /// What a browser on this machine calls it: it leaves out HTTP's own port. None before it listens.
  var names: [String] {
    guard let port else { return [] }
    let hosts = ["127.0.0.1", "localhost"]
    return hosts.map { "\($0):\(port)" } + (port == 80 ? hosts : [])
  }
}

/// What all answers have in common.
enum StudioAnswer {
  /// An answer that no other page may frame, read or guess the type of.
  static func secured(_ response: Response) -> Response {
    var response = response
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    for (name, value) in [
      ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
      ("Cross-Origin-Resource-Policy", "same-origin"),
      (
        "Content-Security-Policy",
        "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; "
          + "connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; "
          + "frame-ancestors 'none'"
      ),
    ] {
      if let name = HTTPField.Name(name) { response.headers[name] = value }
    }
    return response
  }
}
