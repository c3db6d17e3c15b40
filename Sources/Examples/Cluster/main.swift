// A windowed executive on several nodes, on paper: how much faster would one world run there, and what
// stops it? Every node computes its cells, sends what the house must see through the coordinator's link,
// the house concludes the window alone, and the next window is told to all.
// Usage: example-cluster [SEED]
//
// What a window costs was measured on one machine (see Documentation/clusters.md, 'One world beyond one
// machine'). One tick of the clock is a nanosecond here.
import EventKernel
import Glibc
import Quantities

/// What was measured of a launch year of 1,000,000 members in windows of an hour.
enum Measured {
  /// Events of a member in a window.
  static let events = 48_873_277.0 / 1_000_000 / 8_760
  /// Nanoseconds an event: of cells on one core, of the house alone, and of what the house leaves to
  /// be done beside the next window.
  static let (cells, house, beside) = (160.0, 40.0, 15.0)
  /// Bytes that the house must see, an event and a sum of cells: 0.715 accepted scans of 16 bytes (where
  /// transactions are cut within minutes it looks at all of them), 0.11 referred ones of 4, 0.033
  /// sign-ups and tiers of 24; the sums of 64 minutes of 32 bytes, and a tally.
  static let (bytesOfEvent, bytesOfSums) = (12.7, 2_800.0)
  /// Bytes that are told to a node before each window.
  static let broadcast = 600.0
}

struct Network {
  var name: String
  /// One way, nanoseconds.
  var latency: Int64
  /// Bytes a nanosecond.
  var bandwidth: Double

  func time(of bytes: Double) -> Int64 { Int64((bytes / bandwidth).rounded(.up)) }
}

struct Cluster: EventHandler {
  enum Event {
    /// A node has run its cells.
    case computed(Int)
    /// What it sends has come to the coordinator's link.
    case reached(Int)
    /// The link has taken a message in.
    case received
    /// The house has concluded the window.
    case concluded
    /// A node knows of the next window.
    case told(Int)
  }

  let network: Network
  let nodes: Int
  let cores: Int
  let members: Double
  var stream: RandomStream
  /// The coordinator's link, on which messages come in one after the other.
  var link = QueueResource<Int>(servers: 1, start: Instant(microseconds: 0))
  var missing = 0
  var windows = 0
  /// Time that the coordinator's house and link were busy, in nanoseconds.
  var house: Int64 = 0
  var inbound: Int64 = 0
  /// Events of the window, by node.
  var counts: [Int] = []

  /// The bytes of one node's message.
  private func bytes(_ node: Int) -> Double {
    // A node adds its cells' sums up before it sends them.
    Double(counts[node]) * Measured.bytesOfEvent + Measured.bytesOfSums
  }

  mutating func open(_ executive: inout Executive<Event>) {
    let mean = members * Measured.events / Double(nodes)
    counts = (0..<nodes).map { _ in stream.poisson(mean: mean) }
    missing = nodes
    for node in 0..<nodes {
      // The coordinator's own cells need no network.
      let told = node == 0 ? 0 : network.latency + network.time(of: Measured.broadcast)
      executive.schedule(.told(node), after: TimeSpan(microseconds: told))
    }
  }

  mutating func handle(_ event: Event, _ executive: inout Executive<Event>) {
    switch event {
    case .told(let node):
      var span = Double(counts[node]) * Measured.cells / Double(cores)
      // The coordinator's first core does what the house has left.
      if node == 0 { span = max(span, Double(counts.reduce(0, +)) * Measured.beside) }
      executive.schedule(.computed(node), after: TimeSpan(microseconds: Int64(span)))
    case .computed(let node):
      guard node > 0 else { return arrive(&executive) }
      executive.schedule(.reached(node), after: TimeSpan(microseconds: network.latency))
    case .reached(let node):
      if link.arrive(node, at: executive.now) == .startsNow { take(node, &executive) }
    case .received:
      if let next = link.finish(at: executive.now) { take(next.customer, &executive) }
      arrive(&executive)
    case .concluded:
      windows += 1
      open(&executive)
    }
  }

  private mutating func take(_ node: Int, _ executive: inout Executive<Event>) {
    let span = network.time(of: bytes(node))
    inbound += span
    executive.schedule(.received, after: TimeSpan(microseconds: span))
  }

  private mutating func arrive(_ executive: inout Executive<Event>) {
    missing -= 1
    guard missing == 0 else { return }
    let span = Int64(Double(counts.reduce(0, +)) * Measured.house)
    house += span
    executive.schedule(.concluded, after: TimeSpan(microseconds: span))
  }
}

func column(_ value: Double, _ digits: Int, _ width: Int) -> String {
  let scale = Int(pow(10, Double(digits)))
  let whole = Int((value * Double(scale)).rounded())
  let rest = "\(whole % scale)"
  let zeros = String(repeating: "0", count: digits - (digits == 0 ? 0 : rest.count))
  let text = digits == 0 ? "\(whole)" : "\(whole / scale).\(zeros)\(rest)"
  return String(repeating: " ", count: max(0, width - text.count)) + text
}

guard let seed = UInt64(CommandLine.arguments.dropFirst().first ?? "1") else {
  let words = "usage: example-cluster [SEED], a whole number from 0 to \(UInt64.max)\n"
  _ = words.withCString { write(2, $0, strlen($0)) }
  exit(64)
}
let networks = [
  Network(name: "10 Gbit/s, 25 µs", latency: 25_000, bandwidth: 1.25),
  Network(name: "100 Gbit/s, 2 µs", latency: 2_000, bandwidth: 12.5),
]
let windows = 500
print("One world on several nodes of 8 cores, 500 windows of an hour, seed \(seed)")
for members in [1e6, 1e7, 1e8] {
  for network in networks {
    print("\n\(Int(members) / 1_000_000) million members, \(network.name)")
    print("nodes   windows/s   × one core   house busy   link busy")
    for nodes in [1, 2, 4, 8, 16, 32, 64] {
      var executive = Executive<Cluster.Event>(start: Instant(microseconds: 0))
      var cluster = Cluster(
        network: network, nodes: nodes, cores: 8, members: members,
        stream: RandomStream(seed: seed, purpose: 4, entity: UInt64(nodes)))
      cluster.open(&executive)
      var now: Int64 = 0
      while cluster.windows < windows {
        now += 1_000_000
        _ = executive.run(until: Instant(microseconds: now), &cluster)
      }
      let elapsed = Double(executive.now.microseconds)
      let done = Double(cluster.windows)
      let alone = members * Measured.events * (Measured.cells + Measured.house + Measured.beside)
      print(
        column(Double(nodes), 0, 5), column(done / elapsed * 1e9, 1, 11),
        column(done * alone / elapsed, 2, 12), column(Double(cluster.house) / elapsed * 100, 1, 11),
        "%", column(Double(cluster.inbound) / elapsed * 100, 1, 8), "%")
    }
  }
}
