internal import ArgumentParser
internal import Foundation
internal import Programmes
internal import Quantities
internal import Reports
internal import RewardModel
internal import RunStore
internal import Scenario

/// `pitboss scenario …`.
struct ScenarioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario", abstract: "Checks, shows and lists scenario files.",
    subcommands: [Validate.self, Show.self, List.self, Schema.self])

  /// Checks files and says what is wrong with them.
  struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Checks scenario files; prints every problem found.")

    @Argument(help: "Scenario files, or names of some in Scenarios/.")
    var scenarios: [String]

    @Option(help: ArgumentHelp("Overrides a setting.", valueName: "path.to.key=value"))
    var set: [String] = []

    func run() throws {
      var worst: ExitCode?
      for path in scenarios {
        do {
          let loaded = try Scenario.load(
            path: ScenarioPlaces.resolve(path),
            overrides: set.map { SettingOverride(argument: $0) },
            environment: ProcessInfo.processInfo.environment)
          try printResult("\(path): valid, \(loaded.settings.count) settings\n")
        } catch let errors as InputErrors {
          complain(errors.description)
          worst = ExitCode(errors.exitCode)
        }
      }
      if let worst { throw worst }
    }
  }

  /// Prints the whole resolved file.
  struct Show: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints every setting with its value and mark: given, sourced, assumed or set.")

    @Argument(help: "A scenario file, or the name of one in Scenarios/.")
    var scenario: String

    @Option(help: ArgumentHelp("Overrides a setting.", valueName: "path.to.key=value"))
    var set: [String] = []

    @Flag(help: "Prints a scenario file that loads to the same values.")
    var yaml = false

    func run() throws {
      let loaded = try reportingFailures {
        try Scenario.load(
          path: ScenarioPlaces.resolve(scenario),
          overrides: set.map { SettingOverride(argument: $0) },
          environment: ProcessInfo.processInfo.environment)
      }
      try printResult(yaml ? loaded.yaml : loaded.table)
    }
  }

  /// Lists the scenarios of a folder.
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Lists the scenarios of a folder with the question that each answers.")

    @Argument(help: "A folder of scenario files.")
    var folder = ScenarioPlaces.folder

    func run() throws {
      let names: [String]
      do {
        names = try FileManager.default.contentsOfDirectory(atPath: folder)
          .filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.sorted()
      } catch {
        complain("\(folder): cannot be read; give a folder of scenario files")
        throw ExitStatus.ioFailed
      }
      var table = TextTable([
        ("scenario", .left), ("members", .right), ("days", .right), ("question", .left),
      ])
      var failed: ExitCode?
      for name in names {
        do {
          let loaded = try Scenario.load(path: "\(folder)/\(name)")
          table.add([
            TextTable.Cell(loaded.name), TextTable.Cell(Self.members(of: loaded)),
            TextTable.Cell("\(loaded.calendar.days)"), TextTable.Cell(loaded.description ?? ""),
          ])
        } catch {
          complain(error.description)
          failed = ExitCode(error.exitCode)
        }
      }
      try printResult(table.lines().joined(separator: "\n") + "\n")
      if let failed { throw failed }
    }

    /// The number of members for people; empty where a program has no such setting.
    private static func members(of scenario: Scenario) -> String {
      let setting = scenario.settings.first { $0.path == "population.members" }
      guard case .integer(let count)? = setting?.value else { return "" }
      return Int64(clamping: count).grouped
    }
  }

  /// Prints the JSON Schema of scenario files.
  struct Schema: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the JSON Schema of the scenario files of one program.")

    @OptionGroup var programme: ProgrammeOption

    func run() throws {
      try printResult(ScenarioSchema(programme.programme).text)
    }
  }
}

/// `pitboss schema`.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Prints the JSON Schema of summary.json, or of the pages of Insights.")

  /// What is described.
  enum Document: String, CaseIterable, ExpressibleByArgument {
    case summary, insights
  }

  @Argument(help: "What is described: summary or insights.")
  var document = Document.summary

  @OptionGroup var programme: ProgrammeOption

  func run() throws { try describe(programme.programme) }

  private func describe<P: RewardProgramme>(_ programme: P.Type) throws {
    switch document {
    case .summary: try printResult(SummarySchema.text(of: P.self))
    case .insights: try printResult(PageSchema.text(of: programme))
    }
  }
}

/// `pitboss show RUN`.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Prints the summary of a run folder again.")

  @Argument(help: "A run folder.")
  var folder: String

  func run() throws {
    let run = try reportingFailures { try RunFolder.run(folder, of: Programmes.all) }
    try show(run)
  }

  private func show<Run: StoredRun>(_ run: Run) throws {
    try printResult(RunOptions.text(Run.Programme.self, run.record, folder: folder))
  }
}
