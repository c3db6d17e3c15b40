internal import NIOCore

/// Bounds how long a client may leave its answers unread, and how long a connection may hold up a
/// stop.
///
/// While an answer waits to be sent, nothing comes that the idle timeout could measure: a client
/// that asks and never reads would hold its connection for ever. A client that listens to events has
/// gone when it sends no more: nothing else would tell before the next event is written to it.
final class WriteDeadline: ChannelInboundHandler, RemovableChannelHandler {
  /// It passes on whatever comes.
  typealias InboundIn = NIOAny

  /// Told to a channel, from any thread, whose answer are events.
  struct Listens: Sendable {}

  private let limit: TimeAmount
  private let stopLimit: TimeAmount
  /// Runs while more waits to be sent than the channel wants to hold.
  private var full: Scheduled<Void>?
  /// Runs once the service is told to stop.
  private var stop: Scheduled<Void>?
  private var listens = false
  private var isInputClosed = false

  /// - Parameters:
  ///   - limit: How long a channel may be full.
  ///   - stopLimit: How long a connection may go on when the service stops.
  init(limit: TimeAmount, stopLimit: TimeAmount) {
    self.limit = limit
    self.stopLimit = stopLimit
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    full?.cancel()
    full = context.channel.isWritable ? nil : close(context, after: limit)
    context.fireChannelWritabilityChanged()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event is ChannelShouldQuiesceEvent, stop == nil {
      stop = close(context, after: stopLimit)
    }
    if event is Listens { listens = true }
    if case .inputClosed? = event as? ChannelEvent { isInputClosed = true }
    if listens, isInputClosed { return context.close(promise: nil) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    cancel()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { cancel() }

  private func cancel() {
    full?.cancel()
    stop?.cancel()
  }

  /// Closes at once when the time has come: what waits is not sent any more.
  private func close(_ context: ChannelHandlerContext, after span: TimeAmount) -> Scheduled<Void> {
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    return context.eventLoop.scheduleTask(in: span) { bound.value.close(promise: nil) }
  }
}
