/// What reading, checking, listing and the JSON Schema need to know about one setting, or about
/// one field of the records of a list.
package struct SettingDescription: Sendable {
  /// Dotted path from the root of the file; for fields of records only the key.
  package var path: String
  /// What values it takes.
  package let shape: SettingShape
  /// Unit for people; empty where the shape says it.
  package let unit: String
  /// Mark of the default.
  package let mark: SettingMark
  /// One line: what it is.
  package let doc: String
  /// Whether it has to be written.
  package var required = false
  /// Marks of single default fields of records, by `index.key`, where they differ.
  package var recordMarks: [String: SettingMark] = [:]
  /// The value where nothing is written; without meaning where `required`.
  package var standard = SettingValue.none

  /// The unit as a sentence: `In USDT.`, `As a share of tins.`, `Per week.`, `On average.`; empty without
  /// one.
  package var unitSentence: String {
    let words = unit.split(separator: " ", maxSplits: 1)
    return switch words.first {
    case nil: ""
    case "of": "As a share \(unit)."
    case "a": "Per \(words.last ?? "")."
    case "after", "on", "o'clock": "\(unit.prefix(1).uppercased())\(unit.dropFirst())."
    default: "In \(unit)."
    }
  }

  init(path: String, shape: SettingShape, _ about: About) {
    self.path = path
    self.shape = shape
    unit = about.unit
    mark = about.mark
    doc = about.doc
  }
}

/// What one setting is about, besides its path, shape and place in the typed values.
package struct About: Sendable {
  let mark: SettingMark
  let unit: String
  let doc: String

  /// A setting whose default is a fact of the product brief.
  package static func given(_ unit: String, _ doc: String) -> About {
    About(mark: .given, unit: unit, doc: doc)
  }

  /// A setting whose default is from a public source.
  package static func sourced(_ unit: String, _ doc: String) -> About {
    About(mark: .sourced, unit: unit, doc: doc)
  }

  /// A setting whose default is assumed.
  package static func assumed(_ unit: String, _ doc: String) -> About {
    About(mark: .assumed, unit: unit, doc: doc)
  }
}
