internal import Foundation
internal import Quantities
internal import Reports
package import RewardModel

/// What a campaign found, for people, for programs and for build servers.
package struct CampaignReport: Sendable {
  /// A kind of fault that should have happened and never did.
  package struct Missing: Sendable {
    package var programme: String
    package var kind: FaultKind
  }

  /// Cases of a program from which on every kind of fault has to have happened.
  package static let enough: Int64 = 100

  package let results: [Campaign.Result]
  package let seconds: Double
  private let programmes: [String: any CheckedProgramme.Type]

  /// - Parameters:
  ///   - programmes: Those that are checked, by id.
  ///   - seconds: That the campaign took.
  package init(
    _ results: [Campaign.Result], programmes: [String: any CheckedProgramme.Type], seconds: Double
  ) {
    self.results = results
    self.programmes = programmes
    self.seconds = seconds
  }

  /// Broken promises of all scenarios.
  package var broken: Int { results.reduce(0) { $0 + $1.found.count } }

  /// Kinds that never happened, of programs with enough cases.
  package var missing: [Missing] {
    kindsToSee.flatMap { id, kinds in
      kinds.filter { kind in
        results.allSatisfy { $0.programme != id || $0.faults[kind.id, default: 0] == 0 }
      }.map { Missing(programme: id, kind: $0) }
    }
  }

  /// Programs that had enough cases to see every kind of fault, with their kinds.
  private var kindsToSee: [(programme: String, kinds: [FaultKind])] {
    programmes.keys.sorted().compactMap { id in
      let cases = results.filter { $0.programme == id }.reduce(0) { $0 + $1.cases }
      guard let programme = programmes[id], cases >= Self.enough else { return nil }
      return (id, CheckedKinds.faults(programme))
    }
  }

  /// Whether all promises hold and every kind of fault happened.
  package var passed: Bool { broken == 0 && missing.isEmpty }

  /// How many times each kind of fault happened, by program.
  package var faults: [(programme: String, kind: FaultKind, times: Int64)] {
    programmes.keys.sorted().flatMap { id in
      let own = results.filter { $0.programme == id }
      return own.isEmpty
        ? []
        : (programmes[id].map { CheckedKinds.faults($0) } ?? []).map { kind in
          (id, kind, own.reduce(0) { $0 + $1.faults[kind.id, default: 0] })
        }
    }
  }

  // MARK: - For programs

  /// The campaign as JSON: results, kinds that never happened, and the verdict.
  package func json() throws -> String {
    struct Document: Encodable {
      var passed: Bool
      var seconds: Double
      var scenarios: [Campaign.Result]
      var missingFaults: [String]
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let document = Document(
      passed: passed, seconds: seconds, scenarios: results,
      missingFaults: missing.map { "\($0.programme).\($0.kind.id)" })
    return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
  }

  /// The campaign as JUnit XML: a test case for each promise of each scenario, and for each kind of
  /// fault that should have happened.
  package func junit() -> String {
    var suites = ""
    var (tests, failures) = (0, 0)
    for result in results {
      let names = (programmes[result.programme].map { CheckedKinds.invariants($0) } ?? []).map(\.id)
      let others = result.found.map(\.invariant).filter { !names.contains($0) }
      let list = names.reduced + others
      tests += list.count
      failures += result.found.count
      suites += """
          <testsuite name="\(XMLText.escaped(result.scenario))" tests="\(list.count)" failures="\(result.found.count)" errors="0" skipped="0">

        """
      for name in list {
        let head =
          "classname=\"\(XMLText.escaped(result.scenario))\" name=\"\(XMLText.escaped(name))\""
        guard let found = result.found.first(where: { $0.invariant == name }) else {
          suites += "    <testcase \(head)/>\n"
          continue
        }
        let facts = found.answer.broken?.facts ?? ""
        let lines = [facts] + (found.answer.broken?.events ?? []) + replays(found)
        suites += "    <testcase \(head)>\n      <failure message=\"\(XMLText.escaped(facts))\" "
        suites += "type=\"violated\">"
        suites += lines.map(XMLText.escaped).joined(separator: "\n")
        suites += "</failure>\n    </testcase>\n"
      }
      suites += "  </testsuite>\n"
    }
    for (name, list) in kindsToSee {
      let gone = Set(missing.filter { $0.programme == name }.map(\.kind.id))
      let suite = "faults of \(XMLText.escaped(name))"
      tests += list.count
      failures += gone.count
      suites += """
          <testsuite name="\(suite)" tests="\(list.count)" failures="\(gone.count)" errors="0" skipped="0">

        """
      for kind in list {
        let head = "    <testcase classname=\"\(suite)\" name=\"\(XMLText.escaped(kind.id))\""
        suites +=
          gone.contains(kind.id)
          ? "\(head)>\n      <failure message=\"it never happened\" type=\"missing\"/>\n    </testcase>\n"
          : "\(head)/>\n"
      }
      suites += "  </testsuite>\n"
    }
    let time = String(format: "%.3f", seconds)
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="pitboss check" tests="\(tests)" failures="\(failures)" errors="0" time="\(time)">
      \(suites)</testsuites>

      """
  }

  /// Commands that show a finding again, the smallest case first.
  package func replays(_ found: Campaign.Finding) -> [String] {
    var lines: [String] = []
    if let smallest = found.smallest { lines.append(smallest.replay) }
    let varies = found.first.varies ? " --vary" : ""
    let settings = found.first.settings.map { " --set \(ShellText.quoted($0))" }.joined()
    let file = ShellText.word(found.first.file)
    lines.append("pitboss replay \(file) --seed \(found.first.seed)\(varies)\(settings) --trace")
    return lines
  }
}

extension [String] {
  /// Each once, in order.
  fileprivate var reduced: [String] {
    var seen = Set<String>()
    return filter { seen.insert($0).inserted }
  }
}
