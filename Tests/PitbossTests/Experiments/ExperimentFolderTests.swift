// Goal: the results of an experiment take the place of an experiment's folder and of nothing else,
// and a place that cannot take them is refused before anything runs.
// Method: the real program on folders made by hand; a progress line that is always shown betrays a
// replication.
import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct ExperimentFolderTests {
  private let bench: Workbench
  private let manager = FileManager.default

  init() throws {
    bench = try Workbench()
    try bench.write("tiny.yaml", "name: tiny\npopulation: {members: 20}\ncalendar: {days: 5}\n")
  }

  private func path(_ place: String) -> String { bench.folder.appendingPathComponent(place).path }

  private func link(_ place: String, to target: String) throws {
    try manager.createSymbolicLink(atPath: path(place), withDestinationPath: target)
  }

  /// A folder with files that hold their names.
  private func make(_ place: String, _ files: [String]) throws {
    try manager.createDirectory(atPath: path(place), withIntermediateDirectories: true)
    for file in files { try bench.write("\(place)/\(file)", file) }
  }

  private func compare(_ place: String) throws -> Outcome {
    try bench.run(
      "compare", "tiny.yaml", "tiny.yaml", "--replications", "2", "--progress", "always", "--out",
      place)
  }

  private func project(_ place: String) throws -> Outcome {
    try bench.run(
      "project", "tiny.yaml", "--replications", "2", "--progress", "always", "--plotly", "cdn",
      "--out", place)
  }

  private func expectRefused(_ outcome: Outcome, _ words: String) {
    #expect(outcome.code == 74, "\(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(outcome.errors.contains("choose") || outcome.errors.contains("give"))
    #expect(!outcome.errors.contains(" replications"), "it ran: \(outcome.errors)")
  }

  @Test("A link is refused before the first replication, and where it leads nothing changes")
  func links() throws {
    try make("real", ["comparison.json"])
    try link("link", to: "real")
    try link("dangling", to: "nowhere")
    for place in ["link", "link/", "dangling", "dangling/"] {
      expectRefused(try compare(place), "\(place): is a link; give the folder that it points to")
    }
    expectRefused(try compare("dangling/deeper"), "cannot make the folder")
    #expect(try manager.destinationOfSymbolicLink(atPath: path("link")) == "real")
    #expect(try bench.names() == ["dangling", "link", "real", "tiny.yaml"])
    #expect(try bench.read("real/comparison.json") == "comparison.json")
    // A link on the way is as good as the folder that it leads to.
    #expect(try compare("link/below").code == 0)
    #expect(try bench.names("real") == ["below", "comparison.json"])
  }

  @Test("A place in which no folder can be made is refused before the first replication")
  func placesWithoutRoom() throws {
    if manager.fileExists(atPath: "/proc/self") {
      expectRefused(try compare("/proc/x"), "/proc/x: cannot make the folder")
    }
    let long = String(repeating: "x", count: 300)
    expectRefused(try compare("new/\(long)"), "cannot make the folder")
    try make("empty", [])
    expectRefused(try compare("empty/."), "cannot name a run folder")
    #expect(try bench.names() == ["empty", "tiny.yaml"])
  }

  @Test("Each thing that 'solve' is asked has a folder of its own")
  func solutions() throws {
    // Where there is a file, no folder can be made, which is said before anything runs.
    try bench.write("Results", "a file")
    func folder(_ adjust: String, _ condition: String, _ more: String...) throws -> String {
      let outcome = try bench.run(
        ["solve", "tiny.yaml", "--adjust", adjust, "--such-that", condition] + more,
        environment: [:])
      expectRefused(outcome, "Results/solve-tiny-rules.")
      return String(outcome.errors.split(separator: ":")[1])
    }
    let (base, amount) = ("rules.scan_reward.base=0.1..0.4", "rules.guarantee.amount=1..4")
    let condition = "P(critical) <= 0.05"
    let long = "rules.prizes[*].every=*1..*12"
    let folders = try [
      folder(base, condition), folder(base, "P(critical) >= 0.05"), folder(amount, condition),
      folder("rules.guarantee.amount=*1..*4", condition),
      folder(base, condition, "--adjust", amount), folder(long, condition, "--adjust", base),
      folder(long, condition, "--adjust", amount, "--adjust", base),
      folder(base, condition, "--maximise", "tins.sold"),
      folder(base, condition, "--minimise", "tins.sold"),
    ]
    #expect(Set(folders).count == folders.count, "\(folders)")
    #expect(try folder(base, condition) == folders[0])
  }

  @Test("Each thing that 'sensitivity' is asked has a folder of its own")
  func sensitivities() throws {
    try bench.write("Results", "a file")
    func folder(_ range: String, _ more: String...) throws -> String {
      let outcome = try bench.run(
        ["sensitivity", "tiny.yaml", "--vary", "rules.scan_reward.base=\(range)"] + more,
        environment: [:])
      expectRefused(outcome, "Results/sensitivity-tiny-")
      return String(outcome.errors.split(separator: ":")[1])
    }
    let folders = try [
      folder("0.1..0.4"), folder("0.1..0.5"), folder("0.1..0.4", "--figure", "tins.sold"),
    ]
    #expect(Set(folders).count == folders.count, "\(folders)")
  }

  @Test("A folder or link that is named like a file of an experiment is no such file")
  func kinds() throws {
    try make("folder", ["projection.json"])
    try make("folder/report.html", ["thesis.txt"])
    try make("link", ["projection.json"])
    try link("link/report.html", to: "../tiny.yaml")
    try make("mark/projection.json", ["thesis.txt"])
    for (place, name) in [
      ("folder", "report.html"), ("link", "report.html"), ("mark", "projection.json"),
    ] {
      expectRefused(try project(place), "holds '\(name)', which is not a regular file")
    }
    #expect(try bench.read("folder/report.html/thesis.txt") == "thesis.txt")
    #expect(try bench.read("mark/projection.json/thesis.txt") == "thesis.txt")
    #expect(try manager.destinationOfSymbolicLink(atPath: path("link/report.html")) != "")
  }

  @Test(
    "Beside an experiment's results only files of the same experiment are replaced",
    arguments: [
      (["solution.json", "report.html"], "scenario.yaml"),
      (["sensitivity.json", "report.html"], "replications.csv"),
      (["sweep.csv", "report.html"], "plotly.min.js"),
      (["comparison.json", "comparison.csv"], "scenario.yaml"),
      (["choice.json", "choice.csv", "report.html"], "replications.csv"),
      (["comparison.json"], "choice.json"),
      (["projection.json", "replications.csv", "scenario.yaml", "report.html"], "purchase.yaml"),
      (["calibration.json", "purchase.yaml", "calibration.html"], "report.html"),
    ])
  func companions(own: [String], other: String) throws {
    try make("place", own + [other])
    // The command that writes a file of that name is no exception.
    let refused = other == "report.html" ? try project("place") : try compare("place")
    expectRefused(refused, "also '\(other)', which that experiment does not write")
    #expect(try bench.names("place") == (own + [other]).sorted())
    try manager.removeItem(atPath: path("place/\(other)"))
    let outcome = try compare("place")
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try bench.names("place").contains("comparison.json"))
    #expect(try !bench.names("place").contains("projection.json"))
  }

  @Test("What somebody puts into the folder while the experiment runs is kept")
  func meanwhile() throws {
    try make("place", ["comparison.json"])
    let process = bench.process([
      "compare", "tiny.yaml", "tiny.yaml", "--replications", "30", "--progress", "always", "--out",
      "place",
    ])
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    // The first piece of the progress line comes after the first look at the folder.
    var said = errors.fileHandleForReading.availableData
    _ = process.suspend()
    try make("place/mine", ["thesis.txt"])
    _ = process.resume()
    said += errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 74)
    #expect(String(decoding: said, as: UTF8.self).contains("also 'mine'"))
    #expect(try bench.read("place/mine/thesis.txt") == "thesis.txt")
    #expect(try bench.names() == ["place", "tiny.yaml"])
  }
}
