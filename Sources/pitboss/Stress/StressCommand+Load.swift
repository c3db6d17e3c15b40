internal import ArgumentParser
internal import EventKernel
internal import Foundation
internal import LoadTest
internal import Programmes
internal import Quantities
internal import Reports
internal import RewardModel
internal import Scenario
internal import Service

/// `pitboss stress SCENARIO --target URL`.
extension StressCommand {
  /// Sends the load of a scenario's members to a service.
  func sendLoad(to address: String, _ scenario: Scenario) throws {
    let trust: ServerTrust
    do throws(ServerTrust.Failure) {
      trust = try load.trust()
    } catch {
      complain("pitboss: --ca-file: \(error)")
      throw error.isUnreadable ? ExitStatus.ioFailed : ExitStatus.badInput
    }
    let url: TargetURL
    do throws(TargetURL.Refusal) {
      url = try TargetURL(address, allowed: load.allowHost, trust: trust)
    } catch { throw ValidationError("--target: \(error)") }
    let plan: any RunPlan
    do {
      plan = try scenario.plan()
    } catch {
      complain("pitboss: \(error)")
      throw ExitStatus.badInput
    }
    try sendLoad(to: url, plan, folderName: scenario.folderName)
  }

  private func sendLoad<Plan: RunPlan>(
    to url: TargetURL, _ plan: Plan, folderName: String
  ) throws {
    guard let programme = Plan.Programme.self as? any LoadedProgramme.Type else {
      let able = Programmes.all.filter { $0 is any LoadedProgramme.Type }.map { $0.id }
      complain(
        "\(scenario): the members of '\(Plan.Programme.id)' cannot act on a service yet; take a "
          + "scenario of \(able.joined(separator: ", "))")
      throw ExitStatus.badInput
    }
    try sendLoad(to: url, programme, plan, folderName)
  }

  private func sendLoad<P: LoadedProgramme>(
    to url: TargetURL, _ programme: P.Type, _ plan: some RunPlan, _ folderName: String
  ) throws {
    guard let settings = plan.settings as? P.Settings else {
      fatalError("the settings are of another program than \(P.id)")
    }
    let kind = load.findKnee == nil ? "load" : "knee"
    let folder = out ?? "Results/\(kind)-\(folderName)"
    let work = LoadWork<P>(
      command: self, target: url, frame: plan.frame, settings: settings, folder: folder)
    try work.run()
  }
}

/// One load from its preparation to its files.
struct LoadWork<Programme: LoadedProgramme> {
  typealias Crowd = Programme.Crowd

  let command: StressCommand
  let target: TargetURL
  let frame: RunFrame
  let settings: Programme.Settings
  let folder: String

  var options: LoadOptions { command.load }

  func run() throws {
    if options.printApi { return try printResult(Programme.serviceMap + "\n") }
    let steps = Crowd.steps.map(\.name)
    let thresholds = try options.thresholds(steps)
    Interrupts.listen()
    // What a service of pitboss has is known; only a file may leave something out.
    let given = options.api == nil ? nil : try map()
    let journeys = try journeys(given)
    let conditions = try options.knee(steps)
    let line = try ProgressLine(command.progress, isQuiet: command.quiet)
    _ = try chosen(command.format, "FORMAT", .text)
    _ = try chosen(command.files.plotly, "PLOTLY", .inline)
    try checkTiming(isSearch: conditions != nil)
    let means = options.dryRun ? nil : try means(given, isSearch: conditions != nil)
    // Many members take their time, so that what can be refused before was.
    line.show(0) { _ in "working out what will be offered" }
    let offer: Offer
    do { offer = try self.offer(journeys) } catch {
      ProgressLine.remove()
      throw error
    }
    let forecast = LoadForecast(offer.offer, limit: Arrivals.limit)
    guard forecast.sessions.contains(where: { $0 > 0 }) else {
      complain(
        "\(command.scenario): nobody would do anything; give it members, another --from, or other "
          + "--journeys")
      throw ExitStatus.badInput
    }
    guard !forecast.ranOut else {
      complain("\(command.scenario): \(forecast.shortage)")
      throw ExitStatus.badInput
    }
    guard let means else {
      ProgressLine.remove()
      let text = LoadForecastText.text(forecast, Crowd.self, offer.words, target)
      let search =
        conditions == nil
        ? "" : "This is the first window of --find-knee, which doubles the rate from here on.\n"
      return try printResult(text + search)
    }
    if let conditions { return try findKnee(means.map, offer, conditions, line) }
    line.show(0) { _ in "asking \(target.authority) for members and codes" }
    let campaign = try campaign(means.map, offer.offer, thresholds)
    var watchers: LoadWatchers?
    if options.watchers > 0, let call = campaign.watch {
      watchers = LoadWatchers(
        target, call, count: options.watchers, bearer: "", timeout: options.timeout)
    }
    let sent: LoadMeasures?
    do {
      sent = try send(campaign, nil, line) { watchers?.countFromNow() }
    } catch let failure as LoadSetup.Failure {
      _ = watchers?.stop()
      complain("pitboss: \(failure)")
      throw failure.isInput ? ExitStatus.badInput : ExitStatus.ioFailed
    }
    let seen = watchers?.stop()
    guard let measures = sent else { throw command.stopped() }
    ProgressLine.remove()
    var result = LoadResult(
      scenario: frame.scenario, programme: Programme.id, seed: frame.seed,
      target: target.authority, offer: offer.words, shape: try shape(journeys),
      command: StressCommand.repetition,
      started: Instant(microseconds: Int64(measures.started * 1e6)), from: offer.start,
      through: forecast.end ?? offer.start, journeys: Crowd.journeys, steps: steps,
      measures: measures)
    result.watchers = seen
    result.audit = audit([measures])
    try means.files?.finish(result)
  }

