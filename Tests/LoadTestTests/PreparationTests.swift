// Goal: whatever a service says while it is prepared, the load ends in words.
// Method: the service in Python, which says numbers that cannot be and has fewer accounts than asked for.
import Foundation
import LoadTest
import TestSupport
import Testing

@Suite(
  .serialized, .tags(.alone), .enabled(if: StampServer.canRun, "there is no /usr/bin/python3"))
struct PreparationTests {
  private func members(_ server: StampServer, _ members: String, count: Int) throws -> [String] {
    let map = try ServiceMap(
      "members: {\(members)}\nsteps: {scan: {get: /}}\n", file: "x", steps: StampCrowd.steps,
      fixed: [:])
    var setup = try LoadSetup(server.target)
    return try setup.texts(try #require(map.members), count: count, "members")
  }

  private static let read = "read: {get: \"/v2/people?first={from}&n={count}\", take: /data/keys}"

  @Test(
    "A number below what was just made is refused",
    arguments: ["-9223372036854775808", "-1", "0", "6", "9223372036854775808", "many"])
  func numbers(_ says: String) throws {
    let server = try StampServer("--says=\(says)")
    let prepare = "prepare: {get: \"/v2/made?n={count}\", take: /people}"
    #expect {
      try members(server, "\(Self.read), \(prepare)", count: 7)
    } throws: {
      "\($0)" == "members: the answer says there are \(says), but 7 were just made"
    }
  }

  @Test func theNumberSaysWhereThoseJustMadeBegin() throws {
    let server = try StampServer("--says=9")
    let prepare = "prepare: {get: \"/v2/made?n={count}\", take: /people}"
    #expect(
      try members(server, "\(Self.read), \(prepare)", count: 2) == ["person-7", "person-8"])
  }

  @Test func aServiceThatHasTooFewSaysHowMany() throws {
    let server = try StampServer("--people", "3")
    #expect {
      try members(server, Self.read, count: 7)
    } throws: {
      "\($0)" == "members: the service hands out only 3, but the load takes 7"
    }
  }

  @Test func aFileThatHoldsTooFewOrIsNotThereIsTheReaders() throws {
    let server = try StampServer()
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).txt").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    for (text, words) in [(nil, "cannot be read from this folder"), ("a\nb\n", "holds 2 members")] {
      if let text { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }
      do {
        _ = try members(server, "file: \(path)", count: 3)
        Issue.record("it was taken")
      } catch let failure as LoadSetup.Failure {
        #expect(failure.isInput && failure.description.contains(words), "\(failure)")
      }
    }
  }

  @Test func whatIsNoListIsToldSo() throws {
    let server = try StampServer()
    #expect {
      try members(server, Self.read.replacing("/data/keys", with: "/data/none"), count: 7)
    } throws: {
      "\($0)" == "members: the answer has no list of texts where 'take' points"
    }
  }
}
