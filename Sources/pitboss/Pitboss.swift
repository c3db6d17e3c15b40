internal import ArgumentParser
internal import Foundation
internal import Programmes
internal import Reports
internal import RewardModel
internal import RunStore
internal import Scenario

/// The command line: parse, call, print.
@main
struct Pitboss: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pitboss",
    abstract: "Simulates reward programs: what they cost, and whether their rules hold.",
    discussion: """
      Results go to standard output; progress, warnings and errors to standard error. \
      PITBOSS_LOG=info (or debug) tells more.

      Exit codes: 0 all well; 64 usage; 65 bad input file; 71 memory refused; \
      74 input or output failed; \
      99 a threshold missed, or nothing found by solve, choose or stress; \
      111 an invariant violated; 112 a rate of stress was not offered; \
      130 interrupted (what was computed is kept); 141 the reader of the output went away.
      """,
    version: "0.1.0",
    subcommands: [
      RunCommand.self, ResumeCommand.self, BacktestCommand.self, ProjectCommand.self,
      CompareCommand.self, WorthCommand.self,
      SweepCommand.self, SolveCommand.self, SensitivityCommand.self, ChooseCommand.self,
      CalibrateCommand.self, ShowCommand.self, InsightsCommand.self, ReportCommand.self,
      CheckCommand.self, ReplayCommand.self, StressCommand.self, ServeCommand.self,
      VerifyCommand.self, StudioCommand.self, ScenarioCommand.self,
      FiguresCommand.self, SchemaCommand.self, MergeCommand.self, WorkerCommand.self,
      CheckWorkerCommand.self,
    ])

  static func main() {
    StandardStreams.prepare()
    Environment.warn()
    do {
      try checkEncoding()
      var command = try parsed()
      try OpenFiles.prepare()
      do {
        try command.run()
      } catch let error as ValidationError {
        // What only shows once files are read is a mistake in the command's own arguments.
        throw refusal(of: type(of: command), error.message)
      }
    } catch {
      end(by: error)
    }
  }

  /// Says what is wrong with the arguments of a command, and returns what to end by.
  private static func refusal(of type: any ParsableCommand.Type, _ message: String) -> ExitCode {
    complain(
      "Error: \(message)\nUsage: \(usageString(for: type))\n"
        + "  See '\(name(of: type)) --help' for more information.")
    return .validationFailure
  }

  /// What to type for a command: the names of its group and its own.
  private static func name(of type: any ParsableCommand.Type) -> String {
    let group = configuration.subcommands.first { group in
      group.configuration.subcommands.contains { $0 == type }
    }
    let path: [any ParsableCommand.Type] =
      group.map { [Self.self, $0, type] } ?? [Self.self, type]
    return path.map { $0._commandName }.joined(separator: " ")
  }

  /// Says what there is to be said, and ends the process. The parser would not notice that help or a
  /// version cannot be written.
  private static func end(by error: any Error) -> Never {
    guard exitCode(for: error) == .success else { exit(withError: error) }
    do {
      try printResult(fullMessage(for: error) + "\n")
    } catch {
      exit(withError: error)
    }
    exit()
  }

  /// Refuses arguments that are not UTF-8. As text they would name other files than they do: each
  /// byte that is not understood becomes U+FFFD.
  private static func checkEncoding() throws {
    for (place, text) in CommandLine.arguments.enumerated().dropFirst() {
      guard let bytes = CommandLine.unsafeArgv[place], String(validatingCString: bytes) == nil
      else { continue }
      throw ValidationError(
        "argument \(place), '\(text.shortened)', is not UTF-8; rename the file or folder, or write "
          + "the argument in UTF-8")
    }
  }

  /// The command of the command line.
  private static func parsed() throws -> any ParsableCommand {
    // Describing all commands takes longer than parsing one. What is no plain call of one, such as
    // a mistake or a wish for help, is left to all of them, whose messages name the whole command.
    let words = Self.joined(CommandLine.arguments.dropFirst())
    if let name = words.first,
      let type = configuration.subcommands.first(where: { $0.configuration.commandName == name }),
      type.configuration.subcommands.isEmpty
    {
      // To describe the settings takes as long as to read the words, and mostly both are needed.
      _ = Beside { ScenarioSchema(Programmes.all[0]) }
      if let command = try? type.parse(Array(words.dropFirst())) { return command }
    }
    let wrong = mistyped(Array(words))
    let message = wrong.map { "'\($0.word)' is not a command; did you mean '\($0.meant)'?" }
    if let (group, name) = unknownMember(Array(words.drop { $0 == "help" })) {
      let all = group.configuration.subcommands.filter { $0.configuration.shouldDisplay }
        .map { $0._commandName }
      throw refusal(
        of: group,
        message ?? "'\(name)' is not a command; write one of \(all.joined(separator: ", "))")
    }
    if let message { throw ValidationError(message) }
    if words.first == "help", let unknown = unknownCommand(Array(words.dropFirst())) {
      throw ValidationError("'\(unknown)' is not a command; see 'pitboss --help' for all")
    }
    do {
      return try parseAsRoot(Array(words))
    } catch {
      // A command looks at what it was given before the parser looks at what is left over. That an
      // option is missing which was only misspelled would lead nowhere.
      guard exitCode(for: error) == .validationFailure,
        let (type, message) = unknownOption(Array(words)) ?? looseSetting(Array(words))
      else { throw error }
      throw refusal(of: type, message)
    }
  }

  /// Words with negative numbers put to the options that they follow: by themselves they would be options
  /// that do not exist, and their own be told to have no value. A `~` behind `=`, which not every shell
  /// knows for the home folder, is that: as a name it would be one for some files and not for others.
  private static func joined(_ words: some Sequence<String>) -> [String] {
    var joined: [String] = []
    for word in words.map(atHome) {
      if word.first == "-", word.dropFirst().first?.isNumber == true, let last = joined.last,
        last.hasPrefix("--"), last.count > 2, !last.contains("=")
      {
        joined[joined.count - 1] += "=\(word)"
      } else {
        joined.append(word)
      }
    }
    return joined
  }

  /// A word `--option=~/path` with the home folder in the place of `~`.
  private static func atHome(_ word: String) -> String {
    guard word.hasPrefix("--"), let cut = word.firstIndex(of: "="),
      let home = ProcessInfo.processInfo.environment["HOME"], !home.isEmpty
    else { return word }
    let path = word[word.index(after: cut)...]
    guard path == "~" || path.hasPrefix("~/") else { return word }
    return word[...cut] + home + path.dropFirst()
  }

  /// A group of commands that is called, and the word behind it that is none of them.
  private static func unknownMember(
    _ words: [String]
  ) -> (group: any ParsableCommand.Type, word: String)? {
    guard words.count > 1, !words[1].hasPrefix("-"),
      let group = configuration.subcommands.first(where: { $0._commandName == words[0] }),
      !group.configuration.subcommands.isEmpty,
      !group.configuration.subcommands.contains(where: { $0._commandName == words[1] })
    else { return nil }
    return (group, words[1])
  }

  /// The first word that names no command below those before it.
  private static func unknownCommand(_ words: [String]) -> String? {
    var group: any ParsableCommand.Type = Self.self
    for word in words.prefix(while: { !$0.hasPrefix("-") }) {
      guard let next = group.configuration.subcommands.first(where: { $0._commandName == word })
      else { return word }
      group = next
    }
    return nil
  }

  /// The command that the words call; nil for a group, and for what is none of its commands.
  private static func command(of words: [String]) -> (any ParsableCommand.Type)? {
    var type: any ParsableCommand.Type = Self.self
    for word in words {
      let all = type.configuration.subcommands
      guard let next = all.first(where: { $0._commandName == word }) else { break }
      type = next
    }
    return type.configuration.subcommands.isEmpty ? type : nil
  }

  /// A setting that is not written as `--set` takes it, in words for people: without its sign, or behind
  /// another one.
  private static func looseSetting(
    _ words: [String]
  ) -> (command: any ParsableCommand.Type, message: String)? {
    guard let type = command(of: words) else { return nil }
    for place in words.indices.dropLast(2) where words[place] == "--set" {
      let (setting, next) = (words[place + 1], words[place + 2])
      guard !setting.hasPrefix("-"), !next.hasPrefix("-") else { continue }
      if !setting.contains("=") {
        let whole = "\(setting)=\(next)"
        return (type, "--set \(setting) has no '='; write --set \(ShellText.quoted(whole))")
      }
      if next.prefix(while: { $0 != "=" }).contains("."), next.contains("=") {
        return (
          type,
          "'\(next)' has no --set; each setting needs its own: --set \(ShellText.quoted(next))"
        )
      }
    }
    return nil
  }

  /// The first option that the command of the words does not have, in words for people.
  private static func unknownOption(
    _ words: [String]
  ) -> (command: any ParsableCommand.Type, message: String)? {
    guard let type = command(of: words), let names = try? longNames(of: type) else { return nil }
    for word in words.prefix(while: { $0 != "--" }) where word.hasPrefix("--") {
      let name = String(word.dropFirst(2).prefix { $0 != "=" })
      guard !names.contains(name) else { continue }
      let meant = nearest(to: name, among: names).map { " Did you mean '--\($0)'?" } ?? ""
      return (type, "Unknown option '--\(name)'.\(meant)")
    }
    return nil
  }

  /// The long names of a command's options and flags, hidden ones included, without their dashes.
  private static func longNames(of type: any ParsableCommand.Type) throws -> [String] {
    struct Description: Decodable {
      struct Command: Decodable { var arguments: [Argument]? }
      struct Argument: Decodable { var names: [Name]? }
      struct Name: Decodable { var kind, name: String }
      var command: Command
    }
    let text = try JSONDecoder().decode(Description.self, from: Data(type._dumpHelp().utf8))
    let names = (text.command.arguments ?? []).flatMap { $0.names ?? [] }
    return names.filter { $0.kind == "long" }.map(\.name) + ["help", "help-hidden", "version"]
  }

  /// The first word that should name a command and does not, with the command that it most likely
  /// meant: one of all, one of a group's, or one that 'help' is asked about.
  private static func mistyped(_ words: [String]) -> (word: String, meant: String)? {
    let isHelp = words.first == "help"
    var group: any ParsableCommand.Type = Self.self
    for word in words.dropFirst(isHelp ? 1 : 0).prefix(while: { !$0.hasPrefix("-") }) {
      let all = group.configuration.subcommands
      guard let next = all.first(where: { $0._commandName == word }) else {
        let shown = all.filter { $0.configuration.shouldDisplay }.map { $0._commandName }
        let help = group == Self.self && !isHelp ? ["help"] : []
        return nearest(to: word, among: shown + help).map { (word, $0) }
      }
      group = next
    }
    return nil
  }
}
