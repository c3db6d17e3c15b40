internal import Documents
internal import Foundation
internal import Quantities
package import RewardModel

/// A page of a running service as a web page: plain HTML that is whole without its script, which
/// puts parts in their places as they change.
package enum LivePage {
  /// Where a service shows its pages.
  package struct Addresses: Sendable {
    /// Of a page by its id.
    package var page: @Sendable (String) -> String
    /// Of the events of a page by its id.
    package var events: @Sendable (String) -> String
    package var style: String
    package var script: String

    /// Addresses; see the properties.
    package init(
      page: @escaping @Sendable (String) -> String, events: @escaping @Sendable (String) -> String,
      style: String, script: String
    ) {
      self.page = page
      self.events = events
      self.style = style
      self.script = script
    }
  }

  /// The whole page.
  ///
  /// - Parameter pages: All that there are, for the way from one to another.
  package static func html(
    _ page: Page, among pages: [PageDescription], _ addresses: Addresses
  ) -> String {
    let title = HTMLText.escaped(page.description.title)
    let service = HTMLText.escaped(page.scenario)
    let links = pages.map { other in
      let here = other == page.description ? " aria-current=\"page\"" : ""
      return "<a href=\"\(HTMLText.escaped(addresses.page(other.id)))\"\(here)>"
        + "\(HTMLText.escaped(other.title))</a>"
    }
    let sections = parts(page).map { "<section id=\"\($0.id)\">\($0.html)</section>\n" }
    let events = HTMLText.escaped(addresses.events(page.description.id))
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(title) – \(service)</title>
      <link rel="icon" href="data:,">
      <link rel="stylesheet" href="\(HTMLText.escaped(addresses.style))">
      </head>
      <body>
      <header>
      <p class="name">\(service)</p>
      <p id="state" class="state" role="status">not live</p>
      <nav aria-label="Pages">\(links.joined(separator: "\n"))</nav>
      </header>
      <main data-events="\(events)">
      <h1>\(title)</h1>
      <p class="soft">As of <time id="time">\(time(page))</time>; days are those of \
      \(HTMLText.escaped(page.zone)).</p>
      \(sections.joined())</main>
      <script src="\(HTMLText.escaped(addresses.script))"></script>
      </body>
      </html>

      """
  }

  /// When a page is of, as it says.
  package static func time(_ page: Page) -> String {
    PageWords.minute(page.instant, length: 19) + " UTC"
  }

  /// The parts of a page with the ids of their elements; one that has nothing to show is empty.
  package static func parts(_ page: Page) -> [(id: String, html: String)] {
    page.blocks.map { block in
      let content = LiveBlock(page.currency, block).html
      return (
        "block-\(HTMLText.escaped(block.key))",
        content.isEmpty ? "" : "<h2>\(HTMLText.escaped(block.title))</h2>\n\(content)"
      )
    }
  }

  /// The style sheet.
  package static let style = PageStyle.text + "\n" + LiveStyle.text

  /// The script.
  package static let script = LiveScript.text
}