  // MARK: - The load

  /// Equal keys would be answered with the replies of an earlier load.
  private static var key: String {
    String(UInt64(Date().timeIntervalSince1970 * 1e6), radix: 36)
  }

  private func campaign(
    _ map: ServiceMap, _ offer: LoadOffer<Crowd>, _ thresholds: [LoadThreshold]
  ) throws -> LoadCampaign<Crowd> {
    // Raised first, as each connection is a file.
    let files = OpenFiles.most() - 64
    guard options.connections + options.watchers <= files else {
      throw ValidationError(
        "--connections and --watchers come to \(options.connections + options.watchers), but this "
          + "process may open \(files) files; write less, or raise 'ulimit -n'")
    }
    var settings = ServiceLoad<Crowd>.Settings()
    settings.connections = options.connections
    settings.timeout = options.timeout
    settings.backOff = options.backOff
    settings.drain = options.drain
    settings.think = options.think
    settings.keepsAcknowledgements = options.data != nil
    settings.thresholds = thresholds
    settings.aborts = options.abort
    settings.asksForWork = options.api == nil && options.findKnee != nil
    settings.isStopped = { Interrupts.requested }
    do {
      return try LoadCampaign(target, map, offer, key: Self.key, settings: settings)
    } catch let failure as LoadSetup.Failure {
      complain("pitboss: \(failure)")
      throw failure.isInput ? ExitStatus.badInput : ExitStatus.ioFailed
    }
  }

  /// Sends one load; nil where somebody stopped it before it began.
  ///
  /// - Parameter starting: Called when all is prepared.
  private func send(
    _ campaign: LoadCampaign<Crowd>, _ timing: LoadOffer<Crowd>.Timing?, _ line: ProgressLine,
    starting: () -> Void = {}
  ) throws -> LoadMeasures? {
    do {
      return try run(campaign, timing, line, starting: starting)
    } catch is LoadSetup.Failure where Interrupts.requested {
      return nil
    }
  }

  private func run(
    _ campaign: LoadCampaign<Crowd>, _ timing: LoadOffer<Crowd>.Timing?, _ line: ProgressLine,
    starting: () -> Void
  ) throws -> LoadMeasures? {
    var view = LoadView(title: "\(frame.scenario) at \(target.authority)")
    return try campaign.run(timing) { what, done, count in
      line.show(Double(done) / Double(max(count, 1))) { _ in "\(what) \(done.grouped)" }
      return !Interrupts.requested
    } starting: {
      starting()
      Interrupts.keepResults()
      guard options.profile == .quarterTurn, let note = try quarterNote(campaign) else { return }
      ProgressLine.remove()
      complain("pitboss: \(note)")
    } proceed: { progress in
      view.note(progress)
      if line.isView {
        line.show { view.lines(progress, width: $0, colour: $1) }
      } else {
        line.show(min(progress.elapsed / max(progress.seconds, 0.001), 1)) { _ in
          LoadForecastText.line(progress)
        }
      }
      return !Interrupts.requested
    }
  }

  // MARK: - The knee

