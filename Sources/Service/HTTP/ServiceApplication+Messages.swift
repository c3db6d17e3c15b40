internal import Crypto
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import RewardModel

/// What comes in and goes out: bodies, keys, and the form of every answer.
extension ServiceApplication {
  /// What to wait for.
  struct Busy: Error {
    var seconds: Double
    var detail: String
  }

  func reply(_ body: () async throws -> ServedReply) async -> Response {
    await respond { Self.response(try await body()) }
  }

  /// What is answered, or why not.
  func respond(_ body: () async throws -> Response) async -> Response {
    do {
      return try await body()
    } catch let refusal as ServedRefusal {
      return Self.response(refusal.reply)
    } catch let busy as Busy {
      return Self.busy(busy.detail, seconds: busy.seconds)
    } catch ServiceError.full {
      return Self.busy("the service has more to do than it keeps waiting", seconds: 1)
    } catch let error as ServiceError {
      if case .late = error { engine.metrics.countLate() }
      return Self.response(ServedRefusal(503, "not ready", "\(error)").reply)
    } catch let error as PostgresError {
      logger.error("\(error)")
      return Self.response(Self.withoutDatabase.reply)
    } catch let error as HTTPError {
      return Self.response(
        ServedRefusal(
          error.status.code, error.status.reasonPhrase.lowercased(), error.body ?? "refused"
        ).reply)
    } catch {
      logger.error("\(error)")
      return Self.response(ServedRefusal(500, "failed", "the service failed; see its log").reply)
    }
  }

  static var withoutDatabase: ServedRefusal {
    ServedRefusal(503, "not ready", "the database does not answer; see the log")
  }

  static func busy(_ detail: String, seconds: Double) -> Response {
    var response = response(ServedRefusal(429, "busy", detail).reply)
    // A client is not sent away for longer than a day.
    response.headers[.retryAfter] = String(Int(min(max(seconds.rounded(.up), 1), 86_400)))
    return response
  }

  /// Seconds after which somebody is to come again whom the service could not serve, as it stops or waits
  /// for its database or disk: both take seconds or minutes, and a later look costs little.
  private static var retrySeconds: Int { 5 }

  static func response(_ reply: ServedReply) -> Response {
    var response = Response(
      status: HTTPResponse.Status(code: reply.status),
      headers: [
        .contentType: reply.isProblem ? "application/problem+json" : "application/json",
        .cacheControl: "no-store",
      ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: reply.body)))
    // RFC 9110, section 15.5.2.
    if reply.status == 401 { response.headers[.wwwAuthenticate] = "Bearer" }
    // Section 15.6.4.
    if reply.status == 503 { response.headers[.retryAfter] = String(retrySeconds) }
    return response
  }

  func body(of request: Request) async throws -> ByteBuffer {
    try Self.checkType(of: request)
    // What says that it is too large is not waited for.
    if let length = request.headers[.contentLength].flatMap({ Int64($0) }), length > limits.body {
      throw ServedRefusal(413, "too large", "a body has at most \(limits.body) bytes")
    }
    do {
      return try await request.body.collect(upTo: limits.body)
    } catch is NIOTooManyBytesError {
      throw ServedRefusal(413, "too large", "a body has at most \(limits.body) bytes")
    } catch {
      // Its framing is broken, or the client is gone.
      throw ServedRefusal(400, "not HTTP", "the body has no end")
    }
  }

  /// Bodies are JSON; a client that says nothing of it, or what curl says by itself, is trusted.
  static func checkType(of request: Request) throws {
    guard let type = request.headers[.contentType]?.lowercased() else { return }
    let name = type.split(separator: ";", maxSplits: 1).first.map {
      String($0).trimmingCharacters(in: .whitespaces)
    }
    guard let name, name != "application/json", name != "application/x-www-form-urlencoded",
      !(name.hasPrefix("application/") && name.hasSuffix("+json"))
    else { return }
    throw ServedRefusal(415, "not JSON", "a body has to be application/json")
  }

  func idempotencyKey(_ request: Request, _ member: UInt32?) throws -> String? {
    guard let key = request.headers[.idempotencyKey] else { return nil }
    guard (1...128).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else {
      throw ServedRefusal(
        422, "wrong values", "an Idempotency-Key has 1 to 128 visible ASCII characters")
    }
    return "\(member.map(String.init) ?? "admin"):\(key)"
  }

  /// Tells requests with one key apart.
  static func digest(_ request: Request, _ body: ByteBuffer) -> Int64 {
    var hash = SHA256()
    hash.update(data: Array("\(request.method) \(request.uri)\n".utf8))
    body.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
    return hash.finalize().prefix(8).reduce(0) { $0 << 8 | Int64($1) }
  }

  static func query(_ request: Request) -> [(String, String)] {
    request.uri.queryParameters.map { (String($0.key), String($0.value)) }
  }
}
