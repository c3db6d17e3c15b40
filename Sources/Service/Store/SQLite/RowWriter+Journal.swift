internal import Quantities
internal import RewardModel
internal import RunStore

extension RowWriter {
  /// Inserts an entry of the journal.
  func insert(_ entry: ServiceEntry) throws {
    bind(.whole(entry.sequence), at: 1)
    bind(.whole(entry.time.microseconds), at: 2)
    bind(entry.key.map { .text($0) } ?? .absent, at: 3)
    bind(.whole(entry.digest), at: 4)
    bind(entry.request, at: 5)
    bind(.whole(Int64(entry.reply.status)), at: 6)
    bind(.whole(entry.reply.isProblem ? 1 : 0), at: 7)
    bind(entry.reply.body, at: 8)
    try step()
  }
}
