/// Text that people paste into a shell.
package enum ShellText {
  /// One word of a command, in single quotes.
  ///
  /// What would move the cursor or reverse the direction of text is written as an escape in `$'…'`,
  /// which bash, zsh and POSIX.1-2024 read back to the same bytes.
  package static func quoted(_ text: String) -> String {
    guard DisplayText.safe(text) == text else {
      var out = "$'"
      for scalar in text.unicodeScalars {
        if scalar == "'" || scalar == "\\" {
          out += "\\\(scalar)"
        } else if DisplayText.safe(String(scalar)) == String(scalar) {
          out.unicodeScalars.append(scalar)
        } else {
          for byte in Array(String(scalar).utf8) {
            out += "\\" + octal(byte)
          }
        }
      }
      return out + "'"
    }
    return "'" + text.replacing("'", with: #"'\''"#) + "'"
  }

  /// A byte as the three octal digits that end an escape, so that following digits are not part of
  /// it.
  private static func octal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 8)
    return String(repeating: "0", count: 3 - digits.count) + digits
  }

  /// One word of a command, in quotes only where a shell would change it without.
  package static func word(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte) || "_-./+:@%,".utf8.contains(byte)
      }
    return isPlain ? text : quoted(text)
  }

  /// The path of a file as one word of a command. One that begins with a dash would be read as a flag.
  package static func path(_ text: String) -> String {
    word(text.hasPrefix("-") ? "./" + text : text)
  }

  /// The command that repeats one run, in any shell whose working directory is the same.
  ///
  /// - Parameters:
  ///   - scenario: The path or bare name as it was given.
  ///   - seed: Of the run; it replaces every seed among the settings.
  ///   - settings: `path=value` of everything that overrides the scenario, in order, that of the
  ///     environment too, which a fresh shell does not have.
  ///   - threads: Nil leaves them out.
  package static func run(
    _ scenario: String, seed: UInt64, settings: [String], threads: Int? = nil
  ) -> String {
    "pitboss run \(path(scenario)) --seed \(seed)"
      + (threads.map { " --threads \($0)" } ?? "") + flags(settings)
  }

  /// The flags that repeat settings, `path=value` each, with a blank before each flag.
  package static func flags(_ settings: [String]) -> String {
    settings.filter { !$0.hasPrefix("seed=") }.map { " --set \(quoted($0))" }.joined()
  }
}
