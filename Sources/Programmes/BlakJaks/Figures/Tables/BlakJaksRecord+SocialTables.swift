internal import Quantities
internal import RewardModel

extension BlakJaksRecord {
  private static let epoch = Instant(microseconds: 0)

  /// Repeats others in words, so that the fingerprint leaves it out.
  static let feedTable = Table(
    "feed", sql: "feed", rows: \BlakJaksRecord.feed,
    blank: FeedRow(time: epoch, kind: "", text: ""),
    columns: [Column("time", \.time), Column("kind", \.kind), Column("text", \.text)]
  ) {
    $0.since = 2
    $0.isDigested = false
  }

  static let streamTable = Table(
    "streams", sql: "stream", rows: \BlakJaksRecord.streams,
    blank: StreamRow(start: epoch, end: epoch, peakViewers: 0, uniqueViewers: 0, messages: 0),
    columns: [
      Column("start", \.start),
      Column("end", \.end) {
        $0.note =
          "After the run's end where it is still on then, with what it came to so far; in a run that was "
          + "stopped within a day, after the last midnight."
      },
      .count("peak_viewers", \.peakViewers),
      .count("unique_viewers", \.uniqueViewers),
      .count("messages", \.messages),
    ]
  ) { $0.since = 2 }

  static let proposalTable = Table(
    "proposals", sql: "proposal", rows: \BlakJaksRecord.proposals,
    blank: ProposalRow(
      opened: epoch, closed: nil, votesFor: 0, votesAgainst: 0, eligible: 0, passed: false),
    columns: [
      Column("opened", \.opened),
      Column("closed", \.closed) { $0.note = "Null when it is open at the run's end." },
      .count("votes_for", \.votesFor) { $0.note = "So far while it is open, as those against." },
      .count("votes_against", \.votesAgainst),
      .count("eligible", \.eligible),
      Column("passed", \.passed) { $0.note = "0 while it is open." },
    ]
  ) { $0.since = 2 }
}
