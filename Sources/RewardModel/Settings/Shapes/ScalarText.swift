/// Why a scalar is refused: what is wrong, and what to write instead.
package struct Refusal: Error {
  /// What is wrong, a semicolon, and what to write instead.
  package let message: String

  /// - Parameters:
  ///   - wrong: What is wrong, without a full stop.
  ///   - cure: What to write instead.
  package init(_ wrong: String, _ cure: String) { message = "\(wrong); \(cure)" }

  private init(message: String) { self.message = message }

  /// The refusal with other words for all that is accepted, where it ends with them.
  func naming(_ wanted: String, insteadOf others: String) -> Refusal {
    guard message.hasSuffix(" \(others)") else { return self }
    return Refusal(message: String(message.dropLast(others.count)) + wanted)
  }
}

/// How a scalar was written.
package enum ScalarStyle: Sendable {
  /// Plain in YAML: numbers, words and null are told apart by their spelling.
  case plain
  /// In quotes or as a block: always text.
  case quoted
  /// On a command line, where quotes are the shell's: what the setting expects.
  case bare
}

extension String {
  /// Whether a plain scalar means 'no value'.
  package var isNullWord: Bool { ["", "~", "null", "Null", "NULL"].contains(self) }

  /// At most 60 characters on one line, for messages.
  package var shortened: String {
    let line = String(map { $0.isNewline || $0 == "\t" ? " " : $0 })
    return line.count > 60 ? line.prefix(57) + "..." : line
  }

  /// Without spaces at either end.
  package var trimmed: String {
    let front = drop { $0 == " " }
    return String(front.reversed().drop { $0 == " " }.reversed())
  }

  /// A number and the unit after it: `90 d` is `90` and `d`. The unit is empty when there is
  /// none, the number when the text begins with none.
  package var splitUnit: (number: String, unit: String) {
    let numeric: Set<Character> = ["+", "-", "."]
    var end = startIndex
    while end < endIndex {
      let character = self[end]
      let next = index(after: end)
      if character.isASCII && character.isNumber || numeric.contains(character) {
        end = next
      } else if character == "e" || character == "E", end > startIndex, next < endIndex,
        self[next].isNumber || self[next] == "-" || self[next] == "+"
      {
        end = next
      } else {
        break
      }
    }
    let unit = self[end...].drop { $0 == " " }
    return (String(self[..<end]), String(unit))
  }

  /// Whether what comes after a number's digits goes on with more digits: they are separated by an
  /// underscore, a comma, an apostrophe or a blank, which `splitUnit` drops.
  var beginsWithSeparator: Bool {
    guard let sign = first else { return false }
    return "_,'’".contains(sign) || sign.isASCII && sign.isNumber
  }

  /// The same, without the separators between the number's digits: those of thousands, before three
  /// of them, and underscores anywhere.
  var withoutSeparators: (number: String, unit: String) {
    var (number, unit) = splitUnit
    while unit.beginsWithSeparator, unit.first != "," || !number.contains(".") {
      let (digits, rest) = String(unit.drop { "_,'’".contains($0) }).splitUnit
      if digits.isEmpty { break }
      if unit.first != "_", digits.prefix(while: \.isNumber).count != 3 { break }
      (number, unit) = (number + digits, rest)
    }
    return (number, unit)
  }
}
