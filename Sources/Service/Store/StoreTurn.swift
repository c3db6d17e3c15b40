/// A writer's turn at a store.
package struct StoreTurn: Sendable {
  /// What others wrote since the writer's last turn, in order.
  package var news: [ServiceEntry] = []
  /// Whether this process is the one that works with what is outside of the program, as payouts are.
  package var leads = true
}

/// A turn that ended before anything was written, or a state that is not of this journal: the writer
/// has to begin again with what is kept.
package struct LostTurn: Error {}
