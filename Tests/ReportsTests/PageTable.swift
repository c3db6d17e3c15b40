// Reads tables back from a page, so that tests see what readers see.

import Foundation
import Testing

/// A table of a page as texts.
struct PageTable {
  /// What stands in a cell, with the note below it behind a bar.
  var rows: [[String]]

  /// The table with a caption.
  init(_ caption: String, in page: String) throws {
    let start = try #require(page.firstRange(of: "<caption>\(caption)</caption>"), "\(caption)")
    let rest = page[start.upperBound...]
    let end = try #require(rest.firstRange(of: "</table>"))
    rows = rest[..<end.lowerBound].components(separatedBy: "<tr").dropFirst().map { row in
      row.components(separatedBy: "</t").dropLast().compactMap { cell -> String? in
        guard let open = cell.range(of: "<t[hd]", options: .regularExpression) else { return nil }
        let text = cell[open.lowerBound...].replacing("<small>", with: "|")
        return Self.plain(String(text).replacing("</small>", with: ""))
      }
    }
  }

  /// The rows whose first cell begins with a text.
  func row(_ beginning: String) throws -> [String] {
    try #require(rows.first { $0.first?.hasPrefix(beginning) == true }, "no row '\(beginning)'")
  }

  private static func plain(_ text: String) -> String {
    var out = ""
    var isTag = false
    for character in text {
      if character == "<" { isTag = true }
      if !isTag { out.append(character) }
      if character == ">" { isTag = false }
    }
    return out.replacing("&#39;", with: "'").replacing("&lt;", with: "<")
      .replacing("&gt;", with: ">").replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
  }
}
