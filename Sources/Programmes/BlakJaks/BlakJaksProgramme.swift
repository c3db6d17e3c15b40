package import RewardModel

/// BlakJaks: members scan codes on nicotine-pouch tins, climb tiers and win comps.
package enum BlakJaksProgramme: RewardProgramme {
  package static let id = "blakjaks"
  package static let name = "BlakJaks"
  package static let invariants =
    LiveProgramme.invariants.map(\.name) + World.invariants.map(\.name)

  /// Runs a `World` of synthetic members.
  package static func simulate(
    _ frame: RunFrame, _ settings: BlakJaksSettings, threads: Int, checking: Bool,
    outputs: RunOutputs<BlakJaksMember>, proceed: (RunProgress) -> Bool
  ) throws -> BlakJaksRecord {
    var world = try World(
      WorldInput(frame, settings), threads: threads, journal: outputs.journal,
      history: outputs.history, members: outputs.members,
      isTimed: outputs.times != nil)
    if let saved = outputs.checkpoints?.resumed { try world.restore(saved) }
    let record = try world.run(
      checking: checking, checkpoints: outputs.checkpoints, proceed: proceed)
    if let times = world.times { outputs.times?(times) }
    return record
  }

  /// Runs a `HistoryReplay`.
  package static func replay(
    _ frame: RunFrame, _ settings: BlakJaksSettings, _ history: History,
    proceed: (RunProgress) -> Bool
  ) throws -> BlakJaksRecord {
    var replay = try HistoryReplay(WorldInput(frame, settings), history: history)
    return try replay.run(proceed: proceed)
  }
}
