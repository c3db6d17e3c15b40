internal import Foundation

/// The frame of every page: head, style, plots and scripts around a body.
struct PageShell {
  /// Shown in the title bar; escaped here.
  var title: String
  /// Style sheets, rendered as they are.
  var style = PageStyle.text
  /// What is between the page's main tags, rendered as it is.
  var body: String
  /// Plots whose elements are in the body.
  var plots: [PlotSpec]
  /// How the page loads plotly.js.
  var plotly: PlotlyMode
  /// The script; nil when it is not on this machine.
  var source: PlotlySource?
  /// Width of a plot on paper, in CSS pixels (96 an inch).
  var paperWidth = PrintStyle.portraitWidth

  /// By this line programs know a page as one of Pitboss, which may be replaced.
  static let generator = "<meta name=\"generator\" content=\"Pitboss\">"

  /// The whole page.
  func rendered() -> String {
    let script = scriptTag
    var page = """
      <!DOCTYPE html>
      <html lang="en" data-paper-width="\(paperWidth)">
      <head>
      <meta charset="utf-8">
      \(Self.generator)
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="referrer" content="no-referrer">
      <title>\(HTMLText.escaped(title)) – Pitboss report</title>
      <link rel="icon" href="data:,">
      <style>
      \(style)
      </style>
      </head>
      <body>
      <main>
      \(body)
      """
    page += "</main>\n"
    if let script {
      page += "<script type=\"application/json\" id=\"plots\">\(PlotJSON.text(plots))</script>\n"
      page += script
      page += "<script>\n\(PageScript.text)\n</script>\n"
    }
    return page + "</body>\n</html>\n"
  }

  /// Nil when the page is to go without plots.
  private var scriptTag: String? {
    switch plotly {
    case .cdn:
      return "<script charset=\"utf-8\" src=\"\(PlotlySource.networkAddress)\""
        + " integrity=\"\(PlotlySource.integrity)\" crossorigin=\"anonymous\"></script>\n"
    case .directory:
      guard source != nil else { return nil }
      return "<script charset=\"utf-8\" src=\"\(HTMLReport.scriptName)\"></script>\n"
    case .inline:
      guard let source else { return nil }
      return "<script>\(Self.embedded(source.script))</script>\n"
    }
  }

  /// A script as an element holds it: in its string literals `<\/` means `</`, but does not end the element.
  static func embedded(_ script: Data) -> String {
    script.withUnsafeBytes { bytes in
      var text = ""
      var rest = bytes[...]
      while let end = place(of: "</script", in: rest) {
        text += String(decoding: rest[..<end], as: UTF8.self) + "<\\/"
        rest = rest[(end + 2)...]
      }
      text += String(decoding: rest, as: UTF8.self)
      return text
    }
  }

  /// Where a tag first is among bytes: the C library finds its first character, where Foundation compares byte
  /// by byte what is megabytes of a script.
  private static func place(
    of tag: StaticString, in bytes: Slice<UnsafeRawBufferPointer>
  ) -> Int? {
    let length = tag.utf8CodeUnitCount
    var place = bytes.startIndex
    while bytes.endIndex - place >= length {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[place...])
      guard let start = rest.baseAddress,
        let found = memchr(start, Int32(tag.utf8Start[0]), rest.count)
      else { return nil }
      place += start.distance(to: UnsafeRawPointer(found))
      if bytes.endIndex - place >= length, memcmp(found, tag.utf8Start, length) == 0 {
        return place
      }
      place += 1
    }
    return nil
  }

  /// What a page says where its plots are not to be seen; empty for one that has none.
  static func notice(_ plots: [PlotSpec], _ plotly: PlotlyMode, _ source: PlotlySource?) -> String {
    guard !plots.isEmpty else { return "" }
    guard plotly != .cdn, source == nil else {
      return "<noscript><p class=\"notice\" role=\"note\">The plots of this page need JavaScript, "
        + "which is off for it; its tables do not.</p></noscript>\n"
    }
    return "<p class=\"notice\" role=\"note\">This report was made without plotly.js, so that it "
      + "shows tables instead of plots. For plots, \(HTMLText.escaped(PlotlySource.advice)), and "
      + "make the report again.</p>\n"
  }
}
