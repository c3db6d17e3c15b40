internal import RewardModel

/// What the members of one run did, for a comparison with a history.
struct LivedWorld: Sendable {
  var uses: UseCounts
  var levels: [LevelCounts]

  init(uses: UseCounts, levels: [LevelCounts]) {
    self.uses = uses
    self.levels = levels
  }

  /// Writes it for another process.
  func pack(into bytes: inout PackedBytes) {
    uses.pack(into: &bytes)
    bytes.put(levels) { bytes, period in
      bytes.put(period.period)
      bytes.put(period.levels) {
        $0.put($1.name)
        $0.put($1.members)
      }
    }
  }

  /// Reads what another process wrote.
  ///
  /// - Throws: `PackedBytes.Broken`.
  init(unpacking bytes: inout PackedBytes) throws(PackedBytes.Broken) {
    uses = try UseCounts(unpacking: &bytes)
    levels = try bytes.list { (bytes) throws(PackedBytes.Broken) in
      LevelCounts(
        period: try bytes.text(),
        levels: try bytes.list { (bytes) throws(PackedBytes.Broken) in
          LevelCounts.Level(name: try bytes.text(), members: try bytes.take())
        })
    }
  }
}
