internal import ArgumentParser
internal import Foundation
internal import Reports
internal import RewardModel
internal import RunStore

extension PaperSize: ExpressibleByArgument {}

/// `pitboss report RUN...`.
struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Makes one page of one or several finished runs, and a PDF of it.",
    discussion: """
      Of one run: a summary for the first page, then money, months, members and Insights. \
      Of several: headline figures with their differences to the first run, months side by side, \
      overlaid plots, and the settings that differ. The assumptions are listed by mark: \
      set, assumed, sourced, given.
      """)

  @Argument(
    help: ArgumentHelp(
      "Run folders, or names of some in Results/; 1 to \(RunsReport.runsMost).",
      valueName: "run"))
  var folders: [String]

  @Option(help: ArgumentHelp("The page.", valueName: "file.html"))
  var out = "Results/report.html"

  @Option(
    help: ArgumentHelp("Also prints the page to a PDF file, with Chromium.", valueName: "file.pdf"))
  var pdf: String?

  @Option(help: PlotlyMode.help)
  var plotly: PlotlyMode?

  @Option(help: "The page's title; taken from the runs by default.")
  var title: String?

  @Option(help: "The size of a printed page.")
  var paper = PaperSize.a4

  func validate() throws {
    if folders.count > RunsReport.runsMost {
      throw ValidationError(
        "\(folders.count) runs do not fit side by side; give at most \(RunsReport.runsMost)")
    }
    if out.lowercased().hasSuffix(".pdf") {
      throw ValidationError("--out is the page, an HTML file; for a PDF give --pdf \(out)")
    }
    if out == pdf { throw ValidationError("--out and --pdf are the same file; give two") }
    for (flag, file) in [("--out", out), ("--pdf", pdf ?? "x")] where file.isEmpty {
      throw ValidationError("\(flag) is empty; give a file")
    }
  }

  func run() throws {
    let mode = try chosen(plotly, "PLOTLY", .inline)
    let runs = try read()
    let output = ReportFile(path: out, isOwn: ReportFile.isPage)
    let printed = pdf.map { ReportFile(path: $0, isOwn: ReportFile.isPDF) }
    try output.check()
    try printed?.check()
    let printer = try printed.map { _ in try PagePrinter.find() }
    let source = PlotlyPlaces.source(mode, for: "the report")
    let report = try report(runs[0].run, runs)
    let page = report.page(plotly: mode, source: source)
    try output.write(Data(page.utf8))
    if mode == .directory, let source {
      let beside = URL(fileURLWithPath: out).deletingLastPathComponent()
        .appendingPathComponent(HTMLReport.scriptName)
      try ReportFile(path: beside.relativePath, isOwn: { _ in true }).write(source.script)
    }
    var lines = "Report  \(out)\n"
    if let printed, let printer {
      // A page that holds its script prints the same from any folder.
      let whole = source == nil ? page : report.page(plotly: .inline, source: source)
      let document = try printer.pdf(of: whole)
      try printed.write(document)
      lines += "PDF     \(printed.path)\n"
    }
    try printResult(lines)
  }

  /// The report of runs that are all of the first one's program.
  private func report<Run: StoredRun>(
    _ first: Run, _ runs: [(name: String, run: any StoredRun)]
  ) throws -> RunsReport {
    let records = try runs.map { name, run in
      guard let record = run.record as? Run.Programme.Record else {
        complain(
          "pitboss: \(name) is not a run of the same program as \(runs[0].name); "
            + "give runs of one program")
        throw ExitStatus.badInput
      }
      return NamedRun(name: name, record: record)
    }
    return RunsReport(Run.Programme.self, records, title: title, paper: paper)
  }

  /// All runs; what is wrong with any of them is said of all before the command ends.
  private func read() throws -> [(name: String, run: any StoredRun)] {
    var runs: [(name: String, run: any StoredRun)] = []
    var failure: ExitCode?
    let names = Self.names(folders)
    for (folder, name) in zip(folders, names) {
      switch RunPlaces.read(RunPlaces.resolve(folder)) {
      case .success(let run): runs.append((name, run))
      case .failure(let code): failure = failure ?? code
      }
    }
    if let failure { throw failure }
    return runs
  }

  /// What people call the runs: the names of their folders, or the paths where names repeat.
  static func names(_ folders: [String]) -> [String] {
    let short = folders.map { URL(fileURLWithPath: $0).lastPathComponent }
    return zip(folders, short).map { folder, name in
      short.count { $0 == name } > 1 ? folder : name
    }
  }
}
