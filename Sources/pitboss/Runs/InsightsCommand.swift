internal import ArgumentParser
internal import Foundation
internal import Programmes
internal import Reports
internal import RewardModel
internal import RunStore

/// `pitboss insights RUN [PAGE]`.
struct InsightsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "insights",
    abstract: "Shows a page of Insights as of any day of a finished run.",
    discussion: """
      Every figure comes from the rows of the run folder. A figure that the run does not model \
      is shown as 'not in this run' with the setting that switches it on, and is null in JSON \
      ('pitboss schema insights' describes it).
      """)

  @Argument(
    help: ArgumentHelp("A run folder, or the name of one in Results/.", valueName: "run"))
  var folder: String

  @Argument(help: "The page, by its id in the run's program; its first page by default.")
  var page: String?

  @Option(
    help: ArgumentHelp(
      "The page shows the run at the end of this day: YYYY-MM-DD, or a time on it. The run's "
        + "last day by default.",
      valueName: "instant"))
  var at: String?

  @Option(help: "What is printed: the page for people, or JSON.")
  var format: OutputFormat?

  func run() throws {
    let format = try chosen(format, "FORMAT", .text)
    let run = try RunPlaces.read(RunPlaces.resolve(folder)).get()
    let page = try page(run)
    if run.record.header.interrupted {
      complain(
        "pitboss: \(folder) was interrupted; its pages end at \(run.record.header.end), before the "
          + "end of its scenario")
    }
    switch format {
    case .json: try printResult(PageJSON.text(page))
    case .text:
      let terminal = Terminal.current
      try printResult(PageText.text(page, width: terminal.width, colour: terminal.colour))
    }
  }

  private func page<Run: StoredRun>(_ run: Run) throws -> Page {
    do {
      let first = Run.Programme.pages[0].id
      return try Run.Programme.page(page ?? first, of: run.record, at: at)
    } catch {
      switch error {
      case .malformed: throw ValidationError("--at: \(error)")
      case .unknownPage: throw ValidationError("\(error)")
      case .outside, .noDays, .unknownZone:
        complain("pitboss: \(folder): \(error)")
        throw ExitStatus.badInput
      }
    }
  }
}

/// Where run folders are found.
enum RunPlaces {
  private static let results = "Results"

  /// A path as given; a bare name that is not a folder means one of `Results/`.
  static func resolve(_ path: String) -> String {
    let files = FileManager.default
    guard !path.contains("/"), !files.fileExists(atPath: path),
      files.fileExists(atPath: "\(results)/\(path)")
    else { return path }
    return "\(results)/\(path)"
  }

  /// The run of a folder. What is wrong with it is said, and ends the command as bad input where the
  /// folder or file is of something else, or else as a failure to read.
  static func read(_ place: String) -> Result<any StoredRun, ExitCode> {
    do {
      return .success(try RunFolder.run(place, of: Programmes.all))
    } catch {
      complain("pitboss: \(error)")
      return .failure(RunFolder.isForeign(place) ? ExitStatus.badInput : ExitStatus.ioFailed)
    }
  }
}
