internal import NIOCore
internal import NIOHTTP1

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

/// Sees where requests begin and end, and answers 408 where one takes too long.
private final class RequestWatch: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private let limit: TimeAmount
  /// When the first byte of the request came that is being read; nil between requests.
  private var began: NIODeadline?
  /// Whether the head of that request has been read.
  private var hasHead = false
  /// Requests whose heads were read and that are not answered.
  private var unanswered = 0
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
        return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
      }
      if began == nil { began = .now() }
      hasHead = true
      unanswered += 1
    case .end:
      began = nil
      hasHead = false
    case .body: break
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { unanswered -= 1 }
    context.write(data, promise: promise)
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
