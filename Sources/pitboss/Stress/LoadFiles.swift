internal import ArgumentParser
internal import Foundation
internal import LoadTest
internal import Reports

/// Where the results of a load go besides its folder, and what they are held against.
struct LoadFileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The folder of an earlier load, or its load.json: says which figures have really changed.",
      valueName: "run"))
  var baseline: String?

  @Option(
    help: ArgumentHelp(
      "A file of JUnit XML for build servers: a test case a threshold or other check.",
      valueName: "file"))
  var junit: String?

  @Option(
    help: ArgumentHelp(
      "A file in OpenMetrics text form with the figures of each second, for Prometheus.",
      valueName: "file"))
  var metricsOut: String?

  @Option(help: PlotlyMode.help)
  var plotly: PlotlyMode?

  /// Flags that were given.
  var given: [String] {
    [
      baseline.map { _ in "--baseline" }, junit.map { _ in "--junit" },
      metricsOut.map { _ in "--metrics-out" }, plotly.map { _ in "--plotly" },
    ].compactMap(\.self)
  }
}

extension StressCommand {
  /// Refuses flags that make no sense together.
  func checkTogether() throws {
    if target == "engine", let flag = (load.given + files.given).first {
      throw ValidationError(
        "\(flag) is for a service under load; give its address with --target, or leave it out")
    }
    if target != "engine", rounds != 5 || requests != 1_000_000 || threads != nil {
      throw ValidationError(
        "--rounds, --requests and --threads are for --target engine; leave them out")
    }
    if load.speed != nil {
      let ofRates = [
        ("--profile changes --rate over time", load.profile != .constant),
        ("--arrivals spaces the sessions of a --rate", arrivals != .poisson),
      ]
      if let (what, _) = ofRates.first(where: \.1) {
        throw ValidationError(
          "\(what), but with --speed members say when sessions start; leave one out")
      }
    }
    if load.abort && load.threshold.isEmpty && load.findKnee == nil {
      throw ValidationError("--abort ends a load at a missed threshold; add a --threshold")
    }
    if load.abort && load.findKnee == nil
      && !load.threshold.contains(where: { $0.contains(" for ") })
    {
      throw ValidationError(
        "--abort looks at stretches of the load, and no --threshold has one; add one, as in "
          + "'errors < 1% for 5s'")
    }
    let ofOneLoad = files.given.filter { $0 != "--plotly" } + load.given.filter(Self.isOfOneLoad)
    if load.findKnee != nil, let flag = ofOneLoad.first {
      throw ValidationError("\(flag) is for one load, but --find-knee sends many; leave one out")
    }
    if load.dryRun {
      if let flag = files.given.first {
        throw ValidationError("\(flag) needs a load, but --dry-run sends nothing; leave one out")
      }
      if format == .json {
        throw ValidationError("--format json prints a load, but --dry-run sends nothing")
      }
    }
    if let junit = files.junit, let metrics = files.metricsOut,
      Self.place(junit) == Self.place(metrics)
    {
      throw ValidationError("--junit and --metrics-out name the same file; give them two")
    }
  }

  private static func isOfOneLoad(_ flag: String) -> Bool {
    ["--threshold", "--abort", "--watchers", "--profile"].contains(flag)
  }

  fileprivate static func place(_ path: String) -> String {
    URL(fileURLWithPath: path).standardizedFileURL.path
  }

  /// The command as it was given, for a shell, without the values of `--var`: a key or the
  /// administrator's token may be among them, and results are handed on.
  static var repetition: String { repetition(of: Array(CommandLine.arguments.dropFirst())) }

  /// See `repetition`.
  static func repetition(of arguments: [String]) -> String {
    var words = ["pitboss"]
    var isValue = false
    for argument in arguments {
      let flag = "--var="
      if isValue {
        words.append(withoutValue(argument))
      } else if argument.hasPrefix(flag) {
        words.append(flag + withoutValue(String(argument.dropFirst(flag.count))))
      } else {
        words.append(ShellText.word(argument))
      }
      isValue = !isValue && argument == "--var"
    }
    return words.joined(separator: " ")
  }

