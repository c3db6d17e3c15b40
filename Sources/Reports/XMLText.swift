/// Text in XML.
package enum XMLText {
  /// Text as content or as an attribute; what XML 1.0 does not allow becomes `·`.
  package static func escaped(_ text: String) -> String {
    var out = ""
    for scalar in DisplayText.safe(text).unicodeScalars {
      switch scalar {
      case "&": out += "&amp;"
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "\"": out += "&quot;"
      case "\u{FFFE}", "\u{FFFF}": out += "·"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}
