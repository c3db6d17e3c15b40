// Goal: what the documentation has readers write is a scenario, and every picture that it shows is there.
// Method: the blocks of YAML with a file's name in all pages; images by their addresses.
import Foundation
import Scenario
import TestSupport
import Testing

@Suite struct DocumentedScenarioTests {
  private static let folder = Checkout.root.appendingPathComponent("Documentation")

  private func pages() throws -> [(name: String, text: String)] {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted()
    return try names.filter { $0.hasSuffix(".md") }.map {
      ($0, try String(contentsOf: Self.folder.appendingPathComponent($0), encoding: .utf8))
    }
  }

  @Test(
    "Files that readers are told to write are scenarios, but for the one that is meant to be wrong")
  func files() throws {
    let block = /<!-- file: (\S+?)(?: after (\S+))? -->\n```yaml\n([\s\S]*?)\n```/
    var written: [String: String] = [:]
    for page in try pages() {
      for found in page.text.matches(of: block) {
        let before = found.2.flatMap { written[String($0)] } ?? ""
        written[String(found.1)] = before + found.3 + "\n"
      }
    }
    #expect(written.count >= 5, "\(written.keys)")
    for (name, text) in written.sorted(by: { $0.key < $1.key }) {
      if name == "mine.yaml" {
        let errors = #expect(throws: InputErrors.self) {
          try Scenario.load(text: text, file: name)
        }
        #expect(errors?.findings.count == 3)
      } else {
        #expect(throws: Never.self, "\(name)") { try Scenario.load(text: text, file: name) }
      }
    }
  }

  @Test("Every picture of a page is in the folder")
  func pictures() throws {
    var count = 0
    for page in try pages() {
      for found in page.text.matches(of: /!\[[^\]]*\]\(([^)]+)\)/) {
        count += 1
        let file = Self.folder.appendingPathComponent(String(found.1))
        #expect(FileManager.default.fileExists(atPath: file.path), "\(page.name): \(found.1)")
      }
    }
    #expect(count >= 5)
  }
}
