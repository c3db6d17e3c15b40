internal import Foundation
internal import Quantities
internal import RewardModel
internal import Scenario

/// The fitted scenario as simulated members live it over the days of the history.
struct FittedWorld {
  /// About so many members are simulated at least, with several seeds of a small history.
  static let membersLeast = 4_000
  /// And so many at most: of a large history a part.
  static let membersMost = 10_000
  /// The first seed: none that somebody would write into a scenario, so that a simulated history is not
  /// compared with the very members that made it.
  static let seed: UInt64 = 0x00CA_11B8_A7E0
  /// Seeds at most.
  static let seedsMost = 40

  /// What the members did.
  struct Outcome {
    var uses: UseCounts
    /// The share of what is bought that they use in the end; 0 where the program has no such setting.
    var share: Double
    /// Sums of members by level over all seeds.
    var levels: [LevelCounts]
    /// Members of all seeds.
    var members: Int
  }

  private let calibration: Calibration
  private let scenario: Scenario
  private let seeds: Int

  /// - Throws: `InputErrors` where the fits make no scenario that can be run.
  init(_ calibration: Calibration) throws {
    self.calibration = calibration
    let signUps = max(1, calibration.adoption.signUps)
    let factor = min(1, Double(Self.membersMost) / Double(signUps))
    seeds = min(
      Self.seedsMost, max(1, (Self.membersLeast + signUps - 1) / signUps))
    let text = CalibrationScenario(calibration).text(factor: factor, isWhole: false)
    scenario = try Scenario.load(text: text, file: "the fitted scenario")
  }

  /// - Parameter maker: Makes the runs; each is made here by `threads` where it is nil.
  /// - Throws: What a run throws, and why there is no answer.
  func run(threads: Int, maker: (any ReplicationMaker)?) throws -> Outcome {
    var outcome = Outcome(
      uses: UseCounts(calibration.observed.history.form),
      share: calibration.paths.used == nil ? 0 : calibration.uses?.share.estimate ?? 0, levels: [],
      members: 0)
    let requests = (0..<seeds).map { number in
      var request = ReplicationRequest(
        text: scenario.origin.bytes, file: scenario.origin.file,
        overrides: scenario.origin.overrides,
        seed: ReplicationRunner.seed(Self.seed, replication: number), asked: [])
      request.isLived = true
      return request
    }
    if let maker {
      let answers: [ReplicationAnswer]?
      do throws(ReplicationFailure) {
        answers = try ReplicationRequest.answers(requests, by: maker, threads: threads) { _ in true
        }
      } catch { throw error.cause }
      guard let answers else { throw ReplicationsUnwanted() }
      for answer in answers {
        guard let world = answer.lived else { throw PackedBytes.Broken() }
        outcome.add(world)
      }
    } else {
      let plan = try scenario.plan()
      for request in requests { outcome.add(try request.lived(plan, threads: threads)) }
    }
    return outcome
  }
}

extension FittedWorld.Outcome {
  /// Adds what became of one seed.
  fileprivate mutating func add(_ world: LivedWorld) {
    uses.append(world.uses)
    members += world.levels.last.map { Int($0.levels.reduce(0) { $0 + $1.members }) } ?? 0
    if levels.isEmpty {
      levels = world.levels
    } else {
      for (period, counts) in world.levels.enumerated() where period < levels.count {
        for (place, level) in counts.levels.enumerated() {
          levels[period].levels[place].members += level.members
        }
      }
    }
  }
}
