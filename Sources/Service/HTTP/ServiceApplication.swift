internal import Crypto
internal import Documents
internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import Quantities
internal import Reports
package import RewardModel
internal import ServiceLifecycle
internal import UnixSignals

/// A program behind HTTP: routes, checks and limits. It knows no rule; what is asked goes to the
/// engine, and what comes back goes to the client.
package struct ServiceApplication<Machine: ProgrammeMachine>: Sendable {
  /// What a service lets clients do.
  package struct Limits: Sendable {
    /// Bytes of a body.
    package var body = 65_536
    /// Requests of a member: a second in the long run, and at once.
    package var perSecond = 50.0
    package var burst = 200.0
    /// Seconds after which a connection that says nothing, or does not read its answers, is closed.
    package var idleSeconds: Int64 = 60
    /// Seconds after which a stop closes the connections that are still busy.
    package var stopSeconds: Int64 = 20
    /// Seconds after which a stop no longer waits for the writer, whose database or disk may hang: fewer
    /// than `stopSeconds`, so that who waits is still told.
    package var writerStopSeconds = 10.0
    /// Seconds from the first byte of a request to its last.
    package var requestSeconds: Int64 = 20
    /// Seconds of one turn of the writer from which on the service is not ready, and says so in its log.
    package var busySeconds = 5.0
    /// Most connections at once; more wait to be taken.
    package var connections = 12_000
    /// Most who listen to pages at once.
    package var listeners = 500
    /// scrypt's N for passwords, a power of two.
    package var passwordRounds = 16_384

    /// The defaults.
    package init() {}
  }

  let engine: ServiceEngine<Machine>
  let store: any ServiceStore
  let zone: String
  let minimumAge: Int
  let limits: Limits
  let tokens: Tokens
  let passwords: Passwords
  let rates: RateLimit
  let logger: Logger
  /// How long the last requests took.
  let times: ProcessingTimes
  /// Who listens to the pages.
  let feed: PageFeed
  private let pages = PageCache<Page>()

  /// - Parameters:
  ///   - zone: Of the program's days, in which somebody's age is counted.
  ///   - minimumAge: Least age of a member, in years.
  package init(
    _ engine: ServiceEngine<Machine>, _ store: any ServiceStore, zone: String, minimumAge: Int,
    secrets: ServiceSecrets, limits: Limits = Limits(), logger: Logger
  ) async {
    self.engine = engine
    self.store = store
    self.zone = zone
    self.minimumAge = minimumAge
    self.limits = limits
    self.logger = logger
    tokens = await Tokens(secrets)
    passwords = Passwords(rounds: limits.passwordRounds)
    rates = RateLimit(perSecond: limits.perSecond, burst: limits.burst)
    let times = ProcessingTimes()
    self.times = times
    feed = PageFeed(
      most: limits.listeners, happened: { engine.metrics.values.happened },
      page: { try await Self.page($0, engine, times) })
  }

  /// Serves until it is told to stop by SIGTERM or SIGINT, its task is cancelled, or the writer stops
  /// by itself, and answers what it has taken before it ends.
  ///
  /// - Parameters:
  ///   - port: 0 for any that is free.
  ///   - onRunning: Called with the port, once connections are taken.
  /// - Throws: When the port cannot be opened.
  package func run(
    host: String, port: Int, onRunning: @escaping @Sendable (Int) -> Void
  ) async throws {
    let (deadline, idle, stop) = (
      TimeAmount.seconds(limits.requestSeconds), TimeAmount.seconds(limits.idleSeconds),
      TimeAmount.seconds(limits.stopSeconds)
    )
    let http = HTTP1Channel.Configuration(
      additionalChannelHandlers: [
        RequestDeadline(limit: deadline), WriteDeadline(limit: idle, stopLimit: stop),
      ],
      idleTimeout: .seconds(limits.idleSeconds),
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: 8_192, maxHeaderListSize: 16_384, maxHeaderFieldCount: 64))
    let application = Application(
      router: router, server: .http1(configuration: http),
      configuration: .init(
        address: .hostname(host, port: port), backlog: 4_096,
        availableConnectionsDelegate: MaximumAvailableConnections(limits.connections)),
      onServerRunning: { channel in onRunning(channel.localAddress?.port ?? port) },
      logger: logger)
    let bounded = BoundedStop(service: application) { [engine, limits] in
      engine.limitStop(seconds: limits.writerStopSeconds)
    }
    var configuration = ServiceGroupConfiguration(
      services: [bounded], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    // The connections are closed by then; what still reads for them is no longer waited for.
    configuration.maximumGracefulShutdownDuration = .seconds(limits.stopSeconds + 1)
    let services = ServiceGroup(configuration: configuration)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { [feed] in await feed.run() }
      group.addTask { await watchWriter() }
      group.addTask { [engine, logger] in
        for await failure in engine.failures {
          logger.error("the writer stopped: \(failure)")
          await services.triggerGracefulShutdown()
        }
      }
      try await Self.run(services)
      group.cancelAll()
    }
  }

  /// Runs services in a task of their own, as NIO ends the process where a task that serves is cancelled
  /// while a connection that was taken is not yet handed on. Who cancels this one stops them in an orderly
  /// way.
  private static func run(_ services: ServiceGroup) async throws {
    let serving = Task { try await services.run() }
    try await withTaskCancellationHandler {
      try await serving.value
    } onCancel: {
      Task { await services.triggerGracefulShutdown() }
    }
  }

  // MARK: - Routes

  private var router: Router<ServiceContext> {
    let router = known
    Self.refuseOtherMethods(router)
    return router
  }

  /// What is routed, as in `GET /users/me`.
  package var routes: [String] {
    known.routes.filter { $0.method != .head }.map { "\($0.method) \($0.path)" }
  }

  private var known: Router<ServiceContext> {
    let router = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
    for endpoint in Machine.endpoints {
      guard let method = HTTPRequest.Method(endpoint.method.rawValue) else { continue }
      router.on(RouterPath(endpoint.path), method: method) { request, context in
        await answer(request, context, endpoint)
      }
    }
    router.post("/auth/signup") { request, _ in await reply { try await signUp(request) } }
    router.post("/auth/login") { request, _ in await reply { try await logIn(request) } }
    router.get("/admin/tokens") { request, _ in await reply { try await trialTokens(request) } }
    router.get("/healthz") { _, _ in
      Self.response(
        ServedReply(
          body: .line([
            ("up", .bool(true)), ("clock", .string(engine.now.description)),
            ("speed", .real(engine.speed, decimals: 6)),
          ])))
    }
    router.get("/readyz") { _, _ in ready() }
    router.get("/metrics") { _, _ in
      Response(
        status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: await metrics())))
    }
    let description = OpenAPI.document(Machine.self)
    router.get("/openapi.json") { _, _ in Self.response(ServedReply(body: description)) }
    addPages(to: router)
    router.add(middleware: ProblemMiddleware())
    return router
  }

  /// The methods that the parser of HTTP takes; it answers others with 400.
  private static var methods: [String] {
    [
      "GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "QUERY",
      "ACL", "BIND", "CHECKOUT", "COPY", "LINK", "LOCK", "MSEARCH", "M-SEARCH", "MERGE",
      "MKACTIVITY", "MKCALENDAR", "MKCOL", "MOVE", "NOTIFY", "PROPFIND", "PROPPATCH", "PURGE",
      "REBIND", "REPORT", "SEARCH", "SOURCE", "SUBSCRIBE", "UNBIND", "UNLINK", "UNLOCK",
      "UNSUBSCRIBE",
    ]
  }

  /// Answers 405 where a path is known and the method is not.
  private static func refuseOtherMethods(_ router: Router<ServiceContext>) {
    var known: [String: (path: RouterPath, methods: [HTTPRequest.Method])] = [:]
    for route in router.routes {
      known[route.path.description, default: (route.path, [])].methods.append(route.method)
    }
    let all = Self.methods.compactMap { HTTPRequest.Method($0) }
    for (path, methods) in known.values {
      let allowed = all.filter { methods.contains($0) || $0 == .head && methods.contains(.get) }
      let names = allowed.map(\.rawValue).joined(separator: ", ")
      for method in all where !allowed.contains(method) {
        router.on(path, method: method) { request, _ -> Response in
          throw HTTPError(
            .methodNotAllowed, headers: [.allow: names],
            message: "\(request.uri.path) takes \(names)")
        }
      }
    }
  }

  private func answer(
    _ request: Request, _ context: ServiceContext, _ endpoint: Endpoint<Machine>
  ) async -> Response {
    let arrival = ContinuousClock.now
    return await reply {
      let member = try await member(of: request, endpoint.access)
      if let member, let seconds = rates.take(member) {
        throw Busy(seconds: seconds, detail: "too many requests; this account has a limit")
      }
      var path: [String: String] = [:]
      for (name, value) in context.parameters { path[String(name)] = String(value) }
      switch endpoint.action {
      case .submit(let make):
        let body = try await body(of: request)
        let call = ServedCall(
          member: member, path: path, values: try values(of: request, body, endpoint))
        let key = try idempotencyKey(request, member)
        let digest = key == nil ? 0 : Self.digest(request, body)
        let reply = try await submit(key, digest: digest) {
          (machine) throws(ServedRefusal) in
          try Self.checkKnown(member, machine)
          return try make(call, machine)
        }
        times.note(.now - arrival)
        return reply
      case .ask(let read):
        let body = try await body(of: request)
        let call = ServedCall(
          member: member, path: path, values: try values(of: request, body, endpoint))
        return try await ask { (machine) throws(ServedRefusal) in
          try Self.checkKnown(member, machine)
          return ServedReply(body: try read(call, machine))
        }
      case .list(let list):
        return try await self.list(list, of: member.map { .whole(Int64($0)) }, request)
      case .filtered(let list, let choose):
        let call = ServedCall(member: member, path: path)
        let owner = try await ask { (machine) throws(ServedRefusal) in
          try Self.checkKnown(member, machine)
          return try choose(call, machine)
        }
        return try await self.list(list, of: owner, request)
      case .page(let id):
        _ = try CallParser.values(query: Self.query(request), endpoint.fields)
        return ServedReply(status: 200, body: Array(PageJSON.text(try await page(id)).utf8))
      }
    }
  }

  private func values(
    of request: Request, _ body: ByteBuffer, _ endpoint: Endpoint<Machine>
  ) throws(ServedRefusal) -> [String: FieldValue] {
    endpoint.method.takesQuery
      ? try CallParser.values(query: Self.query(request), endpoint.fields)
      : try CallParser.values(body, endpoint.fields)
  }

  private func list(
    _ list: RowList, of owner: FieldValue?, _ request: Request
  ) async throws -> ServedReply {
    let values = try CallParser.values(query: Self.query(request), [OpenAPI.before])
    let before = ServedCall(values: values).whole(OpenAPI.before.name)
    let shape = Machine.tables[list.table].shape
    let (rows, next) = try await Elsewhere.run(within: engine.answerSeconds) {
      try store.rows(of: list, owner: owner, before: before, most: OpenAPI.pageRows)
    }
    let items = rows.map { row in
      JSONText.line(
        zip(list.columns, row).map { name, value in
          (name, value.json(shape.columns.first { $0.name == name }?.kind ?? .text))
        })
    }
    return ServedReply(
      body: .object([
        (list.name, .array(items)), ("next", next.map { .integer($0) } ?? .null),
      ]))
  }

  /// A token may be older than the folder's journal.
  private static func checkKnown(
    _ member: UInt32?, _ machine: borrowing Machine
  ) throws(ServedRefusal) {
    guard let member, member >= machine.nextMember else { return }
    throw ServedRefusal(401, "not signed in", "the token is of a member whom nobody knows")
  }

  // MARK: - The engine

  func submit(
    _ key: String?, digest: Int64, account: ServiceAccount? = nil,
    _ make: @escaping @Sendable (borrowing Machine) throws(ServedRefusal) -> Machine.Request
  ) async throws -> ServedReply {
    try await withCheckedThrowingContinuation { continuation in
      do throws(ServiceError) {
        try engine.submit(
          .init(key: key, digest: digest, account: account, make: make) { result in
            continuation.resume(with: result)
          })
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  func ask<Answer: Sendable>(
    _ read: @escaping @Sendable (borrowing Machine) throws(ServedRefusal) -> Answer
  ) async throws -> Answer {
    try await Self.ask(engine, read)
  }

  static func ask<Answer: Sendable>(
    _ engine: ServiceEngine<Machine>,
    _ read: @escaping @Sendable (borrowing Machine) throws(ServedRefusal) -> Answer
  ) async throws -> Answer {
    try await withCheckedThrowingContinuation { continuation in
      do throws(ServiceError) {
        try engine.ask(
          { machine in
            do throws(ServedRefusal) {
              continuation.resume(returning: try read(machine))
            } catch {
              continuation.resume(throwing: error)
            }
          }, orElse: { continuation.resume(throwing: $0) })
      } catch {
        continuation.resume(throwing: error)
      }
    }
  }

  /// A page as it is now.
  ///
  /// - Throws: 404 for one that there is not, `ServiceError`.
  func page(_ id: String) async throws -> Page {
    guard Machine.pages.contains(where: { $0.id == id }) else {
      throw ServedRefusal(404, "not found", "no page is named '\(id)'")
    }
    return try await pages.page(id) { try await Self.page(id, engine, times) }
  }

  private static func page(
    _ id: String, _ engine: ServiceEngine<Machine>, _ times: ProcessingTimes
  ) async throws -> Page {
    let page = try await ask(engine) { machine in
      machine.page(id, at: engine.now, times.measures(waiting: engine.waiting))
    }
    guard let page else { throw ServedRefusal(404, "not found", "no page is named '\(id)'") }
    return page
  }
}

/// Tells when a service is told to stop, or has not stopped in time and is cancelled.
private struct BoundedStop: ServiceLifecycle.Service {
  let service: any ServiceLifecycle.Service
  let stops: @Sendable () -> Void

  func run() async throws {
    try await withTaskCancellationOrGracefulShutdownHandler {
      try await service.run()
    } onCancelOrGracefulShutdown: {
      stops()
    }
  }
}
