internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import RewardModel

/// Gives what no route answered the form of all other refusals.
struct ProblemMiddleware: RouterMiddleware {
  func handle(
    _ request: Request, context: ServiceContext,
    next: (Request, ServiceContext) async throws -> Response
  ) async throws -> Response {
    do {
      return try await next(request, context)
    } catch let error as HTTPError {
      let refusal = ServedRefusal(
        error.status.code, error.status.reasonPhrase.lowercased(),
        error.status == .notFound
          ? "nothing is at \(request.method) \(request.uri.path)" : error.body ?? "refused")
      var headers = error.headers
      headers[.contentType] = "application/problem+json"
      return Response(
        status: error.status, headers: headers,
        body: ResponseBody(byteBuffer: ByteBuffer(bytes: refusal.reply.body)))
    }
  }
}

extension HTTPField.Name {
  static let idempotencyKey: HTTPField.Name = {
    guard let name = HTTPField.Name("Idempotency-Key") else { fatalError("a name of a header") }
    return name
  }()
}
