// Goal: an experiment that was computed in parts gives the bytes of the undivided one, and parts
// that do not make a whole are named.
// Method: the real program computes parts in processes of their own, and merges them.
import Crypto
import Foundation
import TestSupport
import Testing

@Suite struct PartCommandTests {
  private func bench() throws -> Workbench {
    let bench = try Workbench()
    let head = "population: {members: 60}\ncalendar: {days: 40}\n"
    try bench.write("plain.yaml", "name: plain\n" + head)
    try bench.write(
      "tiny.yaml", "name: tiny\n" + head + "uncertain:\n  - population.members ~ uniform(40, 80)\n")
    return bench
  }

  private static let project = [
    "project", "tiny.yaml", "--replications", "12", "--antithetic", "on", "--plotly", "cdn",
    "--format", "json",
  ]

  /// Computes a part into the file `NAME-k`.
  private func part(
    _ bench: Workbench, _ arguments: [String], _ text: String, name: String = "part",
    more: [String] = []
  ) throws -> String {
    let file = "\(name)-\(text.prefix { $0 != "/" })"
    let run = try bench.run(
      arguments + ["--part", text, "--out", file] + more, environment: [:])
    #expect(run.code == 0, "\(run.errors)")
    return file
  }

  @Test("A part is computed again in its place, however long its arguments are")
  func again() throws {
    let bench = try bench()
    let long = (0..<400).flatMap { _ in ["--set", "population.members=60"] }
    let arguments = ["project", "plain.yaml", "--replications", "2", "--plotly", "cdn"] + long
    let first = try part(bench, arguments, "1/2")
    let before = try bench.read(first)
    #expect(before.utf8.prefix { $0 != UInt8(ascii: "\n") }.count > 8_192)
    #expect(try part(bench, arguments, "1/2") == first)
    #expect(try bench.read(first) == before)
    try bench.write("part-2", "not a part\n")
    let refused = try bench.run(arguments + ["--part", "2/2", "--out", "part-2"], environment: [:])
    #expect(refused.code != 0 && refused.errors.contains("was not made by this command"))
  }

