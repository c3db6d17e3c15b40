// Goal: a run of any program says the same when it is read back.
// Method: the real program runs a scenario of each program, and shows its folder in a new process.
import Foundation
import TestSupport
import Testing

private let scenarios = Checkout.scenarios

@Suite struct StoredProgrammeTests {
  @Test(
    "A run that is read back says what it said", arguments: ["embera-offline-week", "launch-year"])
  func show(name: String) throws {
    let bench = try Workbench()
    let run = try bench.run(
      "run", scenarios.appendingPathComponent("\(name).yaml").path, "--set",
      "population.members=200", "--out", "run", "--plotly", "cdn")
    #expect([0, 99].contains(run.code), "\(run.errors)")
    let shown = try bench.run("show", "run")
    #expect(shown.output == run.output)
  }
}
