internal import NIOCore
internal import NIOEmbedded
internal import NIOSSL
internal import NIOTLS

/// What all connections to one https service share: whom they trust, and which name they expect.
struct TLSClient: Sendable, Equatable {
  private let context: NIOSSLContext
  /// Nil where the host is an address.
  private let name: String?
  private let address: NIOCore.SocketAddress

  /// - Throws: What NIOSSL says of a trust that is of no use.
  init(_ trust: ServerTrust, host: String, port: UInt16) throws {
    context = try NIOSSLContext(configuration: trust.configuration)
    if let address = try? NIOCore.SocketAddress(ipAddress: host, port: Int(port)) {
      self.address = address
      name = nil
    } else {
      // Only the name is compared.
      address = try NIOCore.SocketAddress(ipAddress: "0.0.0.0", port: Int(port))
      name = host
    }
  }

  static func == (one: Self, other: Self) -> Bool {
    one.context === other.context && one.name == other.name && one.address == other.address
  }

  /// A connection that has not begun.
  ///
  /// - Throws: Where the name cannot be one of a certificate.
  func session() throws -> TLSSession {
    try TLSSession(
      NIOSSLClientHandler(context: context, serverHostname: name), address: address)
  }
}

/// The TLS of one connection: plain bytes go in and sealed ones come out, and the other way. It has no
/// socket, and belongs to the thread that made it.
final class TLSSession {
  /// What comes out at the end.
  private final class Reader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    var plain: [UInt8] = []
    var isReady = false
    var isClosed = false
    var failure: (any Error)?

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      plain.append(contentsOf: unwrapInboundIn(data).readableBytesView)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      guard let event = event as? TLSUserEvent else { return }
      switch event {
      case .handshakeCompleted: isReady = true
      case .shutdownCompleted: isClosed = true
      }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      if failure == nil { failure = error }
    }
  }

  private let channel: EmbeddedChannel
  private let handler: NIOSSLClientHandler
  private let reader = Reader()
  private let address: NIOCore.SocketAddress
  private var hasEnded = false

  fileprivate init(_ handler: NIOSSLClientHandler, address: NIOCore.SocketAddress) {
    self.handler = handler
    self.address = address
    channel = EmbeddedChannel(handlers: [handler, reader])
  }

  deinit { end() }

  /// Whether the service has shown who it is, so that what is sent goes out.
  var isReady: Bool { reader.isReady }

  /// Whether the service has said that nothing more comes.
  var isClosed: Bool { reader.isClosed }

  /// Why it broke off.
  var failure: (any Error)? { reader.failure }

  /// When the service's certificate is valid; nil before it has come.
  var validity: (from: Int, until: Int)? {
    handler.peerCertificate.map { (Int($0.notValidBefore), Int($0.notValidAfter)) }
  }

  /// Greets the service, once the connection is made.
  func begin() { channel.connect(to: address, promise: nil) }

  /// Takes over plain bytes; they go out once the service has shown who it is.
  func send(_ plain: [UInt8]) {
    channel.writeAndFlush(ByteBuffer(bytes: plain), promise: nil)
  }

  /// Takes over what came from the service, and adds what it says to `plain`.
  func receive(_ sealed: UnsafeRawBufferPointer, _ plain: inout [UInt8]) {
    channel.pipeline.fireChannelRead(ByteBuffer(bytes: sealed))
    channel.pipeline.fireChannelReadComplete()
    swap(&reader.plain, &plain)
    if !reader.plain.isEmpty {
      // There were some before.
      plain = reader.plain + plain
      reader.plain.removeAll()
    }
  }

  /// Adds what is to be sent to the service.
  func drain(_ sealed: inout [UInt8]) {
    while let buffer = try? channel.readOutbound(as: ByteBuffer.self) {
      sealed.append(contentsOf: buffer.readableBytesView)
    }
  }

  /// Ends it; what `drain` gives then tells the service so.
  func end() {
    guard !hasEnded else { return }
    hasEnded = true
    if isReady, failure == nil, !isClosed { channel.close(promise: nil) }
    // Nobody waits until the service agrees: the close goes round the handler that would.
    try? channel.pipeline.syncOperations.context(handler: handler).close(promise: nil)
    _ = try? channel.finish(acceptAlreadyClosed: true)
  }
}