  private func findKnee(
    _ map: ServiceMap,
    _ offer: Offer,
    _ conditions: [LoadThreshold],
    _ line: ProgressLine
  ) throws {
    let campaign = try campaign(map, offer.offer, conditions)
    var search = KneeSearch()
    try search.run(from: command.rates()[0], seconds: command.seconds) { phase, rate, seconds in
      let profile = LoadProfile(.constant, rate: rate, seconds: seconds)
      guard
        let measures = try send(
          campaign, .rate(profile, command.arrivals, seed: windowSeed(at: rate)), line),
        !measures.wasInterrupted
      else { return nil }
      return KneeSearch.Point(
        phase: phase, rate: rate, seconds: seconds, measures: measures, work: campaign.work,
        isMet: measures.thresholds.allSatisfy(\.isMet))
    }
    line.show(1) { _ in "predicting" }
    var result = KneeResult(
      search, conditions, processors: Processors.usable,
      seed: frame.seed)
    line.show(1) { _ in "auditing" }
    result.audit = audit(search.points.map(\.measures))
    ProgressLine.remove()
    let json = KneeDocument.json(
      result, scenario: frame.scenario, target: target.authority, offer: offer.words,
      seed: frame.seed)
    let page = try ExperimentFolder.page(
      command.files.plotly, isQuiet: command.quiet
    ) { mode, source in
      KneePage.html(
        result, scenario: frame.scenario, target: target.authority, offer: offer.words,
        plotly: mode, source: source)
    }
    // What was measured is worth reading where it cannot be kept.
    let written = Result {
      try ExperimentFolder.write([(KneeDocument.name, json), ("report.html", page)], to: folder)
    }
    let format = try chosen(command.format, "FORMAT", .text)
    if !command.quiet, format == .json {
      try printResult(json, interrupted: search.end == .interrupted)
    } else if !command.quiet {
      let terminal = Terminal.current
      try printResult(
        KneeText.text(
          result, scenario: frame.scenario, target: target.authority, offer: offer.words,
          folder: (try? written.get()).map { folder }, width: terminal.width,
          colour: terminal.colour),
        interrupted: search.end == .interrupted)
    }
    try written.get()
    if let audit = result.audit {
      guard audit.problems.isEmpty else { throw ExitStatus.invariantViolated }
      guard audit.failure == nil else { throw ExitStatus.notAudited }
    }
    switch search.end {
    case .found, .aboveLast: return
    case .notPrepared, .silent: throw ExitStatus.ioFailed
    case .generatorLimit: throw ExitStatus.rateNotOffered
    case .belowFirst: throw ExitStatus.thresholdMissed
    case .interrupted: throw ExitStatus.interrupted
    }
  }

  // MARK: - What comes of it

  /// The folder of the service and its program; nil where none is audited.
  private var audited: (folder: URL, programme: any ServedProgramme.Type)? {
    guard let data = options.data,
      let served = Programme.self as? any ServedProgramme.Type
    else { return nil }
    return (URL(fileURLWithPath: data), served)
  }

  /// Says before the load what would keep its audit from being made after it.
  func checkAudited() throws {
    guard let audited else { return }
    try reportingServiceFailures(audited.folder.path) {
      try check(audited.programme, audited.folder)
    }
  }

  private func check<Served: ServedProgramme>(_ served: Served.Type, _ folder: URL) throws {
    try ServiceCopy.check(folder, served, frame: frame)
  }

  private func audit(_ loads: [LoadMeasures]) -> LoadAudit? {
    guard let audited else { return nil }
    if Interrupts.requested {
      ProgressLine.remove()
      complain("pitboss: stopping; the audit comes first, and Ctrl-C once more leaves it out")
    }
    return audit(audited.programme, audited.folder, loads)
  }

  /// - Returns: Why it could not be made, where it could not: the load is worth keeping all the same.
  private func audit<Served: ServedProgramme>(
    _ served: Served.Type, _ folder: URL, _ loads: [LoadMeasures]
  ) -> LoadAudit {
    guard let settings = settings as? Served.Settings else {
      fatalError("a plan has the settings of its program")
    }
    do {
      return try ScratchFolder.auditing(folder.path, "audit") { place in
        try LoadAuditor(folder: folder, frame: frame).audit(
          Served.self, settings: settings, loads, in: place)
      }
    } catch {
      let acknowledged = loads.reduce(0) { $0 + $1.acknowledged.count }
      return LoadAudit(
        acknowledged: acknowledged, requests: nil, problems: [],
        failure: LoadAuditor.words(of: error, folder))
    }
  }

  /// How it is sent, for whoever compares it with another load.
  private func shape(_ journeys: Set<Int>) throws -> LoadShape {
    let isPaced = options.speed == nil
    return LoadShape(
      profile: isPaced ? options.profile : nil, rate: try command.rates().first,
      speed: options.speed, seconds: command.seconds, arrivals: isPaced ? command.arrivals : nil,
      journeys: journeys.sorted().map { Crowd.journeys[$0] },
      connections: options.connections, timeout: options.timeout, think: options.think,
      backOff: options.backOff, drain: options.drain, watchers: options.watchers)
  }
}
