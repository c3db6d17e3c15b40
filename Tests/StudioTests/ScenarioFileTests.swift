// Goal: the studio writes scenarios in its folder and nothing else anywhere.
// Method: paths that lead elsewhere, and files that are not scenarios.
import Foundation
import Studio
import Testing

@Suite struct ScenarioFileTests {
  private func inFolder(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "studio-files-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  @Test(
    "A path that leads elsewhere is refused",
    arguments: [
      "", "/etc/a.yaml", "../a.yaml", "a/../../b.yaml", ".hidden.yaml", "a//b.yaml", "a.txt",
      "a\u{0}.yaml", "./a.yaml", "link/a.yaml", "file.yaml",
    ])
  func elsewhere(path: String) throws {
    try inFolder { folder in
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: "link"),
        withDestinationURL: FileManager.default.temporaryDirectory)
      try FileManager.default.createSymbolicLink(
        at: folder.appending(path: "file.yaml"),
        withDestinationURL: FileManager.default.temporaryDirectory.appending(path: "x"))
      #expect(throws: StudioRefusal.self) { try ScenarioFile(path, in: folder.path) }
    }
  }

  @Test("A scenario is replaced with leave only, and nothing else ever")
  func replaces() throws {
    try inFolder { folder in
      let file = try ScenarioFile("sub/a.yaml", in: folder.path)
      try file.write("name: one\n", replacing: false)
      let refused = #expect(throws: StudioRefusal.self) {
        try file.write("name: two\n", replacing: false)
      }
      #expect(refused?.mayReplace == true)
      let place = folder.appending(path: "sub/a.yaml")
      #expect(try String(contentsOf: place, encoding: .utf8) == "name: one\n")
      try file.write("name: two\n", replacing: true)
      #expect(try String(contentsOf: place, encoding: .utf8) == "name: two\n")
      let other = folder.appending(path: "other.yaml")
      try Data("list: [of, mine]\n".utf8).write(to: other)
      let kept = #expect(throws: StudioRefusal.self) {
        try ScenarioFile("other.yaml", in: folder.path).write("name: a\n", replacing: true)
      }
      #expect(kept?.mayReplace == false)
      #expect(try String(contentsOf: other, encoding: .utf8) == "list: [of, mine]\n")
    }
  }
}
