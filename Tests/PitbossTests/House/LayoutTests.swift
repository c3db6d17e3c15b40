// Goal: the house stays as ARCHITECTURE.md draws it.
// Method: the sources are read as text: who imports whom, and who names a program's concepts.
import Foundation
import TestSupport
import Testing

private let root = Checkout.root

/// A source file by its path from `Sources/`.
private struct SourceFile {
  let path: String
  let text: String

  /// Its text without lines of comment.
  let code: String

  init(path: String, text: String) throws {
    self.path = path
    self.text = text
    code = try Self.expression("^ *//.*$").stringByReplacingMatches(
      in: text, range: NSRange(text.startIndex..., in: text), withTemplate: "")
  }

  /// What it imports.
  func imports() throws -> [String] {
    try Self.matches("^(?:(?:internal|package|public|private) )?import (\\w+)$", in: text)
  }

  /// The lines of code that a pattern occurs in.
  func lines(with pattern: String) throws -> [String] {
    try Self.matches("^(.*(?:\(pattern)).*)$", in: code)
  }

  /// Foundation's expressions are fast in a debug build, too.
  private static func expression(_ pattern: String) throws -> NSRegularExpression {
    try NSRegularExpression(pattern: pattern, options: .anchorsMatchLines)
  }

  /// What the first group of a pattern holds, at each of its places.
  private static func matches(_ pattern: String, in text: String) throws -> [String] {
    try expression(pattern).matches(in: text, range: NSRange(text.startIndex..., in: text))
      .compactMap { Range($0.range(at: 1), in: text).map { String(text[$0]) } }
  }
}

@Suite struct LayoutTests {
  /// Folders of `Sources/` with the module of each, in the order in which one may import another.
  private static let order: [(folder: String, module: String)] = [
    ("Quantities", "Quantities"), ("Documents", "Documents"), ("EventKernel", "EventKernel"),
    ("Population", "Population"), ("RewardModel", "RewardModel"),
    ("Programmes/BlakJaks", "BlakJaks"), ("Programmes/Embera", "Embera"),
    ("Programmes/Registry", "Programmes"), ("Scenario", "Scenario"), ("Experiments", "Experiments"),
    ("Workers", "Workers"),
    ("RunStore", "RunStore"), ("Reports", "Reports"), ("Service", "Service"),
    ("Studio", "Studio"),
    ("Check", "Check"), ("LoadTest", "LoadTest"),
    ("pitboss", "pitboss"), ("FuzzTargets", "FuzzTargets"), ("Fuzzer", "pitboss_fuzz"),
  ]

  private func files(_ folder: String) throws -> [SourceFile] {
    let base = root.appendingPathComponent("Sources").path
    let names = FileManager.default.enumerator(atPath: "\(base)/\(folder)")
    var files: [SourceFile] = []
    while let name = names?.nextObject() as? String {
      guard name.hasSuffix(".swift") else { continue }
      let text = try String(contentsOfFile: "\(base)/\(folder)/\(name)", encoding: .utf8)
      files.append(try SourceFile(path: "\(folder)/\(name)", text: text))
    }
    return files
  }

  @Test func noTargetImportsOneThatStandsAfterIt() throws {
    let modules = Self.order.map(\.module)
    var seen = 0
    for (place, target) in Self.order.enumerated() {
      for file in try files(target.folder) {
        seen += 1
        for name in try file.imports() {
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
      for name in try file.imports() {
        #expect(["Quantities", "RewardModel"].contains(name), "\(file.path) imports \(name)")
      }
      for line in try file.lines(with: #"\b(?:Window|Cell|RandomStream)\b|\bDate\(\)"#) {
        Issue.record("\(file.path): \(line)")
      }
    }
  }

  @Test func programmesDoNotKnowEachOther() throws {
    for file in try files("Programmes/BlakJaks") { #expect(try !file.imports().contains("Embera")) }
    for file in try files("Programmes/Embera") { #expect(try !file.imports().contains("BlakJaks")) }
  }

  @Test(
    "A folder that knows no program names no concept of one",
    arguments: [
      "Quantities", "Documents", "EventKernel", "RewardModel", "Scenario", "Experiments",
      "Workers", "RunStore",
      "Reports", "Service", "Studio", "LoadTest", "pitboss",
    ])
  func noConcepts(_ folder: String) throws {
    let concepts = [
      #"\b[Tt]ins?\b"#, #"\b\w*[Mm]ilestone\w*\b"#,
      #"\b\w*[Aa]ffiliate(?!s:|s\b|s ==|s\.)\w*\b"#, #"\b\w*[Ww]holesale\w*\b"#,
      #"\bPrize\w*\b"#, #"\bBlakJaks\w*\b"#, #"\bEmbera\w*\b"#,
    ].joined(separator: "|")
    let files = try files(folder)
    #expect(!files.isEmpty)
    for file in files {
      for line in try file.lines(with: concepts) { Issue.record("\(file.path): \(line)") }
    }
  }

  @Test func namesOfConceptsAreFound() throws {
    let file = try SourceFile(
      path: "made up",
      text: """
        internal import Quantities
        // let Prize = 1
        let a = 1
          struct Prize {}
        let b = Cell()
        """)
    #expect(try file.imports() == ["Quantities"])
    #expect(try file.lines(with: #"\bPrize\w*\b"#) == ["  struct Prize {}"])
    #expect(try file.lines(with: #"\bCell\b|\bDate\(\)"#) == ["let b = Cell()"])
  }
}
