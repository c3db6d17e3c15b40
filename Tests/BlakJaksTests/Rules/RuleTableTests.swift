// Goal: the table of clauses names nothing that does not exist, and leaves no cell empty.
// Method: Rules.md is read as text; each symbol is looked up among the declarations in Sources,
// each test among those of its file in Tests.
import Foundation
import TestSupport
import Testing

private let root = Checkout.root

/// The rows of the tables in a Markdown text, cell by cell; heads and rules are no rows.
private func rows(of text: String) -> [[String]] {
  var rows: [[String]] = []
  for line in text.split(separator: "\n") where line.hasPrefix("|") {
    let cells = line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespaces) }
    guard line.hasSuffix("|"), cells.first != "Clause", !line.hasPrefix("|--") else { continue }
    rows.append(cells)
  }
  return rows
}

/// The text of every Swift file below a folder, by its path in it.
private func files(below folder: String) throws -> [(path: String, text: String)] {
  let base = root.appendingPathComponent(folder)
  let paths = try FileManager.default.subpathsOfDirectory(atPath: base.path).sorted()
  return try paths.filter { $0.hasSuffix(".swift") }.map { path in
    (path, try String(contentsOf: base.appendingPathComponent(path), encoding: .utf8))
  }
}

extension NSRegularExpression {
  /// What the first group of each match is.
  fileprivate func firstGroups(in text: String) -> [String] {
    let whole = text as NSString
    return matches(in: text, range: NSRange(location: 0, length: whole.length)).map {
      whole.substring(with: $0.range(at: 1))
    }
  }
}

/// What a file declares: the types it declares or extends, and the names of all its declarations.
private struct Declarations {
  private(set) var types: Set<String> = []
  private(set) var names: Set<String> = []

