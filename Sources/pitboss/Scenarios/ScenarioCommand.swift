internal import ArgumentParser
internal import Check
internal import Documents
internal import Experiments
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
    commandName: "scenario", abstract: "Begins, checks, shows and lists scenario files.",
    subcommands: [Init.self, Validate.self, Show.self, List.self, Schema.self])

  /// Checks files and says what is wrong with them.
  struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Checks scenario files; prints every problem found, and settings that do nothing.")

    @Argument(help: "Scenario files, or names of some in Scenarios/.")
    var scenarios: [String]

    @Option(help: ArgumentHelp("Overrides a setting.", valueName: "path.to.key=value"))
    var set: [String] = []

    @Option(
      help:
        "What is printed: text for people, or JSON with the problems, 200 at most, and how many more there are."
    )
    var format: OutputFormat?

    func run() throws {
      let format = try chosen(format, "FORMAT", .text)
      var worst: ExitCode?
      var results: [JSONText] = []
      for path in scenarios {
        do {
          let loaded = try Scenario.load(
            path: try ScenarioPlaces.resolve(path),
            overrides: set.map { SettingOverride(argument: $0) },
            environment: ProcessInfo.processInfo.environment)
          _ = try UncertainInputs(loaded)
          try CheckedKinds.requireFaults(of: loaded)
          let idle = loaded.idle + loaded.idleInChecks + CheckedKinds.idle(in: loaded)
          results.append(Self.json(path, settings: loaded.settings.count, idle: idle))
          if format == .json { continue }
          try printResult("\(path): valid, \(loaded.settings.count) settings\n")
          for sentence in IdleNotes.sentences(idle) { try printResult("  \(sentence)\n") }
        } catch let errors as InputErrors {
          results.append(
            Self.json(path, problems: errors.findings, omitted: errors.omitted))
          if format == .text { complain(errors.description) }
          worst = ExitCode(errors.exitCode)
        }
      }
      if format == .json { try printResult(JSONText.array(results).rendered() + "\n") }
      if let worst { throw worst }
    }

    private static func json(
      _ path: String, settings: Int? = nil, idle: [IdleSetting] = [],
      problems: [InputFinding] = [], omitted: Int = 0
    ) -> JSONText {
      .object([
        ("file", .string(path)), ("valid", .bool(settings != nil)),
        ("settings", settings.map { .integer(Int64($0)) } ?? .null),
        (
          "idle",
          .array(idle.map { .line([("path", .string($0.path)), ("reason", .string($0.reason))]) })
        ),
        ("omitted", .integer(Int64(omitted))),
        (
          "problems",
          .array(
            problems.map { problem in
              .line([
                ("source", .string(problem.source)), ("line", .integer(Int64(problem.line))),
                ("column", .integer(Int64(problem.column))), ("path", .string(problem.path)),
                ("message", .string(problem.message)),
              ])
            })
        ),
      ])
    }
  }

  /// Writes a scenario to begin with.
  struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "init",
      abstract: "Writes a commented scenario file with the settings that people change first.")

    @Argument(
      help: "What the scenario is called; the file is NAME.yaml, in Scenarios/ if there is one.")
    var name = "my-scenario"

    @OptionGroup var programme: ProgrammeOption

    func validate() throws {
      if name.isEmpty || name.contains("/") || name.hasPrefix(".")
        || name.unicodeScalars.contains(where: { $0.value < 0x20 })
      {
        throw ValidationError(
          "'\(name)' cannot name a file; write a plain name such as my-scenario")
      }
      if plain.trimmed.isEmpty || plain.count > 120 {
        throw ValidationError(
          "'\(name.shortened)' cannot name a scenario; write 1 to 120 characters such as my-scenario"
        )
      }
    }

    private var plain: String { name.hasSuffix(".yaml") ? String(name.dropLast(5)) : name }

    func run() throws {
      var isFolder: ObjCBool = false
      let hasFolder =
        FileManager.default.fileExists(atPath: ScenarioPlaces.folder, isDirectory: &isFolder)
        && isFolder.boolValue
      let path = (hasFolder ? ScenarioPlaces.folder + "/" : "") + plain + ".yaml"
      let text = ScenarioTemplate.text(name: plain, programme.programme)
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard descriptor >= 0 else {
        let words = errno == EEXIST ? "already exists" : String(cString: strerror(errno))
        complain("pitboss: \(path): \(words); choose another name or folder")
        throw ExitStatus.ioFailed
      }
      let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      do {
        try file.write(contentsOf: Data(text.utf8))
      } catch {
        unlink(path)
        complain("pitboss: \(path): cannot be written; choose another folder")
        throw ExitStatus.ioFailed
      }
      try printResult("\(path)\nRun it with: pitboss run \(ShellText.word(path))\n")
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
        try ScenarioOptions.read(scenario, set.map { SettingOverride(argument: $0) })
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

    @Option(help: "What is printed: a table for people, or JSON.")
    var format: OutputFormat?

    func run() throws {
      let format = try chosen(format, "FORMAT", .text)
      let names: [String]
      do {
        names = try FileManager.default.contentsOfDirectory(atPath: folder)
          .filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }.sorted()
      } catch {
        complain(
          folder == ScenarioPlaces.folder
            ? "pitboss: there is no \(folder)/ here; give a folder of scenario files"
            : "\(folder): cannot be read; give a folder of scenario files")
        throw ExitStatus.ioFailed
      }
      var table = TextTable([
        ("scenario", .left), ("members", .right), ("days", .right), ("question", .left),
      ])
      var failed: ExitCode?
      var rows: [JSONText] = []
      for name in names {
        do {
          let loaded = try Scenario.load(path: "\(folder)/\(name)")
          try CheckedKinds.requireFaults(of: loaded)
          rows.append(
            .line([
              ("file", .string("\(folder)/\(name)")), ("name", .string(loaded.name)),
              ("programme", .string(loaded.programme.id)),
              ("members", Self.count(of: loaded).map { .integer($0) } ?? .null),
              ("days", .integer(Int64(loaded.calendar.days))),
              ("question", .string(loaded.description ?? "")),
            ]))
          table.add([
            TextTable.Cell(loaded.name), TextTable.Cell(Self.members(of: loaded)),
            TextTable.Cell("\(loaded.calendar.days)"), TextTable.Cell(loaded.description ?? ""),
          ])
        } catch {
          complain(error.description)
          failed = ExitCode(error.exitCode)
        }
      }
      try printResult(
        format == .json
          ? JSONText.array(rows).rendered() + "\n"
          : table.lines().joined(separator: "\n") + "\n")
      if let failed { throw failed }
    }

    /// The number of members for people; empty where a program has no such setting.
    private static func members(of scenario: Scenario) -> String {
      count(of: scenario)?.grouped ?? ""
    }

    private static func count(of scenario: Scenario) -> Int64? {
      let setting = scenario.settings.first { $0.path == "population.members" }
      guard case .integer(let count)? = setting?.value else { return nil }
      return Int64(clamping: count)
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
