internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import NIOCore
internal import Reports
internal import RewardModel
internal import ServiceLifecycle

extension ServiceApplication {
  /// Where the web pages are, and where programs listen to them.
  static var eventsPath: String { "/insights/events" }
  static var pagesPath: String { "/pages" }

  /// What a listener says.
  static var eventFields: [ServedField] {
    [
      ServedField(
        "page", .text(most: 64), isOptional: true,
        "One of \(Machine.pages.map(\.id).joined(separator: ", ")); the first by default"),
      ServedField(
        "form", .text(most: 8), isOptional: true,
        "json, the whole page whenever it changes; or html, what changed of the web page"),
    ]
  }

  /// Adds the web pages and their events.
  func addPages(to router: Router<ServiceContext>) {
    router.get(RouterPath(Self.eventsPath)) { request, context in
      await respond { try await listen(request, context) }
    }
    router.get("/") { _, _ in
      await respond { try await webPage(Machine.pages.first?.id ?? "") }
    }
    router.get(RouterPath("\(Self.pagesPath)/{id}")) { _, context in
      await respond { try await webPage(context.parameters.get("id") ?? "") }
    }
    for (name, type, text) in [
      ("style.css", "text/css; charset=utf-8", LivePage.style),
      ("script.js", "text/javascript; charset=utf-8", LivePage.script),
    ] {
      let body = ByteBuffer(string: text)
      router.get(RouterPath("\(Self.pagesPath)/\(name)")) { _, _ in
        Self.document(type, ResponseBody(byteBuffer: body))
      }
    }
  }

  private func webPage(_ id: String) async throws -> Response {
    let addresses = LivePage.Addresses(
      page: { $0 == Machine.pages.first?.id ? "/" : "\(Self.pagesPath)/\($0)" },
      events: { "\(Self.eventsPath)?page=\($0)&form=\(PageFeed.Form.html.rawValue)" },
      style: "\(Self.pagesPath)/style.css", script: "\(Self.pagesPath)/script.js")
    let html = LivePage.html(try await page(id), among: Machine.pages, addresses)
    return Self.document(
      "text/html; charset=utf-8", ResponseBody(byteBuffer: ByteBuffer(string: html)))
  }

  private static func document(_ type: String, _ body: ResponseBody) -> Response {
    var response = Response(status: .ok, headers: [.contentType: type], body: body)
    response.headers[.cacheControl] = "no-cache"
    response.headers[.xContentTypeOptions] = "nosniff"
    response.headers[.contentSecurityPolicy] =
      "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; "
      + "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
      + "frame-ancestors 'none'"
    return response
  }

  /// Events until the client goes, the service stops, or the client does not take them.
  private func listen(_ request: Request, _ context: ServiceContext) async throws -> Response {
    let call = ServedCall(
      values: try CallParser.values(query: Self.query(request), Self.eventFields))
    let page = call.text("page") ?? Machine.pages.first?.id ?? ""
    guard Machine.pages.contains(where: { $0.id == page }) else {
      throw ServedRefusal(404, "not found", "no page is named '\(page)'")
    }
    guard let form = PageFeed.Form(rawValue: call.text("form") ?? "json") else {
      throw ServedRefusal(422, "wrong values", "form has to be json or html")
    }
    var response = Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"])
    guard request.method != .head else { return response }
    let channel = context.channel
    let (number, events): (Int, AsyncStream<ByteBuffer>)
    do {
      (number, events) = try await feed.listen(to: .init(page: page, form: form)) {
        channel.close(promise: nil)
      }
    } catch is PageFeed.Full {
      throw Busy(seconds: 10, detail: "too many listen already")
    }
    channel.closeFuture.whenComplete { [feed] _ in Task { await feed.leave(number) } }
    channel.pipeline.fireUserInboundEventTriggered(WriteDeadline.Listens())
    response.body = ResponseBody { [feed] writer in
      do {
        for await event in events.cancelOnGracefulShutdown() { try await writer.write(event) }
      } catch {
        await feed.leave(number)
        throw error
      }
      await feed.leave(number)
      try await writer.finish(nil)
    }
    return response
  }
}

extension HTTPField.Name {
  fileprivate static let xContentTypeOptions = name("X-Content-Type-Options")
  fileprivate static let contentSecurityPolicy = name("Content-Security-Policy")

  private static func name(_ text: String) -> HTTPField.Name {
    guard let name = HTTPField.Name(text) else { fatalError("\(text) is a name of a header") }
    return name
  }
}
