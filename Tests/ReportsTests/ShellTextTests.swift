// Goal: a command that is printed does in a shell what it says, whatever paths and values hold.
// Method: shells of this machine print back the words that they read.
import Foundation
import Reports
import Testing

@Suite struct ShellTextTests {
  private static let hostile = [
    "plain", "two words", "a b's.yaml", "'", "''", "\"q\"", "$HOME", "`id`", "a;b|c&d", "*?[x]",
    "back\\slash", "~", "#x", "!x", "<b>", "größe", "日本", "a=b", "{1,2}", "../x",
  ]

  /// What a shell hands on as the arguments of a command.
  private func words(_ command: String, _ shell: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: shell)
    process.arguments = ["-c", "printf '%s\\0' \(command)"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return data.split(separator: 0, omittingEmptySubsequences: false).dropLast()
      .map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("A shell reads back every word, quoted always or where needed", arguments: hostile)
  func roundTrip(text: String) throws {
    #expect(try words(ShellText.quoted(text), "/bin/sh") == [text])
    #expect(try words(ShellText.word(text), "/bin/sh") == [text])
  }

  @Test("Plain words need no quotes, and nothing is a word in quotes")
  func plain() throws {
    #expect(ShellText.word("Scenarios/launch-year.yaml") == "Scenarios/launch-year.yaml")
    #expect(ShellText.word("a b") == "'a b'")
    #expect(ShellText.word("") == "''")
    #expect(ShellText.quoted("a") == "'a'")
  }

  @Test(
    "What would move the cursor is printed as an escape that bash reads back",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/bin/bash"), "bash is not there"),
    arguments: ["\u{1B}[31mred", "a\nb", "tab\t'quoted' \\", "\u{202E}turned", "\u{7}7"])
  func control(text: String) throws {
    let word = ShellText.word(text)
    #expect(word.hasPrefix("$'"))
    #expect(DisplayText.safe(word) == word)
    #expect(try words(word, "/bin/bash") == [text])
  }

  @Test("The line of a run holds path, seed, threads and settings, and one seed only")
  func line() throws {
    let line = ShellText.run(
      "a b's.yaml", seed: 18_446_744_073_709_551_615,
      settings: ["seed=4", "rules.prizes.Trip $200K.every=5", "name=it's"], threads: 1)
    #expect(
      line == #"pitboss run 'a b'\''s.yaml' --seed 18446744073709551615 --threads 1"#
        + #" --set 'rules.prizes.Trip $200K.every=5' --set 'name=it'\''s'"#)
    #expect(
      try words(line, "/bin/sh") == [
        "pitboss", "run", "a b's.yaml", "--seed", "18446744073709551615", "--threads", "1", "--set",
        "rules.prizes.Trip $200K.every=5", "--set", "name=it's",
      ])
    #expect(ShellText.run("-x.yaml", seed: 1, settings: []) == "pitboss run ./-x.yaml --seed 1")
  }
}