  @Test(
    "Three parts make the bytes of the undivided experiment",
    arguments: [
      project,
      ["compare", "plain.yaml", "tiny.yaml", "--replications", "5", "--plotly", "cdn"],
      [
        "sweep", "plain.yaml", "--vary", "population.members=40,80", "--replications", "2",
        "--plotly", "cdn",
      ],
    ])
  func sameBytes(_ arguments: [String]) throws {
    let bench = try bench()
    let whole = try bench.run(arguments + ["--out", "whole"], environment: [:])
    #expect(whole.code == 0, "\(whole.errors)")
    // Who computes a part does not matter.
    let worker = ["--workers", "'\(bench.programFolder)/pitboss' worker", "--jobs", "1"]
    let files = [
      try part(bench, arguments, "3/3", more: ["--threads", "1"]),
      try part(bench, arguments, "1/3", more: worker), try part(bench, arguments, "2/3"),
    ]
    let merged = try bench.run(["merge"] + files + ["--out", "merged"], environment: [:])
    #expect(merged.code == 0, "\(merged.errors)")
    #expect(
      merged.output.replacing("merged", with: "whole") == whole.output, "\(merged.errors)")
    let names = try bench.names("whole")
    #expect(try bench.names("merged") == names)
    for name in names {
      #expect(try bench.read("merged/\(name)") == bench.read("whole/\(name)"), "\(name)")
    }
  }

  @Test func partsThatMakeNoWholeAreNamed() throws {
    let bench = try bench()
    let parts = try ["1/3", "2/3", "3/3"].map { try part(bench, Self.project, $0) }
    let other = Self.project + ["--seed", "9"]
    let foreign = try part(bench, other, "3/3", name: "foreign")
    let fourth = try part(bench, Self.project, "3/4", name: "fourth")
    try bench.write("cut", String(try bench.read("part-3").dropLast(100)))
    try bench.write("nothing", "{}\n")
    let beef = try bench.read("part-3").replacing(/"build":"..../, with: "\"build\":\"beef")
    let open = beef.replacing(/"sum":"[0-9a-f]*"/, with: "\"sum\":\"\"")
    let sum = SHA256.hash(data: Data(open.utf8)).map { String(format: "%02x", $0) }.joined()
    try bench.write("built", open.replacing("\"sum\":\"\"", with: "\"sum\":\"\(sum)\""))
    try bench.write("flipped", beef)
    let two = Array(parts.prefix(2))
    let cases: [([String], String)] = [
      (two, "part 3/3 is missing; compute it with pitboss project tiny.yaml "),
      (parts + [parts[1]], "part-2 and part-2 are both part 2/3; give each once"),
      (two + [foreign], "foreign-3 is not of the experiment of part-1: it was computed with "),
      (two + [fourth], "fourth-3 is not of the experiment of part-1: it is one of 4 parts"),
      (two + ["cut"], "cut is not whole: it has "), (two + ["nothing"], "nothing is not a part "),
      (two + ["."], ". is a folder; give the files"),
      (two + ["built"], "built was computed by another build of pitboss"),
      (two + ["flipped"], "flipped is damaged: it is not what was written; compute part 3/3 again"),
      (two + ["gone"], "gone: cannot be read"),
    ]
    for (files, words) in cases {
      let run = try bench.run(["merge"] + files + ["--out", "merged"], environment: [:])
      // What cannot be read is no bad input, but a failure of input.
      #expect(run.code == (files.last == "gone" ? 74 : 65))
      #expect(run.errors.contains(words), "\(run.errors)")
    }
    #expect(try !bench.names().contains("merged"))
  }

  @Test("A part that somebody made runs nothing but an experiment that has parts")
  func madeUp() throws {
    let bench = try bench()
    let whole = try bench.read(try part(bench, Self.project, "1/1"))
    let words = try #require(whole.firstMatch(of: /"arguments":\[[^\]]*\]/))
    for arguments in [
      #"["check","plain.yaml","--workers","touch harmed"]"#,
      #"["project","plain.yaml","--workers=touch harmed"]"#,
      #"["project","plain.yaml","--out","harmed"]"#, #"["run","plain.yaml"]"#, "[]",
    ] {
      let text = whole.replacing(words.0, with: #""arguments":"# + arguments)
      let open = text.replacing(/"sum":"[0-9a-f]*"/, with: "\"sum\":\"\"")
      let sum = SHA256.hash(data: Data(open.utf8)).map { String(format: "%02x", $0) }.joined()
      try bench.write("made", open.replacing("\"sum\":\"\"", with: "\"sum\":\"\(sum)\""))
      let run = try bench.run(["merge", "made", "--out", "merged"], environment: [:])
      #expect(run.code == 65, "\(run.errors)")
      #expect(
        run.errors.contains("made is not a part of project, compare or sweep"), "\(run.errors)")
      #expect(try bench.names() == ["made", "part-1", "plain.yaml", "tiny.yaml"])
    }
  }

  @Test func aScenarioThatWasChangedIsNoticed() throws {
    let bench = try bench()
    let parts = try ["1/2", "2/2"].map { try part(bench, Self.project, $0) }
    try bench.write("tiny.yaml", try bench.read("tiny.yaml") + "# changed\n")
    let run = try bench.run(["merge"] + parts + ["--out", "merged"], environment: [:])
    #expect(run.code == 74)
    #expect(run.errors.contains("no part has the replication of seed "), "\(run.errors)")
    #expect(try !bench.names().contains("merged"))
  }

  @Test(
    "Experiments that decide as they go refuse --part, and name --workers",
    arguments: [
      ["project", "tiny.yaml"], ["project", "tiny.yaml", "--replications", "100"],
      ["solve", "plain.yaml", "--adjust", "seed=1..2", "--such-that", "P(critical) <= 0.5"],
      ["sensitivity", "plain.yaml"], ["worth", "plain.yaml"],
      [
        "choose", "plain.yaml", "--with", "seed=1", "--figure", "scans.accepted", "--indifference",
        "1",
      ],
    ])
  func refusals(_ arguments: [String]) throws {
    let bench = try bench()
    let run = try bench.run(arguments + ["--part", "1/2"], environment: [:])
    #expect(run.code == 64)
    #expect(run.errors.contains("--part: "), "\(run.errors)")
    #expect(run.errors.contains("use --workers to compute on several machines"), "\(run.errors)")
    #expect(try bench.names() == ["plain.yaml", "tiny.yaml"])
  }

  @Test("A part that there is not is refused", arguments: ["0/3", "4/3", "1", "1/0", "a/b"])
  func noPart(_ text: String) throws {
    let run = try bench().run(Self.project + ["--part", text], environment: [:])
    #expect(run.code == 64)
    #expect(run.errors.contains("'--part <k/n>': write k/n, two whole numbers"), "\(run.errors)")
  }

  @Test("A part says how many of its replications rank the assumptions")
  func ranking() throws {
    let bench = try bench()
    func part(_ name: String, _ flags: [String]) throws -> (done: Int, ranking: Int) {
      let run = try bench.run(
        Self.project + ["--part", "1/3", "--out", name] + flags, environment: [:])
      let said = try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any]
      return (
        try #require(said?["replications"] as? Int), try #require(said?["ranking"] as? Int)
      )
    }
    let (all, plain) = (try part("all", []), try part("plain", ["--no-assumptions"]))
    #expect(plain.ranking == 0 && all.ranking > 0 && all.ranking == all.done - plain.done)
    let text = Self.project.prefix { $0 != "--format" } + ["--part", "1/3", "--out", "text"]
    #expect(
      try bench.run(Array(text), environment: [:]).output
        .contains(" replications, \(all.ranking) of them to rank the assumptions\n"))
  }
}
