internal import BlakJaks
internal import RewardModel

/// Building blocks of the sections about runs.
enum RunsHTML {
  /// A section with a heading that links can name.
  ///
  /// - Parameter flow: Whether it follows the one before it on the same printed page.
  static func section(
    _ id: String, _ title: String, _ content: String, flow: Bool = false
  ) -> String {
    "<section id=\"\(id)\"\(flow ? " class=\"flow\"" : "") aria-labelledby=\"\(id)-title\">\n"
      + "<h2 id=\"\(id)-title\">\(HTMLText.escaped(title))</h2>\n\(content)</section>\n"
  }

  /// The place of a plot, what it shows in words, and what stands below it.
  static func figure(_ id: String, _ caption: String, _ below: String = "") -> String {
    let words = HTMLText.escaped(caption)
    return "<figure>\n<figcaption>\(words)</figcaption>\n"
      + "<div class=\"plot\" id=\"\(id)\" role=\"img\" aria-label=\"\(words)\"></div>\n"
      + "\(below)</figure>\n"
  }

  /// A paragraph.
  static func paragraph(_ text: String, style: String = "") -> String {
    "<p\(style.isEmpty ? "" : " class=\"\(style)\"")>\(HTMLText.escaped(text))</p>\n"
  }

  /// The class of a verdict about a run's budget.
  static func style(_ run: ReportRun) -> String {
    ReportSections(record: run.record, figures: run.figures).style(run.utilisation)
  }

  /// What readers must know before they believe the figures of an interrupted run.
  static func interruption(_ run: ReportRun, name: String) -> String {
    guard run.record.interrupted else { return "" }
    return "<p class=\"notice bad\" role=\"alert\">\(HTMLText.escaped(name)) was interrupted. "
      + "The figures cover what was run until then.</p>\n"
  }

  /// The settings by mark, folded on screen and open on paper.
  ///
  /// - Parameter differing: What to say about settings that are listed elsewhere; may be empty.
  static func assumptions(_ settings: SettingComparison, differing: String) -> String {
    let groups = settings.shared
    guard !groups.isEmpty else { return "" }
    var out = paragraph(
      "Every number that was put in, by where it comes from. " + differing, style: "soft")
    for group in groups {
      var table = HTMLTable(
        "Settings: \(group.words)", ["Setting", "Value", "What it is"])
      for row in SettingComparison.folded(group.rows) {
        table.add([
          HTMLTable.Cell(row.path, style: "code"), HTMLTable.Cell(row.value, style: "code"),
          HTMLTable.Cell(row.doc, style: "doc"),
        ])
      }
      out += HTMLText.details(
        "\(group.rows.count) \(group.words)", table.rendered(tall: true),
        printed: true)
    }
    return section("assumptions", "Settings and assumptions", out)
  }
}
