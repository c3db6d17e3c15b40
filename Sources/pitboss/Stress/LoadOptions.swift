internal import ArgumentParser
internal import Foundation
internal import LoadTest
internal import Quantities
internal import RewardModel
internal import Scenario

extension LoadProfile.Shape: ExpressibleByArgument {}

/// What `pitboss stress --target URL` needs to know besides what all stress does.
struct LoadOptions: ParsableArguments {
  @Option(help: "How the rate of sessions changes over the time of the load.")
  var profile = LoadProfile.Shape.constant

  @Option(
    help: ArgumentHelp(
      "Simulated seconds a second, instead of --rate: sessions start when the scenario's members act.",
      valueName: "factor"))
  var speed: Double?

  @Option(
    help: ArgumentHelp(
      "The local date at which members begin to act; the middle of the scenario by default.",
      valueName: "date"))
  var from: String?

  @Option(help: "What members do, as in scan,wallet; all of it by default.")
  var journeys: String?

  /// The defaults of those that engines have no use for.
  private enum Default {
    static let connections = 512
    static let timeout = 30.0
    static let think = 0.0
    static let backOff = 2.0
    static let drain = 70.0
  }

  @Option(help: "The most connections at once.")
  var connections = Default.connections

  @Option(help: "Seconds after which a request without an answer has failed.")
  var timeout = Default.timeout

  @Option(help: "Mean seconds between an answer and the next step of a session.")
  var think = Default.think

  @Option(
    help: ArgumentHelp(
      "Seconds before a second attempt; each further wait is twice as long, up to the sixth attempt.",
      valueName: "seconds"))
  var backOff = Default.backOff

  @Option(help: "Seconds after the last start in which sessions may end.")
  var drain = Default.drain

  @Option(help: "People who keep a page open that the service feeds with events.")
  var watchers = 0

  @Flag(help: "Prints how a service of pitboss is called, as an --api file to begin with.")
  var printApi = false

  @Option(help: "How your own service is called; see Documentation/stress.md.")
  var api: String?

  @Option(
    name: .customLong("var"),
    help: ArgumentHelp(
      """
      A value for {name} in the --api file; may be repeated. name=@file reads it from a file, so that \
      no list of processes shows it.
      """, valueName: "name=value"))
  var values: [String] = []

  @Option(
    help: ArgumentHelp(
      "The folder of a service of pitboss on this machine: its administrator's token is used, and it is audited at the end.",
      valueName: "dir"))
  var data: String?

  @Option(
    help: ArgumentHelp(
      "Another machine that load may be sent to; may be repeated. Its owner has to agree.",
      valueName: "host"))
  var allowHost: [String] = []

  @Option(
    help: ArgumentHelp(
      "The authority whose certificates an https service may show, in PEM; those that this machine trusts by default.",
      valueName: "file"))
  var caFile: String?

  @Flag(help: "Believes any certificate of an https service on this machine.")
  var skipCertificateCheck = false

  @Option(
    help: ArgumentHelp(
      "What has to hold, as in 'scan p(99) < 300ms for 10s'; several are separated by commas, or the option is repeated. Exit code 99 when missed.",
      valueName: "condition"))
  var threshold: [String] = []

  @Flag(help: "Ends the load at the first stretch in which a threshold is missed.")
  var abort = false

  @Option(
    help: ArgumentHelp(
      "Finds the highest rate at which these hold, as in 'p99 < 300ms, errors < 0.1%', from --rate on in windows of --seconds.",
      valueName: "conditions"))
  var findKnee: String?

  @Flag(help: "Prints what would be offered and sends nothing.")
  var dryRun = false

  func validate() throws {
    func check(_ value: Double, _ range: ClosedRange<Double>, _ name: String) throws {
      guard range.contains(value) else {
        throw ValidationError(
          "\(name) is \(value); write a number from \(Self.plain(range.lowerBound)) to "
            + Self.plain(range.upperBound))
      }
    }
    guard (1...20_000).contains(connections) else {
      throw ValidationError("--connections is \(connections); write a number from 1 to 20000")
    }
    guard (0...10_000).contains(watchers) else {
      throw ValidationError("--watchers is \(watchers); write a number from 0 to 10000")
    }
    try check(timeout, 0.01...3_600, "--timeout")
    try check(think, 0...3_600, "--think")
    try check(backOff, 0.01...60, "--back-off")
    try check(drain, 0...3_600, "--drain")
    if let speed { try check(speed, 0.001...100_000_000, "--speed") }
    guard caFile == nil || !skipCertificateCheck else {
      throw ValidationError("--ca-file and --skip-certificate-check exclude each other")
    }
    for value in values where !value.contains("=") {
      throw ValidationError("--var \(value): write name=value, or name=@file")
    }
  }

