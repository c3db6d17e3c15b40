package import EventKernel

/// What a simulation hands out besides its record. Nothing of it is kept, and none of it changes
/// the run.
package struct RunOutputs<Member> {
  /// Receives every request of the run in the order in which the program decided.
  package var journal: ((any Encodable) -> Void)?
  /// Receives what happened as rows of the program's history: by (instant, member), members by
  /// their number from 0, rows and lines unnumbered.
  package var history: ((HistoryRow) -> Void)?
  /// Receives the members as they are at the run's end, in the order of sign-up.
  package var members: ((Member) -> Void)?
  /// Receives at the run's end where its time went; nobody looks at a clock unless it is there.
  package var times: ((WindowTimes) -> Void)?
  /// Where the run saves its state and from where it goes on. A run that goes on hands out only
  /// what comes after that to `journal` and `history`.
  package var checkpoints: RunCheckpoints?

  /// The outputs that somebody asked for.
  package init(
    journal: ((any Encodable) -> Void)? = nil, history: ((HistoryRow) -> Void)? = nil,
    members: ((Member) -> Void)? = nil, times: ((WindowTimes) -> Void)? = nil,
    checkpoints: RunCheckpoints? = nil
  ) {
    self.journal = journal
    self.history = history
    self.members = members
    self.times = times
    self.checkpoints = checkpoints
  }
}
