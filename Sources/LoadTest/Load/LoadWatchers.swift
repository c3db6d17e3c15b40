internal import Foundation
internal import Synchronization

/// People who keep a page open that a service feeds with server-sent events, on a thread of their own.
package final class LoadWatchers: Sendable {
  /// What they have seen.
  package struct Seen: Sendable, Equatable {
    /// How many watch.
    package var watchers = 0
    /// Streams that began, those after a break included.
    package var opened = 0
    /// Streams that the service refused, by whatever status.
    package var refused = 0
    /// Streams that broke off.
    package var broken = 0
    package var events = 0
    package var bytes = 0
    /// Connections that could not be made, or on which no answer began in time.
    package var unreached = 0
    /// The longest time without an event on an open stream, to its end or that of the load, in
    /// nanoseconds.
    package var longestSilence: Int64 = 0

    /// Nothing seen.
    package init() {}
  }

  /// What the bytes of an answer have come to.
  private enum Outcome { case goesOn, goesNowhere, refused, broke }

  private struct Stream {
    var socket: Int32 = -1
    /// Nil where bytes go as they are.
    var tls: TLSSession?
    var token: UInt64 = 0
    var isOpen = false
    /// What has come of the answer's head.
    var head: [UInt8] = []
    /// The answer's body; nil before its head has come.
    var body: EventStream?
    var lastEvent: Int64 = 0
    /// When it tries again.
    var retry: Int64 = 0
    /// Tries in a row that no stream came of.
    var attempts = 0
    /// When an answer has to have begun.
    var limit = Int64.max

    /// Whether it waits for an answer's head.
    var isAsking: Bool { socket >= 0 && body == nil }
  }

  /// Nanoseconds before a stream is opened again: 2, 4, 8, 16 and 32 s, and 32 s from then on.
  ///
  /// - Parameter attempts: Tries in a row that no stream came of, the break of one included; 1 or more.
  package static func pause(after attempts: Int) -> Int64 {
    2_000_000_000 << Int64(min(attempts, 5) - 1)
  }

  private let target: TargetURL
  private let call: ServiceCall
  private let count: Int
  /// Nanoseconds.
  private let timeout: Int64
  private let bearer: String
  private let isStopped = Mutex(false)
  /// Whether what was seen so far is to be forgotten.
  private let isForgetting = Mutex(false)
  private let hasEnded = Mutex(false)
  private let seen = Mutex(Seen())
  private let done = DispatchSemaphore(value: 0)

  /// Begins to watch.
  ///
  /// - Parameters:
  ///   - count: How many watch, 1 or more.
  ///   - bearer: The token with which they do.
  ///   - timeout: Seconds for a connection and the beginning of its answer.
  package init(
    _ target: TargetURL, _ call: ServiceCall, count: Int, bearer: String, timeout: Double = 30
  ) {
    self.timeout = Int64(timeout * 1e9)
    self.target = target
    self.call = call
    self.count = count
    self.bearer = bearer
    seen.withLock { $0.watchers = count }
    Thread.detachNewThread { [self] in
      try? run()
      hasEnded.withLock { $0 = true }
      done.signal()
    }
  }

  /// Counts from now on, with the streams that are open: what came while a load was prepared is none of
  /// its. Returns when that is done, within a twentieth of a second.
  package func countFromNow() {
    isForgetting.withLock { $0 = true }
    while isForgetting.withLock({ $0 }), !hasEnded.withLock({ $0 }) { usleep(1_000) }
  }

  /// What has been seen so far.
  package var soFar: Seen { seen.withLock { $0 } }

  /// Ends it and tells what was seen.
  package func stop() -> Seen {
    isStopped.withLock { $0 = true }
    done.wait()
    return seen.withLock { $0 }
  }

  private func run() throws {
    let address = try SocketAddress(target)
    var poller = try Poller()
    let clock = WallClock()
    var streams = Array(repeating: Stream(), count: count)
    defer { for stream in streams where stream.socket >= 0 { close(stream.socket) } }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    var next: UInt64 = 0
    while !isStopped.withLock({ $0 }) {
      let now = clock.now()
      if isForgetting.withLock({ $0 }) { forget(&streams, now) }
      for place in streams.indices where streams[place].socket < 0 && streams[place].retry <= now {
        let attempts = streams[place].attempts + 1
        streams[place].attempts = attempts
        streams[place].retry = now + Self.pause(after: attempts)
        guard let socket = try? address.connect() else {
          seen.withLock { $0.unreached += 1 }
          continue
        }
        next += 1
        streams[place] = Stream(
          socket: socket, tls: try target.tls?.session(), token: next << 32 | UInt64(place),
          attempts: attempts, limit: now + timeout)
        poller.watch(socket, token: streams[place].token, forWriting: true, isNew: true)
      }
      for place in streams.indices where streams[place].isAsking && streams[place].limit <= now {
        end(&streams[place], .goesNowhere, now)
      }
      var events: [Poller.Event] = []
      poller.wait(50_000_000) { events.append($0) }
      for event in events {
        let place = Int(event.token & 0xFFFF_FFFF)
        guard streams[place].token == event.token else { continue }
        if event.isWritable, !streams[place].isOpen {
          guard ask(&streams[place]) else {
            end(&streams[place], .goesNowhere, clock.now())
            continue
          }
          poller.watch(
            streams[place].socket, token: event.token, forWriting: false, isNew: false)
        }
        guard event.isReadable, streams[place].isOpen else { continue }
        let socket = streams[place].socket
        let count = buffer.withUnsafeMutableBytes { recv(socket, $0.baseAddress, $0.count, 0) }
        if count < 0, errno == EAGAIN || errno == EINTR { continue }
        let outcome =
          count <= 0 ? .broke : receive(buffer[..<count], &streams[place], clock.now())
        if outcome != .goesOn { end(&streams[place], outcome, clock.now()) }
      }
    }
    for stream in streams { noteSilence(stream, clock.now()) }
    // Who has just begun to ask may have been answered soon.
    let soon = min(timeout, 1_000_000_000)
    let asking = streams.count { $0.isAsking && clock.now() >= $0.limit - timeout + soon }
    seen.withLock { $0.unreached += asking }
  }

  private func forget(_ streams: inout [Stream], _ now: Int64) {
    var fresh = Seen()
    fresh.watchers = count
    fresh.opened = streams.count { $0.body != nil }
    for place in streams.indices { streams[place].lastEvent = now }
    seen.withLock { $0 = fresh }
    isForgetting.withLock { $0 = false }
  }

  /// Closes a stream, and plans the next try.
  ///
  /// - Parameter outcome: `goesNowhere` where it had not begun.
  private func end(_ stream: inout Stream, _ outcome: Outcome, _ now: Int64) {
    noteSilence(stream, now)
    close(stream.socket)
    let attempts = stream.body != nil ? 1 : stream.attempts
    // The next try counts itself.
    stream = Stream(retry: now + Self.pause(after: attempts), attempts: attempts)
    seen.withLock { seen in
      switch outcome {
      case .goesOn, .goesNowhere: seen.unreached += 1
      case .refused: seen.refused += 1
      case .broke: seen.broken += 1
      }
    }
  }

  /// A stream that says nothing to its end was silent, too.
  private func noteSilence(_ stream: Stream, _ now: Int64) {
    guard stream.socket >= 0, stream.body != nil else { return }
    seen.withLock { $0.longestSilence = max($0.longestSilence, now - stream.lastEvent) }
  }

  /// Sends the request; false where nobody takes it.
  private func ask(_ stream: inout Stream) -> Bool {
    var bytes: [UInt8] = []
    var scratch: [UInt8] = []
    call.write(
      [bearer, "0", "watch", "watch"], host: target.authority, prefix: target.prefix, &scratch,
      to: &bytes)
    if let tls = stream.tls {
      tls.begin()
      tls.send(bytes)
      bytes.removeAll()
      tls.drain(&bytes)
    }
    stream.isOpen = sends(bytes, stream)
    return stream.isOpen
  }

  /// Sends some hundred bytes, which go into an empty socket at once; false where they do not.
  private func sends(_ bytes: [UInt8], _ stream: Stream) -> Bool {
    let socket = stream.socket
    let sent = bytes.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    return sent == bytes.count
  }

  /// Takes what came, through TLS where the service speaks it.
  private func receive(
    _ bytes: ArraySlice<UInt8>, _ stream: inout Stream, _ now: Int64
  ) -> Outcome {
    guard let tls = stream.tls else { return take(bytes, &stream, now) }
    var plain: [UInt8] = []
    var answer: [UInt8] = []
    bytes.withUnsafeBytes { tls.receive($0, &plain) }
    tls.drain(&answer)
    guard tls.failure == nil else { return tls.isReady ? .broke : .goesNowhere }
    guard answer.isEmpty || sends(answer, stream) else { return .broke }
    let outcome = plain.isEmpty ? .goesOn : take(plain[...], &stream, now)
    return outcome == .goesOn && tls.isClosed ? .broke : outcome
  }

  /// Counts events.
  private func take(_ bytes: ArraySlice<UInt8>, _ stream: inout Stream, _ now: Int64) -> Outcome {
    var text = bytes
    if stream.body == nil {
      stream.head += bytes
      guard let end = stream.head.firstRange(of: Array("\r\n\r\n".utf8)) else {
        return stream.head.count < 65_536 ? .goesOn : .broke
      }
      guard stream.head.starts(with: Array("HTTP/1.1 200".utf8)) else {
        return .refused
      }
      stream.body = EventStream(head: stream.head[..<end.upperBound])
      stream.lastEvent = now
      seen.withLock { $0.opened += 1 }
      text = stream.head[end.upperBound...]
      stream.head = []
    }
    let before = stream.body?.count ?? 0
    stream.body?.take(text)
    let events = (stream.body?.count ?? 0) - before
    let silence = now - stream.lastEvent
    if events > 0 { stream.lastEvent = now }
    seen.withLock {
      $0.events += events
      $0.bytes += bytes.count
      if events > 0 { $0.longestSilence = max($0.longestSilence, silence) }
    }
    return stream.body?.isOver == true ? .broke : .goesOn
  }
}
