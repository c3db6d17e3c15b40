package import Logging
package import Quantities
package import RewardModel

/// A service as it is started and stopped: the folder's lock, secrets, store, writer and HTTP.
package struct ServiceHost<Machine: ProgrammeMachine>: Sendable {
  package let store: any ServiceStore
  package let engine: ServiceEngine<Machine>
  package let secrets: ServiceSecrets
  private let zone: String
  private let minimumAge: Int

  /// Opens a service and restores what it has.
  ///
  /// - Parameters:
  ///   - programme: What is served.
  ///   - place: Made where it is missing.
  ///   - frame: As for `ServedProgramme.machine`.
  ///   - clock: Makes the clock, which shows no less than the last request's instant, or than that of the
  ///     first start where nobody asked for anything yet.
  ///   - capacity: Most requests that wait.
  ///   - snapshotEvery: Requests between two states that are kept.
  ///   - answerSeconds: For how long a request waits for the writer, about.
  /// - Throws: `ServiceError`, and errors of the clock, the file system, GRDB and decoders.
  package init<Served: ServedProgramme>(
    _ programme: Served.Type, at place: ServicePlace, frame: RunFrame, settings: Served.Settings,
    clock: (Instant?) throws -> any ServiceClock, capacity: Int = 16_384,
    snapshotEvery: Int64 = 200_000, answerSeconds: Double = 45
  ) throws where Served.Machine == Machine {
    let opened = try place.open(
      programme: Served.id, settings: Self.settings(frame), tables: Machine.tables)
    (secrets, store) = (opened.secrets, opened.store)
    let clock = try clock(try store.lastTime() ?? store.started())
    zone = frame.calendar.zoneName
    let (secret, now) = (secrets.programme, clock.now)
    // What the first start was, later ones and an audit need to know.
    let start = try store.start(at: now)
    let begun = try frame.starting(at: start)
    let writer = try ServiceWriter<Machine>(store, at: now, snapshotEvery: snapshotEvery) { saved in
      try Served.machine(begun, settings, secret: secret, start: start, saved: saved)
    }
    minimumAge = writer.minimumAge
    engine = ServiceEngine(
      writer, store: store, clock: clock, capacity: capacity, answerSeconds: answerSeconds,
      lock: opened.lock)
  }

  /// What the rules of a service depend on.
  package static func settings(_ frame: RunFrame) -> String {
    frame.settings.filter { ServedSettings.concern($0.path) }.map { "\($0.path)=\($0.value)" }
      .joined(separator: "\n")
  }

  /// Serves until it is told to stop; what was handed in is then answered, within
  /// `Limits.writerStopSeconds`.
  ///
  /// - Parameter onRunning: Called with the port, once connections are taken.
  /// - Throws: When the port cannot be opened; `ServiceError.failed` where the writer stopped before;
  ///   `ServiceError.unsaved` where it had to be left, as the database or the disk did not answer.
  package func serve(
    host: String, port: Int, limits: ServiceApplication<Machine>.Limits, logger: Logger,
    onRunning: @escaping @Sendable (Int) -> Void
  ) async throws {
    let application = await ServiceApplication(
      engine, store, zone: zone, minimumAge: minimumAge, secrets: secrets, limits: limits,
      logger: logger)
    let seconds = limits.writerStopSeconds
    var problem: (any Error)?
    do {
      try await application.run(host: host, port: port, onRunning: onRunning)
    } catch {
      problem = error
    }
    let end = engine.stop(within: seconds)
    if end == .whole { store.finish() }
    let lost = engine.failure.map { ServiceError.failed($0) } ?? Self.unsaved(end, seconds)
    // What may not be saved comes first; nothing else tells it.
    if let lost {
      if let problem { logger.error("\(problem)") }
      throw lost
    }
    if let problem { throw problem }
    if end == .saved {
      logger.warning(
        "all that was answered is saved; the writer was left while it waited or kept its state")
    }
  }

  private static func unsaved(_ end: WriterEnd, _ seconds: Double) -> ServiceError? {
    guard case .unsaved(let begun, let waiting) = end else { return nil }
    return .unsaved(seconds: Int(seconds.rounded(.up)), begun: begun, waiting: waiting)
  }
}

/// The settings that a service goes by; the others say what simulated members do, and when.
package enum ServedSettings {
  /// Whether a setting is one of them.
  package static func concern(_ path: String) -> Bool {
    path.hasPrefix("rules.") || path.hasPrefix("economy.") || path == "calendar.zone"
  }
}
