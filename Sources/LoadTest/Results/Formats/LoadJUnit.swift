internal import Foundation
internal import Quantities
internal import Reports

/// What a load had to show as JUnit XML, which build servers read: a test case a check.
package enum LoadJUnit {
  /// By this name programs know a file as one of Pitboss, which may be replaced.
  package static let suites = "pitboss stress"

  /// The document ending with a line feed.
  package static func xml(_ result: LoadResult) -> String {
    let checks = LoadVerdict(result).checks
    let failures = checks.count { $0.failed }
    let skipped = checks.count { $0.isUndecided }
    let seconds = String(format: "%.3f", result.measures.elapsed)
    let counts =
      "tests=\"\(checks.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\""
    // ISO 8601 to seconds without a zone, as the format's schema has it.
    let started = result.started.description.prefix(19)
    var out = """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="\(suites)" \(counts) time="\(seconds)">
        <testsuite name="\(XMLText.escaped("\(result.scenario) at \(result.target)"))" \(counts) time="\(seconds)" timestamp="\(started)" hostname="\(XMLText.escaped(result.target))">

      """
    for check in checks {
      let name =
        "classname=\"pitboss.stress\" name=\"\(XMLText.escaped(check.name))\" time=\"0.000\""
      guard !check.passed else {
        out += "    <testcase \(name)/>\n"
        continue
      }
      guard check.failed else {
        out += "    <testcase \(name)>\n"
        out += "      <skipped message=\"\(XMLText.escaped(check.finding))\"/>\n    </testcase>\n"
        continue
      }
      let lines = ["\(check.name): \(check.finding)", "repeat: \(result.command)"]
      out += "    <testcase \(name)>\n"
      out += "      <failure message=\"\(XMLText.escaped(check.finding))\" type=\"failed\">"
      out += lines.map(XMLText.escaped).joined(separator: "\n") + "</failure>\n    </testcase>\n"
    }
    return out + "  </testsuite>\n</testsuites>\n"
  }
}
