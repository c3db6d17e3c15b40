internal import Documents
internal import Foundation
package import Quantities
internal import RewardModel
package import Scenario

/// Makes a failing case as small as it can be while it still breaks the same promise: fewer settings
/// and faults, then fewer members and days, then fewer submissions (delta debugging: Zeller and
/// Hildebrandt 2002, doi:10.1109/32.988498).
package struct Shrinker {
  /// A case that fails.
  private struct Failing {
    var settings: [(path: String, value: String)]
    var answer: CaseAnswer
  }

  /// Seconds after which it ends at the latest.
  package static let secondsMost = 120.0

  private let worker: CaseWorker
  private let invariant: String
  private let programme: String
  private let name: String
  private let seed: UInt64
  private let most: Int
  /// Settings without which more would happen, not less.
  private let kept: Set<String>
  private let end: Date
  private let isStopped: () -> Bool
  private var best: Failing
  /// Cases that were run.
  package private(set) var attempts = 0

  /// - Parameters:
  ///   - worker: Runs the cases.
  ///   - one: The case that failed.
  ///   - answer: What became of it.
  ///   - attempts: Most cases that are run.
  ///   - seconds: After which no case is begun.
  ///   - isStopped: Asked before each case; true ends it.
  /// - Throws: `InputErrors` where the case's scenario cannot be read.
  package init(
    _ worker: CaseWorker, _ one: Case, _ answer: CaseAnswer, attempts most: Int = 600,
    seconds: Double = secondsMost, isStopped: @escaping () -> Bool = { false }
  ) throws(InputErrors) {
    self.worker = worker
    invariant = answer.broken?.invariant ?? ""
    self.most = most
    seed = one.seed
    end = Date(timeIntervalSinceNow: seconds)
    self.isStopped = isStopped
    // What a crashed process drew is drawn again.
    let drawn = answer.drawn.isEmpty ? try CaseRunner.drawn(one) : answer.drawn
    let scenario = try CaseRunner.scenario(one, drawn: drawn)
    name = scenario.name
    programme = scenario.programme.id
    let small = (scenario.programme as? any CheckedProgramme.Type)?.caseBounds.small ?? []
    kept = Set(["check.as_written", "check.kept"] + small.map(\.path))
    best = Failing(settings: scenario.written.filter { $0.path != "seed" }, answer: answer)
  }

  /// The smallest case that was found.
  package struct Smallest {
    /// What fails by itself.
    package var scenario: Scenario
    package var answer: CaseAnswer
    /// Just after the promise was found broken, where a replay that ends there breaks it, too. What
    /// only a whole case shows (a service's disk, a run's folder, a trap) has none.
    package var until: Instant?
  }

  /// Looks for the smallest case.
  ///
  /// - Throws: `CampaignFailure` where the case does not break the promise once more, or where no case
  ///   can be run.
  package mutating func run() throws -> Smallest {
    try shrink()
    let scenario = try scenario(best.settings)
    guard let broken = best.answer.broken, broken.time != 0 else {
      return Smallest(scenario: scenario, answer: best.answer, until: nil)
    }
    // One case more than the attempts, but not after the time.
    guard Date() < end, !isStopped() else {
      return Smallest(scenario: scenario, answer: best.answer, until: nil)
    }
    let until = Instant(microseconds: broken.time) + TimeSpan(microseconds: 1)
    var early = written(best.settings)
    early.until = until.microseconds
    let shows = try worker.run(early).broken?.invariant == invariant
    return Smallest(scenario: scenario, answer: best.answer, until: shows ? until : nil)
  }

  private mutating func shrink() throws {
    // The case as one file first: from here on nothing is drawn.
    guard try keep(best.settings) else {
      guard isOpen else {
        throw CampaignFailure(
          isStopped() ? "the search for it was ended" : "the time for the search was over")
      }
      let end = "; something else may have ended its process, such as a lack of memory"
      throw CampaignFailure(
        "run again, the case does not break this promise"
          + (best.answer.verdict == .crashed ? end : ""))
    }
    try shorten()
    try lower("population.members", to: 1)
    var before = -1
    while before != best.settings.count, isOpen {
      before = best.settings.count
      try dropSettings()
      try dropFaults()
    }
    try lower("population.members", to: 1)
    try shorten()
    try dropSubmissions()
    try dropSettings()
  }

  /// Whether it was ended before it had tried everything.
  package var isCut: Bool { !isOpen }

  private var isOpen: Bool { attempts < most && Date() < end && !isStopped() }

  private func scenario(_ settings: [(path: String, value: String)]) throws -> Scenario {
    try CaseRunner.scenario(written(settings), drawn: [])
  }

  private func written(_ settings: [(path: String, value: String)]) -> Case {
    Case(text: head, settings: settings.map { "\($0.path)=\($0.value)" }, seed: seed)
  }

  private var head: String {
    "name: \(JSONText.quoted(name))\nprogramme: \(programme)\nseed: \(seed)\n"
  }

  /// Runs a case, and takes it where it breaks the same promise.
  private mutating func keep(_ settings: [(path: String, value: String)]) throws -> Bool {
    guard isOpen else { return false }
    attempts += 1
    var answer = try worker.run(written(settings))
    guard answer.broken?.invariant == invariant else { return false }
    answer.programme = programme
    best = Failing(settings: settings, answer: answer)
    return true
  }

  private mutating func dropSettings() throws {
    var size = max(best.settings.count / 2, 1)
    while size >= 1, isOpen {
      var place = 0
      while place < best.settings.count, isOpen {
        let upper = min(place + size, best.settings.count)
        let isNeeded = best.settings[place..<upper].contains { kept.contains($0.path) }
        var fewer = best.settings
        fewer.removeSubrange(place..<upper)
        if isNeeded && size == 1 {
          place += 1
        } else if isNeeded {
          place = upper
        } else if try !keep(fewer) {
          place = upper
        }
      }
      size /= 2
    }
  }

  private mutating func dropFaults() throws {
    guard let row = best.settings.firstIndex(where: { $0.path == "check.faults" }) else { return }
    var faults = best.settings[row].value.dropFirst().dropLast().split(separator: ",")
    var place = 0
    while place < faults.count, isOpen {
      var fewer = faults
      fewer.remove(at: place)
      var settings = best.settings
      settings[row].value = "[\(fewer.joined(separator: ","))]"
      if try keep(settings) { faults = fewer } else { place += 1 }
    }
  }

  /// No more days than it takes.
  private mutating func shorten() throws {
    guard best.answer.verdict == .violated, let broken = best.answer.broken,
      let start = try? scenario(best.settings).calendar
    else { return }
    let time = Instant(microseconds: broken.time)
    guard let calendar = try? ProgrammeCalendar(zone: start.zone, firstDate: start.start, days: 1)
    else { return }
    let days = max(Int((time - calendar.start).inSeconds / 86_400) + 1, 1)
    for wanted in [days, days + 1] where wanted < start.days {
      if try keep(setting("calendar.days", "\(wanted)")) { return }
    }
    try lower("calendar.days", to: 1)
  }

  /// Halves a number as long as the case still fails.
  private mutating func lower(_ path: String, to least: Int) throws {
    guard let now = best.settings.first(where: { $0.path == path }).flatMap({ Int($0.value) })
    else { return }
    var (low, high) = (least, now)
    while low < high, isOpen {
      let middle = (low + high) / 2
      if try keep(setting(path, "\(middle)")) { high = middle } else { low = middle + 1 }
    }
  }

  private func setting(_ path: String, _ value: String) -> [(path: String, value: String)] {
    best.settings.filter { $0.path != path } + [(path, value)]
  }

  /// The fewest submissions, where submissions with faults led to it.
  private mutating func dropSubmissions() throws {
    guard best.answer.broken?.part == "service", best.answer.submissions > 1 else { return }
    var kept = Array(0..<best.answer.submissions)
    var parts = 2
    while kept.count > 1, isOpen {
      let size = (kept.count + parts - 1) / parts
      var isSmaller = false
      for first in stride(from: 0, to: kept.count, by: size) {
        let rest = Array(kept[..<first] + kept[min(first + size, kept.count)...])
        guard !rest.isEmpty, isOpen else { continue }
        if try keep(setting("check.kept", "\(PlaceSet(rest))")) {
          kept = rest
          isSmaller = true
          break
        }
      }
      if isSmaller {
        parts = max(parts - 1, 2)
      } else if parts >= kept.count {
        break
      } else {
        parts = min(2 * parts, kept.count)
      }
    }
  }
}
