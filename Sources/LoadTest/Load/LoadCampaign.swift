internal import Foundation
package import RewardModel

/// Loads of one service by one crowd, one after the other: what a load prepared the next one uses, and
/// members go on where they were.
package final class LoadCampaign<Crowd: LoadCrowd> {
  package let target: TargetURL
  private let map: ServiceMap
  private let settings: ServiceLoad<Crowd>.Settings
  private let first: LoadOffer<Crowd>
  private var offer: LoadOffer<Crowd>
  private var accounts = LoadAccounts()
  /// How many accounts the service handed out.
  private var accountsTaken = 0
  /// How the service names members.
  private var names: [UInt32: String] = [:]
  private var setup: LoadSetup
  /// Distinguishes the keys of this campaign, and the loads within it.
  private let key: String
  private var loads = 0

  /// - Parameters:
  ///   - offer: Its members; how sessions start is said for each load.
  ///   - key: Different for each campaign against one service.
  /// - Throws: `LoadSetup.Failure`.
  package init(
    _ target: TargetURL, _ map: ServiceMap, _ offer: LoadOffer<Crowd>, key: String,
    settings: ServiceLoad<Crowd>.Settings
  ) throws {
    self.target = target
    self.map = map
    first = offer
    self.offer = offer
    self.key = key
    self.settings = settings
    // What hands out thousands of accounts at once may take longer than a request.
    setup = try LoadSetup(
      target, timeout: min(60, max(10, 2 * settings.timeout)), isStopped: settings.isStopped)
  }

  /// Prepares and sends one load.
  ///
  /// - Parameters:
  ///   - preparing: Asked with what is prepared, how many there are, and of how many; false ends it.
  ///   - starting: Called when all is prepared, before the first request of the load.
  ///   - proceed: As for `ServiceLoad.run`.
  /// - Returns: Nil where `preparing` ended it.
  /// - Throws: `LoadSetup.Failure`.
  package func run(
    _ timing: LoadOffer<Crowd>.Timing? = nil,
    preparing: (String, Int, Int) -> Bool = { _, _, _ in true },
    starting: () throws -> Void = {}, proceed: (LoadProgress) -> Bool = { _ in true }
  ) throws -> LoadMeasures? {
    if let timing { offer = offer.continuing(timing) }
    var forecast = LoadForecast(offer)
    if forecast.ranOut, let timing {
      // Members who have come to the scenario's end live their days again.
      offer = first.continuing(timing)
      forecast = LoadForecast(offer)
    }
    if forecast.ranOut { throw LoadSetup.Failure(description: forecast.shortage) }
    let missing = forecast.members.filter { accounts[$0] == nil }
    if let supply = map.members, !missing.isEmpty {
      let count = missing.count
      var goesOn = true
      let made = try setup.supplies(supply, count: count, from: accountsTaken, "members") {
        goesOn = preparing("members", $0, count)
        return goesOn
      }
      guard goesOn else { return nil }
      accountsTaken += made.texts.count
      for (member, token) in zip(missing, made.texts) { accounts[member] = token }
      for (member, name) in zip(missing, made.names) { names[member] = name }
    }
    var supplies = LoadSupplies()
    supplies.names = names
    if let supply = map.codes, forecast.codes > 0 {
      let count = forecast.codes
      var goesOn = true
      supplies.codes = try setup.texts(supply, count: count, from: codesTaken, "codes") {
        goesOn = preparing("codes", $0, count)
        return goesOn
      }
      codesTaken += count
      guard goesOn else { return nil }
    }
    try starting()
    loads += 1
    let load = try ServiceLoad(
      target, map, offer, accounts, supplies, key: loads == 1 ? key : "\(key)\(loads)",
      settings: settings)
    // Accounts and codes were made before; only the load counts.
    let before = workSoFar()
    let measures = load.run(proceed: proceed)
    work = before.flatMap { workSoFar()?.since($0) }
    (offer, accounts, names) = (load.remaining, load.accounts, load.supply.names)
    return measures
  }

  private var codesTaken = 0

  /// What somebody asks for who watches the pages live; nil where the service has none.
  package var watch: ServiceCall? { map.watch }

  /// The service's clock; nil where the service does not tell it.
  ///
  /// - Throws: `LoadSetup.Failure` where it gives no answer.
  package func time() throws -> ServiceTime? {
    guard let call = map.clock else { return nil }
    let text = try setup.text(call)
    let values = Array(text.utf8).withUnsafeBytes { call.values(in: $0) }
    return ServiceTime(now: values[0], speed: values[1])
  }

  /// What the service's writer did during the last load; nil where it does not say.
  package private(set) var work: WriterWork?

  private func workSoFar() -> WriterWork? {
    guard settings.asksForWork,
      let call = try? ServiceMap(
        "steps: {\(Crowd.steps[0].name): {get: /metrics}}", file: "metrics", steps: Crowd.steps,
        fixed: [:]
      ).calls[0], let text = try? setup.text(call, isPatient: false)
    else { return nil }
    return WriterWork(metrics: text)
  }
}
