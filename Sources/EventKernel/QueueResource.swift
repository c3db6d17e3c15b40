public import Quantities

/// One or more equal servers with one waiting line, first come, first served.
///
/// The resource keeps no events of its own: the model says when a customer arrives and when a
/// service ends, and learns who starts. Its statistics are kept as it goes: waiting times, and
/// the time-weighted numbers waiting and in service.
///
/// - Complexity: each call O(1) amortized. The line's memory is reused.
public struct QueueResource<Customer> {
  /// What became of a customer who arrived.
  public enum Arrival: Equatable, Sendable {
    /// A server was free: service starts now.
    case startsNow
    /// All servers are busy: the customer is in the line.
    case waits
    /// The line is full: the customer is turned away.
    case turnedAway
  }

  /// A customer whose service starts because another's ended.
  public struct Start {
    /// Who.
    public let customer: Customer
    /// Since when they waited.
    public let arrival: Instant

    @inlinable
    init(customer: Customer, arrival: Instant) {
      self.customer = customer
      self.arrival = arrival
    }
  }

  /// Number of servers, at least 1.
  public let servers: Int
  /// Longest line that customers join.
  public let lineMaximum: Int
  @usableFromInline var busyServers: Int
  /// A ring: `waiting` entries from `first` on. Its size is a power of two.
  @usableFromInline var ring: ContiguousArray<Start?>
  @usableFromInline var first: Int
  @usableFromInline var waiting: Int
  @usableFromInline var waitTally: Tally
  @usableFromInline var lineOverTime: TimeWeighted
  @usableFromInline var busyOverTime: TimeWeighted
  @usableFromInline var refusals: Int

  /// Makes an idle resource.
  ///
  /// - Parameters:
  ///   - servers: At least 1.
  ///   - lineMaximum: Customers beyond it are turned away; 0 gives a pure loss system.
  ///   - start: Where the time-weighted statistics begin.
  public init(servers: Int, lineMaximum: Int = .max, start: Instant) {
    invariant(servers >= 1, "a resource needs at least 1 server, not \(servers)")
    invariant(lineMaximum >= 0, "the longest line cannot be \(lineMaximum)")
    self.servers = servers
    self.lineMaximum = lineMaximum
    busyServers = 0
    ring = ContiguousArray(repeating: nil, count: 16)
    first = 0
    waiting = 0
    waitTally = Tally()
    lineOverTime = TimeWeighted(start: start)
    busyOverTime = TimeWeighted(start: start)
    refusals = 0
  }

  /// Servers that are serving.
  @inlinable public var busy: Int { busyServers }
  /// Customers in the line, without those in service.
  @inlinable public var lineLength: Int { waiting }
  /// Customers who were turned away.
  @inlinable public var turnedAway: Int { refusals }
  /// Waiting times in seconds of all customers whose service has started, 0 for those who found a
  /// free server.
  @inlinable public var waits: Tally { waitTally }
  /// The line's length over time.
  @inlinable public var lineStatistics: TimeWeighted { lineOverTime }
  /// Busy servers over time.
  @inlinable public var busyStatistics: TimeWeighted { busyOverTime }

  /// A customer arrives.
  ///
  /// - Parameters:
  ///   - customer: Kept with the place in line, and returned when its service begins.
  ///   - now: Not before any earlier call's.
  @inlinable
  @inline(__always)
  public mutating func arrive(_ customer: Customer, at now: Instant) -> Arrival {
    if busyServers < servers {
      busyServers &+= 1
      busyOverTime.set(Double(busyServers), at: now)
      waitTally.addFinite(0)
      return .startsNow
    }
    guard waiting < lineMaximum else {
      refusals &+= 1
      return .turnedAway
    }
    if waiting == ring.count { grow() }
    ring[(first &+ waiting) & (ring.count &- 1)] = Start(customer: customer, arrival: now)
    waiting &+= 1
    lineOverTime.set(Double(waiting), at: now)
    return .waits
  }

