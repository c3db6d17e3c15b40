/// One thing that is wrong with an input, and what to write instead.
package struct InputFinding: Sendable, Equatable, CustomStringConvertible {
  /// File name as the user gave it, or the flag or variable that carried the value.
  package var source: String
  /// Line of the file, from 1; 0 when the finding is about the whole source.
  package var line = 0
  /// Column in characters, from 1; 0 when the finding is about the whole line.
  package var column = 0
  /// Dotted path of the setting; empty when the finding is about no single setting.
  package var path = ""
  /// What is wrong, a semicolon, and what would do.
  package var message: String
  /// 0 for files; overrides follow in the order in which they were given.
  var rank = 0

  /// A finding at a place of a file.
  package init(
    source: String, line: Int = 0, column: Int = 0, path: String = "", message: String
  ) {
    self.init(
      source: source, line: line, column: column, path: path, message: message, rank: 0)
  }

  init(
    source: String, line: Int = 0, column: Int = 0, path: String = "", message: String, rank: Int
  ) {
    self.source = source
    self.line = line
    self.column = column
    self.path = path
    self.message = message
    self.rank = rank
  }

  /// A finding about a path of a scenario, where it was written.
  ///
  /// - Parameter file: That of the scenario.
  init(_ origin: Origin, in file: String, path: String, message: String) {
    self.init(source: file, path: path, message: message)
    switch origin {
    case .standard: break
    case .file(let line, let column):
      self.line = line
      self.column = column
    case .override(let label, let rank):
      source = label
      self.rank = rank
      if !label.lowercased().hasSuffix(path.lowercased()) { self.message = "\(path): \(message)" }
    }
  }

  /// `file:line:column: path: what is wrong; what would do`, without the parts that are empty.
  package var description: String {
    var text = source
    if line > 0 { text += ":\(line)" }
    if column > 0 { text += ":\(column)" }
    // An override's source ends with its path already.
    if !path.isEmpty && rank == 0 { text += ": \(path)" }
    return text + ": " + message
  }

  /// Position in a list of findings: files by line and column, then overrides.
  var order: (Int, Int, Int) { (rank, line, column) }
}

/// Everything that is wrong with an input, by position.
///
/// At most `limit` findings are kept; `omitted` counts the rest.
package struct InputErrors: Error, Sendable, Equatable, CustomStringConvertible {
  /// What sort of failure this is; it decides the exit code.
  package enum Kind: Sendable {
    /// The input could be read and is not what it should be (exit 65, or 64 where that is the seed of
    /// the command line or of the environment alone).
    case content
    /// The input could not be read (exit 74).
    case unreadable
  }

  /// How many findings are kept.
  package static let limit = 200

  package let kind: Kind
  /// Sorted by position; never empty.
  package let findings: [InputFinding]
  /// How many more findings there were.
  package let omitted: Int

  /// - Parameters:
  ///   - kind: Whether the file could not be read or its content is wrong.
  ///   - findings: In any order; at least one.
  ///   - omitted: How many more findings there are than are listed.
  package init(kind: Kind = .content, _ findings: [InputFinding], omitted: Int = 0) {
    self.kind = kind
    let sorted = findings.enumerated().sorted {
      $0.element.order == $1.element.order
        ? $0.offset < $1.offset : $0.element.order < $1.element.order
    }.map(\.element)
    self.findings = Array(sorted.prefix(Self.limit))
    self.omitted = omitted + max(0, sorted.count - Self.limit)
  }

  /// The process exit code that this failure asks for: 64, 65 or 74.
  package var exitCode: Int32 {
    if kind == .unreadable { return 74 }
    let isSeed = findings.allSatisfy { SettingOverride.seedSources.contains($0.source) }
    return isSeed && !findings.isEmpty ? 64 : 65
  }

  /// One line for each finding, and one that counts the omitted ones.
  package var description: String {
    var lines = findings.map(\.description)
    if omitted > 0 {
      lines.append("\(findings[0].source): and \(omitted) more; fix these first")
    }
    return lines.joined(separator: "\n")
  }
}
