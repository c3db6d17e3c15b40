internal import ArgumentParser
internal import Documents
internal import Foundation
internal import LoadTest
internal import Reports
internal import RewardModel
internal import RunStore

/// `pitboss schema`.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract:
      "Prints the JSON Schema of summary.json, the pages of Insights, stress.json, load.json or knee.json."
  )

  /// What is described.
  enum Document: String, CaseIterable, ExpressibleByArgument {
    case summary, insights, stress, load, knee
  }

  @Argument(help: "What is described: summary, insights, stress, load or knee.")
  var document = Document.summary

  @OptionGroup var programme: ProgrammeOption

  func run() throws { try describe(programme.programme) }

  private func describe<P: RewardProgramme>(_ programme: P.Type) throws {
    switch document {
    case .summary: try printResult(SummarySchema.text(of: P.self))
    case .insights: try printResult(PageSchema.text(of: programme))
    case .stress: try printResult(EngineDocument.schema)
    case .load: try printResult(LoadDocument.schema)
    case .knee: try printResult(KneeDocument.schema)
    }
  }
}

/// `pitboss show RUN`.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Prints the summary of a run folder again.")

  @Argument(
    help: ArgumentHelp("A run folder, or the name of one in Results/.", valueName: "run"))
  var folder: String

  @Option(help: "What is printed: the summary for people, or summary.json.")
  var format: OutputFormat?

  func run() throws {
    let format = try chosen(format, "FORMAT", .text)
    let place = RunPlaces.resolve(folder)
    let run = try RunPlaces.read(place).get()
    try show(run, place, format)
  }

  private func show<Run: StoredRun>(
    _ run: Run, _ folder: String, _ format: OutputFormat
  ) throws {
    if format == .json {
      return try printResult(RunSummary.text(of: run.record, files: RunSummary.files(folder)))
    }
    try printResult(RunOptions.text(Run.Programme.self, run.record, folder: folder))
  }
}

/// `pitboss figures`.
struct FiguresCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "figures",
    abstract: "Lists every figure of a program with its unit and meaning.",
    discussion: """
      'expect' of a scenario, --figure, --such-that, --maximize and --minimize name figures so. \
      Besides there are two of each daily series: series.KEY at the run's end, peak.KEY the largest.
      """)

  @OptionGroup var programme: ProgrammeOption

  @Option(help: "What is printed: a table for people, or JSON.")
  var format: OutputFormat?

  func run() throws {
    let catalog = programme.programme.figures
    let currency = catalog.currency
    switch try chosen(format, "FORMAT", .text) {
    case .json:
      let rows = catalog.figures.map { figure in
        JSONText.line([
          ("figure", .string(figure.id)),
          ("unit", .string(figure.unit.measure(in: currency))),
          ("title", .string(figure.title)), ("meaning", .string(figure.meaning)),
          ("setting", figure.setting.map { .string($0) } ?? .null),
        ])
      }
      try printResult(JSONText.array(rows).rendered() + "\n")
    case .text:
      var table = TextTable([("Figure", .left), ("Unit", .left), ("Meaning", .left)])
      for figure in catalog.figures {
        table.add([
          TextTable.Cell(figure.id), TextTable.Cell(figure.unit.measure(in: currency)),
          TextTable.Cell(figure.meaning),
        ])
      }
      try printResult(table.lines().joined(separator: "\n") + "\n")
    }
  }
}
