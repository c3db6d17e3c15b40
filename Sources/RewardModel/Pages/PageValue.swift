/// What a text or a number means for its reader; how that looks is the renderer's matter.
package enum PageTone: Sendable {
  case plain
  /// Worth reading first.
  case strong
  /// Less important than the rest.
  case soft
  case good, caution, bad
  /// A name that programs read.
  case code
}

/// A figure's value, or why there is none.
package enum PageValue: Equatable, Sendable {
  /// In the unit of its figure or column.
  case number(Int64)
  /// A number that people read in words of its own, where those of its unit would mislead.
  case worded(Int64, String)
  case text(String)
  /// A text that says what the state is.
  case verdict(String, PageTone)
  /// The run models it, but nothing has happened yet.
  case none
  /// The run does not model it; the setting switches it on, as far as one does.
  case notInRun(setting: String?)
  /// Only the simulation has it; a service does not learn of it, whatever its settings are.
  case unknownToService

  /// The number, or `none` where it is not defined.
  package static func known(_ number: Int64?) -> PageValue { number.map { .number($0) } ?? .none }

  /// A part of a whole as a share, or `none` of nothing; people read the tenth of a percent that is
  /// nearest.
  package static func share(_ part: Int64, of whole: Int64) -> PageValue {
    guard let share = PageSums.share(part, of: whole) else { return .none }
    let words = PageWords.percent(part, of: whole)
    return words == PageWords.percent(share) ? .number(share) : .worded(share, words)
  }

  /// Itself when the run does not model it, or the service does not know it.
  package var absence: PageValue? {
    switch self {
    case .notInRun, .unknownToService: self
    case .number, .worded, .text, .verdict, .none: nil
    }
  }

  /// Its tone when it is a verdict, else plain.
  package var tone: PageTone {
    if case .verdict(_, let tone) = self { tone } else { .plain }
  }
}
