internal import Hummingbird
internal import NIOCore

/// What a request comes with: its connection.
struct ServiceContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The connection, to close it where nothing is taken any more.
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    channel = source.channel
  }
}
