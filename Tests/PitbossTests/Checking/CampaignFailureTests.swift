// Goal: 'pitboss check' never loses what it found, and fails in words with the codes that it documents.
// Method: the real program; a worker of our own answers its cases as a broken program would, or ends.
import Foundation
import Testing

@Suite struct CampaignFailureTests {
  /// A folder with a scenario, and a worker that answers by a rule in Python.
  private func bench(_ rule: String, _ scenario: String = "name: plain\n") throws -> Workbench {
    let bench = try Workbench()
    try bench.write("s.yaml", scenario)
    let build = try bench.run("worker", "--help")
    #expect(build.code == 0)
    try bench.write(
      "answer.py",
      """
      import json, os, sys
      sys.stdout.write(open("hello").read())
      sys.stdout.flush()
      for line in sys.stdin:
          case = json.loads(json.loads(line)["check"])
          answer = {"verdict": "passed", "events": 1, "requests": 2, "submissions": 1,
                    "faults": {}, "seen": {}, "programme": "blakjaks",
                    "drawn": ["check.as_written=true"]}
          def fail(**more):
              answer["verdict"] = "violated"
              answer["broken"] = {"invariant": "ledger_balanced", "facts": "it fails", "time": 0,
                                  "members": [], "events": [], "part": "world", **more}
          isShrunk = "s.yaml" not in case.get("file", "")
      \(rule.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))
          print(json.dumps({"checked": json.dumps(answer)}), flush=True)
      """)
    // The first line of a worker of this build.
    let process = bench.process(["worker"])
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    try input.fileHandleForWriting.close()
    let hello = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let line = hello.prefix { $0 != 0x0A } + [0x0A]
    try Data(line).write(to: bench.folder.appendingPathComponent("hello"))
    return bench
  }

  private func check(
    _ bench: Workbench, _ flags: String..., file: String = "s.yaml"
  ) throws -> Outcome {
    try bench.run(
      ["check", file, "--jobs", "1", "--seeds", "1..4", "--workers", "python3 answer.py"] + flags,
      environment: [:])
  }

  @Test("A finding whose smallest case cannot be written is reported all the same")
  func outIsLost() throws {
    // The folder can be made at first, and is a file when the case is small.
    let bench = try bench("fail()\nif isShrunk and not os.path.exists('o'): open('o', 'w').close()")
    let run = try check(bench, "--out", "o", "--junit", "j.xml")
    #expect(run.code == 111, "\(run.errors)")
    #expect(run.output.contains("ledger_balanced broken 4 times"), "\(run.output)")
    #expect(run.output.contains("no smaller case: cannot write o: "), "\(run.output)")
    #expect(run.output.contains("pitboss replay s.yaml --seed 1 --trace"))
    #expect(!run.errors.contains("NSCocoaErrorDomain"), "\(run.errors)")
    #expect(try bench.read("j.xml").contains("no smaller case: cannot write o: "))
  }

  @Test("A finding whose name needs quotes is made small")
  func names() throws {
    let bench = try bench("fail()", "name: \"Launch: plan B\"\n")
    let run = try check(bench, "--out", "o")
    #expect(run.code == 111, "\(run.errors)")
    #expect(!run.output.contains("no smaller case"), "\(run.output)")
    let files = try bench.names("o")
    #expect(files.count == 1 && files[0].contains("ledger_balanced"), "\(files)")
    #expect(try bench.read("o/\(files[0])").contains("name: \"Launch: plan B\""))
  }

  @Test("Smallest cases of scenarios with one name are kept apart")
  func oneName() throws {
    let bench = try bench("fail()")
    try bench.write("t.yaml", "name: plain\npopulation: {members: 7}\n")
    let run = try check(bench, "t.yaml", "--out", "o")
    #expect(run.code == 111, "\(run.errors)")
    let files = ["plain-ledger_balanced-1", "plain-ledger_balanced-1-2"].map { "o/\($0).yaml" }
    #expect(try bench.names("o").sorted() == files.map { String($0.dropFirst(2)) }.sorted())
    for file in files {
      #expect(run.output.contains("pitboss replay \(file) --seed 1"), "\(run.output)")
      #expect(try bench.read(file).contains("replay \(file) --seed 1"))
    }
  }

