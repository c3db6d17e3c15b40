internal import Experiments
internal import Foundation
internal import Scenario
internal import Synchronization

/// Searching for the value of a setting.
extension StudioSession {
  /// What a search asks for.
  package struct Goal: Decodable, Sendable {
    package var path: String
    /// Ends of the range, as people write them: `10 %`, `30 d`.
    package var low: String
    package var high: String
    /// As `pitboss solve --such-that` reads it.
    package var condition: String

    /// A goal; see the properties.
    package init(path: String, low: String, high: String, condition: String) {
      self.path = path
      self.low = low
      self.high = high
      self.condition = condition
    }
  }

  /// Begins to search with the settings as they are now; a search before it ends.
  ///
  /// - Throws: `StudioRefusal`, whose path is `range` or `condition`; a search before it goes on.
  package func seek(_ goal: Goal) throws(StudioRefusal) {
    let now = state.withLock { $0 }
    let load: @Sendable ([SettingOverride]) throws -> Scenario = { more in
      let scenario = try Self.load(now, more)
      try Self.check(scenario)
      return scenario
    }
    var seek = try GoalSeek(
      now.a.scenario, path: goal.path, low: goal.low, high: goal.high, condition: goal.condition,
      most: Self.searchReplications, threads: threads, load: load)
    let number = searchJob.add(1, ordering: .relaxed).newValue
    seek.isWanted = { [weak self] in self?.searchJob.load(ordering: .relaxed) == number }
    let begun = StudioSearch(
      path: goal.path, condition: seek.objective.text, words: "Beginning to search")
    tell(begun, number)
    searching.async { [weak self, seek] in
      self?.search(seek, begun, number, load)
    }
  }

  /// Ends the search that runs, if one does.
  package func cancelSearch() {
    let number = searchJob.add(1, ordering: .relaxed).newValue
    let search = state.withLock { $0.search }
    guard var search, search.state == .running else { return }
    search.state = .cancelled
    search.words = "The search was canceled."
    tell(search, number)
  }

  private func search(
    _ seek: GoalSeek, _ begun: StudioSearch, _ number: Int,
    _ load: @Sendable ([SettingOverride]) throws -> Scenario
  ) {
    guard seek.isWanted() else { return }
    let last = Mutex(ContinuousClock.now)
    do {
      let solution = try seek.run(load: load) { [weak self] words in
        // Words that nobody could read in time are not told.
        let isDue = last.withLock { last in
          guard ContinuousClock.now - last > .milliseconds(250) else { return false }
          last = .now
          return true
        }
        guard isDue else { return }
        var search = begun
        search.words = words
        self?.tell(search, number)
      }
      tell(seek.told(solution, begun), number)
    } catch is GoalSeek.Cancelled {
    } catch {
      var search = begun
      search.state = .failed
      search.words = (error as? StudioRefusal)?.message ?? "\(error)"
      tell(search, number)
    }
  }

  /// Shows how far a search is, unless another one was begun.
  private func tell(_ search: StudioSearch, _ number: Int) {
    let isCurrent = state.withLock { state in
      guard searchJob.load(ordering: .relaxed) == number else { return false }
      state.search = search
      return true
    }
    if isCurrent { publish() }
  }
}
