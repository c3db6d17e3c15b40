// Goal: the house stays as ARCHITECTURE.md draws it.
// Method: the sources are read as text: who imports whom, and who names a program's concepts.
import Foundation
import Testing

private let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .deletingLastPathComponent().deletingLastPathComponent()

/// A source file by its path from `Sources/`.
private struct SourceFile {
  let path: String
  let lines: [Substring]

  /// Lines of code, without comments.
  var code: [Substring] {
    lines.filter { !$0.drop { $0 == " " }.hasPrefix("//") }
  }

  /// What it imports.
  var imports: [String] {
    lines.compactMap { line in
      line.firstMatch(of: /^(?:(?:internal|package|public|private) )?import (\w+)$/)
        .map { String($0.output.1) }
    }
  }
}

@Suite struct LayoutTests {
  /// Folders of `Sources/` with the module of each, in the order in which one may import another.
  private static let order: [(folder: String, module: String)] = [
    ("Quantities", "Quantities"), ("Documents", "Documents"), ("EventKernel", "EventKernel"),
    ("Population", "Population"), ("RewardModel", "RewardModel"),
    ("Programmes/BlakJaks", "BlakJaks"), ("Programmes/Embera", "Embera"),
    ("Programmes/Registry", "Programmes"), ("Scenario", "Scenario"), ("Experiments", "Experiments"),
    ("RunStore", "RunStore"), ("Reports", "Reports"),
    ("pitboss", "pitboss"),
  ]

  private func files(_ folder: String) throws -> [SourceFile] {
    let base = root.appendingPathComponent("Sources").path
    let names = FileManager.default.enumerator(atPath: "\(base)/\(folder)")
    var files: [SourceFile] = []
    while let name = names?.nextObject() as? String {
      guard name.hasSuffix(".swift") else { continue }
      let text = try String(contentsOfFile: "\(base)/\(folder)/\(name)", encoding: .utf8)
      files.append(
        SourceFile(
          path: "\(folder)/\(name)",
          lines: text.split(separator: "\n", omittingEmptySubsequences: false)))
    }
    return files
  }

  @Test func noTargetImportsOneThatStandsAfterIt() throws {
    let modules = Self.order.map(\.module)
    var seen = 0
    for (place, target) in Self.order.enumerated() {
      for file in try files(target.folder) {
        seen += 1
        for name in file.imports {
          guard let other = modules.firstIndex(of: name) else { continue }
          #expect(other < place, "\(file.path) imports \(name)")
        }
      }
    }
    #expect(seen > 300, "\(seen) files were read")
  }

  @Test(arguments: ["BlakJaks", "Embera"])
  func rulesAreMadeOfQuantitiesAndTheRewardModelAlone(_ programme: String) throws {
    let rules = try files("Programmes/\(programme)/Rules")
    #expect(rules.count > 10)
    for file in rules {
      for name in file.imports {
        #expect(["Quantities", "RewardModel"].contains(name), "\(file.path) imports \(name)")
      }
      for line in file.code {
        for word in [/\bWindow\b/, /\bCell\b/, /\bRandomStream\b/, /\bDate\(\)/] {
          #expect(line.firstMatch(of: word) == nil, "\(file.path): \(line)")
        }
      }
    }
  }

  @Test func programmesDoNotKnowEachOther() throws {
    for file in try files("Programmes/BlakJaks") { #expect(!file.imports.contains("Embera")) }
    for file in try files("Programmes/Embera") { #expect(!file.imports.contains("BlakJaks")) }
  }

  @Test(
    "A folder that knows no program names no concept of one",
    arguments: [
      "Quantities", "Documents", "EventKernel", "RewardModel", "Scenario", "Experiments",
      "RunStore",
      "Reports", "pitboss",
    ])
  func noConcepts(_ folder: String) throws {
    let concepts = [
      /\b[Tt]ins?\b/, /\b\w*[Mm]ilestone\w*\b/, /\b\w*[Aa]ffiliate(?!s:|s\b|s ==|s\.)\w*\b/,
      /\b\w*[Ww]holesale\w*\b/, /\bPrize\w*\b/, /\bBlakJaks\w*\b/, /\bEmbera\w*\b/,
    ]
    for file in try files(folder) {
      for line in file.code {
        for concept in concepts {
          #expect(line.firstMatch(of: concept) == nil, "\(file.path): \(line)")
        }
      }
    }
  }
}
