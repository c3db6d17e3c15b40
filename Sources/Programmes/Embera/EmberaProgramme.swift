package import RewardModel

/// EMBERA: members of a roastery order coffee, earn points, climb tiers and redeem offers.
package enum EmberaProgramme: RewardProgramme {
  package static let id = "embera"
  package static let name = "EMBERA"
  package static let invariants = EmberaWorld.invariants.map(\.name)

  /// Orders with the amount paid for goods.
  package static let history = HistoryForm(
    column: "amount", currency: .usd, amounts: 1...1_000_000_000_000_000,
    events: [.init("order", hasAmount: true, isPurchase: true)])

  /// Runs an `EmberaWorld` of synthetic members.
  package static func simulate(
    _ frame: RunFrame, _ settings: EmberaSettings, threads: Int, checking: Bool,
    outputs: RunOutputs<EmberaMember>, proceed: (RunProgress) -> Bool
  ) throws -> EmberaRecord {
    var world = EmberaWorld(
      frame, settings, threads: threads, journals: outputs.journal != nil,
      history: outputs.history, members: outputs.members, isTimed: outputs.times != nil)
    if let saved = outputs.checkpoints?.resumed { try world.restore(saved) }
    let record = try world.run(
      checking: checking, checkpoints: outputs.checkpoints, proceed: proceed)
    if let times = world.times { outputs.times?(times) }
    if let journal = outputs.journal { world.journal.forEach(journal) }
    return record
  }

  /// Runs an `EmberaReplay`.
  package static func replay(
    _ frame: RunFrame, _ settings: EmberaSettings, _ history: History,
    proceed: (RunProgress) -> Bool
  ) throws -> EmberaRecord {
    var replay = EmberaReplay(frame, settings.rules, history)
    return try replay.run(proceed: proceed)
  }
}
