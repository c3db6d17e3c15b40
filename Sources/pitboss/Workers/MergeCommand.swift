internal import ArgumentParser
internal import Foundation
internal import Reports
internal import RunStore
internal import Workers

/// `pitboss merge PART…`.
struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Makes the results of an experiment out of parts that --part computed.",
    discussion: """
      The results are those of the experiment without --part, byte for byte. The scenario has to be \
      where the parts found it. Parts of one build, one experiment and one number of parts go \
      together, each once.
      """)

  @Argument(help: "All parts of one experiment, in any order.")
  var parts: [String]

  @Option(help: "The folder of the results; that of the experiment by default.")
  var out: String?

  func run() throws {
    var files: [(path: String, part: PartFile)] = []
    for path in parts { files.append((path, try read(path))) }
    guard let first = files.first else { return }
    let head = first.part.heading
    for (path, part) in files {
      if part.heading.build != Digest.build {
        throw refusal(
          "\(path) was computed by another build of pitboss; compute it again by this one")
      }
      if part.heading.digest != head.digest {
        throw refusal(
          "\(path) is not of the experiment of \(first.path): \(difference(part.heading, head))")
      }
    }
    let command = "pitboss \(head.arguments.map { ShellText.word($0) }.joined(separator: " "))"
    for number in 1...head.parts {
      let same = files.filter { $0.part.heading.part == number }
      if same.count > 1 {
        throw refusal(
          "\(same.map(\.path).joined(separator: " and ")) are both part \(number)/\(head.parts); "
            + "give each once")
      }
      if same.isEmpty {
        throw refusal(
          "part \(number)/\(head.parts) is missing; compute it with \(command) --part "
            + "\(number)/\(head.parts)")
      }
    }
    var whole = try experiment(of: head, first.path)
    WorkerOptions.answer(by: PartMaker(files.map(\.part)))
    try whole.run()
  }

  /// The experiment of a part. A file may come from anywhere: it names an experiment that has parts, and
  /// nothing that runs another program or writes to another place.
  private func experiment(
    of head: PartFile.Heading, _ path: String
  ) throws -> any ParsableCommand {
    let words = head.arguments
    let names: [any ParsableCommand.Type] = [
      ProjectCommand.self, CompareCommand.self, SweepCommand.self,
    ]
    guard names.contains(where: { $0.configuration.commandName == words.first }),
      !words.contains(where: ExperimentOptions.isPlacing)
    else {
      throw refusal("\(path) is not a part of project, compare or sweep; give what --part wrote")
    }
    return try Pitboss.parseAsRoot(words + (out.map { ["--out", $0] } ?? []))
  }

  private func difference(_ one: PartFile.Heading, _ other: PartFile.Heading) -> String {
    if one.parts != other.parts { return "it is one of \(one.parts) parts, not of \(other.parts)" }
    if one.arguments != other.arguments {
      return "it was computed with '\(one.arguments.joined(separator: " "))', not with "
        + "'\(other.arguments.joined(separator: " "))'"
    }
    return "the scenario was another one"
  }

  private func read(_ path: String) throws -> PartFile {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw refusal("\(path) is a folder; give the files that --part wrote")
    }
    let bytes: Data
    do {
      bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    } catch {
      complain(
        "pitboss: \(path): cannot be read: \(SystemWords.of(error)); give the files that --part wrote"
      )
      throw ExitStatus.ioFailed
    }
    do throws(PartFile.Refusal) {
      return try PartFile(bytes)
    } catch { throw refusal("\(path) \(error)") }
  }

  private func refusal(_ words: String) -> ExitCode {
    complain("pitboss: \(words)")
    return ExitStatus.badInput
  }
}
