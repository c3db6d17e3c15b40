internal import Scenario
internal import Synchronization

/// Says which settings were set and do nothing, so that nobody takes what did not change for an answer.
enum IdleNotes {
  /// What was said: an experiment reads the same settings many times.
  private static let said = Mutex<Set<String>>([])

  /// Settings that a command gives several values.
  private static let varied = Mutex<[String]>([])

  /// Leaves out what does nothing only while a setting is as it is that the command gives several values.
  ///
  /// - Parameter flags: As they say it, `path=values`, several with semicolons between them.
  static func leaveOut(varied flags: [String]) {
    let paths = flags.flatMap { $0.split(separator: ";") }.map { flag in
      String(flag.drop { $0 == " " }.prefix { $0 != "=" && $0 != " " })
    }
    varied.withLock { $0 = paths }
  }

  /// Says it on standard error, each sentence once.
  static func say(of scenario: Scenario) {
    let idle = scenario.idle(varying: varied.withLock { $0 })
    for sentence in sentences(idle) where said.withLock({ $0.insert(sentence).inserted }) {
      complain("pitboss: \(sentence)")
    }
  }

  /// A sentence for each reason, without a capital letter and a full stop.
  static func sentences(_ idle: [IdleSetting]) -> [String] {
    var reasons: [String] = []
    for setting in idle where !reasons.contains(setting.reason) { reasons.append(setting.reason) }
    return reasons.map { reason in
      let paths = idle.filter { $0.reason == reason }.map(\.path)
      let last = paths.count > 1 ? " and \(paths[paths.count - 1])" : ""
      let first = paths.count > 1 ? paths.dropLast().joined(separator: ", ") : paths[0]
      return "\(first)\(last) \(paths.count > 1 ? "do" : "does") nothing while \(reason)"
    }
  }
}
