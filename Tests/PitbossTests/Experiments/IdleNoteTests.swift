// Goal: whoever moves a setting that does nothing is told so once, and nobody else is.
// Method: the real program with a shop that is closed.
import Foundation
import Testing

@Suite struct IdleNoteTests {
  private static let setting = "population.shop.abandoned"
  private static let note =
    "pitboss: population.shop.abandoned does nothing while rules.shop.enabled is false\n"

  @Test(
    "Commands that run a scenario say it once on standard error",
    arguments: [
      ["run", "small.yaml", "--set", setting + "=0.9", "--plotly", "cdn"],
      [
        "project", "small.yaml", "--set", setting + "=0.9", "--replications", "2", "--plotly",
        "cdn",
      ],
      [
        "sweep", "small.yaml", "--vary", setting + "=0.1..0.9:3", "--replications", "2", "--plotly",
        "cdn",
      ],
      [
        "compare", "small.yaml", "small.yaml", "--with", setting + "=0.9", "--replications", "2",
        "--plotly", "cdn",
      ],
      ["worth", "small.yaml", "--set", setting + "=0.9", "--replications", "2", "--plotly", "cdn"],
    ])
  func said(arguments: [String]) throws {
    let bench = try Workbench()
    _ = try bench.small()
    let outcome = try bench.run(arguments, environment: [:])
    #expect(outcome.code == 0 && outcome.errors == Self.note, "\(outcome.errors)")
    let quiet = try bench.run(arguments + ["--quiet"], environment: [:])
    #expect(quiet.code == 0 && quiet.errors.isEmpty, "\(quiet.errors)")
  }

  @Test(
    "What the command itself turns on is not said to be off",
    arguments: [
      ["sweep", "small.yaml", "--vary", "rules.shop.enabled=true,false", "--replications", "1"],
      ["compare", "small.yaml", "small.yaml", "--with", "rules.shop.enabled=true"],
      [
        "choose", "small.yaml", "--with", "population.members=9; rules.shop.enabled=true",
        "--figure", "cost.total", "--indifference", "1000000",
      ],
      ["project", "open.yaml", "--replications", "2"],
    ])
  func turnedOn(arguments: [String]) throws {
    let bench = try Workbench()
    _ = try bench.small()
    try bench.write(
      "open.yaml",
      try bench.read("small.yaml")
        + "uncertain:\n  - rules.shop.enabled ~ discrete(true = 1, false = 1)\n")
    let flags = ["--set", Self.setting + "=0.9", "--plotly", "cdn"]
    let outcome = try bench.run(arguments + flags, environment: [:])
    #expect(outcome.code == 0 && !outcome.errors.contains("does nothing"), "\(outcome.errors)")
  }

  @Test("What a program takes away for a comparison is nobody's setting")
  func removed() throws {
    let bench = try Workbench()
    _ = try bench.small()
    let outcome = try bench.run(
      "worth", "small.yaml", "--set", "rules.guarantee.amount=20", "--replications", "2",
      "--plotly", "cdn")
    #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
  }

  @Test("A check of files names it, for people and for programs")
  func validated() throws {
    let bench = try Workbench()
    _ = try bench.small()
    let arguments = ["scenario", "validate", "small.yaml"]
    let clean = try bench.run(arguments, environment: [:])
    #expect(clean.output.split(separator: "\n").count == 1)
    let set = ["--set", Self.setting + "=0.9", "--set", "population.shop.age_pass=0.5"]
    let text = try bench.run(arguments + set, environment: [:])
    #expect(
      text.output.hasSuffix(
        "\n  population.shop.abandoned and population.shop.age_pass do nothing while "
          + "rules.shop.enabled is false\n"), "\(text.output)")
    let json = try bench.run(arguments + set + ["--format", "json"], environment: [:])
    #expect(
      json.output.contains(
        "{\"path\": \"population.shop.age_pass\", \"reason\": \"rules.shop.enabled is false\"}"))
  }
}
