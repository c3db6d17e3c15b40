// A program that exists in these tests alone: a tea house that stamps cards. It shows what a
// program must declare so that its runs are stored.

import Quantities
import RewardModel

enum TeaProgramme: RewardProgramme {
  static let standardAxes: [String] = []
  static let assumptions: [AssumptionRange] = []
  static let figures = FigureCatalog(
    [Figure<TeaRecord>](), series: SeriesCatalog([]), currency: .usd,
    choices: FigureChoices(
      cost: "", utilisation: "", spend: "", generosity: "", projection: [], sweep: [],
      keys: (events: "", kind: "", heat: ""), events: FigureChoices.Section("", ""),
      heat: FigureChoices.Section("", ""), owed: (FigureChoices.Section("", ""), [])))

  static func sample(_ record: TeaRecord) -> RunSample {
    RunSample(bounds: HealthBounds(warning: 1, critical: 1))
  }

  struct Settings: ProgrammeSettings {
    static let catalog: [Setting<Settings>] = []
    static let groupDocs: [String: String] = [:]
  }

  struct NotSimulated: Error {}

  static let id = "tea"
  static let name = "Tea house"
  struct Guest: Sendable {
    var name = ""
    var spent: MicroUSDT?
  }

  static let memberColumns = [Column("name", \Guest.name), Column("spent", \Guest.spent)]
  static let invariants: [InvariantName] = []
  static let history = HistoryForm(
    column: "cups", amounts: 1...100, events: [HistoryForm.Event("visit")])

  static func simulate(
    _ frame: RunFrame, _ settings: Settings, threads: Int, checking: Bool,
    outputs: RunOutputs<Guest>, proceed: (RunProgress) -> Bool
  ) throws -> TeaRecord { throw NotSimulated() }

  static func replay(
    _ frame: RunFrame, _ settings: Settings, _ history: History, proceed: (RunProgress) -> Bool
  ) throws -> TeaRecord { throw NotSimulated() }

  static let pages: [PageDescription] = []

  static func page(
    _ id: String, of record: TeaRecord, at instant: String?
  ) throws(PageError) -> Page { throw .unknownPage(id, known: []) }

  static var specimen: TeaRecord { TeaRecord(header: RunHeader(programme: id)) }

  static func report(of record: TeaRecord) -> RunReport {
    let verdict = ReportVerdict(text: "Tea was served.", tone: .good, reasons: "")
    return RunReport(
      lead: "", cards: [],
      opening: ReportOpening(
        verdict: verdict, cards: [], section: ReportSection("summary", "Tea", [])),
      sections: [], pages: [], pace: ReportPace("cups", 0))
  }

  static func summary(of record: TeaRecord) -> RunSummary {
    RunSummary(parts: [], pace: ReportPace("cups", 0))
  }

  static func comparison(of runs: [NamedRun<TeaRecord>]) -> RunComparison {
    RunComparison(verdicts: [], notes: [], headlines: [], sections: [], paces: [])
  }
}

struct TeaRecord: ProgrammeRecord {
  enum Leaf: String, CaseIterable, FieldChoice {
    case green, black
    case whiteTip = "white tip"
  }

  struct CupRow: Sendable {
    var time = Instant(microseconds: 0)
    var guest = ""
    var leaf = Leaf.green
    /// Nil for a cup on the house.
    var price: MicroUSDT?
    var group = 1.0
    var isRefill = false
    var day: CivilDate?
  }

  struct ShelfRow: Sendable {
    var leaf = Leaf.green
    var grams: [Int64?] = []
  }

  var header: RunHeader
  var stamps: Int64 = 0
  var best: Leaf?
  var cups: [CupRow] = []
  var shelves: [ShelfRow] = []
  var series: [DailySeries] { [] }

  init(header: RunHeader) { self.header = header }

  static let facts: [Column<TeaRecord>] = [
    .count("stamps", \.stamps) { $0.rate = "stamps_per_second" }, Column("best", \.best),
  ]

  static let tables: [any RecordTable<TeaRecord>] = [
    Table(
      "cups", sql: "order", file: "cups.csv", summary: .rows, rows: \TeaRecord.cups,
      blank: CupRow(),
      columns: [
        Column("time", \.time), Column("guest", \.guest), Column("leaf", \.leaf),
        Column("price", \.price), Column("group", \.group), Column("refill", \.isRefill),
        Column("day", \.day),
      ]),
    ListTable(
      "shelves", sql: "shelf", rows: \TeaRecord.shelves, blank: ShelfRow(),
      columns: [Column("leaf", \.leaf)], list: \.grams, column: "by_week",
      cells: TableShape(
        "shelf_week", key: .columns(["shelf", "week"]),
        columns: [ColumnShape("shelf", .whole), ColumnShape("week", .whole), grams])),
  ]

  private static var grams: ColumnShape {
    var shape = ColumnShape("grams", .whole)
    shape.isOptional = true
    return shape
  }

  /// Two cups and two shelves.
  static func sample() -> TeaRecord {
    var header = RunHeader(programme: TeaProgramme.id)
    header.scenario = "rainy-day"
    header.seed = .max
    header.start = Instant(microseconds: 0)
    header.end = Instant(microseconds: 86_400_000_000)
    header.timing.wallSeconds = 2
    var record = TeaRecord(header: header)
    record.stamps = 11
    record.best = .whiteTip
    record.cups = [
      CupRow(
        time: Instant(microseconds: 1), guest: "Ann, \"the first\"", leaf: .whiteTip,
        price: .whole(3), group: 0.5, isRefill: true, day: CivilDate(year: 1970, month: 1, day: 1)),
      CupRow(guest: "Bob"),
    ]
    record.shelves = [
      ShelfRow(leaf: .black, grams: [250, nil, 0]), ShelfRow(leaf: .green, grams: []),
    ]
    return record
  }
}
