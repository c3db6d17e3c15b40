package import RewardModel

/// The page of an experiment: its heading, links to the sections, and the sections with their
/// plots and tables.
package struct ExperimentPage {
  /// A part of the page that links can name.
  package struct Section {
    var id: String
    var title: String
    /// Plain text above the plots; may be empty.
    var text = ""
    /// Drawn in their order.
    var plots: [PlotSpec] = []
    /// HTML below the plots; a section with neither is left out.
    var content = ""
    /// Whether `content` says the same as the plots, so that it is folded away below them.
    var isFolded = false
    /// Whether a table of its figures is below each plot: not where `content`, or another part of the
    /// page, has them.
    var hasTables = true

    /// A part; see the properties.
    package init(
      id: String, title: String, text: String = "", plots: [PlotSpec] = [], content: String = "",
      isFolded: Bool = false, hasTables: Bool? = nil
    ) {
      self.id = id
      self.title = title
      self.text = text
      self.plots = plots
      self.content = content
      self.isFolded = isFolded
      self.hasTables = hasTables ?? content.isEmpty
    }
  }

  /// Shown in the title bar.
  var title: String
  /// The first words of the page.
  var heading: String
  /// Plain text below the heading, a paragraph each.
  var facts: [String] = []
  /// What the page says in one sentence, with its tone; nil where the plots say it.
  var verdict: (words: String, tone: PageTone)?
  /// Figures to be seen from afar, below the verdict.
  var cards: [ReportCard] = []
  /// What readers must know before they believe the rest, a box each.
  var notices: [String] = []
  var sections: [Section]

  /// A page; see the properties.
  package init(
    title: String, heading: String, facts: [String] = [],
    verdict: (words: String, tone: PageTone)? = nil, cards: [ReportCard] = [],
    notices: [String] = [], sections: [Section]
  ) {
    self.title = title
    self.heading = heading
    self.facts = facts
    self.verdict = verdict
    self.cards = cards
    self.notices = notices
    self.sections = sections
  }

  /// The whole page.
  ///
  /// - Parameters:
  ///   - plotly: How it loads plotly.js.
  ///   - source: The script; nil when it is not on this machine. The modes `directory` and `inline`
  ///     then give a page without plots that says so.
  package func rendered(_ plotly: PlotlyMode, _ source: PlotlySource?) -> String {
    let isDrawn = plotly == .cdn || source != nil
    let shown = sections.compactMap { section in
      Self.content(section, isDrawn).map { (id: section.id, title: section.title, content: $0) }
    }
    let plots = sections.flatMap(\.plots)
    var body = "<header><h1>\(HTMLText.breakable(heading))</h1>\n"
    body += facts.map { ReportHTML.paragraph($0, style: "soft") }.joined()
    if let verdict {
      body += ReportHTML.paragraph(verdict.words, style: "verdict \(verdict.tone.style)")
    }
    if !cards.isEmpty { body += ReportHTML.cards(cards) }
    body += "</header>\n"
    body += PageShell.notice(plots, plotly, source)
    body += notices.map {
      "<p class=\"notice\" role=\"note\">\(HTMLText.escaped($0))</p>\n"
    }.joined()
    if shown.count > 1 { body += ReportHTML.contents(shown.map { ($0.id, $0.title) }) }
    for section in shown {
      body += ReportHTML.section(section.id, section.title, section.content)
    }
    return PageShell(
      title: title, body: body, plots: isDrawn ? plots : [], plotly: plotly, source: source
    ).rendered()
  }

  /// What is in a part; nil where there is nothing but words about plots that are not drawn.
  private static func content(_ section: Section, _ isDrawn: Bool) -> String? {
    let plots = section.plots.map { plot in
      // Several plots of a section are told apart by what they measure.
      let measure = section.plots.count > 1 ? plot.measure.map { ": \($0)" } ?? "" : ""
      return PlotTable(plot).rendered(
        section.title + measure, isDrawn: isDrawn, hasTable: section.hasTables)
    }.joined()
    guard !plots.isEmpty || !section.content.isEmpty else { return nil }
    let words = section.text.isEmpty ? "" : ReportHTML.paragraph(section.text, style: "soft")
    let isFolded = section.isFolded && isDrawn && !section.plots.isEmpty
    return words + plots
      + (isFolded
        ? HTMLText.details("As a table", section.content, printed: true) : section.content)
  }
}
