// Goal: 'pitboss run --journal' writes every request of a run of any program, whole or not at all.
// Method: the real program writes journals in a folder of its own; the lines are read as JSON.
import Foundation
import TestSupport
import Testing

private let scenarios = Checkout.scenarios

@Suite struct JournalCommandTests {
  private func run(_ bench: Workbench, _ name: String, _ journal: String) throws -> Outcome {
    try bench.run(
      "run", scenarios.appendingPathComponent("\(name).yaml").path, "--set",
      "population.members=50", "--set", "calendar.days=20", "--out", "run", "--plotly", "cdn",
      "--journal", journal)
  }

  @Test(
    "Every line of a journal is a request with its instant",
    arguments: ["embera-offline-week", "launch-year"])
  func lines(name: String) throws {
    let bench = try Workbench()
    #expect([0, 99].contains(try run(bench, name, "requests.jsonl").code))
    let file = bench.folder.appendingPathComponent("requests.jsonl")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(lines.count > 20)
    for line in lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["request"] is [String: Any] || object?["request"] is String, "\(line)")
    }
    #expect(try !bench.names().contains { $0.contains("partial") })
  }

  @Test func aFileThatExistsIsLeftAlone() throws {
    let bench = try Workbench()
    try bench.write("mine.txt", "kept")
    let outcome = try run(bench, "launch-year", "mine.txt")
    #expect(outcome.code == 74)
    #expect(outcome.errors.contains("mine.txt: already exists"), "\(outcome.errors)")
    #expect(!FileManager.default.fileExists(atPath: bench.folder.path + "/run"))
    let text = try String(
      contentsOf: bench.folder.appendingPathComponent("mine.txt"), encoding: .utf8)
    #expect(text == "kept")
  }

  @Test("Files without a name, and two files in one place, are refused before anything runs")
  func places() throws {
    for (flags, words) in [
      (["--journal", ""], "--journal is empty; give a file"),
      (["--history", ""], "--history is empty; give a file"),
      (["--journal", "j", "--history", "./j"], "--journal and --history are the same place"),
      (["--history", "./out", "--out", "out/"], "--history and --out are the same place"),
    ] {
      let bench = try Workbench()
      let outcome = try bench.run(["run", "launch-year"] + flags, environment: [:])
      #expect(outcome.code == 64 && outcome.errors.contains(words), "\(outcome)")
      #expect(try bench.names(".").isEmpty)
    }
  }

  @Test("A file in the run folder is refused before anything runs")
  func withinTheRun() throws {
    let bench = try Workbench()
    let scenario = try bench.small()
    for flags in [
      ["--history", "out/h.csv", "--out", "out"], ["--journal", "./out/j", "--out", "out/"],
    ] {
      let outcome = try bench.run(["run", scenario] + flags, environment: [:])
      #expect(outcome.code == 64, "\(outcome)")
      #expect(outcome.errors.contains("\(flags[0]) is in the run folder"), "\(outcome)")
      #expect(try !bench.names().contains("out"))
    }
  }

  @Test func aFolderThatDoesNotExistIsNamed() throws {
    let outcome = try run(try Workbench(), "launch-year", "nowhere/requests.jsonl")
    #expect(outcome.code == 74)
    #expect(outcome.errors.contains("nowhere/requests.jsonl: cannot be written"))
  }
}
