// Goal: a load of a service leaves the files that it says, holds itself against an earlier one, and
// refuses flags and places that make no sense before anything is sent.
// Method: the real program serves on a free port of loopback and is loaded by the real program, for a
// second; refusals need no service.
import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct LoadFileTests {
  private static let scenario =
    "name: small\ncalendar: {days: 30}\npopulation: {members: 300}\n"

  /// A service of the scenario `small.yaml` as long as it is used.
  private func serving<Answer>(
    _ bench: Workbench, _ body: (_ address: String) throws -> Answer
  ) throws -> Answer {
    let service = bench.process([
      "serve", "small.yaml", "--data", "data", "--port", "0", "--rate", "100000",
    ])
    let errors = Pipe()
    service.standardError = errors
    service.standardOutput = FileHandle.nullDevice
    try service.run()
    defer {
      service.terminate()
      service.waitUntilExit()
    }
    var said = ""
    while !said.contains("\n") {
      let more = errors.fileHandleForReading.availableData
      if more.isEmpty { break }
      said += String(decoding: more, as: UTF8.self)
    }
    let address = try #require(said.firstMatch(of: /http:\/\/[0-9.:]+/), "\(said)")
    return try body(String(address.output))
  }

  @Test func aLoadLeavesItsFilesAndIsABaselineForTheNext() throws {
    let bench = try Workbench()
    try bench.write("small.yaml", Self.scenario)
    try bench.write("token", "hush\n")
    let printed = try bench.run(
      "stress", "small.yaml", "--target", "http://127.0.0.1:1", "--print-api"
    ).output
    try bench.write(
      "own.yaml",
      printed.replacing(
        "headers:\n", with: "headers:\n  X-Keys: \"{secret} {other} {third}\"\n", maxReplacements: 1
      ))
    try serving(bench) { address in
      func load(_ more: String...) throws -> Outcome {
        try bench.run(
          [
            "stress", "small.yaml", "--target", address, "--data", "data", "--rate", "60",
            "--seconds", "1", "--journeys", "scan", "--plotly", "cdn",
          ] + more, environment: [:])
      }
      func missed() throws -> Outcome {
        try load(
          "--threshold", "p(99) < 1us", "--junit", "out/junit.xml", "--metrics-out", "metrics.txt",
          "--api", "own.yaml", "--var", "secret=hush", "--var=other=hush", "--var", "third=@token")
      }
      guard let first = try loadInTime(missed) else { return }
      #expect(first.code == 99, "\(first.output)\(first.errors)")
      #expect(
        try bench.names("Results/load-small") == [
          "load.json", "report.html", "seconds.csv", "steps.csv",
        ])
      let json = try bench.read("Results/load-small/load.json")
      let schema = try bench.run("schema", "load")
      #expect(try MiniSchema(schema.output).problems(in: json) == [])
      #expect(json.contains("--threshold 'p(99) < 1us' --junit out/junit.xml"))
      #expect(json.contains("third=@token"))
      // Results are handed on, and keys are not.
      for name in ["load.json", "report.html"] {
        #expect(try !bench.read("Results/load-small/\(name)").contains("hush"))
      }
      #expect(try !bench.read("out/junit.xml").contains("hush"))
      let missing = try load("--var", "secret=@missing")
      #expect(missing.code == 74)
      #expect(missing.errors.contains("--var secret: cannot read missing"), "\(missing.errors)")
      for (api, place) in [
        ([], "the calls of pitboss serve"), (["--api", "own.yaml"], "own.yaml"),
      ] {
        let keys = [
          "--var", "secret=1", "--var", "other=2", "--var", "third=3", "--var", "forth=4",
        ]
        let idle = try bench.run(
          ["stress", "small.yaml", "--target", address, "--data", "data", "--rate", "5"] + api
            + (api.isEmpty ? ["--var", "forth=4"] : keys), environment: [:])
        #expect(idle.code == 64)
        #expect(
          idle.errors.contains(
            "--var forth: nothing in \(place) takes {forth} from it; leave it out"),
          "\(idle.errors)")
      }
      let taken = try load("--api", "own.yaml", "--var", "member=1")
      #expect(taken.code == 64 && taken.errors.contains("the load itself fills in {member}"))
      let junit = try bench.read("out/junit.xml")
      #expect(junit.contains("<testcase classname=\"pitboss.stress\" name=\"p(99) &lt; 1us\""))
      #expect(junit.contains("repeat: pitboss stress small.yaml --target \(address)"))
      #expect(try bench.read("metrics.txt").hasSuffix("# EOF\n"))
      #expect(try bench.read("Results/load-small/report.html").contains("class=\"verdict bad\""))

      // The same places again: all files are replaced.
      try FileManager.default.copyItem(
        at: bench.folder.appending(path: "Results/load-small"),
        to: bench.folder.appending(path: "before"))
      let second = try #require(
        try loadInTime {
          try load(
            "--baseline", "before", "--format", "json", "--junit", "out/junit.xml",
            "--metrics-out", "metrics.txt")
        })
      #expect(second.code == 0, "\(second.errors)")
      #expect(second.output == (try bench.read("Results/load-small/load.json")))
      #expect(try MiniSchema(schema.output).problems(in: second.output) == [])
      #expect(second.output.contains("\"source\": \"before\""))
      #expect(try !bench.read("out/junit.xml").contains("<failure"))
    }
  }

  @Test(
    "Flags that make no sense together are refused in words",
    arguments: [
      (["--junit", "x.xml"], "--junit is for a service under load; give its address"),
      (["--metrics-out", "x"], "--metrics-out is for a service under load"),
      (["--baseline", "x"], "--baseline is for a service under load"),
      (["--plotly", "cdn"], "--plotly is for a service under load"),
      (["--threshold", "errors < 1%"], "--threshold is for a service under load"),
      (["--profile", "ramp"], "--profile is for a service under load"),
      (["--dry-run"], "--dry-run is for a service under load"),
      (["--target", "http://127.0.0.1:1", "--threads", "2"], "--threads are for --target engine"),
      (["--target", "http://127.0.0.1:1", "--abort"], "add a --threshold"),
      (
        ["--target", "http://127.0.0.1:1", "--abort", "--threshold", "scan max < 1us"],
        "--abort looks at stretches of the load, and no --threshold has one"
      ),
      (
        ["--target", "http://127.0.0.1:1", "--speed", "9", "--arrivals", "even"],
        "--arrivals spaces the sessions of a --rate, but with --speed members say when"
      ),
      (
        ["--target", "http://127.0.0.1:1", "--find-knee", "p99 < 1s", "--baseline", "x"],
        "--baseline is for one load, but --find-knee sends many"
      ),
      (
        ["--target", "http://127.0.0.1:1", "--dry-run", "--junit", "x.xml"],
        "--junit needs a load, but --dry-run sends nothing"
      ),
      (
        ["--target", "http://127.0.0.1:1", "--dry-run", "--format", "json"],
        "--dry-run sends nothing"
      ),
      (
        ["--target", "http://127.0.0.1:1", "--junit", "a/x", "--metrics-out", "./a/../a/x"],
        "name the same file"
      ),
    ])
  func refusals(_ flags: [String], _ words: String) throws {
    let bench = try Workbench()
    try bench.write("small.yaml", Self.scenario)
    let run = try bench.run(["stress", "small.yaml"] + flags, environment: [:])
    #expect(run.code == 64 && run.errors.contains(words), "\(run.code) \(run.errors)")
    #expect(try bench.names() == ["small.yaml"])
  }

  @Test(
    "Places that cannot be used are refused before anything is sent",
    arguments: [
      (
        ["--baseline", "nowhere"], 74, "nowhere: does not exist; give the folder of an earlier load"
      ),
      (["--baseline", "run"], 74, "run: holds no load.json"),
      (["--baseline", "stress.json"], 65, "stress.json: is a stress of the rules in process"),
      (["--baseline", "letter.txt"], 65, "letter.txt: is not the load.json of a load"),
      (["--junit", "letter.txt"], 74, "was not made by this command"),
      (["--metrics-out", "letter.txt"], 74, "was not made by this command"),
      (["--junit", "run"], 74, "is a folder; give a file"),
      (["--junit", "pipe"], 74, "is not a regular file; choose another place"),
      (["--out", "there", "--junit", "there/x.xml"], 74, "is in the folder of the results"),
      (["--out", "run"], 74, "run"),
    ])
  func places(_ flags: [String], _ code: Int32, _ words: String) throws {
    let bench = try Workbench()
    try bench.write("small.yaml", Self.scenario)
    try bench.write("letter.txt", "kept")
    try bench.write("stress.json", "{\"schema_version\": 1, \"target\": \"engine\"}")
    try FileManager.default.createDirectory(
      at: bench.folder.appendingPathComponent("run"), withIntermediateDirectories: true)
    try bench.write("run/letter.txt", "kept")
    #expect(mkfifo(bench.folder.appendingPathComponent("pipe").path, 0o600) == 0)
    // Nobody listens there; it would be another message.
    let run = try bench.run(
      ["stress", "small.yaml", "--target", "http://127.0.0.1:1", "--rate", "10", "--seconds", "1"]
        + flags, environment: [:])
    #expect(run.code == code && run.errors.contains(words), "\(run.code) \(run.errors)")
    #expect(try bench.names() == ["letter.txt", "pipe", "run", "small.yaml", "stress.json"])
    #expect(try bench.read("letter.txt") == "kept")
  }
}
