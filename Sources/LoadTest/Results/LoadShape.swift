/// How a load was offered and sent: what has to be the same of two loads that are compared.
package struct LoadShape: Sendable, Equatable, Codable {
  /// How the rate changed; nil where `speed` says when sessions start.
  package var profile: String?
  /// Sessions a second, as given; nil where `speed` is not.
  package var rate: Double?
  /// Simulated seconds a second.
  package var speed: Double?
  /// For how long sessions started.
  package var seconds: Double
  /// How starts were spaced; nil where `speed` says it.
  package var arrivals: String?
  /// What members came for.
  package var journeys: [String]
  /// The most connections at once.
  package var connections: Int
  /// Seconds, as the flags of the same names say.
  package var timeout: Double
  package var think: Double
  package var backOff: Double
  package var drain: Double
  /// People who keep a page open meanwhile.
  package var watchers: Int

  enum CodingKeys: String, CodingKey {
    case profile, rate, speed, seconds, arrivals, journeys, connections, timeout, think, drain,
      watchers
    case backOff = "back_off"
  }

  /// See the properties.
  package init(
    profile: LoadProfile.Shape? = nil, rate: Double? = nil, speed: Double? = nil, seconds: Double,
    arrivals: Arrivals.Spacing? = nil, journeys: [String], connections: Int, timeout: Double,
    think: Double, backOff: Double, drain: Double, watchers: Int = 0
  ) {
    self.profile = profile?.rawValue
    self.rate = rate
    self.speed = speed
    self.seconds = seconds
    self.arrivals = arrivals?.rawValue
    self.journeys = journeys
    self.connections = connections
    self.timeout = timeout
    self.think = think
    self.backOff = backOff
    self.drain = drain
    self.watchers = watchers
  }

  /// Reads a shape; before watchers were part of it, nobody knows of any.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    profile = try container.decodeIfPresent(String.self, forKey: .profile)
    rate = try container.decodeIfPresent(Double.self, forKey: .rate)
    speed = try container.decodeIfPresent(Double.self, forKey: .speed)
    seconds = try container.decode(Double.self, forKey: .seconds)
    arrivals = try container.decodeIfPresent(String.self, forKey: .arrivals)
    journeys = try container.decode([String].self, forKey: .journeys)
    connections = try container.decode(Int.self, forKey: .connections)
    timeout = try container.decode(Double.self, forKey: .timeout)
    think = try container.decode(Double.self, forKey: .think)
    backOff = try container.decode(Double.self, forKey: .backOff)
    drain = try container.decode(Double.self, forKey: .drain)
    watchers = try container.decodeIfPresent(Int.self, forKey: .watchers) ?? 0
  }

  /// What is another than in an earlier load, in words; empty where nothing is.
  package func differences(from earlier: LoadShape) -> [String] {
    var words: [String] = []
    func note<Value: Equatable>(_ name: String, _ before: Value, _ now: Value, _ unit: String = "")
    {
      if before != now { words.append("\(name) \(before)\(unit) before, \(now)\(unit) now") }
    }
    note("profile", earlier.profile ?? "none", profile ?? "none")
    note("rate", Self.plain(earlier.rate), Self.plain(rate), " sessions a second")
    note("speed", Self.plain(earlier.speed), Self.plain(speed))
    note("length", Self.plain(earlier.seconds), Self.plain(seconds), " s")
    note("arrivals", earlier.arrivals ?? "none", arrivals ?? "none")
    note(
      "journeys", earlier.journeys.joined(separator: "+"), journeys.joined(separator: "+"))
    note("connections", earlier.connections, connections)
    note("timeout", Self.plain(earlier.timeout), Self.plain(timeout), " s")
    note("think time", Self.plain(earlier.think), Self.plain(think), " s")
    note("watchers", earlier.watchers, watchers)
    note("back-off", Self.plain(earlier.backOff), Self.plain(backOff), " s")
    return words
  }

  /// That somebody, or a missed threshold, stopped a load, in words.
  ///
  /// - Parameters:
  ///   - name: Of the load.
  ///   - whole: Seconds in which sessions were to start all the time.
  func stopped(_ name: String, after whole: Int) -> String {
    "\(name) was stopped after \(whole) of \(Self.plain(seconds)) s, and only as many are compared"
  }

  private static func plain(_ value: Double?) -> String {
    guard let value else { return "none" }
    return value == value.rounded() && value.magnitude < 1e15
      ? String(Int64(value)) : String(value)
  }

  /// The seconds of a load in which sessions were to start all the time.
  ///
  /// - Parameters:
  ///   - seconds: From the beginning on.
  ///   - length: For how long sessions started.
  ///   - elapsed: How long it took; less than `length` where it was stopped.
  static func offered(
    _ seconds: [LoadSecond], of length: Double, elapsed: Double
  ) -> [LoadSecond] {
    // Compared as they are: what a file says may be out of the range of whole numbers.
    zip(1..., seconds).prefix { Double($0.0) <= min(length, elapsed) }.map(\.1)
  }
}
