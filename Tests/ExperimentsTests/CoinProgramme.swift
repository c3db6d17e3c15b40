import EventKernel
import Quantities
import RewardModel

/// A program made up for tests: every day a coin is tossed some times, each head costs 1 and each
/// toss allows a cost of 0.6.
enum CoinProgramme: RewardProgramme {
  struct Settings: ProgrammeSettings {
    static let catalog: [Setting<Settings>] = []
    static let groupDocs: [String: String] = [:]

    /// Tosses a day.
    var tosses = 100
    /// Probability of heads.
    var heads = 0.5
  }

  struct Record: ProgrammeRecord {
    static let facts: [Column<Self>] = []
    static let tables: [any RecordTable<Self>] = []

    var header: RunHeader
    var settings = Settings()
    /// Heads by day.
    var heads: [Int] = []
    var months: [String] = []

    init(header: RunHeader = RunHeader(programme: CoinProgramme.id)) { self.header = header }

    var series: [DailySeries] {
      var sum: Int64 = 0
      var table = SeriesTable(CoinProgramme.figures.series)
      for count in heads {
        sum += Int64(count)
        table.set("heads", sum)
        table.set("cost", sum * 1_000_000)
        table.closeDay()
      }
      return table.all
    }
  }

  static let id = "coins"
  static let name = "Coins"
  static let standardAxes: [String] = []
  static let assumptions: [AssumptionRange] = []
  static let invariants: [InvariantName] = []
  static let history = HistoryForm(
    column: "tosses", amounts: 1...100, events: [HistoryForm.Event("toss")])

  static let figures = FigureCatalog(
    [
      Figure<Record>(FigureDescription("heads.total", "Heads", "Heads tossed.", .count)) {
        Double($0.heads.reduce(0, +))
      },
      Figure<Record>(
        FigureDescription("heads.cost", "Cost", "Cost of the heads.", .money)
      ) { $0.last("cost") },
      Figure<Record>(
        FigureDescription("heads.share", "Share of the budget", "Cost over budget.", .share)
      ) { record in
        let budget = 0.6 * Double(record.settings.tosses * record.heads.count)
        return budget > 0 ? Double(record.heads.reduce(0, +)) / budget : nil
      },
    ],
    series: SeriesCatalog([
      SeriesDeclaration("heads", .count, "Heads so far"),
      SeriesDeclaration("cost", .money, "Cost so far"),
    ]), currency: .usd,
    choices: FigureChoices(
      cost: "heads.cost", utilisation: "heads.share", spend: "heads.cost",
      generosity: "heads.total",
      projection: ["heads.total"], sweep: ["heads.share"],
      keys: (events: "heads", kind: "coin", heat: "heads_by_hour"),
      events: FigureChoices.Section("Heads", "Mean heads by month."),
      heat: FigureChoices.Section("When coins fall", "Heads by weekday and hour."),
      owed: (FigureChoices.Section("Owed", "Nothing."), [])))

  static let memberColumns: [Column<Never>] = []

  static func simulate(
    _ frame: RunFrame, _ settings: Settings, threads: Int, checking: Bool,
    outputs: RunOutputs<Never>, proceed: (RunProgress) -> Bool
  ) throws -> Record {
    var record = Record()
    record.seed = frame.seed
    record.settings = settings
    for (day, date) in frame.calendar.dates.enumerated() {
      var coin = RandomStream(seed: frame.seed, purpose: 1, entity: UInt64(day))
      record.heads.append(
        (0..<settings.tosses).count { _ in coin.uniform() < settings.heads })
      record.months.append(date.monthLabel)
    }
    return record
  }

  static func replay(
    _ frame: RunFrame, _ settings: Settings, _ history: History, proceed: (RunProgress) -> Bool
  ) throws -> Record { Record() }

  static func sample(_ record: Record) -> RunSample {
    var sample = RunSample(bounds: HealthBounds(warning: 0.8, critical: 0.9))
    var labels: [String] = []
    for label in record.months where labels.last != label { labels.append(label) }
    let daily = 0.6 * Double(record.settings.tosses)
    for label in labels {
      let heads = zip(record.months, record.heads).filter { $0.0 == label }.map(\.1)
      let spend = Double(heads.reduce(0, +))
      let budget = daily * Double(heads.count)
      let share = spend / budget
      sample.months.append(
        RunSample.Month(
          label: label, spendCash: spend, spendAccrual: spend, budget: budget, utilisation: share,
          status: share < 0.8 ? .normal : share <= 0.9 ? .warning : .critical))
    }
    var spent = 0
    for (day, heads) in record.heads.enumerated() {
      spent += heads
      sample.spend.append(Float(spent))
      sample.budget.append(Float(daily * Double(day + 1)))
      sample.statuses.append(.normal)
      sample.projected.append(nil)
    }
    sample.events = [
      RunSample.Events(
        kind: "penny",
        counts: labels.map { label in
          zip(record.months, record.heads).reduce(0) { $0 + ($1.0 == label ? $1.1 : 0) }
        })
    ]
    return sample
  }
}

/// Coins show no pages.
extension CoinProgramme {
  static let pages: [PageDescription] = []

  static func page(
    _ id: String, of record: Record, at instant: String?
  ) throws(PageError) -> Page { throw .unknownPage(id, known: []) }

  static var specimen: Record { Record() }

  static func report(of record: Record) -> RunReport {
    let verdict = ReportVerdict(text: "Coins fell.", tone: .good, reasons: "")
    return RunReport(
      lead: "", cards: [],
      opening: ReportOpening(
        verdict: verdict, cards: [], section: ReportSection("summary", "Coins", [])),
      sections: [], pages: [], pace: ReportPace("tosses", 0))
  }

  static func summary(of record: Record) -> RunSummary {
    RunSummary(parts: [], pace: ReportPace("tosses", 0))
  }

  static func comparison(of runs: [NamedRun<Record>]) -> RunComparison {
    RunComparison(verdicts: [], notes: [], headlines: [], sections: [], paces: [])
  }
}

extension ProgrammePlan<CoinProgramme> {
  /// Coins from December into January.
  static func coins(heads: Double = 0.5, days: Int = 45) throws -> Self {
    let calendar = try ProgrammeCalendar(
      zone: "UTC", firstDate: CivilDate(year: 2026, month: 12, day: 1), days: days)
    var settings = CoinProgramme.Settings()
    settings.heads = heads
    return ProgrammePlan(
      CoinProgramme.self, frame: RunFrame(scenario: "coins", seed: 5, calendar: calendar),
      settings: settings)
  }
}
