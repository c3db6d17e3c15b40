internal import ArgumentParser
internal import Foundation
internal import Logging
internal import Programmes
internal import Quantities
internal import RewardModel
internal import Scenario
internal import Service

/// `pitboss serve SCENARIO --data DIR`, or with `--store postgres://…`.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Puts a program behind HTTP.",
    discussion: """
      The same rules that a run simulates answer real requests. The folder holds the journal of \
      all requests, which is the truth, and what is made of it; a request is answered when it is \
      on the disk. Stop with Ctrl-C; the next start goes on where this one ended.

      With --store a PostgreSQL database holds it, and several processes may serve from it.

      GET /openapi.json describes what can be asked. The administrator's token is in \
      secrets.json of the folder, or in the file that --secrets names.
      """)

  @Argument(help: "A scenario file, or the name of one in Scenarios/.")
  var scenario: String

  @OptionGroup var options: PlaceOptions

  @Option(help: "The port; 0 for any that is free.")
  var port = 8_080

  @Option(help: "The address that is listened at; other machines reach 0.0.0.0.")
  var host = "127.0.0.1"

  @Option(
    help: ArgumentHelp(
      "Seconds of the program's clock a second, for trials: 86400 turns a day a second.",
      valueName: "factor"))
  var speed = 1.0

  @Option(
    help: ArgumentHelp(
      "When the program's clock starts, for trials: local time of the program, as in 2026-03-31T23:59:30.",
      valueName: "time"))
  var clock: String?

  @Option(
    name: .customLong("rate"),
    help: ArgumentHelp(
      "Requests a second that one member may send in the long run.", valueName: "number"))
  var rate = 50.0

  @OptionGroup var source: ScenarioOptions

  func validate() throws {
    guard !options.isEmpty else {
      throw ValidationError("say where the service is: --data FOLDER, or --store and --secrets")
    }
    try options.refuseSeed(source.seed)
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port is \(port); give 0 to 65535")
    }
    guard speed.isFinite, speed > 0, speed <= 10_000_000 else {
      throw ValidationError("--speed is \(speed); give a number above 0, at most 10000000")
    }
    guard rate.isFinite, rate > 0 else {
      throw ValidationError("--rate is \(rate); give a number above 0")
    }
  }

  func run() throws {
    FreedMemory.goesBack()
    // Whatever this process makes is for its owner alone.
    umask(0o077)
    let scenario = try source.scenario(scenario)
    try open(try scenario.plan())
  }

  private func open<Plan: RunPlan>(_ plan: Plan) throws {
    guard let served = Plan.served else {
      complain("\(scenario): \(Self.unserved(Plan.Programme.id))")
      throw ExitStatus.badInput
    }
    try serve(served, plan)
  }

  /// What is said of a program that has no service.
  static func unserved(_ programme: String) -> String {
    let able = Programmes.all.filter { $0 is any ServedProgramme.Type }.map { $0.id }
    return "'\(programme)' has no service yet; take a scenario of \(able.joined(separator: ", "))"
  }

  private func serve<Served: ServedProgramme>(
    _ served: Served.Type, _ plan: some RunPlan
  ) throws {
    guard let settings = plan.settings as? Served.Settings else {
      fatalError("a plan has the settings of its program")
    }
    let asked = try start(plan.frame.calendar)
    guard let place = options.place else { fatalError("options are validated") }
    // As URLs write an IPv6 address, too.
    let isBracketed = self.host.hasPrefix("[") && self.host.hasSuffix("]")
    let address = isBracketed ? String(self.host.dropFirst().dropLast()) : self.host
    try ListeningPlace.check(address, port)
    let host = try reportingServiceFailures(place.name) {
      try ServiceHost(
        Served.self, at: place, frame: plan.frame, settings: settings
      ) { last in
        if let asked {
          guard asked >= last ?? .distantPast else {
            throw ServiceError.clockBehind(asked: clock ?? "", last: last ?? asked)
          }
          return RunningClock(from: asked, speed: speed)
        }
        // A clock that ran ahead goes on where it was; one that was behind catches up.
        return RunningClock(from: max(RunningClock.wallTime, last ?? .distantPast), speed: speed)
      }
    }
    var limits = ServiceApplication<Served.Machine>.Limits()
    // A store, streams and threads have files, too: those of a process that may have few are fewer.
    let files = OpenFiles.most()
    limits.connections = min(limits.connections, files - min(256, files * 7 / 8))
    limits.perSecond = rate
    limits.burst = max(rate * 4, 1)
    try wait { [limits, address, port] in
      try await host.serve(host: address, port: port, limits: limits, logger: Log.pitboss) {
        let name = address.contains(":") ? "[\(address)]" : address
        StandardStreams.complain("Serving at http://\(name):\($0) (Ctrl-C stops it)\n")
      }
    }
  }

  /// When the clock starts; nil for the wall clock's time.
  private func start(_ calendar: ProgrammeCalendar) throws -> Instant? {
    guard let clock else { return nil }
    let zone = calendar.zoneName
    var parser = try InstantParser(zone: zone)
    guard let time = parser.parse(clock), (1970..<2200).contains(parser.localDate(of: time).year)
    else {
      throw ValidationError(
        "--clock is '\(clock)'; write a local time of \(zone) from 1970 to 2199, as in "
          + "2026-03-31T23:59:30")
    }
    return time
  }

  /// Serves until it is told to stop; a failure becomes a message and an exit code.
  private func wait(_ body: @escaping @Sendable () async throws -> Void) throws {
    guard let error = Waiting.run(body) else { return }
    let failed = error is ServiceError
    complain("pitboss: \(failed ? "" : "cannot serve at \(host):\(port): ")\(error)")
    throw ExitStatus.ioFailed
  }
}
