extension ProgrammeRecord {
  /// Every table of a record: its header with the program's facts, its settings, and the tables
  /// of the program.
  package static var allTables: [any RecordTable<Self>] {
    [
      Table(
        "run", sql: "run", summary: .members, row: \.self,
        blank: Self(header: RunHeader(programme: "")), columns: headerColumns + facts),
      Table(
        "settings", sql: "setting", rows: \.header.settings,
        blank: RunHeader.SettingRow(path: "", value: "", mark: ""),
        columns: [
          Column("path", \.path), Column("value", \.value),
          Column("mark", \.mark) { $0.note = "given, sourced, assumed or set" },
        ]
      ) { $0.isDigested = false },
      Table(
        "data_quality", sql: "data_quality", summary: .rows, rows: \.header.findings,
        blank: HistoryFinding(fault: .repeated, event: "", count: 1, line: 1),
        columns: [
          Column("fault", \.fault),
          Column("event", \.event) { $0.note = "Of the rows; empty when they are of several." },
          .count("rows", \.count),
          Column("first_line", \.line) {
            $0.least = 1
            $0.note = "Of the history file."
          },
        ]
      ) {
        $0.isDigested = false
        $0.since = 4
        $0.note =
          "What is wrong with the history that was replayed, and its rows before the days; empty for "
          + "a simulation."
      },
      Table(
        "thresholds", sql: "threshold", summary: .rows, rows: \.header.thresholds,
        blank: RunHeader.ThresholdRow(threshold: "", holds: true, figure: nil, reached: nil),
        columns: [
          Column("threshold", \.threshold), Column("holds", \.holds),
          Column("figure", \.figure) { $0.note = "Null for an event of a month's status." },
          Column("reached", \.reached) {
            $0.note =
              "The figure in whole units, ratios or seconds; 1 or 0 for a status; null without it."
          },
        ]
      ) {
        $0.isDigested = false
        $0.since = 4
        $0.note = "What became of the thresholds under 'expect'."
      },
    ] + tables
  }

  private static var headerColumns: [Column<Self>] {
    [
      Column("programme", \.header.programme) { $0.since = 3 },
      Column("scenario", \.header.scenario),
      Column("description", \.header.scenarioDescription) { $0.note = "The scenario's own words." },
      Column("source", \.header.source),
      Column("seed", \.header.seed) {
        $0.note = "Up to 2^64 - 1."
        $0.least = 0
      },
      Column("zone", \.header.zone) { $0.note = "IANA name of the program's time zone." },
      Column("start", \.header.start),
      Column("end", \.header.end) { $0.note = "Exclusive." },
      Column("interrupted", \.header.interrupted) {
        $0.note =
          "True when the run was stopped before its end; the figures then cover what was run."
      },
      Column("fingerprint", \.header.fingerprint) {
        $0.pattern = "^[0-9a-f]{64}$"
        $0.note = "SHA-256 over every row of the run; the same inputs give the same one."
      },
      .count("events", \.header.events) { $0.note = "Events of the kernel." },
      Column("wall_seconds", \.header.timing.wallSeconds) { $0.least = 0 },
      Column("threads", \.header.timing.threads) { $0.least = 1 },
      .count("peak_memory_bytes", \.header.timing.peakMemoryBytes),
    ]
  }
}

extension RunHeader.Source: FieldChoice {}
