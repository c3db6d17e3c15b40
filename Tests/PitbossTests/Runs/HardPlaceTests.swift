// Goal: a closed or full stream, a limit on files or memory and a kill end with a message and the
// promised exit code, and nothing that was complete is lost.
// Method: the real program under a shell that sets the limits.
import Foundation
import TestSupport
import Testing

@Suite(.tags(.slow)) struct HardPlaceTests {
  /// Runs a line of the shell, in which `$P` is the program.
  private func shell(_ bench: Workbench, _ line: String) throws -> Outcome {
    let process = bench.process([])
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line]
    process.environment?["P"] = bench.programFolder + "/pitboss"
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    let said = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      code: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
      errors: String(decoding: said, as: UTF8.self))
  }

  @Test(
    "A message that nobody can be told does not end the program otherwise",
    arguments: ["2>/dev/full", "2>&-"])
  func standardError(redirection: String) throws {
    let bench = try Workbench()
    _ = try bench.small()
    let broken = try shell(bench, "$P run small.yaml --set rules.nonsense=1 \(redirection)")
    #expect(broken.code == 65)
    let shown = try shell(
      bench, "$P run small.yaml --plotly cdn --progress always --out out \(redirection)")
    #expect(shown.code == 0)
    #expect(try shell(bench, "$P show out").code == 0, "no message got into the run's files")
  }

  #if os(Linux)
    @Test(
      "Help and results that cannot be written end with 74",
      arguments: ["--help", "help run", "run --help", "--version", "figures"])
    func standardOutput(arguments: String) throws {
      let bench = try Workbench()
      let full = try shell(bench, "$P \(arguments) > /dev/full")
      #expect(full.code == 74, "\(full.errors)")
      #expect(full.errors.contains("cannot write to standard output"), "\(full.errors)")
    }
  #endif

  @Test("Of runs that end in one place at once each is written whole, and one stays")
  func onePlace() throws {
    let bench = try Workbench()
    _ = try bench.small()
    for round in 1...4 {
      let runs = try (1...3).map { seed in
        let run = bench.process(
          ["run", "small.yaml", "--plotly", "cdn", "--quiet", "--out", "out", "--seed", "\(seed)"])
        let errors = bench.folder.appendingPathComponent("errors\(seed).txt")
        try Data().write(to: errors)
        run.standardOutput = FileHandle.nullDevice
        run.standardError = try FileHandle(forWritingTo: errors)
        try run.run()
        return run
      }
      for (place, run) in runs.enumerated() {
        run.waitUntilExit()
        let errors = try bench.read("errors\(place + 1).txt")
        #expect(run.terminationStatus == 0 && errors.isEmpty, "round \(round): \(errors)")
      }
      #expect(try bench.run("verify", "out").code == 0)
      #expect(try bench.names().allSatisfy { !$0.hasPrefix(".out") }, "nothing is left")
      if round == 2 { try FileManager.default.removeItem(atPath: bench.folder.path + "/out") }
    }
  }

  @Test("A name that is not UTF-8 is refused, and no other name is taken for it")
  func badNames() throws {
    let bench = try Workbench()
    _ = try bench.small()
    let before = try bench.names()
    let run = try shell(bench, "$P run small.yaml --out \"$(printf 'o\\377')\"")
    #expect(run.code == 64 && run.errors.contains("argument 4, 'o\u{FFFD}', is not UTF-8"))
    #expect(try bench.names() == before)
    let written = try shell(bench, "$P scenario validate 'o\u{FFFD}'")
    #expect(written.code == 74, "U+FFFD itself is a letter like any other")
  }

  @Test func aClosedStandardOutputIsSaidInWords() throws {
    let closed = try shell(try Workbench(), "$P --version >&-")
    #expect(closed.code == 74)
    #expect(closed.errors == "pitboss: cannot write to standard output: it is closed\n")
  }

  @Test(
    "A terminal that knows no escape sequences gets none",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")),
    arguments: [("xterm", true), ("dumb", false)])
  func dumbTerminal(name: String, knows: Bool) throws {
    let bench = try Workbench()
    _ = try bench.small()
    let shown = try shell(
      bench,
      """
      TERM=\(name) NO_COLOR= /usr/bin/python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' \
        $P run small.yaml --plotly cdn --progress always --out out </dev/null
      """)
    #expect(shown.output.contains("Fingerprint"), "\(shown.output)\(shown.errors)")
    #expect(shown.output.contains("\u{1B}") == knows, "\(shown.output)")
  }

  @Test("A file that may not grow is an error of output")
  func fileLimit() throws {
    let bench = try Workbench()
    _ = try bench.small()
    let run = try shell(bench, "ulimit -f 20; $P run small.yaml --plotly cdn --out out")
    #expect(run.code == 74, "\(run.errors)")
    #expect(run.errors.contains("cannot write"))
    #expect(try bench.names() == ["small.yaml"])
  }

  @Test(
    "A run that a full disk ends says how it goes on from its checkpoints, and does",
    arguments: [(20, "cannot write checkpoint-"), (160, "cannot write run.sqlite")])
  func fileLimitWithCheckpoints(blocks: Int, problem: String) throws {
    let bench = try Workbench()
    let scenario = Checkout.scenarios.appendingPathComponent("launch-year.yaml").path
    let run = try shell(
      bench,
      """
      ulimit -f \(blocks); $P run '\(scenario)' --set population.members=100 \
        --set calendar.days=30 --checkpoint every=5d --plotly cdn --quiet --out out
      """)
    #expect(run.code == 74 && run.errors.contains(problem), "\(run.errors)")
    #expect(run.errors.contains("'pitboss resume out' goes on from its last checkpoint"))
    #expect(try bench.names() == ["out.checkpoints"])
    let resumed = try bench.run("resume", "out", "--plotly", "cdn", "--quiet")
    #expect(resumed.code == 0, "\(resumed.errors)")
    #expect(try bench.names() == ["out"])
  }

  @Test("A run that a check cannot write to the disk breaks no promise")
  func checkedFileLimit() throws {
    let bench = try Workbench()
    _ = try bench.small()
    let check = try shell(
      bench,
      """
      ulimit -f 20; $P check small.yaml --seeds 1..1 --no-shrink --set check.as_written=true \
        --set population.members=60 --set calendar.days=90 \
        --set 'check.faults=["flipped_bit 1"]'
      """)
    #expect(check.code == 74, "\(check.output)\(check.errors)")
    #expect(check.errors.contains("cannot write"), "\(check.errors)")
    #expect(!check.output.contains("run_reads_back"), "\(check.output)")
  }

  @Test(
    "A process that may open hardly any file is told so",
    arguments: ["check small.yaml", "serve small.yaml --data data", "studio small.yaml"])
  func openFiles(command: String) throws {
    let bench = try Workbench()
    _ = try bench.small()
    let run = try shell(bench, "ulimit -n 40; $P \(command)")
    #expect(run.code == 74, "\(run.errors)")
    #expect(run.errors.contains("40 files at once are all that this process may have open"))
    #expect(run.errors.contains("'ulimit -n 1024'"))
    #expect(try bench.names() == ["small.yaml"])
  }

  @Test("Room for open files is taken as far as the system lets a process")
  func moreOpenFiles() throws {
    let bench = try Workbench()
    _ = try bench.small()
    let run = try shell(bench, "ulimit -S -n 40; $P check small.yaml --seeds 1..2")
    #expect(run.code == 0, "\(run.errors)")
  }

  #if os(Linux)
    @Test(
      "Memory that is refused is said, with exit code 71: bit by bit, and at once",
      arguments: [8_000_000, 100_000_000])
    func memoryLimit(members: Int) throws {
      let bench = try Workbench()
      _ = try bench.small()
      let run = try shell(
        bench,
        "ulimit -v 250000; $P run small.yaml --set population.members=\(members) --plotly cdn "
          + "--set population.adoption.model=cohort --set calendar.days=2 --threads 1 --out out")
      #expect(run.code == 71, "\(run.errors)")
      #expect(run.errors.contains("memory was refused at the limit of 244 MiB"))
      #expect(!run.errors.contains("Thread 0"), "no backtrace: \(run.errors)")
      #expect(try bench.names() == ["small.yaml"])
    }
  #endif

  /// A run of years that gets signals at once: Ctrl-C by default.
  ///
  /// - Parameter command: What the shell that starts it does before.
  private func interrupted(
    _ bench: Workbench, _ arguments: [String], by signals: [Int32] = [SIGINT],
    after command: String = ":"
  ) throws -> Outcome {
    let process = bench.process(
      ["-c", "\(command); exec \"$@\"", "sh", bench.programFolder + "/pitboss"] + arguments
        + ["--progress", "always"])
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    // The first piece of the progress line comes when the signals are listened to.
    var said = errors.fileHandleForReading.availableData
    for signal in signals { kill(process.processIdentifier, signal) }
    said += errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Outcome(
      code: process.terminationStatus, output: "", errors: String(decoding: said, as: UTF8.self))
  }

  @Test("An interrupted run does not take the place of a complete one, and its pages say so")
  func interruptedRerun() throws {
    let bench = try Workbench()
    let file = try bench.small()
    #expect(try bench.run("run", file, "--plotly", "cdn", "--out", "out").code == 0)
    let before = try bench.files(below: "out")
    let rerun = try interrupted(
      bench,
      [
        "run", file, "--plotly", "cdn", "--out", "out", "--set", "calendar.days=3000", "--set",
        "population.members=100000",
      ])
    #expect(rerun.code == 130, "\(rerun.errors)")
    #expect(rerun.errors.contains("out-interrupted holds the run up to"), "\(rerun.errors)")
    #expect(try bench.files(below: "out") == before)
    #expect(try bench.read("out-interrupted/summary.json").contains("\"interrupted\": true"))
    let insights = try bench.run("insights", "out-interrupted")
    #expect(insights.code == 0)
    #expect(insights.errors.contains("out-interrupted was interrupted"))
    #expect(try bench.run("insights", "out").errors.isEmpty)
  }

  @Test("A terminal that closes interrupts a run, unless that is ignored as by nohup")
  func hangup() throws {
    let bench = try Workbench()
    let long = [
      "run", try bench.small(), "--plotly", "cdn", "--set", "calendar.days=3000", "--set",
      "population.members=100000", "--out",
    ]
    // The shell and the system each send one, and two of them are no second request. Nor is the SIGTERM
    // with which the end of a session follows. The summary cannot be printed where nobody is left to read.
    let run = try interrupted(
      bench, long + ["closed"], by: [SIGHUP, SIGHUP, SIGTERM], after: "exec >&-")
    #expect(run.code == 130, "\(run.errors)")
    #expect(run.errors.contains("cannot write to standard output"), "\(run.errors)")
    #expect(run.errors.contains("closed holds the run up to"), "\(run.errors)")
    // Had the first one counted, Ctrl-C would end the process at once.
    let kept = try interrupted(
      bench, long + ["kept"], by: [SIGHUP, SIGINT], after: "trap '' HUP")
    #expect(kept.code == 130, "\(kept.errors)")
    #expect(kept.errors.contains("kept holds the run up to"), "\(kept.errors)")
  }

  @Test("An interrupted experiment keeps the replications that it finished")
  func interruptedExperiment() throws {
    let bench = try Workbench()
    let file = try bench.small("calendar: {days: 20}\n")
    // Somebody else's, which stays.
    try FileManager.default.createDirectory(
      at: bench.folder.appendingPathComponent("out-interrupted"), withIntermediateDirectories: true)
    try bench.write("out-interrupted/thesis.txt", "years of work")
    let process = bench.process([
      "sweep", file, "--vary", "rules.scan_reward.base=0.1,0.2", "--replications", "10000",
      "--plotly", "cdn", "--out", "out", "--progress", "always",
    ])
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    // The first piece of the progress line comes when the signals are listened to; some replications end.
    var heard = errors.fileHandleForReading.availableData
    Thread.sleep(forTimeInterval: 1)
    process.interrupt()
    heard += errors.fileHandleForReading.readDataToEndOfFile()
    let said = String(decoding: heard, as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130, "\(said)")
    #expect(said.contains("out-interrupted-2/replications.csv"), "\(said)")
    let rows = try bench.read("out-interrupted-2/replications.csv").split(separator: "\n")
    #expect(rows.count > 1 && rows[0].hasPrefix("scenario,seed,settings,"))
    #expect(rows.dropFirst().allSatisfy { $0.hasPrefix("small,") })
    #expect(rows[1].contains("rules.scan_reward.base=0.1"))
    #expect(try bench.names() == ["out-interrupted", "out-interrupted-2", "small.yaml"])
    #expect(try bench.names("out-interrupted") == ["thesis.txt"])
  }

  @Test("Purchase rates that no run could compute are refused with the number")
  func rates() throws {
    let bench = try Workbench()
    let file = try bench.small()
    for setting in [
      "population.purchase.alpha=1e-9", "population.purchase.alpha=1e-99",
      "population.mischief.rings=[{date: 2026-01-05, days: 3000, accounts: 100000, "
        + "per_hour: 100000}]",
    ] {
      let run = try bench.run(
        "run", file, "--plotly", "cdn", "--set", setting, "--set", "calendar.days=60")
      #expect(run.code == 65 && run.errors.contains("expected events in 60 days"), "\(run.errors)")
    }
  }
}
