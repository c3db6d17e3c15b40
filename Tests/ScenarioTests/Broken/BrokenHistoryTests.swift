// Goal: whatever is wrong with a history is told by line, all of it.
// Method: a table of broken files with their whole message; limits are tried on generated rows.
import RewardModel
import Scenario
import TestSupport
import Testing

/// A history that has to be refused, and the message it has to be refused with.
struct BrokenHistory: Sendable, CustomTestStringConvertible {
  let rule: String
  let text: String
  let message: String

  init(_ rule: String, _ text: String, says message: String) {
    self.rule = rule
    self.text = text
    self.message = message
  }

  var testDescription: String { rule }
}

@Suite struct BrokenHistoryTests {
  private func refusal(of bytes: [UInt8], zone: String = "America/New_York") -> InputErrors? {
    do throws(InputErrors) {
      _ = try History.read(bytes: bytes, file: "t.csv", zone: zone)
      return nil
    } catch {
      return error
    }
  }

  @Test("A broken history is refused with its exact message", arguments: BrokenHistory.all)
  func exactMessage(broken: BrokenHistory) {
    let errors = refusal(of: Array(broken.text.utf8))
    #expect(errors?.description == broken.message)
    #expect(errors?.exitCode == 65)
  }

  @Test func bytesThatAreNotUTF8AreRefusedOnTheirLine() {
    let bytes = Array("time,member,event,tins,other\n2026-01-01,".utf8) + [0xFF, 0x0A]
    #expect(
      refusal(of: bytes)?.description
        == "t.csv:2: is not UTF-8 from column 12 on; save the file as UTF-8")
  }

  @Test func twoHundredFindingsAreToldAndTheRestCounted() throws {
    let text =
      "time,member,event,tins,other\n"
      + String(repeating: "2026-01-01,a,scan,0,\n", count: 1_000)
    let errors = try #require(refusal(of: Array(text.utf8)))
    #expect(errors.findings.count == 200)
    #expect(errors.findings.last?.line == 201)
    #expect(errors.description.hasSuffix("t.csv: and 800 more; fix these first"))
  }

  @Test func anUnknownZoneIsRefused() {
    let errors = refusal(of: Array("time,member,event,tins,other\n".utf8), zone: "Mars/Base")
    #expect(errors?.description.contains("unknown time zone 'Mars/Base'") == true)
  }

  @Test func aFileThatCannotBeReadIsAnInputFailure() {
    #expect {
      try History.read(path: "/nowhere/h.csv", zone: "UTC")
    } throws: {
      ($0 as? InputErrors)?.exitCode == 74
    }
  }
}
