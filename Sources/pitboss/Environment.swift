internal import Foundation
internal import Logging
internal import RewardModel

/// The variables of the environment that are read; an empty one is as good as none.
enum Environment {
  /// What comes before the names of all.
  private static let prefix = "PITBOSS_"
  private static let names = ["SET", "SEED", "LOG", "PROGRESS", "FORMAT", "PLOTLY"]
  /// Read by tests, by copies with planted bugs, and by the processes that 'check' starts.
  private static let others = ["BENCHMARKS", "PLANTED", "CHECK_SCRATCH"]

  /// Warns of variables that nothing reads, and of a level of the log that there is not.
  static func warn() {
    let environment = ProcessInfo.processInfo.environment
    for variable in environment.keys.sorted() where variable.hasPrefix(prefix) {
      let name = String(variable.dropFirst(prefix.count))
      guard !(names + others).contains(name) else { continue }
      let cure =
        nearest(to: name, among: names).map { "did you mean \(prefix)\($0)?" }
        ?? "known ones are \(names.map { prefix + $0 }.joined(separator: ", "))"
      complain("pitboss: \(variable) is not read; \(cure)")
    }
    let level = environment[prefix + "LOG"] ?? ""
    if !level.isEmpty, Logger.Level(rawValue: level) == nil {
      let known = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
      complain("pitboss: PITBOSS_LOG is '\(level)', which is not a level; write one of \(known)")
    }
  }
}
