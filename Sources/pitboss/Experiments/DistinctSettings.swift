internal import ArgumentParser
internal import RewardModel
internal import Scenario

/// Refuses a setting that two flags move: the last one would win, and the results would say otherwise.
struct DistinctSettings {
  /// The flag that carries the settings, and what it does to them, for messages.
  let flag: String
  let word: String
  private var paths: Set<String> = []

  /// No settings.
  init(flag: String, word: String) {
    self.flag = flag
    self.word = word
  }

  /// Adds what differs between the ends of a range: a setting has several spellings, and `[*]` stands
  /// for many.
  ///
  /// - Parameter given: Settings that get values which need not differ.
  /// - Throws: `ValidationError` where one of these was added before.
  mutating func add(_ low: Scenario, _ high: Scenario, given: [String] = []) throws {
    let before = Dictionary(uniqueKeysWithValues: low.settings.map { ($0.path, $0.value) })
    var moved = high.settings.filter { before[$0.path] != $0.value }.map(\.path)
    moved += given.filter { !moved.contains($0) }
    if let twice = moved.first(where: paths.contains) {
      throw ValidationError("\(flag): \(twice) is \(word) twice; leave one of them out")
    }
    paths.formUnion(moved)
  }
}
