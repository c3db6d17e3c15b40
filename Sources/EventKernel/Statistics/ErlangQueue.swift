/// Why a queue has no closed form.
public enum QueueError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The arrival rate is not finite or not above 0.
  case badArrivalRate(Double)
  /// The service rate is not finite or not above 0.
  case badServiceRate(Double)
  /// The offered load is not finite or below 0.
  case badLoad(Double)
  /// Fewer than one server.
  case badServers(Int)
  /// Work arrives at least as fast as the servers can do it, so the line grows forever.
  case unstable(load: Double, servers: Int)
  /// A share is not within 0 ..< 1.
  case badShare(Double)

  /// One line for people: what was wrong.
  public var description: String {
    switch self {
    case .badArrivalRate(let rate): "the arrival rate is \(rate); it must be finite and above 0"
    case .badServiceRate(let rate): "the service rate is \(rate); it must be finite and above 0"
    case .badLoad(let load): "the load is \(load) erlang; it must be finite and at least 0"
    case .badServers(let servers): "there are \(servers) servers; there must be at least 1"
    case .unstable(let load, let servers):
      "\(load) erlang on \(servers) servers make an endless line; the load must be below servers"
    case .badShare(let share): "the share is \(share); it must be at least 0 and below 1"
    }
  }
}

/// The queue M/M/c in its steady state: Poisson arrivals, exponential services, `servers` equal
/// servers, one line, first come, first served.
///
/// Times are in the unit whose inverse the rates have. Source: Erlang 1917, as in Gross, Shortle,
/// Thompson and Harris, *Fundamentals of Queueing Theory*, §3.3, doi:10.1002/9781118625651
public struct ErlangQueue: Sendable, Equatable {
  /// Arrivals per unit of time, λ.
  public let arrivalRate: Double
  /// Services per unit of time of one busy server, μ.
  public let serviceRate: Double
  /// Number of servers, c.
  public let servers: Int
  /// The probability that an arrival has to wait (Erlang C).
  public let waitProbability: Double
  /// Rate at which the line gets shorter while all servers are busy, cμ − λ.
  private let drain: Double

  /// - Parameters:
  ///   - arrivalRate: Finite and above 0.
  ///   - serviceRate: Finite and above 0.
  ///   - servers: At least 1, and more than `arrivalRate` / `serviceRate`.
  /// - Throws: `QueueError`.
  /// - Complexity: O(servers).
  public init(arrivalRate: Double, serviceRate: Double, servers: Int) throws(QueueError) {
    guard arrivalRate > 0, arrivalRate < .infinity else { throw .badArrivalRate(arrivalRate) }
    guard serviceRate > 0, serviceRate < .infinity else { throw .badServiceRate(serviceRate) }
    self.arrivalRate = arrivalRate
    self.serviceRate = serviceRate
    self.servers = servers
    let load = arrivalRate / serviceRate
    waitProbability = try Self.erlangC(load: load, servers: servers)
    // Rates so near one another, or so great, that the difference is lost have no closed form.
    drain = Double(servers) * serviceRate - arrivalRate
    guard drain > 0, drain < .infinity else { throw .unstable(load: load, servers: servers) }
  }

  /// The probability that all of `servers` are busy when nobody can wait (Erlang B).
  ///
  /// - Parameters:
  ///   - load: Arrival rate over service rate, finite and at least 0; may exceed the servers.
  ///   - servers: At least 1.
  /// - Throws: `QueueError.badLoad` or `.badServers`.
  /// - Complexity: O(servers), by the recursion B(c) = a·B(c−1) / (c + a·B(c−1)), whose terms are
  ///   all positive, so that nothing overflows or cancels.
  public static func erlangB(load: Double, servers: Int) throws(QueueError) -> Double {
    guard load >= 0, load < .infinity else { throw .badLoad(load) }
    guard servers >= 1 else { throw .badServers(servers) }
    var blocked = 1.0
    for count in 1...servers { blocked = load * blocked / (Double(count) + load * blocked) }
    return blocked
  }

  /// The probability that an arrival has to wait (Erlang C).
  ///
  /// - Parameters:
  ///   - load: Arrival rate over service rate, at least 0 and below `servers`.
  ///   - servers: At least 1.
  /// - Throws: `QueueError`.
  /// - Complexity: O(servers).
  public static func erlangC(load: Double, servers: Int) throws(QueueError) -> Double {
    let blocked = try erlangB(load: load, servers: servers)
    guard load < Double(servers) else { throw .unstable(load: load, servers: servers) }
    return blocked / (1 - load / Double(servers) * (1 - blocked))
  }

  /// Mean number of busy servers, in erlang.
  public var load: Double { arrivalRate / serviceRate }

  /// Share of the servers' time that is busy.
  public var utilisation: Double { load / Double(servers) }

  /// Mean time in the line, over all arrivals.
  public var meanWait: Double { waitProbability / drain }

  /// Mean time from arrival to the end of service.
  public var meanSojourn: Double { meanWait + 1 / serviceRate }

  /// Mean number in the line (Little 1961, doi:10.1287/opre.9.3.383).
  public var meanLine: Double { arrivalRate * meanWait }

  /// Mean number in line and service.
  public var meanPresent: Double { arrivalRate * meanSojourn }

  /// The probability that an arrival waits longer than `time`; 1 for a time below 0.
  ///
  /// - Parameter time: Not NaN.
  public func waitTail(_ time: Double) -> Double {
    time < 0 ? 1 : waitProbability * Elementary.exp(-drain * time)
  }

  /// The probability that more than `time` passes from arrival to the end of service; 1 for a time
  /// below 0.
  ///
  /// Who waits does so for an exponential time of rate cμ − λ before a service of rate μ; the sum
  /// of the two has the tail e^(−at)·(1 + a·(1 − e^(−(b−a)t)) / (b−a)), a the lesser and b the
  /// greater of the rates, which goes over into (1 + at)·e^(−at) where they meet.
  ///
  /// - Parameter time: Not NaN.
  public func sojournTail(_ time: Double) -> Double {
    guard time > 0 else { return 1 }
    guard time < .infinity else { return 0 }
    let slow = min(drain, serviceRate)
    let apart = max(drain, serviceRate) - slow
    let between = apart == 0 ? time : -Elementary.expm1(-apart * time) / apart
    let both = Elementary.exp(-slow * time) * (1 + slow * between)
    return (1 - waitProbability) * Elementary.exp(-serviceRate * time) + waitProbability * both
  }

  /// The time within which a share of all arrivals has left the queue served.
  ///
  /// - Parameter share: At least 0 and below 1; 0.95 gives the 95th percentile.
  /// - Throws: `QueueError.badShare`.
  /// - Complexity: bisection of `sojournTail` down to neighboring doubles, about 60 steps for a
  ///   share that is not tiny.
  public func sojournQuantile(_ share: Double) throws(QueueError) -> Double {
    guard share >= 0, share < 1 else { throw .badShare(share) }
    guard share > 0 else { return 0 }
    let tail = 1 - share
    var high = meanSojourn
    while sojournTail(high) > tail { high *= 2 }
    var low = 0.0
    while true {
      let middle = low + (high - low) / 2
      guard middle > low, middle < high else { return high }
      if sojournTail(middle) > tail { low = middle } else { high = middle }
    }
  }
}
