package import RewardModel

/// A scenario file to begin with.
package enum ScenarioTemplate {
  /// A file that loads: name, question, program, calendar and members, and below them, commented
  /// out, the settings that move the program's figures most, at their defaults.
  ///
  /// - Parameters:
  ///   - name: Of the scenario.
  ///   - programme: Whose scenario it is.
  package static func text(name: String, _ programme: any RewardProgramme.Type) -> String {
    let catalog = SettingCatalog.of(programme)
    func value(_ path: String) -> String {
      catalog.row(path).map { $0.standard.quotedText } ?? ""
    }
    func about(_ path: String) -> String {
      catalog.row(path).map { "\($0.doc)\($0.unit.isEmpty ? "" : " [\($0.unit)]")" } ?? ""
    }
    var lines = [
      "# A scenario of \(programme.name). Whatever is not written here has its default;",
      "# 'pitboss scenario show \(name).yaml' lists every setting with its value and where it is from.",
      "name: \(SettingValue.text(name).quotedText)",
      "description: What does the program cost with these settings?",
      "programme: \(programme.id)",
      "seed: 1  # \(about("seed"))",
      "calendar:",
    ]
    for key in ["start", "days"] {
      let path = "calendar.\(key)"
      lines.append("  \(key): \(value(path))  # \(about(path))")
    }
    if catalog.row("population.members") != nil {
      lines += [
        "population:",
        "  members: \(value("population.members"))  # \(about("population.members"))",
      ]
    }
    lines += [
      "", "# Settings that move the figures, at the defaults. To change one, write it as above or",
    ]
    lines.append("# run with --set PATH=VALUE.")
    for path in programme.standardAxes {
      guard catalog.row(path) != nil else { continue }
      lines.append("#   \(path) = \(value(path))  (\(about(path)))")
    }
    lines += [
      "",
      "# Thresholds: a run that misses one ends with exit code 99. 'pitboss figures' lists names.",
      "# expect:", "#   - \(programme.figures.choices.utilisation) < 1.0",
    ]
    return lines.joined(separator: "\n") + "\n"
  }
}
