internal import NIOCore
internal import NIOHTTP1
internal import RewardModel

/// Bounds how long a client may take to send one request, from its first byte to its last: one
/// that sends a byte a second holds nothing for long.
///
/// It only puts its two halves in their places: one in front of the HTTP decoder, where bytes come
/// that are no whole head yet, and one after it.
final class RequestDeadline: ChannelInboundHandler, RemovableChannelHandler {
  /// It passes on whatever comes.
  typealias InboundIn = NIOAny

  private let limit: TimeAmount

  /// - Parameter limit: From a request's first byte to its last.
  init(limit: TimeAmount) { self.limit = limit }

  func handlerAdded(context: ChannelHandlerContext) {
    let pipeline = context.pipeline.syncOperations
    let watch = RequestWatch(limit: limit)
    do {
      let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
      try pipeline.addHandler(watch, position: .after(decoder))
      try pipeline.addHandler(FirstBytes(watch), position: .first)
    } catch { context.fireErrorCaught(error) }
  }
}

/// Sees where requests begin and end, and answers 408 where one takes too long. Who asks whether to send
/// a body is told to, and who sends what is no HTTP is told why it is refused.
private final class RequestWatch: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  /// What an answer says of its connection.
  private enum Ending { case usual, keptOn, connectionEnds }

  private let limit: TimeAmount
  /// When the first byte of the request came that is being read; nil between requests.
  private var began: NIODeadline?
  /// Whether the head of that request has been read.
  private var hasHead = false
  /// Requests whose heads were read and that are not answered.
  private var unanswered = 0
  /// Why the connection's last request could not be read.
  private var fault: String?
  /// How the answers that are still owed end, the next one first.
  private var endings: [Ending] = []
  /// One a connection, not one a request.
  private var timer: Scheduled<Void>?

  init(limit: TimeAmount) { self.limit = limit }

  /// Bytes came; those of the next request may come with the last of this one.
  func bytesCame(_ context: ChannelHandlerContext) {
    guard began == nil else { return }
    began = .now()
    if timer == nil { wait(limit, context) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      // RFC 9112, section 3.2. What the decoder does not check is refused as it refuses.
      guard head.version != .http1_1 || head.headers[canonicalForm: "host"].count == 1 else {
        fault = fault ?? "a request needs one Host header"
        return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
      }
      if began == nil { began = .now() }
      hasHead = true
      unanswered += 1
      // RFC 9112, section 9.3: a client of HTTP/1.0 reads to the end, unless it says otherwise.
      endings.append(
        head.version != .http1_0 ? .usual : head.isKeepAlive ? .keptOn : .connectionEnds)
      if unanswered == 1, head.asksWhetherToGoOn {
        // RFC 9110, section 10.1.1. Behind answers that are still owed it has to wait, and goes on by itself.
        let words = HTTPResponseHead(version: .http1_1, status: .continue)
        context.writeAndFlush(Self.wrapOutboundOut(.head(words)), promise: nil)
      }
    case .end:
      began = nil
      hasHead = false
    case .body: break
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch unwrapOutboundIn(data) {
    case .head(var head)
    where fault != nil && head.status == .badRequest && head.headers["content-length"] == ["0"]:
      // The server's own refusal.
      let reply = ServedRefusal(400, "bad request", fault ?? "").reply
      head.headers.replaceOrAdd(name: "Content-Type", value: "application/problem+json")
      head.headers.replaceOrAdd(name: "Content-Length", value: String(reply.body.count))
      context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
      let body = ByteBuffer(bytes: reply.body)
      return context.write(Self.wrapOutboundOut(.body(.byteBuffer(body))), promise: promise)
    case .head(var head) where head.status.code >= 200 && endings.first == .connectionEnds:
      head.headers.replaceOrAdd(name: "Connection", value: "close")
      return context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
    case .head(var head)
    where head.status.code >= 200 && endings.first == .keptOn && head.headers["connection"].isEmpty:
      // A client of HTTP/1.0 that asked for it waits for the end of the connection otherwise.
      head.headers.replaceOrAdd(name: "Connection", value: "keep-alive")
      return context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
    case .end:
      unanswered -= 1
      let ending = endings.isEmpty ? Ending.usual : endings.removeFirst()
      if ending == .connectionEnds, unanswered == 0 { return end(context, data, promise) }
    case .head, .body: break
    }
    context.write(data, promise: promise)
  }

  /// Writes the end of an answer, and ends the connection behind it.
  private func end(
    _ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?
  ) {
    let written = promise ?? context.eventLoop.makePromise(of: Void.self)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    written.futureResult.whenComplete { _ in bound.value.close(promise: nil) }
    context.writeAndFlush(data, promise: written)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    fault = fault ?? (error as? HTTPParserError)?.words
    context.fireErrorCaught(error)
  }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    timer = nil
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  private func wait(_ span: TimeAmount, _ front: ChannelHandlerContext) {
    let bound = NIOLoopBound((self, front), eventLoop: front.eventLoop)
    timer = front.eventLoop.scheduleTask(in: span) {
      let (watch, front) = bound.value
      watch.look(front)
    }
  }

  /// - Parameter front: Of the half in front, through which bytes leave as they are.
  private func look(_ front: ChannelHandlerContext) {
    timer = nil
    guard front.channel.isActive, let began else { return }
    let left = began + limit - .now()
    guard left <= .nanoseconds(0) else { return wait(left, front) }
    // Nothing may come between an answer that is still owed and its request.
    guard unanswered == (hasHead ? 1 : 0) else { return front.close(promise: nil) }
    let answer = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
    front.writeAndFlush(NIOAny(ByteBuffer(string: answer)), promise: nil)
    front.close(promise: nil)
  }
}

/// Tells of bytes before they are decoded.
private final class FirstBytes: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let watch: RequestWatch

  init(_ watch: RequestWatch) { self.watch = watch }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    watch.bytesCame(context)
    context.fireChannelRead(data)
  }
}

extension HTTPRequestHead {
  /// Whether the client sends its body only once it is told to, or after a while.
  fileprivate var asksWhetherToGoOn: Bool {
    version == .http1_1
      && headers[canonicalForm: "expect"].contains { $0.lowercased() == "100-continue" }
  }
}

extension HTTPParserError {
  /// What is wrong with a request, for people.
  fileprivate var words: String {
    switch self {
    case .headerOverflow:
      "the headers are more than a request may have: 16 KiB, 8 KiB each, 64 of them"
    case .invalidHeaderToken: "a header is not written as HTTP writes headers"
    case .invalidContentLength, .unexpectedContentLength:
      "Content-Length has to be one whole number, and must not come with Transfer-Encoding"
    case .invalidChunkSize: "a chunk of the body does not have a size in hex"
    case .invalidMethod, .invalidVersion, .invalidURL, .invalidConstant, .lfExpected:
      "the first line is not METHOD PATH HTTP/1.1"
    default: "this is not a request of HTTP/1.1"
    }
  }
}