  /// `name=…` of `name=value`; where a value comes from a file, the file is named.
  private static func withoutValue(_ pair: String) -> String {
    let (name, value) = LoadOptions.parts(of: pair)
    if let value, value.hasPrefix("@"), !value.hasPrefix("@@") { return ShellText.word(pair) }
    return ShellText.word(name) + "=…"
  }
}

/// The results of one load: checked before it begins, written after it has ended.
struct LoadFiles {
  private let command: StressCommand
  private let folder: String
  private let format: OutputFormat
  private let baseline: LoadBaseline?
  private let junit: ReportFile?
  private let metrics: ReportFile?

  /// - Throws: `ExitCode` after a message, where results could not be written or a baseline is none.
  init(_ command: StressCommand, folder: String) throws {
    self.command = command
    self.folder = folder
    format = try chosen(command.format, "FORMAT", .text)
    do throws(LoadBaseline.Refusal) {
      baseline = try command.files.baseline.map { path throws(LoadBaseline.Refusal) in
        try LoadBaseline(path: path)
      }
    } catch {
      complain("pitboss: --baseline \(error)")
      throw error.isUnreadable ? ExitStatus.ioFailed : ExitStatus.badInput
    }
    junit = command.files.junit.map { .junit($0, suites: LoadJUnit.suites) }
    metrics = command.files.metricsOut.map { path in
      ReportFile(path: path) { $0.starts(with: Data(LoadMetrics.start.utf8)) }
    }
    try ExperimentFolder.check(folder)
    for file in [junit, metrics].compactMap(\.self) {
      let place = StressCommand.place(file.path)
      guard !place.hasPrefix(StressCommand.place(folder) + "/") else {
        complain(
          "pitboss: \(file.path): is in the folder of the results, which a later load could then not "
            + "replace; choose another place")
        throw ExitStatus.ioFailed
      }
      try file.check()
    }
  }

  /// Writes all, prints it, and ends as the load deserves.
  ///
  /// - Throws: `ExitCode` unless all is well.
  func finish(_ measured: LoadResult) throws {
    var result = measured
    result.baseline = baseline.map { BaselineComparison(result, to: $0) }
    let json = LoadDocument.json(result)
    let page = try ExperimentFolder.page(
      command.files.plotly, isQuiet: command.quiet
    ) { mode, source in
      LoadPage.html(result, plotly: mode, source: source)
    }
    // What was measured is worth reading where it cannot be kept.
    let written = Result {
      try ExperimentFolder.write(
        [
          (LoadDocument.name, json), ("steps.csv", LoadTables.steps(result)),
          ("seconds.csv", LoadTables.seconds(result)), ("report.html", page),
        ], to: folder)
    }
    let reported = Result {
      try junit?.write(Data(LoadJUnit.xml(result).utf8))
      try metrics?.write(Data(LoadMetrics.text(result).utf8))
    }
    if !command.quiet {
      let terminal = Terminal.current
      switch format {
      case .json: try printResult(json, interrupted: result.measures.wasInterrupted)
      case .text:
        try printResult(
          LoadText.text(
            result, folder: (try? written.get()).map { folder }, width: terminal.width,
            colour: terminal.colour),
          interrupted: result.measures.wasInterrupted)
      }
    }
    try written.get()
    try reported.get()
    // What an audit finds is wrong, however badly the load was offered.
    if let audit = result.audit {
      guard audit.problems.isEmpty else { throw ExitStatus.invariantViolated }
      guard audit.failure == nil else { throw ExitStatus.notAudited }
    }
    let silence = LoadSilence(result)
    if let silence { complain("pitboss: the service did not keep answering: \(silence.words)") }
    guard result.measures.wasOffered else {
      complain("pitboss: the generator could not offer the load; its figures do not count")
      throw ExitStatus.rateNotOffered
    }
    if !result.missed.isEmpty { throw ExitStatus.thresholdMissed }
    if result.measures.wasInterrupted { throw ExitStatus.interrupted }
    // As before the load, where nobody answers either.
    if silence != nil { throw ExitStatus.ioFailed }
  }
}