  @Test("A smallest case takes the place of an earlier campaign's, and of no file of somebody else")
  func othersFiles() throws {
    let bench = try bench("fail()")
    let (own, next) = ("o/plain-ledger_balanced-1.yaml", "o/plain-ledger_balanced-1-2.yaml")
    for _ in 0..<2 { #expect(try check(bench, "--out", "o").code == 111) }
    #expect(try bench.names("o") == [String(own.dropFirst(2))])
    try bench.write(own, "# my notes\nname: plain\n")
    let run = try check(bench, "--out", "o")
    #expect(try bench.read(own) == "# my notes\nname: plain\n")
    #expect(try bench.read(next).hasPrefix("# Breaks ledger_balanced"))
    #expect(run.output.contains("pitboss replay \(next) --seed 1"), "\(run.output)")
  }

  @Test("What was found before a worker fails is reported")
  func workerFails() throws {
    let bench = try bench(
      """
      if case["seed"] == 2: fail()
      if case["seed"] == 4: answer["verdict"], answer["refusal"] = "failed", "no space is left"
      """)
    for format in ["text", "json"] {
      let run = try check(bench, "--no-shrink", "--junit", "j.xml", "--format", format)
      #expect(run.code == 111)
      #expect(run.output.contains("ledger_balanced"), "\(run.output)")
      #expect(run.output.contains("no space is left"))
      #expect(run.errors.contains("pitboss: cannot run cases: no space is left"))
      #expect(try bench.read("j.xml").contains("<error message="))
    }
    let clean = try check(bench, "--no-shrink", "--seeds", "3..4")
    #expect(clean.code == 74)
    #expect(clean.output.contains("Not all cases were run: 1 of 2 cases"), "\(clean.output)")
  }

  @Test(
    "Places that cannot be written are refused before the first case",
    arguments: [
      ("--out", "file/o", "cannot write file/o: Not a directory"),
      ("--junit", "file/j.xml", "file/j.xml: cannot be written: Not a directory; choose another"),
      ("--junit", "folder", "folder: is a folder; give a file"),
      ("--junit", "pipe", "pipe: is not a regular file; choose another place"),
      ("--junit", "other.xml", "other.xml: already exists and was not made by this command"),
    ])
  func places(_ flag: String, _ place: String, _ words: String) throws {
    let bench = try bench("open('ran', 'w').close()")
    try bench.write("file", "")
    try bench.write("other.xml", "<testsuites name=\"ours\"/>")
    #expect(mkfifo(bench.folder.appendingPathComponent("pipe").path, 0o600) == 0)
    try FileManager.default.createDirectory(
      at: bench.folder.appendingPathComponent("folder"), withIntermediateDirectories: false)
    let before = try bench.names()
    let run = try check(bench, flag, place)
    #expect(run.code == 74, "\(run.errors)")
    #expect(run.errors.contains("pitboss: \(words)"), "\(run.errors)")
    #expect(run.output.isEmpty)
    #expect(try bench.names() == before)
  }

  @Test("JUnit through a link is written to the link's file, which a later campaign replaces")
  func links() throws {
    let bench = try bench("pass")
    let files = FileManager.default
    let link = bench.folder.appendingPathComponent("j.xml").path
    try files.createSymbolicLink(atPath: link, withDestinationPath: "builds/latest.xml")
    for _ in 1...2 {
      let run = try check(bench, "--no-shrink", "--junit", "j.xml")
      #expect(run.code == 0, "\(run.errors)\(run.output)")
      #expect(try files.destinationOfSymbolicLink(atPath: link) == "builds/latest.xml")
      #expect(try bench.read("builds/latest.xml").contains("<testsuites name=\"pitboss check\""))
    }
  }

  @Test func aCampaignThatFindsNothingLeavesNoFolder() throws {
    let bench = try bench("pass")
    let before = try bench.names()
    let run = try check(bench, "--out", "deep/er/o")
    #expect(run.code == 0, "\(run.errors)\(run.output)")
    #expect(try bench.names() == before)
  }

  @Test("A scenario of which no case ran does not pass")
  func idle() throws {
    let bench = try bench("answer['verdict'], answer['refusal'] = 'refused', 'money overflow'")
    let run = try check(bench, "--junit", "j.xml")
    #expect(run.code == 111, "\(run.errors)")
    #expect(run.output.contains("no case ran"), "\(run.output)")
    #expect(!run.output.contains("promises hold"), "\(run.output)")
    #expect(try bench.read("j.xml").contains("no case ran: money overflow"))
    let cut = try check(bench, "--budget", "0.0000001s")
    #expect(cut.code == 111)
    #expect(cut.output.contains("No case ran of 1 scenario: 0 of 4 cases"), "\(cut.output)")
  }

  @Test("A budget holds for making cases small, too")
  func budgetOfSmallCases() throws {
    let bench = try bench("if isShrunk:\n    import time\n    time.sleep(2.1)\nfail()")
    let run = try check(bench, "--budget", "2s", "--out", "o")
    #expect(run.code == 111, "\(run.errors)")
    #expect(
      run.output.contains("the case may be smaller still; to search on: pitboss check o/"),
      "\(run.output)")
  }

