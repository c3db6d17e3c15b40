// `pitboss backtest --journal`: the real program over a service's folder, and its refusals.
import Testing

@Suite("Backtests of a service's journal")
struct JournalBacktestTests {
  @Test("A folder without a service is refused by name, and nothing is made there")
  func missing() throws {
    let bench = try Workbench()
    try bench.write("own.yaml", "name: own\nseed: 1\n")
    let outcome = try bench.run("backtest", "own.yaml", "--journal", "nowhere")
    #expect(outcome.code == 65)
    #expect(outcome.errors.contains("no such folder; name what serve was given"))
    #expect(try bench.names() == ["own.yaml"])
  }

  @Test(
    "What a service does not go by is refused, and not told as a change",
    arguments: [
      (["--seed", "5"], "--seed has no effect on a service's past"),
      (["--set", "seed=5"], "--set seed has no effect on a service"),
      (["--set", "calendar.days=30"], "--set calendar.days has no effect on a service"),
      (["--set", "faults.chain.late=10 %"], "--set faults.chain.late has no effect on a service"),
      (
        ["--set", "population.members=9"], "--set population.members has no effect on what members"
      ),
    ])
  func idle(_ flags: [String], _ words: String) throws {
    let bench = try Workbench()
    try bench.write("own.yaml", "name: own\nseed: 1\n")
    let outcome = try bench.run(
      ["backtest", "own.yaml", "--journal", "nowhere"] + flags, environment: [:])
    #expect(outcome.code == 64)
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test("A history or a journal is asked for, not both and not what belongs to the other")
  func flags() throws {
    let bench = try Workbench()
    try bench.write("own.yaml", "name: own\nseed: 1\n")
    for flags in [[], ["--history", "a.csv", "--journal", "b"], ["--journal", "b", "--strict"]] {
      let outcome = try bench.run(["backtest", "own.yaml"] + flags, environment: [:])
      #expect(outcome.code == 64)
      #expect(outcome.errors.contains("--history"))
    }
  }
}
