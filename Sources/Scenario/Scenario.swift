internal import Foundation
internal import Programmes
package import Quantities
package import RewardModel

/// One validated scenario: what a run is made from, besides its seed.
package struct Scenario: Sendable {
  package let name: String
  /// The question that the scenario answers.
  package let description: String?
  /// The program that answers it.
  package let programme: any RewardProgramme.Type
  package let seed: UInt64
  package let calendar: ScenarioCalendar
  package let expect: [Expectation]
  package let check: CheckSettings
  /// Settings of which only a distribution is known.
  package let uncertain: [UncertainSetting]
  /// How those move together.
  package let correlated: [RankCorrelation]
  /// Where values of its file come from.
  package let sources: [SettingSource]
  /// Every setting in the fixed order of the catalog, lists of records by entry and key.
  package let settings: [ResolvedSetting]
  /// Paths of the settings that overrides set.
  private let overridden: Set<String>
  /// Where `uncertain` and `correlated` and each of their entries were written, by path.
  private let places: [String: ScenarioReader.Place]
  /// The description of its settings, for renderings.
  let catalog: SettingCatalog
  /// The value of each row of the catalog.
  let values: [SettingValue]
  let typed: any TypedSettings
  /// What the scenario was read from, to read it again, here or elsewhere.
  package let origin: Origin
  /// What each override of `origin` set, however it was spelled: paths of settings and of their
  /// parts, such as `rules.prizes[0].every`; of a group in braces the settings that it named, of a
  /// group that it switched off the group.
  package let targets: [[String]]

  /// What a scenario is read from.
  package struct Origin: Sendable {
    package let bytes: [UInt8]
    /// As messages name it.
    package let file: String
    /// The environment's first.
    package let overrides: [SettingOverride]
  }

  /// Reads and checks a scenario file.
  ///
  /// - Parameters:
  ///   - path: A YAML file of at most 1 MiB; messages name it as given.
  ///   - overrides: From the command line; they win over the environment, which wins over the
  ///     file, which wins over the defaults.
  ///   - environment: Of the process; `PITBOSS_SET` and `PITBOSS_SEED` are read.
  /// - Throws: `InputErrors` with every finding; nothing else has happened then.
  package static func load(
    path: String, overrides: [SettingOverride] = [], environment: [String: String] = [:]
  ) throws(InputErrors) -> Scenario {
    try load(
      bytes: bytes(path: path), file: path, overrides: overrides, environment: environment)
  }

  /// The bytes of a scenario's file, for whoever reads it once and loads it again and again.
  ///
  /// - Throws: `InputErrors` where it cannot be read or is larger than 1 MiB.
  package static func bytes(path: String) throws(InputErrors) -> [UInt8] {
    try InputFile.bytes(path: path, limit: YAMLReader.byteLimit, limitText: "1 MiB")
  }

  /// Reads and checks the text of a scenario; messages name it `file`.
  ///
  /// - Throws: `InputErrors` with every finding.
  package static func load(
    text: String, file: String, overrides: [SettingOverride] = [],
    environment: [String: String] = [:]
  ) throws(InputErrors) -> Scenario {
    try load(
      bytes: Array(text.utf8), file: file, overrides: overrides, environment: environment)
  }

  /// Reads and checks the bytes of a scenario; messages name it `file`.
  ///
  /// - Throws: `InputErrors` with every finding.
  package static func load(
    bytes: [UInt8], file: String, overrides: [SettingOverride] = [],
    environment: [String: String] = [:]
  ) throws(InputErrors) -> Scenario {
    if let place = InputFile.firstInvalidUTF8(bytes) {
      throw InputErrors([
        InputFinding(
          source: file, line: place.line, column: place.column,
          message: "is not UTF-8 from here on; save the file as UTF-8")
      ])
    }
    let isMarked = bytes.starts(with: [0xEF, 0xBB, 0xBF])
    let text = String(decoding: isMarked ? bytes[3...] : bytes[...], as: UTF8.self)
    guard bytes.count <= YAMLReader.byteLimit else {
      throw InputErrors([
        InputFinding(source: file, message: "is larger than 1 MiB; write only what differs")
      ])
    }
    var yaml = YAMLReader(file: file)
    guard var root = yaml.read(text) else { throw InputErrors(yaml.findings) }
    let all = SettingOverride.from(environment: environment) + overrides
    let catalog = catalog(of: root, all)
    var writer = OverrideWriter(catalog)
    for (index, override) in all.enumerated() {
      writer.write(override, rank: index + 1, into: &root)
    }
    var reader = ScenarioReader(file: file, catalog: catalog)
    reader.read(root)
    let frame = catalog.frame(reader.values)
    let typed = catalog.typed(reader.values)
    reader.report(typed.brokenRules(days: frame.calendar.days))
    let findings = yaml.findings + writer.findings + reader.findings
    guard findings.isEmpty else { throw InputErrors(findings, omitted: reader.omitted) }
    let scenario = Scenario(
      frame: frame, typed: typed, reader: reader,
      origin: Origin(bytes: bytes, file: file, overrides: all), targets: writer.targets)
    let faults =
      scenario.calendarFaults + scenario.expectFaults + scenario.uncertainFaults
      + scenario.sourceFaults + scenario.placeFaults
    for (path, message) in faults {
      reader.report(reader.origin(of: path) ?? .standard, path, message)
    }
    guard reader.findings.isEmpty else { throw InputErrors(reader.findings) }
    return scenario
  }

  /// A day that no clock has shown would never end.
  private var calendarFaults: [(path: String, message: String)] {
    ProgrammeCalendar.missingDay(
      zone: calendar.zone, from: calendar.start, days: calendar.days
    ).map { day in
      [
        (
          "calendar.zone",
          "\(calendar.zone) has no \(day): its clocks leapt over that day; choose other days, or "
            + "another zone"
        )
      ]
    } ?? []
  }

  /// Places that are none would be taken for all of them.
  private var placeFaults: [(path: String, message: String)] {
    guard let kept = check.kept, PlaceSet(kept) == nil else { return [] }
    return [
      (
        "check.kept",
        "'\(kept.shortened)' is not a list of places; write 0-12,40,77-80 in ascending order, or none"
      )
    ]
  }

  /// A month that the run does not reach meets no threshold and misses none.
  private var expectFaults: [(path: String, message: String)] {
    let first = calendar.start.monthLabel
    let last = calendar.start.adding(days: calendar.days - 1).monthLabel
    return expect.enumerated().compactMap { index, expectation in
      guard let month = expectation.month, !(first...last).contains(month) else { return nil }
      return (
        "expect[\(index)]",
        "\(month) is not in the run; write a month from \(first) to \(last), or other days"
      )
    }
  }

  /// The scenario with other values of some settings, as if its file said so: what overrides it
  /// still wins.
  ///
  /// - Throws: `InputErrors` where the values do not make a scenario.
  package func drawn(_ values: [SettingOverride]) throws(InputErrors) -> Scenario {
    try Scenario.load(
      bytes: origin.bytes, file: origin.file, overrides: values + origin.overrides)
  }

  /// What more overrides would set, after those that it has; as in `targets`.
  ///
  /// - Throws: `InputErrors` where they do not make a scenario.
  package func targets(of more: [SettingOverride]) throws(InputErrors) -> [String] {
    let scenario = try Scenario.load(
      bytes: origin.bytes, file: origin.file, overrides: origin.overrides + more)
    return scenario.targets.dropFirst(targets.count).flatMap(\.self)
  }

  /// Whether the setting at a path was set by an override: of the environment, or by hand. An override
  /// of a list sets its entries, too.
  package func isOverridden(_ path: String) -> Bool {
    overridden.contains(path)
      || origin.overrides.contains { $0.path == path || path.hasPrefix($0.path + "[") }
  }

  /// A finding about `uncertain`, `correlated`, `check.faults` or one of their entries, where that was
  /// written.
  package func finding(at path: String, _ message: String) -> InputFinding {
    InputFinding(places[path] ?? .standard, in: origin.file, path: path, message: message)
  }

  /// A path that the scenario names, seen from the folder of its file.
  package func resolve(_ path: String) -> String {
    guard !path.hasPrefix("/"), let cut = origin.file.lastIndex(of: "/") else { return path }
    return origin.file[...cut] + path
  }

  /// The catalog of the program that a scenario names; the first one where it names none, or one
  /// that is refused later.
  private static func catalog(of root: RawNode, _ overrides: [SettingOverride]) -> SettingCatalog {
    var id: String?
    if case .mapping(let pairs) = root.content,
      case .scalar(let text, _)? = pairs.first(where: { $0.key == "programme" })?.value.content
    {
      id = text
    }
    id = overrides.last { $0.path == "programme" }?.value ?? id
    return id.flatMap { SettingCatalog.of($0) } ?? SettingCatalog.of(Programmes.all[0])
  }

  private init(
    frame: FrameValues, typed: any TypedSettings, reader: ScenarioReader, origin: Origin,
    targets: [[String]]
  ) {
    self.typed = typed
    self.origin = origin
    self.targets = targets
    catalog = reader.catalog
    values = zip(reader.values, catalog.rows).map { $0 ?? $1.standard }
    programme = catalog.programme
    name = frame.name
    description = frame.description
    seed = frame.seed
    calendar = frame.calendar
    check = frame.check
    uncertain = frame.uncertain.compactMap { try? UncertainSetting($0) }
    correlated = frame.correlated.compactMap { try? RankCorrelation($0) }
    var places: [String: ScenarioReader.Place] = [:]
    let lists = [
      ("uncertain", uncertain.count), ("correlated", correlated.count),
      ("check.faults", check.faults.count),
    ]
    for (list, count) in lists {
      for path in [list] + (0..<count).map({ "\(list)[\($0)]" }) {
        places[path] = reader.origin(of: path)
      }
    }
    self.places = places
    let figures = reader.catalog.programme.figures
    expect = frame.expect.enumerated().compactMap { index, text in
      var line: Int?
      if case .file(let number, _) = reader.origins["expect[\(index)]"] { line = number }
      return try? Expectation.read(text, figures: figures, line: line)
    }
    let sources = frame.sources.compactMap { try? SettingSource($0) }
    self.sources = sources
    settings = ResolvedSetting.all(of: catalog, values) { path in
      if reader.leftOut.contains(path) { return .leftOut }
      return switch reader.origin(of: path) {
      case nil, .standard: .standard
      case .override: .set
      case .file: sources.last { $0.covers(path) }.map { .sourced($0.origin) } ?? .set
      }
    }
    overridden = Set(
      settings.map(\.path).filter { path in
        if case .override = reader.origin(of: path) { true } else { false }
      })
  }

  /// The typed values of the program's own settings; nil where the scenario is of another
  /// program.
  package func settings<P: RewardProgramme>(of programme: P.Type) -> P.Settings? {
    (typed as? ProgrammeValues<P>)?.settings
  }

  /// The run that the scenario asks for.
  ///
  /// - Parameter calendar: Nil takes the scenario's own; a replay gives that of its history.
  /// - Throws: `CalendarError.unknownZone`, which validation has ruled out.
  package func plan(calendar: ProgrammeCalendar? = nil) throws(CalendarError) -> any RunPlan {
    let own = self.calendar
    let chosen: ProgrammeCalendar
    if let calendar {
      chosen = calendar
    } else {
      chosen = try ProgrammeCalendar(zone: own.zone, firstDate: own.start, days: own.days)
    }
    return typed.plan(
      RunFrame(
        scenario: name, scenarioDescription: description ?? "", seed: seed, calendar: chosen,
        window: own.window,
        settings: settings.map {
          RunHeader.SettingRow(path: $0.path, value: $0.valueText, mark: $0.mark.rawValue)
        }))
  }

  /// Every figure that a run of the scenario can have.
  package var figures: FigureCatalog { programme.figures }

  /// Settings that a sensitivity analysis varies where nobody names any.
  package var standardAxes: [String] { programme.standardAxes }

  /// Settings that rest on an assumption, with their ranges.
  package var assumptions: [AssumptionRange] { programme.assumptions }

  /// How the scenario looks without rewards; see `RewardProgramme.withoutRewards`.
  package var withoutRewards: WithoutRewards? { programme.withoutRewards }

  /// Every resolved value in a fixed order and spelling, one a line; made for digests. Equal
  /// values give equal text however they were written.
  package var canonicalText: String {
    "pitboss-scenario 1\n"
      + settings.map { "\($0.path) = \($0.value.quotedText)\n" }.joined()
  }
}
