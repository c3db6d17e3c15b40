internal import Foundation
internal import Quantities
internal import Reports
package import RewardModel

/// What a campaign found, for people, for programs and for build servers.
package struct CampaignReport: Sendable {
  /// A kind of fault that never happened, though cases can have it.
  package struct Unseen: Sendable {
    package var programme: String
    package var kind: FaultKind
    /// Seeds of the cases that ran and can have it.
    package var seeds: Int64
    /// Seeds with which it should have happened.
    package var expected: Int64
    /// Whether there were as many.
    package var isMissing: Bool { seeds >= expected }
    /// `blakjaks.replayed`.
    var name: String { "\(programme).\(kind.id)" }
  }

  /// Cases that can have a kind of fault below which it need not have happened: it may be drawn and find
  /// no occasion. Those of fewer members or days than usual count as parts of one.
  package static let enough: Int64 = 100

  package let results: [Campaign.Result]
  /// Cases that were asked for.
  package let planned: UInt64
  /// Whether the campaign was told to end before all of them were run.
  package let interrupted: Bool
  /// Why the campaign ended early; nil where nothing failed.
  package let failure: String?
  /// Whether it was memory that the machine refused.
  package let memoryWasRefused: Bool
  package let seconds: Double
  let programmes: [String: any CheckedProgramme.Type]

  /// - Parameters:
  ///   - outcome: What the campaign came to.
  ///   - programmes: Those that are checked, by id.
  ///   - seconds: That the campaign took.
  package init(
    _ outcome: Campaign.Outcome, programmes: [String: any CheckedProgramme.Type], seconds: Double
  ) {
    results = outcome.results
    planned = outcome.planned
    interrupted = outcome.interrupted
    failure = outcome.failure?.words
    memoryWasRefused = outcome.failure?.isOfMemory ?? false
    self.programmes = programmes
    self.seconds = seconds
  }

  /// Broken promises of all scenarios.
  package var broken: Int { results.reduce(0) { $0 + $1.found.count } }

  /// Cases that were done, refused ones among them.
  package var cases: Int64 { results.reduce(0) { $0 + $1.cases } }

  /// Scenarios of which no case ran, so that nothing was checked.
  package var idle: [Campaign.Result] { results.filter { $0.ran == 0 } }

  /// Kinds that never happened, though it is implausible that they did not.
  package var missing: [Unseen] { unseen.filter(\.isMissing) }

  /// Kinds that never happened, with too few seeds to wonder at that.
  package var notYetSeen: [Unseen] { unseen.filter { !$0.isMissing } }

  /// Whether cases had fewer members or days than usual, and so fewer occasions for faults.
  package var isOfTinyWorlds: Bool { results.contains { $0.worldSize < 1 && !$0.isAsWritten } }

  private var unseen: [Unseen] {
    kinds.filter { row in
      results.allSatisfy {
        $0.programme != row.programme || $0.isAsWritten
          || $0.faults[row.kind.id, default: 0] == 0
      }
    }
  }

  /// Programs with the kinds of faults that their cases can have.
  var kindsToSee: [(programme: String, kinds: [Unseen])] {
    let all = kinds
    return programmes.keys.sorted().compactMap { id in
      let own = all.filter { $0.programme == id }
      return own.isEmpty ? nil : (id, own)
    }
  }

  /// Every kind of fault that cases can have, as if none had happened: cases for which faults are drawn,
  /// of scenarios that can have it.
  private var kinds: [Unseen] {
    programmes.keys.sorted().flatMap { id -> [Unseen] in
      let all = programmes[id].map { CheckedKinds.faults($0) } ?? []
      let drawn = results.filter { $0.programme == id && !$0.isAsWritten }
      return all.compactMap { kind in
        let able = drawn.filter { !$0.impossible.contains(kind.id) }
        guard let seeds = able.map(\.ran).max(), seeds > 0 else { return nil }
        let cases = able.reduce(0) { $0 + Double($1.ran) * $1.worldSize }
        // Sums of shares may be a hair below a whole number.
        let forCases = Int64((Double(Self.enough * seeds) / cases - 1e-6).rounded(.up))
        return Unseen(
          programme: id, kind: kind, seeds: seeds,
          expected: max(forCases, CheckedKinds.seedsToDraw(kind, among: all)))
      }
    }
  }

  /// Whether the campaign went to its end, cases of every scenario ran, all promises hold and no kind
  /// of fault is missing.
  package var passed: Bool {
    broken == 0 && missing.isEmpty && idle.isEmpty && failure == nil && !interrupted
  }

  /// How many cases were done, of how many where not all were: `3 of 20,000 cases`.
  package var casesDone: String {
    UInt64(cases) < planned
      ? "\(cases.grouped) of \(Self.counted(Int64(clamping: planned), "case"))"
      : Self.counted(cases, "case")
  }

  /// A count with its word: `1 case`, `1,200 cases`.
  package static func counted(_ count: Int64, _ word: String) -> String {
    "\(count.grouped) \(word)\(count == 1 ? "" : "s")"
  }

  /// What the campaign came to, as a line for people.
  package var verdict: String {
    let events = results.reduce(Int64(0)) { $0 + $1.events }
    let spent = "\(Self.counted(events, "event")) in " + String(format: "%.1f s", seconds)
    let done = "\(casesDone), \(spent)"
    if passed { return "All promises hold: \(done)." }
    if broken > 0 {
      return "\(interrupted ? "Interrupted, and " : "")"
        + "\(Self.counted(Int64(broken), "broken promise")): \(done)."
    }
    if failure != nil { return "Not all cases were run: \(done)." }
    if interrupted {
      return "Interrupted: \(casesDone) ran, and all promises held (\(spent))."
    }
    if !idle.isEmpty {
      return "No case ran of \(Self.counted(Int64(idle.count), "scenario")): \(done)."
    }
    return "Faults are missing: \(done)."
  }

  /// Whether no case of a program could have a kind of fault, or next to none.
  package func isImpossible(_ kind: FaultKind, _ programme: String) -> Bool {
    results.allSatisfy { $0.programme != programme || $0.impossible.contains(kind.id) }
  }

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
      var schemaVersion = 1
      var passed: Bool
      var seconds: Double
      var cases: Int64
      var plannedCases: UInt64
      var interrupted: Bool
      var failure: String?
      var scenarios: [Campaign.Result]
      var missingFaults: [String]
      /// The seeds with which each should happen.
      var faultsNotYetSeen: [String: Int64]
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    var told = results
    for row in told.indices {
      for place in told[row].found.indices {
        told[row].found[place].replays = replays(told[row].found[place], of: told[row])
      }
    }
    let document = Document(
      passed: passed, seconds: seconds, cases: cases, plannedCases: planned,
      interrupted: interrupted, failure: failure, scenarios: told,
      missingFaults: missing.map(\.name),
      faultsNotYetSeen: Dictionary(
        uniqueKeysWithValues: notYetSeen.map { ($0.name, $0.expected) }))
    return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
  }

  /// Commands that show a finding again, the smallest case first.
  package func replays(_ found: Campaign.Finding, of result: Campaign.Result) -> [String] {
    var lines: [String] = []
    if let smallest = found.smallest { lines.append(smallest.replay) }
    lines.append(
      command("replay", found, of: result, seeds: "--seed \(found.first.seed)", then: " --trace"))
    return lines
  }

  /// How a finding's search for the smallest case goes on, where it was ended; nil where it was not.
  package func searchOn(_ found: Campaign.Finding, of result: Campaign.Result) -> String? {
    guard found.mayBeSmaller else { return nil }
    let seeds = "--seeds \(found.first.seed)..\(found.first.seed)"
    let smaller = found.smallest.map { "pitboss check \(ShellText.path($0.file)) \(seeds)" }
    return "the case may be smaller still; to search on: "
      + (smaller ?? command("check", found, of: result, seeds: seeds, then: ""))
  }

  private func command(
    _ name: String, _ found: Campaign.Finding, of result: Campaign.Result, seeds: String,
    then rest: String
  ) -> String {
    // What is written is run as it is, and check refuses to draw for it.
    let varies = found.first.varies && !result.isAsWritten ? " --vary" : ""
    let settings = found.first.settings.map { " --set \(ShellText.quoted($0))" }.joined()
    let file = result.isReadOnce ? "SCENARIO.yaml" : ShellText.path(found.first.file)
    let line = "pitboss \(name) \(file) \(seeds)\(varies)\(settings)\(rest)"
    return result.isReadOnce
      ? "\(line)  # save what \(found.first.file) gave as SCENARIO.yaml first" : line
  }
}
