internal import ArgumentParser
internal import Foundation
internal import LoadTest
internal import Quantities
internal import RewardModel
internal import Scenario
internal import Service

/// What a load calls, and when its sessions start.
extension LoadWork {
  func map() throws -> ServiceMap {
    let given = Set(options.values.map { LoadOptions.parts(of: $0).name })
    if let name = given.sorted().first(where: ServiceMap.isOfLoad) {
      throw ValidationError(
        "--var \(name): the load itself fills in {\(name)}; choose another name")
    }
    var fixed = try options.fixed()
    if let data = options.data {
      guard FileManager.default.fileExists(atPath: "\(data)/secrets.json") else {
        complain("pitboss: \(ServiceError.missing(path: data))")
        throw ExitStatus.badInput
      }
      fixed["administrator"] = try reportingFailures {
        try ServiceSecrets(folder: URL(fileURLWithPath: data)).administrator
      }
    }
    if options.api == nil, fixed["administrator"] == nil {
      throw ValidationError(
        "the administrator of a service of pitboss makes the members and codes of a load; give "
          + "--data, the folder that serve was given, or --var administrator=@FILE, a file with its token"
      )
    }
    var file = "the calls of pitboss serve"
    var text = Programme.serviceMap
    if let api = options.api {
      file = api
      guard let own = try? String(contentsOfFile: api, encoding: .utf8) else {
        complain("\(api): cannot be read; it should say how your service is called")
        throw ExitStatus.ioFailed
      }
      text = own
    }
    let map = try reportingFailures {
      try ServiceMap(text, file: file, steps: Crowd.steps, fixed: fixed)
    }
    if let name = map.unused.first(where: given.contains) {
      throw ValidationError(
        "--var \(name): nothing in \(file) takes {\(name)} from it; leave it out")
    }
    return map
  }

  /// What a load takes besides its members.
  struct Means {
    var map: ServiceMap
    /// Nil where a knee is looked for.
    var files: LoadFiles?
  }

  /// Looks at all that a load takes besides its members: how the service is called, and where the results go.
  ///
  /// - Parameters:
  ///   - given: How it is called where a file says so.
  ///   - isSearch: Whether a knee is looked for.
  func means(_ given: ServiceMap?, isSearch: Bool) throws -> Means {
    let files = isSearch ? nil : try LoadFiles(command, folder: folder)
    if isSearch { try ExperimentFolder.check(folder) }
    try checkAudited()
    let map = try given ?? map()
    guard options.watchers == 0 || map.watch != nil else {
      throw ValidationError(
        "--watchers needs a 'watch' in the --api file, which says what they ask for")
    }
    return Means(map: map, files: files)
  }

  /// What members will do, from when on, and that in words.
  typealias Offer = (offer: LoadOffer<Crowd>, start: Instant, words: String)

  /// Refuses a start that is not in the scenario, and a rate and a speed that are not one of the two.
  ///
  /// - Parameter isSearch: Whether a knee is looked for, which takes a rate.
  func checkTiming(isSearch: Bool) throws {
    _ = try options.start(frame.calendar)
    let rates = try command.rates()
    guard !isSearch || options.speed == nil && !rates.isEmpty else {
      throw ValidationError("--find-knee takes --rate, the sessions a second that it begins with")
    }
    guard options.speed == nil || rates.isEmpty else {
      throw ValidationError("--rate and --speed exclude each other; give one of them")
    }
    guard options.speed != nil || rates.count == 1 else {
      throw ValidationError(
        "--target \(target.authority) takes one --rate, the sessions a second, or --speed")
    }
  }

  /// What members will do, after `checkTiming`.
  ///
  /// - Complexity: O(members).
  func offer(_ journeys: Set<Int>) throws -> Offer {
    let crowd = try Programme.crowd(frame, settings)
    try checkJourneys(journeys, of: crowd)
    var start = try options.start(frame.calendar)
    let seconds = command.seconds
    if let speed = options.speed {
      return (
        LoadOffer(crowd, from: start, journeys, .compressed(factor: speed, seconds: seconds)),
        start,
        "As members act from \(start.description.prefix(10)) on, \(GivenNumber.text(speed)) times "
          + "as fast, for \(seconds) s"
      )
    }
    let rate = try command.rates()[0]
    let profile = LoadProfile(options.profile, rate: rate, seconds: seconds)
    if options.profile == .quarterTurn {
      start = try quarterTurn(crowd, journeys, sessions: Int(profile.pieces[0].sessions))
    }
    let spacing = command.arrivals == .even ? "evenly spaced" : "Poisson"
    return (
      LoadOffer(
        crowd, from: start, journeys,
        .rate(
          profile, command.arrivals,
          seed: options.findKnee == nil ? frame.seed : windowSeed(at: rate))),
      start,
      "\(options.profile.rawValue), \(GivenNumber.text(rate)) sessions a second, \(spacing), for "
        + "\(seconds) s, by members as of \(start.description.prefix(10))"
    )
  }

  /// Of the arrivals in a window of `--find-knee`: each rate has its own.
  func windowSeed(at rate: Double) -> UInt64 { frame.seed &+ rate.bitPattern }

  /// From when on so many sessions lead up to a quarter's end.
  private func quarterTurn(
    _ crowd: Crowd, _ journeys: Set<Int>, sessions: Int
  ) throws -> Instant {
    let calendar = frame.calendar
    let asked = try options.from.map { _ in try options.start(calendar) } ?? calendar.start
    guard
      let row = (1..<calendar.dayCount).first(where: {
        calendar.startsQuarter($0) && calendar.dayStarts[$0] > asked
      })
    else {
      complain("\(command.scenario): no quarter ends in it; give it more days")
      throw ExitStatus.badInput
    }
    var crowd = crowd
    var ring = [Instant](repeating: calendar.start, count: max(sessions, 1))
    var place = 0
    while let session = crowd.next(), session.time < calendar.dayStarts[row] {
      guard journeys.contains(session.journey) else { continue }
      ring[place % ring.count] = session.time
      place += 1
    }
    return ring[place % ring.count]
  }
}
