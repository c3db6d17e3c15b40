internal import DequeModule
internal import Foundation

/// A client of one service on one thread: as many connections as are needed, one request at a time on
/// each, none waiting for another thread.
///
/// The caller turns `step`, which hands over what has been answered or has failed since.
struct HTTPClient: ~Copyable {
  /// How a request ended.
  enum End {
    /// With an answer; its body is without chunks and lives during the call.
    case answer(status: Int, retryAfter: Int?, body: UnsafeRawBufferPointer)
    case failed(LoadErrorKind)
    /// The service closed a connection that had been kept before it had taken the request.
    case untaken
  }

  /// Nanoseconds of work on TLS in one step.
  private static let handshakeShare: Int64 = 1_000_000

  private var poller: Poller
  private let address: SocketAddress
  private let tls: TLSClient?
  private let timeout: Int64
  private var connections: [Connection] = []
  private var free: [Int] = []
  private var idle: [Int] = []
  /// Busy connections by deadline, oldest first; each has the same time.
  private var deadlines = Deque<(time: Int64, place: Int, generation: UInt32)>()
  /// Requests that ended without an answer.
  private var failed: [(tag: UInt32, end: End)] = []
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 262_144, alignment: 16)
  /// What goes into TLS, or came out of it; empty between calls.
  private var plain: [UInt8] = []

  /// How many requests are under way.
  private(set) var busy = 0
  /// The most that were under way at once.
  private(set) var mostBusy = 0
  /// Connections made.
  private(set) var connects = 0
  /// Bytes that came.
  private(set) var received: Int64 = 0
  private(set) var limit: Int

  /// - Parameters:
  ///   - limit: The most connections.
  ///   - timeout: Nanoseconds after which a request has failed.
  init(_ target: TargetURL, limit: Int, timeout: Int64) throws(Poller.Failure) {
    let address = try SocketAddress(target)
    self.init(address, target.tls, try Poller(), limit: limit, timeout: timeout)
  }

  private init(
    _ address: SocketAddress, _ tls: TLSClient?, _ poller: consuming Poller, limit: Int,
    timeout: Int64
  ) {
    self.poller = poller
    self.address = address
    self.tls = tls
    self.limit = limit
    self.timeout = timeout
  }

  deinit {
    for connection in connections where connection.socket >= 0 {
      Self.sayGoodbye(connection)
      close(connection.socket)
    }
    buffer.deallocate()
  }

  /// Whether another request can start now.
  var hasRoom: Bool { busy < limit }

  /// Starts a request; there is room for it.
  ///
  /// - Parameters:
  ///   - tag: Comes back with its end.
  ///   - isFresh: Whether no kept connection will do, as one has closed under it.
  mutating func start(
    _ tag: UInt32, at now: Int64, isFresh: Bool = false, _ write: (inout [UInt8]) -> Void
  ) {
    guard let place = (isFresh ? nil : kept()) ?? open() else {
      failed.append((tag, .failed(.connect)))
      return
    }
    busy += 1
    mostBusy = max(mostBusy, busy)
    connections[place].tag = tag
    connections[place].hasBegun = false
    connections[place].deadline = now + timeout
    // Of TLS every byte has to go out.
    if connections[place].tls == nil {
      connections[place].output.removeAll(keepingCapacity: true)
    } else {
      connections[place].output.removeFirst(connections[place].sent)
    }
    connections[place].sent = 0
    if let tls = connections[place].tls {
      plain.removeAll(keepingCapacity: true)
      write(&plain)
      tls.send(plain)
      tls.drain(&connections[place].output)
    } else {
      write(&connections[place].output)
    }
    deadlines.append((now + timeout, place, connections[place].generation))
    if connections[place].state == .idle {
      connections[place].state = .busy
      flush(place)
    }
  }

  /// A connection that was kept; those that the service has closed meanwhile are dropped.
  private mutating func kept() -> Int? {
    while let place = idle.popLast() {
      if isOpen(place) { return place }
      drop(place)
    }
    return nil
  }

  /// Whether nothing has come on a connection that waits, but for what TLS says of itself: its words
  /// between two answers may be tickets of the session, or that the service has closed it.
  private mutating func isOpen(_ place: Int) -> Bool {
    while true {
      let count = recv(
        connections[place].socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      guard count > 0, let tls = connections[place].tls else { return false }
      received += Int64(count)
      plain.removeAll(keepingCapacity: true)
      tls.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count]), &plain)
      guard tls.failure == nil, !tls.isClosed, plain.isEmpty else { return false }
      tls.drain(&connections[place].output)
    }
  }

  private mutating func open() -> Int? {
    let session: TLSSession?
    do {
      session = try tls?.session()
    } catch {
      return nil
    }
    let socket: Int32
    do throws(Poller.Failure) {
      socket = try address.connect()
    } catch {
      // No more files: those that are open have to do.
      if error.code == EMFILE || error.code == ENFILE { limit = max(busy, 1) }
      return nil
    }
    let place: Int
    if let last = free.popLast() {
      place = last
    } else {
      place = connections.count
      connections.append(Connection())
    }
    connections[place].socket = socket
    connections[place].tls = session
    connections[place].state = .connecting
    // Nothing of the one before that was not sent.
    connections[place].output.removeAll(keepingCapacity: true)
    connections[place].sent = 0
    connections[place].input.removeAll(keepingCapacity: true)
    connections[place].parser = ResponseParser()
    connections[place].isKept = false
    poller.watch(socket, token: token(place), forWriting: true, isNew: true)
    return place
  }

  private func token(_ place: Int) -> UInt64 {
    UInt64(connections[place].generation) << 32 | UInt64(place)
  }

  private mutating func flush(_ place: Int) {
    let socket = connections[place].socket
    let rest = connections[place].output.count - connections[place].sent
    let from = connections[place].sent
    let sent = connections[place].output.withUnsafeBytes {
      send(socket, $0.baseAddress.map { $0 + from }, rest, Int32(MSG_NOSIGNAL))
    }
    if sent == rest {
      connections[place].sent += sent
      return
    }
    guard sent >= 0 || errno == EAGAIN || errno == EINTR else { return fail(place, .closed) }
    connections[place].sent += max(sent, 0)
    poller.watch(socket, token: token(place), forWriting: true, isNew: false)
  }

  private mutating func fail(_ place: Int, _ kind: LoadErrorKind) {
    let isBusy = connections[place].state == .busy || connections[place].state == .connecting
    if isBusy {
      let end = kind == .closed && isUntaken(place) ? End.untaken : .failed(kind)
      failed.append((connections[place].tag, end))
      busy -= 1
    } else {
      idle.removeAll { $0 == place }
    }
    drop(place)
  }

  /// Whether a kept connection has ended before the service had all of the request, not to speak of an
  /// answer: it was closed while the request was on its way.
  ///
  /// The service's system may take 40 ms to acknowledge what came: a service that takes a request and resets
  /// the connection within that time looks the same.
  private func isUntaken(_ place: Int) -> Bool {
    guard connections[place].isKept, !connections[place].hasBegun else { return false }
    guard connections[place].sent == connections[place].output.count else { return true }
    // What the other side has not acknowledged.
    var left: Int32 = 0
    return ioctl(connections[place].socket, UInt(TIOCOUTQ), &left) == 0 && left > 0
  }

  /// Tells an https service that nothing more comes.
  private static func sayGoodbye(_ connection: borrowing Connection) {
    guard let tls = connection.tls else { return }
    tls.end()
    guard connection.sent == connection.output.count else { return }
    var bytes: [UInt8] = []
    tls.drain(&bytes)
    _ = bytes.withUnsafeBytes {
      send(connection.socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }

  private mutating func drop(_ place: Int) {
    Self.sayGoodbye(connections[place])
    close(connections[place].socket)
    connections[place].tls = nil
    connections[place].socket = -1
    connections[place].state = .closed
    connections[place].generation &+= 1
    free.append(place)
  }

  /// Waits for something to happen, and tells what did.
  ///
  /// - Parameters:
  ///   - nanoseconds: At most; 0 or more.
  ///   - ended: Told of each request that ended, by its tag.
  mutating func step(_ nanoseconds: Int64, now: () -> Int64, _ ended: (UInt32, End) -> Void) {
    var events: [Poller.Event] = []
    poller.wait(failed.isEmpty ? nanoseconds : 0) { events.append($0) }
    // Handshakes take long: sessions that are due come first, and the poller tells the rest again.
    let limit = tls == nil ? Int64.max : now() + Self.handshakeShare
    for event in events {
      if tls != nil, now() > limit { break }
      let place = Int(event.token & 0xFFFF_FFFF)
      guard connections[place].generation == UInt32(event.token >> 32) else { continue }
      if event.isWritable, connections[place].state == .connecting { finishConnecting(place) }
      guard connections[place].generation == UInt32(event.token >> 32) else { continue }
      if event.isWritable, connections[place].state == .busy,
        connections[place].sent < connections[place].output.count
      {
        flushRest(place)
      }
      guard connections[place].generation == UInt32(event.token >> 32), event.isReadable else {
        continue
      }
      read(place, ended)
    }
    expire(now())
    while let (tag, end) = failed.popLast() { ended(tag, end) }
  }

  private mutating func finishConnecting(_ place: Int) {
    guard address.isConnected(connections[place].socket) else { return fail(place, .connect) }
    connects += 1
    connections[place].state = .busy
    if let tls = connections[place].tls {
      tls.begin()
      tls.drain(&connections[place].output)
    }
    poller.watch(connections[place].socket, token: token(place), forWriting: false, isNew: false)
    flush(place)
  }

  private mutating func flushRest(_ place: Int) {
    poller.watch(connections[place].socket, token: token(place), forWriting: false, isNew: false)
    flush(place)
  }

  private mutating func read(_ place: Int, _ ended: (UInt32, End) -> Void) {
    let socket = connections[place].socket
    let count = recv(socket, buffer.baseAddress, buffer.count, 0)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    // A connection that was reset is no end of a body whose length nobody said.
    guard count >= 0 else {
      let isBeginning = connections[place].tls.map { !$0.isReady } ?? false
      return fail(place, isBeginning ? .connect : .closed)
    }
    received += Int64(count)
    let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
    if let tls = connections[place].tls {
      unseal(bytes, place, tls, ended)
    } else {
      consume(bytes, place, isClosed: count == 0, ended)
    }
  }

  /// Takes what came through TLS; without bytes the connection has ended.
  private mutating func unseal(
    _ bytes: UnsafeRawBufferPointer, _ place: Int, _ tls: TLSSession,
    _ ended: (UInt32, End) -> Void
  ) {
    // An end that TLS does not speak of may have cut an answer short.
    guard !bytes.isEmpty else { return fail(place, tls.isReady ? .closed : .connect) }
    let generation = connections[place].generation
    var opened: [UInt8] = []
    swap(&opened, &plain)
    opened.removeAll(keepingCapacity: true)
    tls.receive(bytes, &opened)
    // The answer to an end waits until `isUntaken` has seen what the other side has taken.
    if !tls.isClosed {
      let before = connections[place].output.count
      tls.drain(&connections[place].output)
      if connections[place].output.count > before { flush(place) }
    }
    if connections[place].generation == generation {
      if tls.failure != nil {
        fail(place, tls.isReady ? .closed : .connect)
      } else if !opened.isEmpty || tls.isClosed {
        opened.withUnsafeBytes { consume($0, place, isClosed: tls.isClosed, ended) }
      }
    }
    swap(&opened, &plain)
  }

  /// Takes a part of an answer, or its end.
  private mutating func consume(
    _ bytes: UnsafeRawBufferPointer, _ place: Int, isClosed: Bool, _ ended: (UInt32, End) -> Void
  ) {
    guard connections[place].state == .busy else {
      // An idle connection that the service closes, or that says what nobody asked.
      return fail(place, .closed)
    }
    if !bytes.isEmpty { connections[place].hasBegun = true }
    if !isClosed, connections[place].input.isEmpty {
      // Most answers come in one piece, which nobody has to keep.
      if !take(bytes, place, isClosed: false, ended) { connections[place].input = Array(bytes) }
      return
    }
    var input: [UInt8] = []
    swap(&input, &connections[place].input)
    input.append(contentsOf: bytes)
    let isWhole = input.withUnsafeBytes { take($0, place, isClosed: isClosed, ended) }
    if isWhole { input.removeAll(keepingCapacity: input.count < 65_536) }
    swap(&input, &connections[place].input)
  }

  /// Reads on in what has come of an answer; false where more has to come.
  private mutating func take(
    _ bytes: UnsafeRawBufferPointer, _ place: Int, isClosed: Bool, _ ended: (UInt32, End) -> Void
  ) -> Bool {
    switch connections[place].parser.parse(bytes, isClosed: isClosed) {
    case .incomplete: return false
    case .invalid: fail(place, isClosed ? .closed : .invalid)
    case .complete(let head):
      let tag = connections[place].tag
      busy -= 1
      if head.closes || isClosed || head.length != bytes.count {
        drop(place)
      } else {
        connections[place].state = .idle
        connections[place].isKept = true
        idle.append(place)
      }
      if head.isChunked {
        ResponseParser.body(of: head, in: bytes).withUnsafeBytes {
          ended(tag, .answer(status: head.status, retryAfter: head.retryAfter, body: $0))
        }
      } else {
        ended(
          tag,
          .answer(
            status: head.status, retryAfter: head.retryAfter,
            body: UnsafeRawBufferPointer(rebasing: bytes[head.body])))
      }
    }
    connections[place].parser = ResponseParser()
    return true
  }

  private mutating func expire(_ now: Int64) {
    while let first = deadlines.first {
      let connection = connections[first.place]
      let isOver =
        connection.generation != first.generation || connection.deadline != first.time
        || (connection.state != .busy && connection.state != .connecting)
      guard isOver || first.time <= now else { return }
      deadlines.removeFirst()
      if !isOver { fail(first.place, .timeout) }
    }
  }
}
