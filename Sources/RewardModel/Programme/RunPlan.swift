/// A program with its settings and its frame: a run that can be started.
///
/// `any RunPlan` is what machinery holds that knows no program.
package protocol RunPlan<Programme>: Sendable {
  associatedtype Programme: RewardProgramme

  var frame: RunFrame { get set }
  var settings: Programme.Settings { get set }
}

extension RunPlan {
  /// See `RewardProgramme.figures`.
  package var figures: FigureCatalog { Programme.figures }

  /// Simulates it; see `RewardProgramme.simulate`.
  package func simulate(
    threads: Int, checking: Bool = false, outputs: RunOutputs<Programme.Member> = RunOutputs(),
    proceed: (RunProgress) -> Bool = { _ in true }
  ) throws -> Programme.Record {
    try Programme.simulate(
      frame, settings, threads: threads, checking: checking, outputs: outputs, proceed: proceed)
  }

  /// Replays a history; see `RewardProgramme.replay`.
  package func replay(
    _ history: History, proceed: (RunProgress) -> Bool = { _ in true }
  ) throws -> Programme.Record {
    try Programme.replay(frame, settings, history, proceed: proceed)
  }
}

/// The plan of a run of one program.
package struct ProgrammePlan<Programme: RewardProgramme>: RunPlan {
  package var frame: RunFrame
  package var settings: Programme.Settings

  /// A plan of a run of `programme`.
  package init(_ programme: Programme.Type, frame: RunFrame, settings: Programme.Settings) {
    self.frame = frame
    self.settings = settings
  }
}
