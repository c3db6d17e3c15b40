// Goal: whatever is wrong with a scenario is told exactly, all of it, and nothing is loaded.
// Method: a table of broken files with their whole message; limits are tried on generated text.
import Foundation
import Scenario
import Testing

/// A scenario that has to be refused, and the message it has to be refused with.
struct BrokenScenario: Sendable, CustomTestStringConvertible {
  let rule: String
  let text: String
  var overrides: [String] = []
  var environment: [String: String] = [:]
  let message: String

  init(
    _ rule: String, _ text: String, overrides: [String] = [],
    environment: [String: String] = [:], says message: String
  ) {
    self.rule = rule
    self.text = text
    self.overrides = overrides
    self.environment = environment
    self.message = message
  }

  var testDescription: String { rule }
}

/// The findings of a scenario's text; nil when it loads.
func refusal(
  of text: String, overrides: [String] = [], environment: [String: String] = [:]
) -> InputErrors? {
  do throws(InputErrors) {
    _ = try Scenario.load(
      text: text, file: "t.yaml", overrides: overrides.map { SettingOverride(argument: $0) },
      environment: environment)
    return nil
  } catch {
    return error
  }
}

@Suite struct BrokenScenarioTests {
  @Test(
    "A broken scenario is refused with its exact message",
    arguments: BrokenScenario.keys + BrokenScenario.numbers + BrokenScenario.units
      + BrokenScenario.lists + BrokenScenario.syntax + BrokenScenario.overrides)
  func exactMessage(broken: BrokenScenario) {
    let errors = refusal(
      of: broken.text, overrides: broken.overrides, environment: broken.environment)
    #expect(errors?.description == broken.message)
    #expect(errors?.exitCode == 65)
  }

