package import BlakJaks
internal import Foundation
internal import Population
internal import Quantities
package import RewardModel

/// One validated scenario: what a run is made from, beside its seed's luck.
package struct Scenario: Sendable {
  package let name: String
  /// The question that the scenario answers.
  package let description: String?
  package let programme: Programme
  package let seed: UInt64
  package let calendar: ScenarioCalendar
  package let rules: ProgrammeRules
  package let population: PopulationSettings
  package let faults: FaultSettings
  package let expect: [Expectation]
  /// Every setting in the fixed order of the catalog, lists of records by entry and key.
  package let settings: [ResolvedSetting]
  /// The typed values, for renderings.
  let values: ScenarioValues

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
    let bytes = try InputFile.bytes(
      path: path, limit: YAMLReader.byteLimit, limitText: "1 MiB")
    return try load(bytes: bytes, file: path, overrides: overrides, environment: environment)
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
    var writer = OverrideWriter()
    let all = SettingOverride.from(environment: environment) + overrides
    for (index, override) in all.enumerated() {
      writer.write(override, rank: index + 1, into: &root)
    }
    var reader = ScenarioReader(file: file)
    reader.read(root)
    var values = ScenarioValues()
    for (setting, value) in zip(SettingCatalog.all, reader.values) {
      if let value { setting.write(&values, value) }
    }
    reader = CrossRules.check(values, reader)
    let findings = yaml.findings + writer.findings + reader.findings
    guard findings.isEmpty else { throw InputErrors(findings, omitted: reader.omitted) }
    return Scenario(values: values, reader: reader)
  }

  private init(values: ScenarioValues, reader: ScenarioReader) {
    self.values = values
    name = values.name
    description = values.description
    programme = values.programme
    seed = values.seed
    calendar = values.calendar
    rules = values.rules
    population = values.population
    faults = values.faults
    expect = values.expect.enumerated().compactMap { index, text in
      var line: Int?
      if case .file(let number, _) = reader.origins["expect[\(index)]"] { line = number }
      return try? Expectation.read(text, figures: BlakJaksProgramme.figures, line: line)
    }
    settings = ResolvedSetting.all(of: values) { reader.origin(of: $0) != nil }
  }

  /// Every figure that a run of the scenario can have.
  package var figures: FigureCatalog { BlakJaksProgramme.figures }

  /// Settings that a sensitivity analysis varies where nobody names any.
  package var standardAxes: [String] { BlakJaksProgramme.standardAxes }

  /// Every resolved value in a fixed order and spelling, one a line; made for digests. Equal
  /// values give equal text however they were written.
  package var canonicalText: String {
    "pitboss-scenario 1\n"
      + settings.map { "\($0.path) = \($0.value.quotedText)\n" }.joined()
  }
}
