/// How a page looks on paper: pages of a known size with headers, page numbers and no controls.
enum PrintStyle {
  /// Width of a plot on an upright page of A4 or Letter, in CSS pixels: 15 mm margins, the
  /// narrower of the two.
  static let portraitWidth = 676
  /// The same on a landscape page.
  static let landscapeWidth = 920

  /// The rules for paper.
  ///
  /// - Parameters:
  ///   - paper: The size of a page.
  ///   - landscape: Whether pages are landscape.
  ///   - title: Printed at the top of each page; any text.
  ///   - mark: Printed at the top right of each page; any text.
  static func text(paper: PaperSize, landscape: Bool, title: String, mark: String) -> String {
    """
    @page {
      size: \(paper.name) \(landscape ? "landscape" : "portrait"); margin: \(paper.margin);
      @top-left { content: \(quoted(title)); \(marginText) }
      @top-right { content: \(quoted(mark)); \(marginText) }
      @bottom-left { content: "Pitboss report"; \(marginText) }
      @bottom-right { content: "Page " counter(page) " of " counter(pages); \(marginText) }
    }
    \(rules)
    """
  }

  private static let marginText =
    "font: 8pt/1.3 system-ui, -apple-system, \"Segoe UI\", Roboto, sans-serif; color: #5b6675;"

  private static let rules = """
    .pair { display: grid; grid-template-columns: 1fr 1fr; gap: 0 28px; }
    .pair .plain, .pair .table { min-width: 0; }
    .summary .cards { grid-template-columns: repeat(4, minmax(0, 1fr)); }
    .group th { color: var(--soft); font-weight: 600; padding-top: 16px; }
    .run { background: var(--panel); border: 1px solid var(--grid); border-radius: 10px;
      border-left: 5px solid var(--run); padding: 12px 18px 8px; margin-top: 12px; }
    .run p { max-width: none; }
    .run .verdict { border: 0; padding: 0; margin: 6px 0 4px; font-size: 16px; }
    .run .verdict.good { color: var(--goodText); }
    .run .verdict.caution { color: var(--cautionText); }
    .run .verdict.bad { color: var(--bad); }
    .swatch { background: var(--run); display: inline-block; width: 11px; height: 11px; border-radius: 3px;
      margin-right: 7px; }
    .wrap { white-space: normal; }
    .doc { color: var(--soft); font-size: 13px; }
    @media screen and (max-width: 760px) {
      .pair { grid-template-columns: 1fr; }
      .summary .cards { grid-template-columns: 1fr 1fr; }
    }
    @media print {
      :root { color-scheme: light; }
      html, body { background: #fff; }
      /* The last border of a row would lie on the edge of the page. */
      main { padding-right: 1px; }
      body { font-size: 9.5pt; line-height: 1.38; }
      h1 { font-size: 19pt; } h2 { font-size: 13.5pt; margin-bottom: 3pt; } h3 { font-size: 10.5pt; }
      h2, h3, figcaption, summary, .group { break-after: avoid; }
      p { orphans: 3; widows: 3; max-width: none; margin: 2pt 0 5pt; }
      .lead { font-size: 10pt; margin-top: 5pt; }
      .verdict { font-size: 11pt; margin: 4pt 0 3pt; }
      section { border: 0; border-radius: 0; padding: 0; margin: 0; break-before: page; }
      .run { padding: 5pt 9pt 3pt; margin-top: 6pt; break-inside: avoid; }
      .run h2 { font-size: 11.5pt; } .run .verdict { font-size: 10pt; margin: 2pt 0; }
      section.flow, #run { break-before: auto; margin-top: 18pt; }
      #run { break-inside: avoid; }
      .summary .cards { grid-template-columns: repeat(4, minmax(0, 1fr)); }
      .pair { grid-template-columns: 1fr 1fr; }
      /* The first page is one page: where a row is set stands in the assumptions. */
      #summary { margin-top: 6pt !important; }
      #summary .pair small { display: none; } #summary .pair table { font-size: 8pt; line-height: 1.2; }
      #summary .pair :is(th, td) { padding-block: .9pt; } #summary figure { margin: 0 0 -9pt; }
      figure { margin: 4pt 0 0; break-inside: avoid; }
      figure + figure, .table + figure { margin-top: 12pt; }
      .cards { gap: 5pt; margin: 5pt 0; }
      .card { padding: 4pt 8pt; border-color: #cfd5dd; border-radius: 6px; }
      .card dt, .card dd { font-size: 8.5pt; }
      .card dd.big { font-size: 14pt; } .card dd.big small { font-size: 8pt; }
      .table, .table.tall { max-height: none; overflow: visible; margin-top: 4pt; }
      table { font-size: 8.5pt; }
      th, td { padding: 2.2pt 6pt; }
      th:first-child, td:first-child { padding-left: 0; }
      th:last-child, td:last-child { padding-right: 0; }
      thead { display: table-header-group; } tfoot { display: table-row-group; }
      thead th { position: static; white-space: normal; vertical-align: bottom;
        font-size: 8pt; background: none; border-bottom: 1px solid #8d97a5; }
      tbody th { min-width: 8ch; }
      td small, th small, .doc, .code { font-size: 7.5pt; }
      .group th { padding-top: 7pt; }
      tr { break-inside: avoid; }
      /* Tables of many columns. */
      table:has(th:nth-child(9)) { font-size: 7.5pt; }
      table:has(th:nth-child(9)) tbody th { white-space: nowrap; }
      table:has(th:nth-child(9)) :is(th, td) { padding: 2.2pt 4pt; }
      /* A label and its number that stand a page apart cannot be read together. */
      [id^="insights"] table, section > .table > table:has(th:nth-child(2):last-child) {
        width: auto; min-width: 62%; }
      #assumptions th:first-child { width: 38%; } #assumptions th:nth-child(2) { width: 30%; }
      /* What stays folded on paper is left out with its handle. */
      details:not(.print) { display: none; }
      details.print::details-content { content-visibility: visible; display: block; height: auto; }
      details { margin-top: 7pt; }
      summary { list-style: none; color: var(--text); font-weight: 600; }
      summary::-webkit-details-marker { display: none; }
      a { color: inherit; text-decoration: none; }
      .menulayer, .updatemenu-container, .modebar-container, .screen { display: none !important; }
    }
    """

  /// A text as a string of a style sheet: all but plain letters, digits and blanks as escapes, so
  /// that it ends neither the string nor the element.
  static func quoted(_ text: String) -> String {
    var out = "\""
    for scalar in DisplayText.safe(text).unicodeScalars {
      let isPlain =
        scalar.isASCII
        && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || scalar == " " || scalar == "," || scalar == "." || scalar == "-")
      out += isPlain ? String(scalar) : "\\\(String(scalar.value, radix: 16)) "
    }
    return out + "\""
  }
}

/// The size of a printed page.
package enum PaperSize: String, CaseIterable, Sendable {
  case a4, letter

  /// As style sheets call it.
  var name: String {
    switch self {
    case .a4: "A4"
    case .letter: "Letter"
    }
  }

  /// Around the text of a page. Letter is the shorter of the two, and holds the same first page.
  var margin: String {
    switch self {
    case .a4: "18mm 15mm 17mm"
    case .letter: "12mm 15mm 11mm"
    }
  }
}
