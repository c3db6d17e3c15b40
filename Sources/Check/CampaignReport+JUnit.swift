internal import Foundation
internal import Reports
internal import RewardModel

extension CampaignReport {
  /// What all suites of a report are called together.
  package static let junitSuites = "pitboss check"

  /// The campaign as JUnit XML: a test case for each promise of each scenario, and for each kind of
  /// fault that cases can have, skipped where it has not happened and need not have. A scenario of which
  /// no case ran is an error, and so is what ended the campaign early.
  package func junit() -> String {
    let suites = results.map { suite(of: $0) } + faultSuites + failureSuite
    func sum(_ count: KeyPath<JUnitSuite, Int>) -> Int {
      suites.reduce(0) { $0 + $1[keyPath: count] }
    }
    let time = String(format: "%.3f", seconds)
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="\(Self.junitSuites)" tests="\(sum(\.tests))" failures="\(sum(\.failures))" errors="\(sum(\.errors))" skipped="\(sum(\.skipped))" time="\(time)">
      \(suites.map(\.text).joined())</testsuites>

      """
  }

  private func suite(of result: Campaign.Result) -> JUnitSuite {
    var suite = JUnitSuite(result.scenario)
    guard result.ran > 0 else {
      let why = result.refusal.map { ": \($0)" } ?? ""
      suite.add("cases_run", .error("no case ran\(why)"))
      return suite
    }
    let names = (programmes[result.programme].map { CheckedKinds.invariants($0) } ?? []).map(\.id)
    let others = result.found.map(\.invariant).filter { !names.contains($0) }
    for name in names.reduced + others {
      guard let found = result.found.first(where: { $0.invariant == name }) else {
        suite.add(name, .passed)
        continue
      }
      // What the first command replays.
      let broken = found.smallest?.broken ?? found.answer.broken
      let facts = broken?.facts ?? ""
      let lines =
        [facts] + (broken?.events ?? [])
        + (found.notSmaller.map { ["no smaller case: \($0)"] } ?? []) + replays(found, of: result)
        + (searchOn(found, of: result).map { [$0] } ?? [])
      suite.add(name, .failed(facts, type: "violated", lines: lines))
    }
    return suite
  }

  private var faultSuites: [JUnitSuite] {
    let never = Dictionary(uniqueKeysWithValues: (missing + notYetSeen).map { ($0.name, $0) })
    return kindsToSee.map { name, list in
      var suite = JUnitSuite("faults of \(name)")
      for kind in list { suite.add(kind.kind.id, Self.outcome(never[kind.name])) }
      return suite
    }
  }

  private static func outcome(_ unseen: Unseen?) -> JUnitSuite.Outcome {
    guard let unseen else { return .passed }
    let seeds = counted(unseen.expected, "seed")
    return unseen.isMissing
      ? .failed("it never happened", type: "missing", lines: [])
      : .skipped("not seen yet, and expected within \(seeds)")
  }

  private var failureSuite: [JUnitSuite] {
    let stop = interrupted ? "it was interrupted after \(casesDone)" : nil
    guard let why = failure ?? stop else { return [] }
    var suite = JUnitSuite("campaign")
    suite.add("goes_to_its_end", .error(why))
    return [suite]
  }
}

/// A suite of test cases.
private struct JUnitSuite {
  enum Outcome {
    case passed
    case failed(String, type: String, lines: [String])
    case error(String)
    case skipped(String)
  }

  private let name: String
  private var lines = ""
  private(set) var tests = 0
  private(set) var failures = 0
  private(set) var errors = 0
  private(set) var skipped = 0

  init(_ name: String) { self.name = XMLText.escaped(name) }

  mutating func add(_ test: String, _ outcome: Outcome) {
    tests += 1
    let head = "    <testcase classname=\"\(name)\" name=\"\(XMLText.escaped(test))\""
    switch outcome {
    case .passed: lines += "\(head)/>\n"
    case .failed(let message, let type, let details):
      failures += 1
      let start = "      <failure message=\"\(XMLText.escaped(message))\" type=\"\(type)\""
      let text = details.map(XMLText.escaped).joined(separator: "\n")
      let end = text.isEmpty ? "/>" : ">\(text)</failure>"
      lines += "\(head)>\n\(start)\(end)\n    </testcase>\n"
    case .error(let message):
      errors += 1
      lines += "\(head)>\n\(Self.line("error", message))    </testcase>\n"
    case .skipped(let message):
      skipped += 1
      lines += "\(head)>\n\(Self.line("skipped", message))    </testcase>\n"
    }
  }

  private static func line(_ name: String, _ message: String) -> String {
    "      <\(name) message=\"\(XMLText.escaped(message))\"/>\n"
  }

  var text: String {
    """
      <testsuite name="\(name)" tests="\(tests)" failures="\(failures)" errors="\(errors)" skipped="\(skipped)">
    \(lines)  </testsuite>

    """
  }
}

extension [String] {
  /// Each once, in order.
  fileprivate var reduced: [String] {
    var seen = Set<String>()
    return filter { seen.insert($0).inserted }
  }
}
