internal import ArgumentParser
internal import Experiments
internal import Foundation
internal import Quantities
internal import Reports
internal import RunStore

/// The folder of an experiment's results: written as a whole or not at all.
struct ExperimentFolder {
  /// The files of each kind of experiment. By the first a folder is known as one of that kind,
  /// which may be replaced while there is nothing else next to it but the others.
  private static let kinds: [[String]] = [
    ["projection.json", "replications.csv", "scenario.yaml", "report.html"] + rowsFiles,
    ["comparison.json", "comparison.csv", "report.html"], ["sweep.csv", "report.html"],
    ["solution.json", "report.html"], ["sensitivity.json", "report.html"],
    ["choice.json", "choice.csv", "report.html"],
    ["worth.json", "worth.csv", "groups.csv", "cohorts.csv", "cash.csv", "report.html"],
    [
      "calibration.json", "purchase.yaml", PurchaseBlock.drawsName, "scenario.yaml",
      CalibrationPage.name, CalibrationScenario.adoptionDraws,
    ], interrupted,
    ["stress.json"], ["knee.json", "report.html"],
    ["load.json", "steps.csv", "seconds.csv", "report.html"],
  ]

  /// The files of an experiment that was interrupted.
  private static let interrupted = ["replications.csv"]

  /// Copies of the files of rows that a projection draws settings from, one for each entry of
  /// `uncertain` at most.
  static var rowsFiles: [String] { (1...100).map { "rows-\($0).csv" } }

  /// Where the results of an experiment go by default: a folder of their own for each scenario
  /// and each thing asked, so that one answer does not replace another. Where its words do not tell
  /// all that was asked, a digest of that ends the name.
  static func path(_ kind: String, _ scenario: String, for asked: [String?]) -> String {
    let asked = asked.compactMap(\.self).joined(separator: " ")
    let words = asked.split {
      !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "." || $0 == "_"))
    }
    var name = [kind, scenario]
    if !words.isEmpty { name.append(String(words.joined(separator: "-").prefix(80))) }
    if name.last != asked, !asked.isEmpty { name.append(digest(asked)) }
    return "Results/" + name.joined(separator: "-")
  }

  /// FNV-1a of a text (Fowler, Noll and Vo 1991) as eight digits.
  private static func digest(_ text: String) -> String {
    let value = text.utf8.reduce(UInt32(0x811C_9DC5)) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// A page with plotly.js as the flag or the environment wants it, inline by default.
  ///
  /// - Parameter isQuiet: Whether it goes without plots without a word.
  static func page(
    _ flag: PlotlyMode?, isQuiet: Bool, _ body: (PlotlyMode, PlotlySource?) -> String
  ) throws -> String {
    let mode = try chosen(flag, "PLOTLY", .inline)
    let source = PlotlyPlaces.source(mode, for: "report.html", isQuiet: isQuiet)
    // A script next to the page would be one more file; in the page it travels with it.
    return body(mode == .directory ? .inline : mode, source)
  }

  private static let replacement = rule(for: kinds)

  /// Says what may be replaced where folders of some kinds may be.
  private static func rule(for kinds: [[String]]) -> Replacement {
    Replacement(
      sort: "an experiment's folder", advice: "choose another place with --out",
      irregular: { "holds '\(DisplayText.safe($0))', which is not a regular file" },
      claim: { _, names in
        kinds.first { names.contains($0[0]) }.map { own in
          Replacement.Claim(own: Set(own)) { name in
            "holds \(own[0]), but also '\(DisplayText.safe(name))', which that experiment does not write"
          }
        }
      })
  }

  /// Where what an interrupted experiment has computed goes: a folder that is not there yet, or that
  /// of an earlier interrupted one.
  ///
  /// - Parameter folder: Where its results would have gone.
  static func interruptedPath(_ folder: String) -> String {
    rule(for: [interrupted]).interruptedPath(folder)
  }

  /// Refuses a place that cannot take the results, before hours of runs.
  /// The partial folder is made to find out, and removed again.
  ///
  /// - Throws: `ValidationError` without a name; `ExitStatus.ioFailed` after a message.
  static func check(_ folder: String) throws { try begin(folder).abandon() }

  /// Makes the folder next to the target in which the results wait for their name.
  private static func begin(_ folder: String) throws -> FolderWriter {
    if folder.isEmpty { throw ValidationError("--out is empty; give a folder") }
    ComputedReplications.begin(folder)
    return try reportingFailures {
      _ = try replacement.isNeeded(at: folder)
      return try FolderWriter(target: folder)
    }
  }

  private let writer: FolderWriter

  /// A file that is written bit by bit; `finish` it before the folder is.
  func stream(_ file: String) throws -> FolderStream {
    try reportingFailures { try writer.stream(file) }
  }

  /// Writes some of the files as a whole.
  func write(_ files: [(name: String, text: String)]) throws {
    try reportingFailures {
      for file in files { try writer.write(Data(file.text.utf8), as: file.name) }
    }
  }

  /// Copies a file that the experiment reads.
  func copy(_ path: String, as file: String) throws {
    try reportingFailures {
      try writer.write(try Data(contentsOf: URL(fileURLWithPath: path)), as: file)
    }
  }

  /// Makes the folder for the time of the work that writes its files.
  ///
  /// - Parameters:
  ///   - folder: The target; it may be an earlier experiment's.
  ///   - files: Names of all files, which are of one kind of experiment.
  ///   - work: Writes the files.
  /// - Returns: What `work` returns.
  /// - Throws: What `work` throws, and `ExitStatus.ioFailed` after a message; what was at the
  ///   target is then unchanged, and nothing is left next to it.
  static func fill<Result>(
    _ folder: String, files: [String], _ work: (ExperimentFolder) throws -> Result
  ) throws -> Result {
    invariant(
      kinds.contains { files.contains($0[0]) && Set($0).isSuperset(of: files) },
      "no later experiment would replace \(files)")
    let place = ExperimentFolder(writer: try begin(folder))
    do {
      let result = try work(place)
      try reportingFailures { try place.writer.publish(over: replacement) }
      return result
    } catch {
      place.writer.abandon()
      throw error
    }
  }

  /// Writes files into a folder next to the target, which then takes its name.
  ///
  /// - Throws: `ExitStatus.ioFailed` after a message; what was there is then unchanged.
  static func write(_ files: [(name: String, text: String)], to folder: String) throws {
    try fill(folder, files: files.map(\.name)) { try $0.write(files) }
  }
}