  /// The two sides of `name=value`; no value where there is no `=`.
  static func parts(of pair: String) -> (name: String, value: String?) {
    let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return (String(parts[0]), parts.count == 2 ? String(parts[1]) : nil)
  }

  /// The values of `--var` by their names. `@file` stands for what is in a file, without the end of
  /// its last line; `@@` begins a value with an @.
  ///
  /// - Throws: `ExitCode` after a message, for a file that cannot be read.
  func fixed() throws -> [String: String] {
    var fixed: [String: String] = [:]
    for pair in values {
      let (name, given) = Self.parts(of: pair)
      let value = given ?? ""
      guard value.hasPrefix("@") else {
        fixed[name] = value
        continue
      }
      let path = String(value.dropFirst())
      if path.hasPrefix("@") {
        fixed[name] = path
      } else if let text = try? String(contentsOfFile: path, encoding: .utf8) {
        fixed[name] = String(text.reversed().drop { $0.isNewline }.reversed())
      } else {
        complain("pitboss: --var \(name): cannot read \(path)")
        throw ExitStatus.ioFailed
      }
    }
    return fixed
  }

  /// Options that only a service under load has, of those that were given.
  var given: [String] {
    var given: [String] = []
    func add(_ isGiven: Bool, _ name: String) { if isGiven { given.append(name) } }
    add(profile != .constant, "--profile")
    add(speed != nil, "--speed")
    add(from != nil, "--from")
    add(journeys != nil, "--journeys")
    add(connections != Default.connections, "--connections")
    add(timeout != Default.timeout, "--timeout")
    add(think != Default.think, "--think")
    add(backOff != Default.backOff, "--back-off")
    add(drain != Default.drain, "--drain")
    add(caFile != nil, "--ca-file")
    add(skipCertificateCheck, "--skip-certificate-check")
    add(api != nil, "--api")
    add(watchers != 0, "--watchers")
    add(printApi, "--print-api")
    add(!values.isEmpty, "--var")
    add(data != nil, "--data")
    add(!allowHost.isEmpty, "--allow-host")
    add(!threshold.isEmpty, "--threshold")
    add(abort, "--abort")
    add(findKnee != nil, "--find-knee")
    add(dryRun, "--dry-run")
    return given
  }

  private static func plain(_ value: Double) -> String {
    value == value.rounded() ? String(Int64(value)) : String(value)
  }

  /// Whose word the certificate of an https service needs.
  ///
  /// - Throws: `ServerTrust.Failure` where the authority's file is of no use.
  func trust() throws(ServerTrust.Failure) -> ServerTrust {
    if skipCertificateCheck { return .anybody }
    guard let caFile else { return .system }
    return try ServerTrust(authorities: caFile)
  }

  /// Places of the journeys that take place.
  func places(_ known: [String]) throws -> Set<Int> {
    guard let journeys else { return Set(known.indices) }
    return try Set(
      journeys.split(separator: ",", omittingEmptySubsequences: false).map { name in
        guard let place = known.firstIndex(of: String(name)) else {
          throw ValidationError(
            "--journeys: '\(name)' is none of \(known.joined(separator: ", "))")
        }
        return place
      })
  }

  /// The conditions of the load.
  func thresholds(_ steps: [String]) throws -> [LoadThreshold] {
    try threshold.flatMap { text in
      do throws(LoadThreshold.Refusal) {
        return try LoadThreshold.list(text, steps: steps)
      } catch { throw ValidationError("--threshold \(error)") }
    }
  }

  /// The conditions whose knee is looked for; nil where none is.
  func knee(_ steps: [String]) throws -> [LoadThreshold]? {
    guard let findKnee else { return nil }
    do {
      let conditions = try LoadThreshold.list(findKnee, steps: steps)
      guard conditions.allSatisfy({ $0.seconds == nil }) else {
        throw ValidationError("--find-knee: conditions hold over a whole window; leave 'for' out")
      }
      guard !conditions.contains(where: { $0.metric == .rate }) else {
        throw ValidationError(
          "--find-knee: a rate of answers grows with what is offered, so it has no knee; write a "
            + "percentile or errors, as in 'p99 < 100ms, errors < 1%'")
      }
      return conditions
    } catch let refusal as LoadThreshold.Refusal {
      throw ValidationError("--find-knee: \(refusal)")
    }
  }

  /// The instant from which on members act.
  func start(_ calendar: ProgrammeCalendar) throws -> Instant {
    guard let from else { return calendar.dayStarts[calendar.dayCount / 2] }
    guard let date = CivilDate(from), let row = calendar.dates.firstIndex(of: date) else {
      throw ValidationError(
        "--from: '\(from)' is not a date of the scenario; write one from \(calendar.dates[0]) to "
          + "\(calendar.dates[calendar.dayCount - 1])")
    }
    return calendar.dayStarts[row]
  }
}
