/// A reward program: what everything outside its folder needs to know about it.
///
/// One enumeration without cases conforms for each program; one line in a registry names it.
/// Settings, tables, figures, pages and invariants are each declared once, in the program's
/// folder, and found from here by description alone.
package protocol RewardProgramme: Sendable {
  /// The typed values of the program's own settings; the defaults are those of its brief.
  associatedtype Settings: ProgrammeSettings
  /// What one run shows.
  associatedtype Record: ProgrammeRecord
  /// A member as a run leaves it, a row of `members.csv`.
  associatedtype Member: Sendable

  /// As `programme:` in a scenario names it.
  static var id: String { get }
  /// As people read it.
  static var name: String { get }
  /// Every figure that a run can have.
  static var figures: FigureCatalog { get }
  /// Paths of settings that every scenario has and that move what it costs, for a sensitivity
  /// analysis where nobody names any.
  static var standardAxes: [String] { get }
  /// Settings that rest on an assumption, with how far each may be off: candidates for what carries
  /// the cost of a projection.
  static var assumptions: [AssumptionRange] { get }
  /// How a scenario looks without rewards; nil, the default, where the program does not tell.
  /// Where it does, the months of `sample` tell gross profit and cost.
  static var withoutRewards: WithoutRewards? { get }
  /// What must always hold, by name; each is declared once and checked in runs.
  static var invariants: [InvariantName] { get }
  /// The columns of `members.csv`. Later versions only append columns.
  static var memberColumns: [Column<Member>] { get }
  /// What its histories hold.
  static var history: HistoryForm { get }
  /// Where the settings are that a calibration finds out of a history; none of its own by default.
  static var calibrated: CalibratedPaths { get }

  /// Simulates synthetic members.
  ///
  /// - Parameters:
  ///   - frame: Name, seed, calendar and lookahead of the run.
  ///   - settings: Checked by a scenario.
  ///   - threads: 1 or more; the result does not depend on it.
  ///   - checking: Whether every invariant is checked after every window; those that cost next to
  ///     nothing are in every run.
  ///   - outputs: What the run hands out besides its record.
  ///   - proceed: Asked after each window; false ends the run there, marked interrupted.
  /// - Throws: `MoneyError`, a `ProgrammeLimit`, or a `Violation`.
  static func simulate(
    _ frame: RunFrame, _ settings: Settings, threads: Int, checking: Bool,
    outputs: RunOutputs<Member>, proceed: (RunProgress) -> Bool
  ) throws -> Record

  /// Replays what really happened through the same rules.
  ///
  /// - Parameters:
  ///   - frame: Its calendar covers the history; the record has what comes after its warm-up.
  ///   - settings: Checked by a scenario.
  ///   - history: Of the form `history`.
  ///   - proceed: Asked now and then; false ends the replay there, marked interrupted.
  /// - Throws: A `ReplayFailure` with the row at fault, or a `Violation` of what must always hold.
  static func replay(
    _ frame: RunFrame, _ settings: Settings, _ history: History, proceed: (RunProgress) -> Bool
  ) throws -> Record

  /// What experiments keep of a run besides its figures: costs and budget by month and day, events
  /// by kind and month, members by cohort.
  ///
  /// - Complexity: O(rows of the record).
  static func sample(_ record: Record) -> RunSample

  /// Members by level at the ends of periods, for a calibration that compares a replay of a history
  /// with a simulation; empty, the default, where the program does not tell.
  static func levels(of record: Record) -> [LevelCounts]

  /// The pages that show a run as of one of its days, the one that people want first at the head.
  static var pages: [PageDescription] { get }

  /// One page as of the end of a day.
  ///
  /// - Parameters:
  ///   - id: Of one of `pages`.
  ///   - record: The run.
  ///   - instant: As for `PageDay`; nil for the run's last day.
  /// - Throws: `PageError`.
  /// - Complexity: O(rows of the record).
  static func page(
    _ id: String, of record: Record, at instant: String?
  ) throws(PageError) -> Page

  /// A record of one empty day: its pages have the blocks and units that those of every run have.
  static var specimen: Record { get }

  /// The report of one run.
  ///
  /// - Complexity: O(rows of the record).
  static func report(of record: Record) -> RunReport

  /// What one run showed, for a terminal.
  static func summary(of record: Record) -> RunSummary

  /// Several runs side by side.
  ///
  /// - Parameter runs: 2 or more, the one that the others are compared with first; their names
  ///   are unique.
  /// - Complexity: O(rows of all records).
  static func comparison(of runs: [NamedRun<Record>]) -> RunComparison
}

extension RewardProgramme {
  /// Nil.
  package static var withoutRewards: WithoutRewards? { nil }

  /// No settings of the program's own.
  package static var calibrated: CalibratedPaths { CalibratedPaths() }

  /// No levels.
  package static func levels(of record: Record) -> [LevelCounts] { [] }
}