  @Test func carriageReturnsDoNotShiftPositions() {
    let errors = refusal(of: "name: a\r\nseed: x\r\nseed: 2\r\n")
    #expect(
      errors?.description == """
        t.yaml:2:7: seed: 'x' is not a number; write a whole number from 0 to 2^64-1
        t.yaml:3:1: seed: duplicate key, first on line 2; keep one of them
        """)
  }

  @Test func everyDuplicateIsNamedWhereverItStands() {
    let text = """
      name: a
      "seed": 1
      rules:
        tiers: {carry: maybe}
        guard:
          policy: none
          # policy: none
          policy: none
      seed: 2
      seed : 3
      """
    #expect(
      refusal(of: text)?.description == """
        t.yaml:4:18: rules.tiers.carry: 'maybe' is neither true nor false; write true or false
        t.yaml:8:5: rules.guard.policy: duplicate key, first on line 6; keep one of them
        t.yaml:9:1: seed: duplicate key, first on line 2; keep one of them
        t.yaml:10:1: seed: duplicate key, first on line 2; keep one of them
        """)
  }

  @Test func columnsCountCharactersNotBytes() {
    let errors = refusal(of: "name: a\neconomy: {gross_profit: 2, \"prïce\": 5}\n")
    #expect(
      errors?.description
        == "t.yaml:2:28: economy.prïce: unknown key; did you mean 'price'?")
  }

  @Test func aByteOrderMarkIsNotPartOfTheText() throws {
    let bytes: [UInt8] = [0xEF, 0xBB, 0xBF] + Array("name: a\n".utf8)
    #expect(try Scenario.load(bytes: bytes, file: "t.yaml").name == "a")
  }

  @Test func bytesThatAreNotUTF8AreNamedByTheirPlace() {
    let bytes = Array("name: a\ndescription: b".utf8) + [0xE9, 0x0A]
    #expect {
      try Scenario.load(bytes: bytes, file: "t.yaml")
    } throws: {
      "\($0)" == "t.yaml:2:15: is not UTF-8 from here on; save the file as UTF-8"
    }
  }

  @Test func twoHundredFindingsAreToldAndTheRestCounted() throws {
    let text = "name: a\n" + (0..<250).map { "zebra\($0): 1\n" }.joined()
    let errors = try #require(refusal(of: text))
    #expect(errors.findings.count == 200)
    #expect(errors.omitted == 50)
    #expect(errors.description.hasSuffix("t.yaml: and 50 more; fix these first"))
  }

  @Test func aFileOverAMebibyteIsNotParsed() {
    let text = "name: a\n" + String(repeating: "# padding\n", count: 1 << 17)
    #expect(
      refusal(of: text)?.description
        == "t.yaml: is larger than 1 MiB; write only what differs")
  }

  @Test(
    "Nesting is bounded in every spelling",
    arguments: [
      "name: " + String(repeating: "[", count: 500_000),
      "name: " + String(repeating: "{a: ", count: 200_000),
      "name:\n  " + String(repeating: "- ", count: 400_000) + "a\n",
      (0..<1_000).map { String(repeating: " ", count: $0) + "a:\n" }.joined(),
      "name: " + String(repeating: "[", count: 40) + String(repeating: "]", count: 40),
    ])
  func nestingIsBounded(text: String) throws {
    let errors = try #require(refusal(of: text))
    #expect(!errors.findings.isEmpty)
    #expect(errors.exitCode == 65)
  }

  @Test func aliasesOfAliasesAreRefusedWithoutExpansion() throws {
    var text = "name: a\na: &a [x, x, x, x, x, x, x, x, x]\n"
    for (this, last) in zip("bcdefghijklmnopqrst", "abcdefghijklmnopqrs") {
      let uses = Array(repeating: "*\(last)", count: 9).joined(separator: ", ")
      text += "\(this): &\(this) [\(uses)]\n"
    }
    text += "? *t\n: 1\n"
    let errors = try #require(refusal(of: text))
    #expect(errors.description.contains("aliases ('*') are refused"))
  }

  @Test("A hundred thousand anchors are refused in one pass", .timeLimit(.minutes(1)))
  func manyAnchors() throws {
    let text = "name: a\nx:\n" + String(repeating: "  - &a x\n", count: 100_000) + "  - *a\n"
    let errors = try #require(refusal(of: text))
    #expect(errors.description.contains("anchors ('&') are refused"))
  }

  @Test(
    "Anchors behind a tag, with a dash or behind text with one quote are refused, too",
    .timeLimit(.minutes(1)),
    arguments: [("!t ", "n"), ("!<tag:x,2026:y> ", "n"), ("", "-"), ("\n  ", "n")])
  func hiddenAnchors(before: String, name: String) throws {
    // Forty levels of two would be followed a trillion times for the hash of a key.
    var text = "name: a\ndescription: |\n  it's one quote\n"
    if before == "\n  " { text += "  and 'another\n" }
    text += "b0: \(before)&\(name)0 [x, x]\n"
    for level in 1...40 {
      text += "b\(level): \(before)&\(name)\(level) [*\(name)\(level - 1), *\(name)\(level - 1)]\n"
    }
    text += "? *\(name)40\n: 1\n"
    let errors = try #require(refusal(of: text))
    #expect(errors.description.contains("anchors ('&') are refused"))
    #expect(errors.description.contains("aliases ('*') are refused"))
  }

  @Test(
    "How many events a run may have is judged by those who sign up, whichever setting says so",
    arguments: ["blakjaks", "embera"])
  func expectedEvents(programme: String) throws {
    func words(_ adoption: String, _ alpha: String) -> String? {
      let text = """
        name: a
        programme: \(programme)
        population:
          members: 100000000
          adoption: {\(adoption)}
          purchase: {alpha: \(alpha)}

        """
      return refusal(of: text)?.description
    }
    // A hundred members a month, and six million.
    #expect(words("model: plan, monthly: [100]", "0.01") == nil)
    for (adoption, path) in [
      ("model: plan, monthly: [6000000]", "adoption.monthly"),
      ("model: bass, market: 100000000", "adoption.market"), ("model: cohort", "members"),
    ] {
      let said = words(adoption, "0.001")
      #expect(said?.contains("expected events in 365 days") == true, "\(adoption)")
      #expect(said?.contains(path) == true || said?.contains("alpha") == true, "\(said ?? "")")
    }
  }

  @Test func signsInsideTextAreNoAnchors() throws {
    let text = """
      name: "this, &that, *other"
      description: 'R&D *stars*, Q&A *A*, &c *c'  # &here *here
      """
    let scenario = try Scenario.load(text: text, file: "t.yaml")
    #expect(scenario.name == "this, &that, *other")
    #expect(scenario.description == "R&D *stars*, Q&A *A*, &c *c")
    // What is wrong elsewhere is said, and nothing of anchors.
    for (more, words) in [
      ("seed: [1", "did not find"), ("seed: 1\nseed: 2", "duplicate key 'seed'"),
    ] {
      let said = try #require(refusal(of: text + "\n" + more + "\n")).description
      #expect(said.contains(words) && !said.contains("anchors"), "\(said)")
    }
  }

  @Test("Backslashes without end are read in one pass", .timeLimit(.minutes(1)))
  func backslashes() throws {
    // Walking back over them for each took minutes.
    let text = "name: \"a\"\ndescription: \"" + String(repeating: #"\\"#, count: 200_000) + "\"\n"
    let scan = try #require(refusal(of: text + "seed: &here 4\n"))
    #expect(scan.description.contains("anchors ('&') are refused"))
    // A quote behind one backslash goes on, behind two it ends the text.
    let ended = try #require(refusal(of: #"name: "a\\\\""# + "\nseed: &here 4\n"))
    #expect(ended.description.contains("anchors ('&') are refused"))
    #expect(try Scenario.load(text: #"name: "a\" &b""#, file: "t.yaml").name == #"a" &b"#)
  }

  @Test func aFileThatCannotBeReadIsAnInputFailure() throws {
    func kind(_ path: String) -> (Int32, String)? {
      do throws(InputErrors) {
        _ = try Scenario.load(path: path)
        return nil
      } catch {
        return (error.exitCode, error.description)
      }
    }
    let missing = kind("/nowhere/x.yaml")
    #expect(missing?.0 == 74)
    #expect(
      missing?.1
        == "/nowhere/x.yaml: no such file; check the name and the working directory")
    let folder = kind("/")
    #expect(folder?.0 == 74)
    #expect(folder?.1 == "/: is a directory; name a file")
    let loop = FileManager.default.temporaryDirectory.path + "/loop-\(UUID().uuidString).yaml"
    try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
    defer { try? FileManager.default.removeItem(atPath: loop) }
    #expect(kind(loop)?.0 == 74)
    #expect(kind(loop)?.1 == "\(loop): is a loop of symbolic links; name a file")
  }
}
