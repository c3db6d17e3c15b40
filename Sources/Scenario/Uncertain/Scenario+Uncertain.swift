internal import Foundation
internal import RewardModel

extension Scenario {
  /// The settings that a path names: one, or with `[*]` those of every entry of a list.
  package func rows(at path: String) -> [ResolvedSetting] {
    let parts = path.components(separatedBy: "[*]")
    return settings.filter { setting in
      guard parts.count > 1 else { return setting.path == path }
      guard setting.path.hasPrefix(parts[0] + "["), setting.path.hasSuffix(parts[1]) else {
        return false
      }
      let inner = setting.path.dropFirst(parts[0].count + 1).dropLast(parts[1].count + 1)
      return !inner.isEmpty && inner.allSatisfy(\.isNumber)
    }
  }

  /// What is wrong with what is said to be uncertain, each with the path of the entry.
  var uncertainFaults: [(path: String, message: String)] {
    var faults: [(path: String, message: String)] = []
    var seen: Set<String> = []
    for (place, entry) in uncertain.enumerated() {
      let path = "uncertain[\(place)]"
      for name in entry.paths {
        if !seen.insert(name).inserted {
          faults.append((path, "\(name.shortened) is uncertain twice; leave one out"))
        } else if let fault = fault(of: name, entry) {
          faults.append((path, fault))
        }
      }
    }
    for (place, entry) in correlated.enumerated() {
      for name in [entry.first, entry.second] where !seen.contains(name) {
        let meant = nearest(to: name, among: Array(seen)).map { "did you mean '\($0)'?" }
        faults.append(
          (
            "correlated[\(place)]",
            "\(name.shortened) is not uncertain; \(meant ?? "name settings of 'uncertain'")"
          ))
      }
    }
    return faults
  }

  private func fault(of name: String, _ entry: UncertainSetting) -> String? {
    let frame = [
      "name", "description", "programme", "seed", "expect", "uncertain", "correlated", "sources",
    ]
    guard !frame.contains(name), !name.hasPrefix("calendar."), !name.hasPrefix("check.") else {
      return "\(name) cannot be uncertain; name a setting of the program"
    }
    let rows = rows(at: name)
    guard let first = rows.first else {
      let meant = nearest(to: name, among: settings.map(\.path)).map { "did you mean '\($0)'?" }
      return "no setting is called \(name.shortened); \(meant ?? "see pitboss scenario show")"
    }
    switch entry.law {
    case .discrete, .rows: return nil
    default:
      guard let shape = shape(of: first.path), shape.isNumber else {
        return "\(name) is not a number; write discrete(…) with its values"
      }
      guard !entry.isFactor || rows.allSatisfy({ $0.value.isNumber }) else {
        return "\(name) is '\(first.value.text)', which cannot be multiplied by a factor"
      }
      return nil
    }
  }
}

extension SettingShape {
  /// Whether its values are numbers, spans or amounts.
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .decimal, .money, .share, .fraction, .rate, .multiplier, .duration: true
    case .optional(let inner): inner.isNumber
    case .date, .zone, .flag, .choice, .text, .form, .list, .records, .offSwitch: false
    }
  }
}

extension SettingValue {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .decimal, .money, .share, .fraction, .rate, .multiplier, .duration: true
    case .date, .text, .word, .flag, .list, .record, .none: false
    }
  }
}