  @Test("A scenario that is given twice is checked once")
  func twice() throws {
    let run = try check(bench("pass"), "./s.yaml", "--junit", "j.xml", "--format", "json")
    #expect(run.code == 0, "\(run.errors)")
    #expect(run.errors.contains("./s.yaml is given more than once; it is checked once"))
    #expect(run.output.contains("\"cases\" : 4"), "\(run.output)")
  }

  @Test("A scenario from a pipe is checked, and its replay line says what to do")
  func pipes() throws {
    let bench = try bench("if 'name: plain' not in (case.get('text') or ''): fail()")
    for isBroken in [false, true] {
      let fifo = bench.folder.appendingPathComponent("pipe\(isBroken)").path
      #expect(mkfifo(fifo, 0o600) == 0)
      let text = isBroken ? "name: other\n" : "name: plain\n"
      let writer = Thread {
        try? FileHandle(forWritingAtPath: fifo)?.write(contentsOf: Data(text.utf8))
      }
      writer.start()
      let run = try check(bench, "--no-shrink", file: "pipe\(isBroken)")
      #expect(run.code == (isBroken ? 111 : 0), "\(run.errors)\(run.output)")
      guard isBroken else { continue }
      #expect(
        run.output.contains("pitboss replay SCENARIO.yaml --seed 1 --trace  # save what pipetrue"))
    }
  }

  @Test("Faults that would do nothing are refused by check, by replay, and where they are shown")
  func faults() throws {
    let bench = try bench(
      "pass", "name: x\ncheck:\n  as_written: true\n  faults: [\"duplicate 0.5\", \"outage 0.1\"]\n"
    )
    for run in [
      try check(bench), try bench.run("replay", "s.yaml", "--seed", "1"),
      try bench.run("scenario", "validate", "s.yaml"), try bench.run("scenario", "show", "s.yaml"),
      try bench.run("scenario", "list", "."),
    ] {
      #expect(run.code == 65, "\(run.errors)")
      #expect(
        run.errors.contains("s.yaml:4:12: check.faults[0]: 'duplicate' is not a fault of BlakJaks"))
      #expect(
        run.errors.contains("s.yaml:4:29: check.faults[1]: 'outage' comes from settings"),
        "\(run.errors)")
    }
  }

  @Test("Folders of a case that is killed are removed")
  func folders() throws {
    let bench = try bench(
      """
      place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp"
      name = f"{place}/pitboss-check-{os.environ['PITBOSS_CHECK_SCRATCH']}-left"
      os.mkdir(name)
      open("left", "w").write(name)
      os._exit(3)
      """)
    let run = try check(bench, "--no-shrink", "--seeds", "1")
    #expect(run.code == 111, "\(run.errors)")
    #expect(run.output.contains("process_survives"), "\(run.output)")
    #expect(!FileManager.default.fileExists(atPath: try bench.read("left")))
  }
}
