internal import ArgumentParser
internal import Check
internal import EventKernel
internal import Foundation
internal import Logging
internal import Programmes
internal import Reports
internal import RewardModel
internal import Scenario
internal import Service
internal import Studio

/// `pitboss studio [SCENARIO]`.
struct StudioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio",
    abstract: "Opens a page on this machine to move settings and see at once what they cost.",
    discussion: """
      Prints the address of the page, which nobody else can open: it has a token that is made anew \
      each time. Every move runs replications in the background; the first picture comes with the \
      first of them, and sharpens while you look. Stop with Ctrl-C.

      Scenarios are saved in the current folder or below it.
      """)

  @Argument(
    help: "A scenario file, or the name of one in Scenarios/; launch-year or all defaults if none.")
  var scenario: String?

  @OptionGroup var source: ScenarioOptions

  @Option(help: "The port; 0 for any that is free.")
  var port = 0

  @Option(help: "How many replications a picture sharpens to.")
  var replications = 64

  @Option(help: "Replications run at once; all processors by default.")
  var threads: Int?

  func validate() throws {
    guard (0...65_535).contains(port) else {
      throw ValidationError("--port is \(port); give 0 to 65535")
    }
    guard (2...1_000).contains(replications) else {
      throw ValidationError("--replications is \(replications); write a number from 2 to 1000")
    }
    if let threads, !(1...256).contains(threads) {
      throw ValidationError("--threads is \(threads); write a number from 1 to 256")
    }
  }

  func run() throws {
    FreedMemory.goesBack()
    let (text, file) = try begin()
    try ListeningPlace.check("127.0.0.1", port)
    let session: StudioSession
    do {
      session = try reportingFailures {
        try StudioSession(
          text: text, file: file,
          threads: threads ?? Processors.usable, limit: replications, given: source.settings(),
          screen: CheckedKinds.requireFaults)
      }
    } catch let refusal as StudioRefusal {
      complain("\(file): \(refusal.message)")
      throw ExitStatus.badInput
    }
    let application = StudioApplication(
      session, token: StudioToken(), plotly: PlotlyPlaces.source(.inline, for: "the studio"),
      folder: FileManager.default.currentDirectoryPath, logger: Log.pitboss)
    let failure = Waiting.run { [port] in
      try await application.run(port: port) { address in
        StandardStreams.complain("Open \(address)\n(Ctrl-C stops the studio)\n")
      }
    }
    guard let failure else { return }
    complain("pitboss: cannot serve at 127.0.0.1:\(port): \(failure)")
    throw ExitStatus.ioFailed
  }

  /// The scenario to begin with, as the text of a file, and what messages call it.
  private func begin() throws -> (text: String, file: String) {
    if let scenario {
      return (try source.scenario(scenario).writtenYAML(head: [], isDrawn: true), scenario)
    }
    let usual = "launch-year"
    if let path = ScenarioPlaces.find(usual), path != usual {
      return (try source.scenario(path).writtenYAML(head: [], isDrawn: true), path)
    }
    // Nothing but a name: every setting has its default.
    let defaults = try reportingFailures {
      try Scenario.load(
        text: "name: studio\n", file: "studio", overrides: source.overrides,
        environment: ProcessInfo.processInfo.environment)
    }
    return (defaults.writtenYAML(head: [], isDrawn: true), "studio")
  }
}
