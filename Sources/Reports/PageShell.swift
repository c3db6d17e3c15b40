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
      // In a string literal of the script `<\/` means `</`, but would not end the element.
      var text = ""
      var rest = source.script[...]
      while let end = rest.range(of: Data("</script".utf8)) {
        text += String(decoding: rest[..<end.lowerBound], as: UTF8.self) + "<\\/script"
        rest = rest[end.upperBound...]
      }
      return "<script>\(text + String(decoding: rest, as: UTF8.self))</script>\n"
    }
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
