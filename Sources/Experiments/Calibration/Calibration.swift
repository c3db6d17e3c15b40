internal import Population
internal import Quantities
package import RewardModel
internal import Scenario

/// All that a calibration found out of a history: purchases and leaving, and what else of a population
/// the history tells.
package struct Calibration: Sendable {
  /// Name of the history, for people.
  package let source: String
  /// Whose history it is.
  package let programme: any RewardProgramme.Type
  /// The history until the end of the calibration.
  package let observed: ObservedHistory
  /// Purchases and leaving.
  package let report: CalibrationReport
  /// What a purchase brings; nil where the history does not tell it, as of all below.
  package let amounts: AmountFit?
  package let season: SeasonFit?
  package let months: MonthFit?
  package let adoption: AdoptionFit
  package let referral: ReferralFit?
  package private(set) var uses: UseFit?
  /// Members by level.
  package private(set) var levels: LevelFit?
  /// Rows of the history until the end of the calibration that contradict others; all are fitted as they
  /// are.
  package let contradictions: [HistoryFinding]
  /// What the history does not tell, a sentence each, with a full stop.
  package private(set) var untold: [String] = []

  /// Where the program has the settings.
  package var paths: CalibratedPaths { programme.calibrated }

  /// Settings that do nothing in the fitted scenario, as the fitted purchases contain their effect.
  package var contained: [ContainedEffect] {
    [
      ContainedEffect(
        path: "population.referral.dropout_factor", value: "1",
        reason: "purchases were fitted to all members, referred ones among them")
    ] + paths.contained
  }

  /// Fits all that a history tells besides its purchases.
  ///
  /// - Parameters:
  ///   - history: The one that `report` is of.
  ///   - programme: Whose history it is.
  ///   - report: Purchases and leaving; its zone and end hold for everything.
  ///   - source: Name of the history, for people: no control characters.
  /// - Throws: `CalibrationError.unknownZone`.
  package init(
    _ history: History, of programme: any RewardProgramme.Type, _ report: CalibrationReport,
    source: String
  ) throws(CalibrationError) {
    let observed = try ObservedHistory(
      history, zone: report.sample.zone, until: report.sample.until)
    var untold: [String] = []
    func told<Fit>(_ fit: () throws(Untold) -> Fit) -> Fit? {
      do throws(Untold) {
        return try fit()
      } catch {
        untold.append(Self.sentence(error.reason))
        return nil
      }
    }
    let paths = programme.calibrated
    amounts = told { () throws(Untold) in
      guard paths.amount != nil || history.form.currency != nil else {
        throw Untold("the program has no setting for what a purchase brings")
      }
      return try AmountFit(observed)
    }
    uses = told { () throws(Untold) in try UseFit(observed) }
    season = told { () throws(Untold) in try SeasonFit(observed) }
    months = told { () throws(Untold) in try MonthFit(observed, report) }
    adoption = AdoptionFit(observed)
    referral = told { () throws(Untold) in try ReferralFit(observed) }
    untold += season?.untold.map(Self.sentence) ?? []
    self.untold = untold
    contradictions = history.findings(until: observed.calendar.end)
    (self.source, self.programme, self.observed, self.report) = (
      source, programme, observed, report
    )
  }

  /// Simulations of the fitted scenario at most.
  private static let roundsMost = 10

  /// With a capital letter and a full stop.
  private static func sentence(_ reason: String) -> String {
    reason.prefix(1).uppercased() + reason.dropFirst() + "."
  }

  /// Runs the fitted scenario over the days of the history, and compares what its members do with what
  /// was done: what was bought but not yet used, and the levels that members have reached.
  ///
  /// - Parameters:
  ///   - threads: 1 or more; the result does not depend on it.
  ///   - maker: Makes the simulations; nil for this process.
  /// - Complexity: That of some simulations of up to 10,000 members over the history's days, and of
  ///   a replay where the program has levels.
  /// - Throws: `MakerFailure`.
  package mutating func compare(
    threads: Int, maker: (any ReplicationMaker)? = nil
  ) throws {
    do {
      let world = try settled(threads: threads, maker: maker)
      if let words = costs(of: world.uses) { untold.append(words) }
      levels = try LevelFit(self, world)
    } catch let reason as Untold {
      untold.append(Self.sentence(reason.reason))
    } catch let failure as any MakerFailure {
      throw failure
    } catch {
      untold.append(
        "The fitted scenario could not be simulated to compare it with the history: "
          + "\(error)".split(separator: "\n").joined(separator: " "))
    }
  }

  /// What a purchase costs in the history and in a simulation, which nothing is fitted to; nil where amounts
  /// are no money, or nobody bought.
  private func costs(of simulated: UseCounts) -> String? {
    let form = observed.history.form
    guard let currency = form.currency else { return nil }
    let purchases = observed.purchases()
    let own =
      purchases.isEmpty
      ? nil : purchases.reduce(0) { $0 + Double($1.amount) } / Double(purchases.count)
    let means = [own, simulated.meanAmount].compactMap(\.self).map {
      // To a cent.
      MicroUSDT(microunits: Int64(($0 / 10_000).rounded()) * 10_000).cents
    }
    guard means.count == 2 else { return nil }
    return
      "What a purchase costs is not fitted: \(means[0]) \(currency.code) on average in the history, "
      + "\(means[1]) \(currency.code) with the fitted settings. Revenue, and what it earns, differ as much."
  }

  /// Simulates the fitted scenario until its members use things as late and as many as those of the
  /// history.
  ///
  /// - Returns: What the last simulation came to.
  private mutating func settled(
    threads: Int, maker: (any ReplicationMaker)?
  ) throws -> FittedWorld.Outcome {
    var world = try FittedWorld(self).run(threads: threads, maker: maker)
    guard uses != nil else { return world }
    for round in 1...Self.roundsMost {
      let isLast = round == Self.roundsMost
      let moved = !isLast && paths.usedOver != nil && uses?.moveSpan(after: world.uses) == true
      uses?.compare(with: world.uses, share: world.share)
      // Twice at least: the second time with the share that was found, as who uses more has more left
      // to use.
      if round > 1, isLast || !moved { break }
      world = try FittedWorld(self).run(threads: threads, maker: maker)
    }
    if let wrong = uses?.wrong {
      var other = self
      other.uses = wrong
      let outcome = try FittedWorld(other).run(threads: threads, maker: maker)
      uses?.probe(wrong, outcome.uses, share: outcome.share)
    }
    return world
  }
}
