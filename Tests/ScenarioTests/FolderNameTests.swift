// Goal: a folder that is called after a scenario lies where it is meant to, whatever the name.
// Method: hostile names.
import Foundation
import Scenario
import Testing

@Suite struct FolderNameTests {
  private func folderName(_ name: String) throws -> String {
    try Scenario.load(
      text: "name: \(JSONEncoder().encode(name).text)\n", file: "s.yaml"
    ).folderName
  }

  @Test(
    "A name is one part of a path",
    arguments: [
      ("launch-year", "launch-year"), ("Q1 2026", "Q1 2026"), ("größe", "größe"),
      ("../../evil", "-.-..-evil"), ("..", "-."), ("/etc/passwd", "-etc-passwd"),
      (".hidden", "-hidden"), ("a/../b", "a-..-b"), ("it's <b>", "it's <b>"),
    ])
  func names(name: String, folder: String) throws {
    #expect(try folderName(name) == folder)
  }

  @Test("A long name is cut between its letters")
  func long() throws {
    let folder = try folderName(String(repeating: "é", count: 110))
    #expect(folder == String(repeating: "é", count: 50))
  }
}

extension Data {
  fileprivate var text: String { String(decoding: self, as: UTF8.self) }
}
