// Goal: the words of a page can be read, in light and dark.
// Method: the contrast of the style sheet's own colors, by the formula of WCAG 2.2.

import Foundation
import Reports
import RewardModel
import Testing

@Suite struct PageStyleTests {
  @Test("Text has a contrast of 4.5 to what is below it, light and dark")
  func contrast() throws {
    let style = PageStyle.text
    let dark = try #require(style.firstRange(of: "prefers-color-scheme: dark"))
    for part in [style[..<dark.lowerBound], style[dark.lowerBound...]] {
      func colour(_ name: String) throws -> String {
        let mark = "--\(name): "
        let start = try #require(part.firstRange(of: mark), "\(name)")
        let value = String(part[start.upperBound...].prefix { $0 != ";" })
        guard value.hasPrefix("var(--") else { return value }
        return try colour(String(value.dropFirst(6).dropLast()))
      }
      for text in ["text", "soft", "accrual", "goodText", "cautionText", "bad"] {
        for back in ["panel", "page"] {
          let ratio = contrast(luminance(try colour(text)), luminance(try colour(back)))
          #expect(ratio >= 4.5, "\(text) on \(back): \(ratio)")
        }
      }
    }
    #expect(style.contains(".good { color: var(--goodText);"))
    #expect(style.contains(".caution { color: var(--cautionText);"))
  }

  @Test("Trillions in a card have smaller digits, and a unit may wrap below its number")
  func largeFigures() {
    let page = ReportHTML.cards([
      ReportCard("Cost", "4,043,000,002,530", unit: "USDT"), ReportCard("Scans", "999,999,999"),
    ])
    #expect(page.contains("<dd class=\"big large\">4,043,000,002,530 "))
    #expect(page.contains("<dd class=\"big\">999,999,999<"))
    #expect(PageStyle.text.contains(".card dd.big.large { font-size: 18px; }"))
    // Else a long amount leaves its card on the service's pages.
    for line in PageStyle.text.split(separator: "\n") where line.contains("dd.big") {
      #expect(!line.contains("nowrap"), "\(line)")
    }
  }

  private func contrast(_ one: Double, _ other: Double) -> Double {
    (max(one, other) + 0.05) / (min(one, other) + 0.05)
  }

  /// Relative luminance, WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance
  private func luminance(_ colour: String) -> Double {
    let value = UInt32(colour.dropFirst(), radix: 16) ?? 0
    func part(_ shift: UInt32, _ weight: Double) -> Double {
      let part = Double(value >> shift & 255) / 255
      return weight * (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4))
    }
    return part(16, 0.2126) + part(8, 0.7152) + part(0, 0.0722)
  }
}
