// Goal: the line that replays a failed replication works in a fresh shell.
// Method: the real program fails on money that overflows, from a path with blank and quote and
// with settings from the environment; a shell without them runs the line that was printed.
import Foundation
import Testing

@Suite struct ReplayLineTests {
  private static let path = "a b's.yaml"

  @Test(
    "A replay line repeats path, settings and seed in a shell without the environment",
    arguments: [
      ["sweep", path, "--vary", "rules.guarantee.amount=10,20", "--replications", "2"],
      ["compare", path, path, "--with", "name=it's", "--replications", "2"],
      [
        "choose", path, "--with", "rules.guarantee.amount=10", "--figure", "tins.sold",
        "--indifference", "1", "--first", "5",
      ],
      ["project", path, "--replications", "2"],
    ])
  func replays(arguments: [String]) throws {
    let bench = try Workbench()
    try bench.write(
      Self.path, "name: broke\npopulation: {members: 100}\ncalendar: {days: 90}\n")
    let environment = [
      "PITBOSS_SET": "rules.scan_reward.base = 1000000000;population.members=400;"
        + "population.tins.per_week=200;seed=3",
      "PITBOSS_SEED": "12",
    ]
    let failed = try bench.run(arguments, environment: environment)
    #expect(failed.code == 65, "\(failed.errors)")
    let lines = failed.errors.split(separator: "\n").map(String.init)
    try #require(lines.count == 2 && lines[1].hasPrefix("replay: pitboss run "))
    let cause = try #require(lines[0].range(of: "money overflow")).lowerBound
    // Without the settings the scenario would run to its end.
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    let command = lines[1].dropFirst("replay: ".count)
    shell.arguments = ["-c", "\(command) --out replayed --plotly cdn"]
    shell.currentDirectoryURL = bench.folder
    shell.environment = ["PATH": "\(bench.programFolder):/usr/bin:/bin"]
    let errors = Pipe()
    shell.standardError = errors
    shell.standardOutput = FileHandle.nullDevice
    try shell.run()
    let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 65, "\(said)")
    #expect(said.contains(lines[0][cause...]), "\(said)")
    #expect(try bench.names() == [Self.path])
  }
}
