internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
package import Logging
internal import NIOCore
package import Reports
internal import Scenario
internal import ServiceLifecycle

/// A session behind HTTP, for one page on this machine.
package struct StudioApplication: Sendable {
  /// Seconds that a request for news waits at most.
  static let patience = 20.0
  /// Bytes of a body: a scenario of 1 MiB, as JSON.
  static let bodyMaximum = 6 << 20

  let session: StudioSession
  let token: StudioToken
  let plotly: PlotlySource?
  let folder: String
  private let place = StudioPlace()
  private let logger: Logger

  /// - Parameters:
  ///   - token: What every request must bring.
  ///   - plotly: The script that draws plots; without it the page shows tables.
  ///   - folder: The one that scenarios are saved in, or below.
  package init(
    _ session: StudioSession, token: StudioToken, plotly: PlotlySource?, folder: String,
    logger: Logger
  ) {
    self.session = session
    self.token = token
    self.plotly = plotly
    self.folder = folder
    self.logger = logger
  }

  /// Serves on loopback until it is told to stop by SIGTERM or SIGINT, or its task is cancelled.
  ///
  /// - Parameters:
  ///   - port: 0 for any that is free.
  ///   - onRunning: Called with the address of the page, once connections are taken.
  /// - Throws: When the port cannot be opened.
  package func run(port: Int, onRunning: @escaping @Sendable (String) -> Void) async throws {
    let (place, token) = (place, token)
    let application = Application(
      router: router, server: .http1(configuration: .init(idleTimeout: .seconds(60))),
      configuration: .init(address: .hostname("127.0.0.1", port: port)),
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? port
        place.port = port
        onRunning("http://127.0.0.1:\(port)/?token=\(token.text)")
      },
      logger: logger)
    defer { session.stop() }
    try await application.runService()
  }

  // MARK: - Routes

  private var router: Router<BasicRequestContext> {
    let router = Router(context: BasicRequestContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: StudioGuard(token: token, place: place))
    addPage(to: router)
    router.get("/settings") { _, _ in Self.json(session.settings) }
    router.get("/find") { request, _ in
      let text = request.uri.queryParameters["q"].map(String.init) ?? ""
      return Self.json(SettingFinder(session.settings).find(text))
    }
    router.get("/picture") { request, _ in
      let after = request.uri.queryParameters["after"].flatMap { Int($0) } ?? -1
      // A server that stops does not wait for those who wait.
      let news = await withGracefulShutdownHandler {
        await session.picture(after: after, seconds: Self.patience)
      } onGracefulShutdown: {
        session.stop()
      }
      return Self.answer("application/json", news.json)
    }
    post("/move", Move.self, router) { try session.move($0.path, to: $0.value) }
    post("/list", ListMove.self, router) {
      try session.changeList($0.entry, isCopied: $0.copy)
    }
    post("/open", Opened.self, router) { opened -> StudioSettings in
      try session.open(opened.text, file: opened.name)
      return session.settings
    }
    post("/keep", Nothing.self, router) { _ -> Nothing in
      session.keep()
      return Nothing()
    }
    post("/drop", Nothing.self, router) { _ -> Nothing in
      session.drop()
      return Nothing()
    }
    post("/restore", Nothing.self, router) { _ -> StudioSettings in
      try session.restore()
      return session.settings
    }
    post("/seek", StudioSession.Goal.self, router) { goal -> Nothing in
      try session.seek(goal)
      return Nothing()
    }
    post("/seek/cancel", Nothing.self, router) { _ -> Nothing in
      session.cancelSearch()
      return Nothing()
    }
    post("/save", Saved.self, router) { asked -> Saved in
      let file = try ScenarioFile(asked.path, in: folder)
      try file.write(session.yaml, replacing: asked.replace ?? false)
      return Saved(path: file.path)
    }
    return router
  }

  /// The page with what it is made of, and what it hands out as files.
  private func addPage(to router: Router<BasicRequestContext>) {
    router.get("/") { _, _ in
      let page = StudioPage.html(session.settings, token: token.text, hasPlots: plotly != nil)
      return Self.answer("text/html; charset=utf-8", Data(page.utf8))
    }
    for (name, type, text) in [
      ("style.css", "text/css", StudioPage.style),
      ("script.js", "text/javascript", StudioPage.script),
    ] {
      let body = Data(text.utf8)
      router.get(RouterPath(name)) { _, _ in Self.answer("\(type); charset=utf-8", body) }
    }
    if let plotly {
      router.get("/plotly.js") { _, _ in
        var response = Self.answer("text/javascript; charset=utf-8", plotly.script)
        response.headers[.cacheControl] = "private, max-age=86400"
        return response
      }
    }
    router.get("/scenario.yaml") { _, _ in
      Self.file("\(session.scenario.folderName).yaml", "application/yaml", session.yaml)
    }
    router.get("/report.html") { _, _ in
      Self.respond {
        let report = try session.report(plotly: .inline, source: plotly)
        return Self.file("report.html", "text/html; charset=utf-8", report)
      }
    }
  }

  /// A route that takes JSON and gives JSON.
  private func post<Body: Decodable & SendableMetatype, Answer: Encodable>(
    _ path: String, _ type: Body.Type, _ router: Router<BasicRequestContext>,
    _ body: @escaping @Sendable (Body) throws -> Answer
  ) {
    router.post(RouterPath(path)) { request, _ -> Response in
      guard request.headers[.contentType]?.hasPrefix("application/json") ?? false else {
        return Self.refusal(.unsupportedMediaType, StudioRefusal("a body has to be JSON"))
      }
      guard let bytes = try? await request.body.collect(upTo: Self.bodyMaximum) else {
        return Self.refusal(
          .contentTooLarge, StudioRefusal("is larger than 1 MiB; write only what differs"))
      }
      guard let asked = try? JSONDecoder().decode(Body.self, from: Data(bytes.readableBytesView))
      else {
        return Self.refusal(.badRequest, StudioRefusal("\(path) was asked for something else"))
      }
      return Self.respond { Self.json(try body(asked)) }
    }
  }

  private static func respond(_ body: () throws -> Response) -> Response {
    do {
      return try body()
    } catch let refusal as StudioRefusal {
      return Self.refusal(refusal.mayReplace ? .conflict : .unprocessableContent, refusal)
    } catch {
      return Self.refusal(.internalServerError, StudioRefusal("\(error)"))
    }
  }

  private static func refusal(
    _ status: HTTPResponse.Status, _ refusal: StudioRefusal
  ) -> Response {
    var response = json(refusal)
    response.status = status
    return response
  }

  private static func json(_ value: some Encodable) -> Response {
    answer("application/json", StudioSession.json(value))
  }

  private static func answer(_ type: String, _ body: Data) -> Response {
    Response(
      status: .ok, headers: [.contentType: type],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }

  /// A file to be kept under a name.
  private static func file(_ name: String, _ type: String, _ text: String) -> Response {
    var response = answer(type, Data(text.utf8))
    let plain = String(
      name.map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_. ".contains($0)) ? $0 : "-" })
    response.headers[.contentDisposition] = "attachment; filename=\"\(plain)\""
    return response
  }
}

// MARK: - What is sent

/// A setting with its new value; null goes back to what was opened.
private struct Move: Decodable, Sendable {
  var path: String
  var value: String?
}

/// An entry of a list that is copied or else removed.
private struct ListMove: Decodable, Sendable {
  var entry: String
  var copy: Bool
}

private struct Opened: Decodable, Sendable {
  var name: String
  var text: String
}

private struct Saved: Codable, Sendable {
  var path: String
  var replace: Bool?
}

private struct Nothing: Codable, Sendable {}