  /// A service ends.
  ///
  /// - Parameter now: Not before any earlier call's.
  /// - Returns: Who starts in its place; nil when nobody waits and the server falls idle.
  @inlinable
  @inline(__always)
  public mutating func finish(at now: Instant) -> Start? {
    guard isAwaited(at: now) else { return nil }
    guard let start = ring[first].take() else { fatalError("the line has a gap") }
    pass(start, at: now)
    return start
  }

  /// Whether somebody waits for the server that ends a service; it falls idle where nobody does.
  @inlinable
  @inline(__always)
  mutating func isAwaited(at now: Instant) -> Bool {
    invariant(busyServers > 0, "a service ended, but no server was busy")
    if waiting > 0 { return true }
    busyServers &-= 1
    busyOverTime.set(Double(busyServers), at: now)
    return false
  }

  /// The first of the line leaves it for a server.
  @inlinable
  @inline(__always)
  mutating func pass(_ start: Start, at now: Instant) {
    first = (first &+ 1) & (ring.count &- 1)
    waiting &-= 1
    lineOverTime.set(Double(waiting), at: now)
    waitTally.addFinite((now - start.arrival).inSeconds)
  }

  @inlinable
  @inline(never)
  mutating func grow() {
    var larger = ContiguousArray<Start?>(repeating: nil, count: ring.count * 2)
    for offset in 0..<waiting { larger[offset] = ring[(first + offset) & (ring.count - 1)] }
    ring = larger
    first = 0
  }

  /// Forgets the statistics so far, at the end of a warm-up; who waits and who serves stays.
  public mutating func restartStatistics(at now: Instant) {
    waitTally = Tally()
    refusals = 0
    lineOverTime = TimeWeighted(start: now, value: Double(waiting))
    busyOverTime = TimeWeighted(start: now, value: Double(busyServers))
  }
}

extension QueueResource where Customer: BitwiseCopyable {
  /// A service ends.
  ///
  /// As for any customers; but nothing is kept alive by a place that is left as it is, so the ring is
  /// only read.
  ///
  /// - Parameter now: Not before any earlier call's.
  /// - Returns: Who starts in its place; nil when nobody waits and the server falls idle.
  @inlinable
  @inline(__always)
  public mutating func finish(at now: Instant) -> Start? {
    guard isAwaited(at: now) else { return nil }
    guard let start = ring[first] else { fatalError("the line has a gap") }
    pass(start, at: now)
    return start
  }
}

extension QueueResource: Codable where Customer: Codable {
  /// What is saved: the line from its first customer on, without the ring that it is kept in.
  private struct Saved: Codable {
    var servers: Int
    var lineMaximum: Int
    var busy: Int
    var line: [Start]
    var waits: Tally
    var lineOverTime: TimeWeighted
    var busyOverTime: TimeWeighted
    var refusals: Int
  }

  /// A resource that was saved.
  public init(from decoder: any Decoder) throws {
    let saved = try Saved(from: decoder)
    servers = saved.servers
    lineMaximum = saved.lineMaximum
    busyServers = saved.busy
    ring = ContiguousArray(repeating: nil, count: 16)
    first = 0
    waiting = 0
    waitTally = saved.waits
    lineOverTime = saved.lineOverTime
    busyOverTime = saved.busyOverTime
    refusals = saved.refusals
    for start in saved.line {
      if waiting == ring.count { grow() }
      ring[waiting] = start
      waiting += 1
    }
  }

  /// Saves who waits, who serves and the statistics.
  public func encode(to encoder: any Encoder) throws {
    let line = (0..<waiting).compactMap { ring[(first + $0) & (ring.count - 1)] }
    try Saved(
      servers: servers, lineMaximum: lineMaximum, busy: busyServers, line: line, waits: waitTally,
      lineOverTime: lineOverTime, busyOverTime: busyOverTime, refusals: refusals
    ).encode(to: encoder)
  }
}

extension QueueResource.Start: Codable where Customer: Codable {}
extension QueueResource: Sendable where Customer: Sendable {}
extension QueueResource.Start: Sendable where Customer: Sendable {}
