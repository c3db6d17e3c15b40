// Goal: whatever was found stays found: every input of the corpora is read or refused in words.
// Method: the functions that Scripts/fuzz feeds, with the files that it begins with.
import Foundation
import FuzzTargets
import Testing

@Suite struct CorpusTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("Corpus")

  private static func inputs(_ target: String) throws -> [(name: String, bytes: [UInt8])] {
    let folder = folder.appendingPathComponent(target)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
      (name, Array(try Data(contentsOf: folder.appendingPathComponent(name))))
    }
  }

  /// A trap ends the process of the tests; the last line of its output names the input.
  @Test("Every input is read or refused", arguments: FuzzTarget.all.map(\.name))
  func everyInput(_ name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    var counts: [FuzzTarget.Outcome: Int] = [:]
    for input in try Self.inputs(name) {
      print("\(name)/\(input.name)")
      counts[target(input.bytes), default: 0] += 1
    }
    #expect(counts[.read, default: 0] > 0, "nothing in the corpus is read")
    #expect(counts[.refused, default: 0] > 0, "nothing in the corpus is refused")
  }

  @Test("Every corpus has its target")
  func noCorpusIsForgotten() throws {
    let folders = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    #expect(Set(folders) == Set(FuzzTarget.all.map(\.name)))
  }

  @Test("Names tell targets apart")
  func names() {
    #expect(Set(FuzzTarget.all.map(\.name)).count == FuzzTarget.all.count)
    #expect(FuzzTarget.named("tea") == nil)
  }
}
