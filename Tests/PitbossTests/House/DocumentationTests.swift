// Goal: whoever calls a declaration from another target finds a sentence about it.
// Method: the sources are read as text: declarations with the words before them.
import Foundation
import TestSupport
import Testing

@Suite struct DocumentationTests {
  private static let sources = Checkout.root.appendingPathComponent("Sources")

  /// Types and functions in a text that other targets see and that have no `///` before them.
  ///
  /// Witnesses whose protocol says everything about them need none.
  static func undocumented(_ text: String) -> [String] {
    let declaration =
      /^\s*(?:@\w+\s+)*(?:package|public) (?:\w+ )*?(?:func|init|subscript|struct|enum|class|actor|protocol|typealias)\b.*/
    let witness =
      /func (?:==|<|hash|encode) ?\(|func digest\(into|init\??\((?:from decoder|stored|\w+Literal )/
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return lines.indices.compactMap { place in
      guard lines[place].wholeMatch(of: declaration) != nil,
        lines[place].firstMatch(of: witness) == nil
      else { return nil }
      // Attributes may be on lines of their own between the comment and the declaration.
      let before = lines[..<place].last { $0.wholeMatch(of: /\s*@\w+(?:\(.*\))?/) == nil }
      guard before?.wholeMatch(of: /\s*\/\/\/.*/) == nil else { return nil }
      return lines[place].trimmingCharacters(in: .whitespaces)
    }
  }

  @Test("Every type and function that other targets see has a comment")
  func everyDeclarationIsDocumented() throws {
    let names = FileManager.default.enumerator(atPath: Self.sources.path)
    var read = 0
    while let name = names?.nextObject() as? String {
      guard name.hasSuffix(".swift") else { continue }
      read += 1
      let file = Self.sources.appendingPathComponent(name)
      for line in Self.undocumented(try String(contentsOf: file, encoding: .utf8)) {
        Issue.record("\(name): \(line)")
      }
    }
    #expect(read > 300, "\(read) files were read")
  }

  @Test(
    "A declaration without a comment is found, whatever is written before its name",
    arguments: [
      "package struct Tea {", "public enum Tea {", "  package init() {}",
      "  package static func brew() {", "  package mutating func brew() {",
      "  @inlinable public func brew() {", "  @inlinable\n  public func brew() {",
      "  package subscript(cup: Int) -> Tea {", "// Not for readers.\npackage func brew() {",
    ])
  func findsWhatHasNoComment(_ text: String) {
    #expect(Self.undocumented(text).count == 1)
    #expect(Self.undocumented("/// Tea.\n\(text)").count == (text.contains("//") ? 1 : 0))
  }

  @Test(
    "What no other target sees, and what a protocol explains, needs no comment",
    arguments: [
      "struct Tea {", "  private func brew() {", "  package var cups = 1",
      "  package static func == (a: Tea, b: Tea) -> Bool {",
      "  package init(from decoder: any D) {",
      "  package init(stringLiteral text: String) {", "  package func encode(to encoder: any E) {",
    ])
  func leavesTheRestAlone(_ text: String) {
    #expect(Self.undocumented(text).isEmpty)
  }

  @Test(
    "Every library target has a catalog with an overview and topics",
    arguments: [
      "Quantities", "Documents", "EventKernel", "Population", "RewardModel", "Programmes/BlakJaks",
      "Programmes/Embera", "Programmes/Registry", "Scenario", "Experiments", "Workers", "RunStore",
      "Reports", "Service", "Studio", "Check", "LoadTest",
    ])
  func everyTargetHasACatalog(_ folder: String) throws {
    let last = folder.split(separator: "/").last.map(String.init) ?? folder
    let name = last == "Registry" ? "Programmes" : last
    let page = Self.sources.appendingPathComponent("\(folder)/\(name).docc/\(name).md")
    let text = try String(contentsOf: page, encoding: .utf8)
    #expect(text.hasPrefix("# ``\(name)``\n\n"))
    for part in ["\n## Overview\n", "\n```swift\n", "\n## Topics\n"] {
      #expect(text.contains(part), "\(part)")
    }
  }
}
