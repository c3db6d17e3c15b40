internal import CKernel
internal import Foundation

/// Sockets that do not block, and the wait for any of them: epoll.
struct Poller: ~Copyable {
  /// What happened to a socket.
  struct Event {
    /// As it was given to `watch`.
    var token: UInt64
    var isReadable: Bool
    var isWritable: Bool
  }

  /// The system refused something.
  struct Failure: Error, CustomStringConvertible {
    var call: String
    var code: Int32
    var description: String { "\(call): \(String(cString: strerror(code)))" }
  }

  private let descriptor: Int32
  private var ready = [epoll_event](repeating: epoll_event(), count: 256)

  init() throws(Failure) {
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard descriptor >= 0 else { throw Failure(call: "epoll_create1", code: errno) }
  }

  deinit { close(descriptor) }

  /// Begins to watch a socket, or changes for what.
  func watch(_ socket: Int32, token: UInt64, forWriting: Bool, isNew: Bool) {
    var event = epoll_event()
    event.events = EPOLLIN.rawValue | (forWriting ? EPOLLOUT.rawValue : 0)
    event.data.u64 = token
    epoll_ctl(descriptor, isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event)
  }

  /// Waits for events.
  ///
  /// - Parameter nanoseconds: At most; 0 only looks.
  mutating func wait(_ nanoseconds: Int64, _ body: (Event) -> Void) {
    let count = ready.withUnsafeMutableBufferPointer {
      ck_epoll_wait(descriptor, $0.baseAddress, Int32($0.count), nanoseconds)
    }
    for place in 0..<Int(max(count, 0)) {
      let event = ready[place]
      let trouble = EPOLLERR.rawValue | EPOLLHUP.rawValue
      body(
        Event(
          token: event.data.u64,
          isReadable: event.events & (EPOLLIN.rawValue | trouble) != 0,
          isWritable: event.events & (EPOLLOUT.rawValue | trouble) != 0))
    }
  }
}

/// Where sockets connect to.
struct SocketAddress {
  private var storage = sockaddr_storage()
  private var length: socklen_t = 0
  private var family: Int32 = 0

  /// Looks a host up: the first of its addresses that takes a connection within a second, or the first
  /// of all where none does.
  ///
  /// - Throws: `Poller.Failure` where it has no address.
  init(_ target: TargetURL) throws(Poller.Failure) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(target.host, String(target.port), &hints, &found) == 0, let found else {
      throw Poller.Failure(call: "\(target.host) has no address", code: ENOENT)
    }
    defer { freeaddrinfo(found) }
    self.init(found.pointee)
    var next = found.pointee.ai_next
    while next != nil, !answers {
      guard let entry = next?.pointee else { break }
      let other = SocketAddress(entry)
      if other.answers { self = other }
      next = entry.ai_next
    }
  }

  private init(_ entry: addrinfo) {
    family = entry.ai_family
    length = entry.ai_addrlen
    withUnsafeMutableBytes(of: &storage) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(length)))
    }
  }

  /// Whether somebody takes a connection.
  private var answers: Bool {
    guard let socket = try? connect() else { return false }
    defer { close(socket) }
    var wait = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
    guard poll(&wait, 1, 1_000) == 1 else { return false }
    return isConnected(socket)
  }

  /// Whether a connection that was begun is made.
  func isConnected(_ socket: Int32) -> Bool {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(socket, SOL_SOCKET, SO_ERROR, &code, &size)
    return code == 0
  }

  /// Begins a connection.
  ///
  /// - Throws: `Poller.Failure` where it fails at once.
  func connect() throws(Poller.Failure) -> Int32 {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let socket = Foundation.socket(family, type, 0)
    guard socket >= 0 else { throw Poller.Failure(call: "socket", code: errno) }
    var yes: Int32 = 1
    setsockopt(
      socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = storage
    let answer = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(socket, $0, length)
      }
    }
    guard answer == 0 || errno == EINPROGRESS else {
      let code = errno
      close(socket)
      throw Poller.Failure(call: "connect", code: code)
    }
    return socket
  }
}
