internal import Foundation
package import RewardModel

extension Scenario {
  /// The settings that a path names: one, or with `[*]` those of every entry of a list.
  package func rows(at path: String) -> [ResolvedSetting] {
    let parts = path.components(separatedBy: "[*]")
    return settings.filter { Self.isNamed($0.path, by: parts) }
  }

  /// Whether a setting is one of those that a path names.
  ///
  /// - Parameter parts: Of the path, between its `[*]`.
  private static func isNamed(_ setting: String, by parts: [String]) -> Bool {
    guard parts.count > 1 else { return setting == parts[0] }
    guard setting.hasPrefix(parts[0] + "["), setting.hasSuffix(parts[1]) else { return false }
    let inner = setting.dropFirst(parts[0].count + 1).dropLast(parts[1].count + 1)
    return !inner.isEmpty && inner.allSatisfy(\.isNumber)
  }

  /// The settings that a path of an entry of `uncertain` names, without those that it leaves out.
  package func rows(at path: String, of entry: UncertainSetting) -> [ResolvedSetting] {
    rows(at: path).filter { !entry.except.contains($0.path) }
  }

  /// A path of an entry of `uncertain` with the settings that it sets.
  package typealias OpenPath = (name: String, targets: [ResolvedSetting])

  /// The paths of an entry that are drawn: those with settings that nothing overrides, and these
  /// settings.
  package func open(_ entry: UncertainSetting) -> [OpenPath] {
    entry.paths.compactMap { name in
      let targets = rows(at: name, of: entry).filter { !isOverridden($0.path) }
      return targets.isEmpty ? nil : (name, targets)
    }
  }

  /// The entries of `uncertain` and `correlated` with no more than is still drawn, so that a file with
  /// what overrides say draws what this scenario does.
  ///
  /// - Parameter file: The name of each file of rows in the new entries.
  func drawnEntries(file: (String) -> String) -> (uncertain: [String], correlated: [String]) {
    var names: Set<String> = []
    let entries = uncertain.compactMap { entry -> String? in
      let open = Set(self.open(entry).map(\.name))
      // An entry of a list that the file leaves empty draws nothing, and is kept.
      let own = entry.paths.filter { path in
        open.contains(path) || rows(at: path, of: entry).isEmpty && !isOverridden(path)
      }
      guard !own.isEmpty else { return nil }
      names.formUnion(own)
      let certain = own.flatMap { rows(at: $0) }.map(\.path)
        .filter { entry.except.contains($0) || isOverridden($0) }
      let place = entry.file.map(file)
      if own == entry.paths, Set(certain).isSubset(of: entry.except), place == entry.file {
        return entry.text
      }
      return own.joined(separator: ", ")
        + (certain.isEmpty ? "" : " except " + certain.joined(separator: ", "))
        + " ~ " + (place.map { "rows(\($0))" } ?? entry.lawText)
    }
    let pairs = correlated.filter { names.contains($0.first) && names.contains($0.second) }
    return (entries, pairs.map { "\($0.first) and \($0.second) = \($0.value)" })
  }

  /// What is wrong with what is said to be uncertain, each with the path of the entry.
  var uncertainFaults: [(path: String, message: String)] {
    var faults: [(path: String, message: String)] = []
    var seen: Set<String> = []
    var drawn: Set<String> = []
    for (place, entry) in uncertain.enumerated() {
      let path = "uncertain[\(place)]"
      for name in entry.paths {
        let own = rows(at: name, of: entry).map(\.path)
        if !seen.insert(name).inserted {
          faults.append((path, "\(name.shortened) is uncertain twice; leave one out"))
        } else if let twice = own.first(where: drawn.contains) {
          faults.append(
            (path, "\(twice) is uncertain twice; leave one out, or write [*] … except \(twice)"))
        } else if let fault = fault(of: name, entry) {
          faults.append((path, fault))
        }
        drawn.formUnion(own)
      }
      for name in entry.except {
        let isLeftOut = entry.paths.contains {
          $0.contains("[*]") && Self.isNamed(name, by: $0.components(separatedBy: "[*]"))
        }
        guard !isLeftOut || rows(at: name).isEmpty && !isOverridden(name) else { continue }
        let paths = entry.paths.joined(separator: ", ").shortened
        faults.append(
          (
            path,
            "\(name.shortened) is not one of \(paths); after 'except' name entries of [*], each "
              + "with its number"
          ))
      }
    }
    return faults + correlationFaults
  }

  /// What is wrong with the correlations: one between settings that one file gives, and a second one
  /// between the same two entries, would take the place of another.
  private var correlationFaults: [(path: String, message: String)] {
    var faults: [(path: String, message: String)] = []
    var seen: Set<[Int]> = []
    let names = uncertain.flatMap(\.paths)
    for (place, entry) in correlated.enumerated() {
      let path = "correlated[\(place)]"
      let places = [entry.first, entry.second].map { name in
        uncertain.firstIndex { $0.paths.contains(name) }
      }
      guard let first = places[0], let second = places[1] else {
        for (name, place) in zip([entry.first, entry.second], places) where place == nil {
          let meant = nearest(to: name, among: names).map { "did you mean '\($0)'?" }
          faults.append(
            (
              path,
              "\(name.shortened) is not uncertain; \(meant ?? "name settings of 'uncertain'")"
            ))
        }
        continue
      }
      let pair = "\(entry.first.shortened) and \(entry.second.shortened)"
      if first == second {
        faults.append(
          (
            path,
            "\(pair) are drawn together from one file; its rows say how they move together; leave "
              + "the correlation out"
          ))
      } else if !seen.insert([min(first, second), max(first, second)]).inserted {
        faults.append((path, "\(pair) are correlated twice; leave one out"))
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
      if isOfEmptyList(name) { return nil }
      let meant = nearest(to: name, among: settings.map(\.path)).map { "did you mean '\($0)'?" }
      return "no setting is called \(name.shortened); \(meant ?? "see pitboss scenario show")"
    }
    switch entry.law {
    case .discrete, .rows: return nil
    default:
      guard let shape = shape(of: first.path), shape.isNumber else {
        return "\(name) is not a number; write discrete(…) with its values"
      }
      let drawn = rows.filter { !entry.except.contains($0.path) && !isOverridden($0.path) }
      if entry.isFactor, let fixed = drawn.first(where: { !$0.value.isNumber }) {
        return "\(fixed.path) is '\(fixed.value.text)', which cannot be multiplied by a factor"
      }
      return nil
    }
  }
}

extension Scenario {
  /// Whether a path names entries that a list would have if it were not empty, or shorter than its file
  /// says.
  private func isOfEmptyList(_ path: String) -> Bool {
    path.contains("[") && shape(of: path.replacing("[*]", with: "[0]")) != nil
      && (path.contains("[*]") || isOverridden(path))
  }

  /// Why the setting at a path cannot have a value that is written; nil where it can.
  ///
  /// - Parameter value: As an override gives it.
  package func refusal(of value: String, at path: String) -> Refusal? {
    guard let shape = shape(of: path), !value.hasPrefix("["), !value.hasPrefix("{") else {
      return nil
    }
    do throws(Refusal) {
      _ = try shape.read(value, style: .bare)
      return nil
    } catch { return error }
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
