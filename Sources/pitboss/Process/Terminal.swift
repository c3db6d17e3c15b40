internal import ArgumentParser
internal import Foundation

/// What standard output can show.
struct Terminal {
  /// Columns, at most 120: what `COLUMNS` says, else those of the terminal, else 100.
  var width: Int
  /// Whether escape sequences for colors may be used: on a terminal that knows them, unless `NO_COLOR`
  /// is set.
  var colour: Bool

  /// Standard output as it is now.
  static var current: Terminal {
    var size = winsize()
    let isKnown = isatty(1) == 1 && ioctl(1, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    // Whoever sets it wants it, on a terminal and in a pipe alike; so do the texts of --help.
    let wanted = ProcessInfo.processInfo.environment["COLUMNS"].flatMap { Int($0) } ?? 0
    let width = wanted > 0 ? wanted : isKnown ? Int(size.ws_col) : 100
    return Terminal(width: min(width, 120), colour: isColoured(1))
  }

  /// Whether a stream goes to a terminal that knows escape sequences: one with `TERM=dumb`, as in an
  /// editor, shows them as they are.
  static func knowsEscapes(_ stream: Int32) -> Bool {
    isatty(stream) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// Whether colors may be used on a stream: where it knows them, unless `NO_COLOR` is set.
  static func isColoured(_ stream: Int32) -> Bool {
    knowsEscapes(stream) && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
  }
}

/// A flag, or else the environment's `PITBOSS_NAME`, or else the default.
///
/// - Throws: `ValidationError` when the environment's value is none of the choices.
func chosen<Value: RawRepresentable & CaseIterable>(
  _ flag: Value?, _ name: String, _ standard: Value
) throws -> Value where Value.RawValue == String {
  if let flag { return flag }
  let text = ProcessInfo.processInfo.environment["PITBOSS_" + name] ?? ""
  if text.isEmpty { return standard }
  guard let value = Value(rawValue: text) else {
    let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
    throw ValidationError("PITBOSS_\(name) is '\(text)'; write one of \(known)")
  }
  return value
}