  private static let type = pattern(
    #"\b(?:struct|class|enum|protocol|extension|actor)\s+([\w.]+)"#)
  private static let name = pattern(#"\b(?:func|var|let|case|struct|class|enum)\s+(\w+)"#)
  private static let initializer = pattern(#"\b(init)[?(]"#)

  private static func pattern(_ text: String) -> NSRegularExpression {
    do { return try NSRegularExpression(pattern: text) } catch { fatalError("\(text): \(error)") }
  }

  init(_ text: String) {
    for type in Self.type.firstGroups(in: text) {
      for part in type.split(separator: ".") { types.insert(String(part)) }
    }
    names.formUnion(Self.name.firstGroups(in: text))
    if !Self.initializer.firstGroups(in: text).isEmpty { names.insert("init") }
    // `case a, b` declares b as well.
    for line in text.split(separator: "\n") {
      let line = line.drop { $0 == " " }
      guard line.hasPrefix("case ") else { continue }
      for part in line.dropFirst(5).split(separator: ",") {
        names.insert(String(part.drop { $0 == " " }.prefix { $0.isLetter || $0.isNumber }))
      }
    }
  }

  /// `Type`, `Type.member` or, at the top level, `function`.
  func hold(_ symbol: String) -> Bool {
    let parts = symbol.split(separator: ".").map(String.init)
    if parts.count == 1 { return names.contains(symbol) || types.contains(symbol) }
    return types.contains(parts[parts.count - 2]) && names.contains(parts[parts.count - 1])
  }
}

@Suite(.tags(.slow)) struct RuleTableTests {
  private static var test: Regex<(Substring, Substring, Substring)> {
    /("[^"]+"|\w+) \((\w+\.swift)\)/
  }

  /// The programs that have a table, with the least number of their clauses.
  private static let programmes = [("BlakJaks", 150), ("Embera", 50)]

  /// Of each source file; read once for all programmes.
  private static let declarations = Result {
    try files(below: "Sources").map { Declarations($0.text) }
  }

  private func table(of programme: String) throws -> [[String]] {
    let path = "Sources/Programmes/\(programme)/Rules/Rules.md"
    return rows(of: try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8))
  }

  /// Names in backticks that begin a word of code: types and functions, no settings or outcomes.
  private func symbols(of cell: String) -> [String] {
    cell.matches(of: /`([^`]+)`/).map { String($0.output.1) }.filter { !$0.contains("_") }
  }

  /// `name (File.swift)` or `"Display name" (File.swift)`, separated by semicolons.
  private func tests(of cell: String) -> [(name: String, file: String)] {
    cell.matches(of: Self.test).map { (String($0.output.1), String($0.output.2)) }
  }

  private func isOpen(_ row: [String]) -> Bool {
    row[2] == "not yet" || row[2] == "service: not yet"
  }

  @Test(arguments: programmes)
  func everyRowHasFourCellsAndAMark(programme: String, least: Int) throws {
    let table = try table(of: programme)
    #expect(table.count > least, "the programme has more clauses than \(table.count)")
    for row in table {
      #expect(row.count == 4, "\(row)")
      #expect(row.allSatisfy { !$0.isEmpty }, "\(row)")
      #expect(row.count > 1 && ["given", "assumed"].contains(row[1]), "\(row)")
    }
    #expect(Set(table.map(\.[0])).count == table.count, "a clause stands twice")
  }

  @Test(arguments: programmes)
  func everySymbolIsDeclaredInTheSources(programme: String, least: Int) throws {
    let table = try table(of: programme)
    let sources = try Self.declarations.get()
    func isDeclared(_ symbol: String) -> Bool { sources.contains { $0.hold(symbol) } }
    for row in table where row.count == 4 && !isOpen(row) {
      let symbols = symbols(of: row[2])
      #expect(!symbols.isEmpty, "nothing implements: \(row[0])")
      for symbol in symbols {
        #expect(isDeclared(symbol), "no \(symbol) in Sources, for: \(row[0])")
      }
    }
    for absent in ["MicroUSDT.teleport", "Unicorn", "Unicorn.adding", "MicroUSDT.turnQuarter"] {
      #expect(!isDeclared(absent), "the search finds \(absent), and so anything")
    }
  }

  @Test(arguments: programmes)
  func everyTestStandsInItsFile(programme: String, least: Int) throws {
    let table = try table(of: programme)
    var texts: [String: String] = [:]
    for file in try files(below: "Tests") {
      texts[String(file.path.split(separator: "/").last ?? ""), default: ""] += file.text
    }
    func stands(_ name: String, in text: String) -> Bool {
      name.hasPrefix("\"")
        ? text.contains(name) : text.contains("func \(name)(")
    }
    for row in table where row.count == 4 {
      if isOpen(row) {
        #expect(row[3] == "none yet", "\(row[0])")
        continue
      }
      let tests = tests(of: row[3])
      #expect(!tests.isEmpty, "nothing proves: \(row[0])")
      let rest = row[3].replacing(Self.test, with: "")
      #expect(rest.allSatisfy { $0 == ";" || $0 == " " }, "not a test: \(rest), for: \(row[0])")
      for test in tests {
        let text = texts[test.file] ?? ""
        #expect(stands(test.name, in: text), "no \(test.name) in \(test.file), for: \(row[0])")
      }
    }
    #expect(!stands("everyUnicornIsWhite", in: texts.values.joined()))
  }

  @Test func aBrokenRowIsSeen() {
    let broken = rows(
      of: """
        | Clause | Mark | Implemented by | Proved by |
        |---|---|---|---|
        | a | given | `B` |
        | a | | `B` | c (D.swift) |
        no row
        """)
    #expect(broken == [["a", "given", "`B`"], ["a", "", "`B`", "c (D.swift)"]])
    #expect(symbols(of: "`A.b`, `c_d` (as `E`)") == ["A.b", "E"])
    #expect(
      tests(of: "\"A; b (c)\" (D.swift); e (F.swift)").map { "\($0.name)@\($0.file)" }
        == ["\"A; b (c)\"@D.swift", "e@F.swift"])
  }
}
